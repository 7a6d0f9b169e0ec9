package dev.kiln.jvm.threads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers of a process that only claims to be a JVM. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadPrintBoundsTest {
    /** Without a bound each of its angles was held against all that follow. */
    @Test
    void aLineWithoutAnEndTakesNoHours() {
        String text = "\"main\" #1 prio=5\n   java.lang.Thread.State: RUNNABLE\n\t- locked <"
                + "x> (a ".repeat(1_000_000) + "\n\tat a.B.c(D.java:1)\n";
        assertThat(ThreadPrint.parse(text))
                .singleElement()
                .satisfies(thread -> assertThat(thread.frames()).hasSize(1));
    }
}
