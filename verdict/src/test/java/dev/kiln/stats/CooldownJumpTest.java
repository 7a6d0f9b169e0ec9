package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.series.Noise;
import dev.kiln.stats.series.SeriesAnalysis.CooldownJump;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CooldownJumpTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();
    private static final Noise QUIET = new Noise(0.01, 0, 0.01, 100, 100);

    private static double[] level(int n, double rate) {
        double[] x = new double[n];
        Arrays.fill(x, rate);
        return x;
    }

    @Test
    void theFirstBinAfterThePauseDoesNotCountNorWhatFollowsTen() {
        double[] measure = level(30, 200);
        measure[0] = 5;
        measure[11] = 9999;
        double[] warmup = level(90, 100);
        warmup[79] = 9999;
        CooldownJump jump = CooldownJump.of(warmup, measure, QUIET, 0, CONFIG).orElseThrow();

        assertThat(jump.before()).isEqualTo(100);
        assertThat(jump.after()).isEqualTo(200);
        assertThat(jump.ratio().value()).isEqualTo(2);
    }

    /** 1.42 standard errors and Student's part, of two means of ten bins at 1 %. */
    @Test
    void theRatioHasItsInterval() {
        CooldownJump jump = CooldownJump.of(level(90, 100), level(30, 110), QUIET, 0, CONFIG)
                .orElseThrow();
        double z = 1.959963984540054; // 95 %
        double reach = z * (1 + (z * z + 1) / 400) * Math.sqrt(2) * 0.01 / Math.sqrt(10);

        assertThat(jump.ratio().lo()).isCloseTo(1.1 * Math.exp(-reach), within(1e-9));
        assertThat(jump.ratio().hi()).isCloseTo(1.1 * Math.exp(reach), within(1e-9));
    }

    @Test
    void shortPhasesHaveNoJump() {
        assertThat(CooldownJump.of(level(9, 100), level(30, 100), QUIET, 0, CONFIG))
                .isEmpty();
        assertThat(CooldownJump.of(level(10, 100), level(11, 100), QUIET, 0, CONFIG))
                .isPresent();
        assertThat(CooldownJump.of(level(10, 100), level(10, 100), QUIET, 0, CONFIG))
                .isEmpty();
        assertThat(CooldownJump.of(level(30, 0), level(30, 100), QUIET, 0, CONFIG))
                .isEmpty();
    }
}
