package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PrecisionTest {
    private static HandMade run(String variant, int block, double peak) {
        return HandMade.measured(variant, peak, HandMade.seconds(60, peak)).numbered(block);
    }

    @Test
    void oneRunHasNoInterval() {
        assertThat(Precision.width(HandMade.assess(run("a", 1, 1000)), 0.95)).isEmpty();
    }

    @Test
    void equalRunsHaveAnIntervalWithoutWidth() {
        assertThat(Precision.width(HandMade.assess(run("a", 1, 1000), run("a", 2, 1000)), 0.95)
                        .orElseThrow())
                .isCloseTo(0, within(1e-9));
    }

    @Test
    void oneVariantIsJudgedByItsOwnPeak() {
        // Logs 0 and ln 1.01: mean 0.004975, standard error 0.004975, t(0.975, 1) = 12.7062; width exp(2 * 0.063216) -
        // 1.
        assertThat(Precision.width(HandMade.assess(run("a", 1, 1000), run("a", 2, 1010)), 0.95)
                        .orElseThrow())
                .isCloseTo(0.13477, within(1e-4));
    }

    @Test
    void whatDriftsInBothVariantsAlikeDoesNotWiden() {
        ExperimentResult drifting =
                HandMade.assess(run("a", 1, 1000), run("b", 1, 2000), run("a", 2, 1500), run("b", 2, 3000));
        assertThat(Precision.width(drifting, 0.95).orElseThrow()).isCloseTo(0, within(1e-9));
    }

    @Test
    void aVariantWithoutASecondRunKeepsItOpen() {
        ExperimentResult open = HandMade.assess(run("a", 1, 1000), run("b", 1, 2000), run("a", 2, 1500));
        assertThat(Precision.width(open, 0.95)).isEmpty();
    }
}
