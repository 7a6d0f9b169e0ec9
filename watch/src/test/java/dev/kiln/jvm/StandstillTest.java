package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.JvmCounters.Standstill;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How long a question stopped a JVM. */
class StandstillTest {
    private static final Standstill BEFORE = new Standstill(1_000, OptionalLong.of(5_000), 300);

    private static long since(long safepoints, long operations, long collections) {
        return new Standstill(1_000 + safepoints, OptionalLong.of(5_000 + operations), 300 + collections).since(BEFORE);
    }

    /** On one busy CPU a dump of 8 ms was followed by 90 ms in which the program ran, and the safepoint was not over. */
    @Test
    void theTimeInWhichTheProgramRunsAgainIsNoStop() {
        assertThat(since(98, 8, 0)).isEqualTo(8);
    }

    @Test
    void whatTheProgramNeedNotStopForIsNoStop() {
        assertThat(since(8, 30, 0)).isEqualTo(8);
    }

    @Test
    void collectionsAreNotOfTheQuestion() {
        assertThat(since(98, 28, 20)).isEqualTo(8);
        assertThat(since(8, 8, 20)).isZero();
    }

    @Test
    void withoutACountOfOperationsTheSafepointsDecide() {
        assertThat(new Standstill(1_098, OptionalLong.empty(), 300).since(BEFORE))
                .isEqualTo(98);
    }

    @Test
    void aJvmCountsItsOperations() {
        Optional<JvmCounters> own =
                new JvmProbe(ProcFs.ofThisMachine(), ProcessHandle.current().pid()).counters();
        assumeTrue(own.isPresent(), "this JVM shows no counters");
        assertThat(own.orElseThrow().standstill().operationNanos().orElseThrow())
                .isPositive();
    }
}
