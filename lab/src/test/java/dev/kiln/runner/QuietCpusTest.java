package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.host.proc.CpuMeter;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuietCpusTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void quietCpusAreThoseOfTheTargetAndStolenTimeCounts() {
        List<CpuMeter.Times> before = List.of(new CpuMeter.Times(0, 0, 0, 0, 0), new CpuMeter.Times(1, 0, 0, 0, 0));
        List<CpuMeter.Times> now = List.of(
                new CpuMeter.Times(0, SECOND / 20, SECOND * 9 / 10, SECOND / 20, 0),
                new CpuMeter.Times(1, SECOND, 0, 0, 0));
        QuietCpus.CpuShares target = QuietCpus.CpuShares.between(before, now, List.of(0));
        assertThat(target).isEqualTo(new QuietCpus.CpuShares(0.05, 0.05));
        assertThat(target.quiet()).isTrue();
        assertThat(QuietCpus.CpuShares.between(before, now, List.of()).busy()).isEqualTo(0.525);
        assertThat(QuietCpus.CpuShares.between(before, now, List.of()).quiet()).isFalse();
        assertThat(QuietCpus.CpuShares.between(now, now, List.of()).quiet())
                .as("no time has passed")
                .isTrue();
    }

    /** A last second that happens to be quiet is not what the run waited for. */
    @Test
    void aWaitThatIsOverSaysWhatKeptItWaiting() {
        QuietCpus.Wait wait = new QuietCpus.Wait();
        for (int i = 0; i < 9; i++) {
            wait.add(new QuietCpus.CpuShares(i % 2 == 0 ? 0.6 : 0.2, 0.02));
        }
        wait.add(new QuietCpus.CpuShares(0.03, 0.01));
        assertThat(wait.quiet()).isFalse();
        assertThat(wait.text())
                .isEqualTo("on average 38 % busy, 2 % stolen; in the busiest second 60 % busy, 2 % stolen");
        assertThat(wait.use().busy()).isCloseTo(0.383, within(1e-9));
        for (int i = 0; i < 2; i++) {
            wait.add(new QuietCpus.CpuShares(0.03, 0.01));
        }
        assertThat(wait.quiet()).isTrue();
        assertThat(wait.use()).isEqualTo(new QuietCpus.CpuShares(0.03, 0.01));
    }
}
