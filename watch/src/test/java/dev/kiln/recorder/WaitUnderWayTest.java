package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.ThreadTable;
import dev.kiln.recorder.RecorderThreads.WaitUnderWay;
import org.junit.jupiter.api.Test;

class WaitUnderWayTest {
    private static final long SECOND = 1_000_000_000;
    private final WaitUnderWay wait = new WaitUnderWay();

    private static ThreadTable.Counters counters(long cpu, long slices) {
        return new ThreadTable.Counters("C2 CompilerThre", cpu, 0, slices, 0, 0, 'R');
    }

    @Test
    void aRunnableThreadThatDoesNotRunWaits() {
        assertThat(wait.nanos(counters(5, 1), SECOND, true)).isZero();
        assertThat(wait.nanos(counters(5, 1), 2 * SECOND, true)).isEqualTo(SECOND);
        assertThat(wait.nanos(counters(5, 1), 3 * SECOND, true)).isEqualTo(2 * SECOND);
        // It got a CPU: the kernel has credited the wait. Another one began.
        assertThat(wait.nanos(counters(6, 2), 4 * SECOND, true)).isZero();
        assertThat(wait.nanos(counters(6, 2), 5 * SECOND, true)).isEqualTo(SECOND);
    }

    @Test
    void aThreadThatSleptAtTheLastLookWaitsFromThisOne() {
        assertThat(wait.nanos(counters(5, 1), SECOND, false)).isZero();
        assertThat(wait.nanos(counters(5, 1), 2 * SECOND, true)).isZero();
        assertThat(wait.nanos(counters(5, 1), 3 * SECOND, true)).isEqualTo(SECOND);
    }

    @Test
    void aSleepingThreadDoesNot() {
        for (int i = 1; i < 5; i++) {
            assertThat(wait.nanos(counters(5, 1), i * SECOND, false)).isZero();
        }
    }
}
