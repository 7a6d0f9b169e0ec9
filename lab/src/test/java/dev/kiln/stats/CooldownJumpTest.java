package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CooldownJumpTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    private static double[] line(int n, double from, double slope) {
        double[] x = new double[n];
        for (int i = 0; i < n; i++) {
            x[i] = from + slope * i;
        }
        return x;
    }

    @Test
    void theFirstBinAfterThePauseDoesNotCount() {
        double[] measure = line(30, 200, 0);
        measure[0] = 5;
        measure[11] = 9999;
        CooldownJump j = CooldownJump.of(line(90, 100, 0), measure).orElseThrow();
        assertThat(j.before()).isEqualTo(100);
        assertThat(j.after()).isEqualTo(200);
        assertThat(j.ratio()).isEqualTo(2);
        assertThat(j.slopeRatio()).isEqualTo(1);
        assertThat(j.exceedsSlope()).isTrue();
        assertThat(j.tail()).isEqualTo(Trend.LEVEL);
    }

    @Test
    void aJumpThatTheSlopeExplainsIsNone() {
        // The windows' middles are 11 bins apart: the line goes on, and a bit more is more.
        double[] warmup = line(90, 1000, 10);
        CooldownJump same = CooldownJump.of(warmup, line(30, 1899, 10)).orElseThrow();
        assertThat(same.slopeRatio()).isCloseTo(1 + 110 / 1845.0, within(1e-12));
        assertThat(same.exceedsSlope()).isFalse();
        assertThat(same.tail()).isEqualTo(Trend.CLIMBING);
        assertThat(CooldownJump.of(warmup, line(30, 1902, 10)).orElseThrow().exceedsSlope())
                .isTrue();
        CooldownJump falling =
                CooldownJump.of(line(90, 2000, -10), line(30, 1100, 0)).orElseThrow();
        assertThat(falling.exceedsSlope()).isFalse();
    }

    @Test
    void shortPhasesHaveNoJump() {
        assertThat(CooldownJump.of(line(9, 100, 0), line(30, 100, 0))).isEmpty();
        assertThat(CooldownJump.of(line(10, 100, 0), line(11, 100, 0))).isPresent();
        assertThat(CooldownJump.of(line(10, 100, 0), line(10, 100, 0))).isEmpty();
        assertThat(CooldownJump.of(new double[30], line(30, 100, 0))).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CooldownJump.of(new double[] {Double.NaN}, line(30, 100, 0)));
        assertThatIllegalArgumentException().isThrownBy(() -> CooldownJump.of(line(30, 1, 0), new double[] {-1}));
    }

    private static CooldownJump jump(double ratio, boolean exceeds, Trend tail) {
        return new CooldownJump(100, 100 * ratio, ratio, 1, exceeds, tail);
    }

    private static JumpEvidence evidence(CooldownJump... jumps) {
        return JumpEvidence.of(Arrays.asList(jumps), CONFIG);
    }

    @Test
    void evidenceNeedsALowerBoundBetweenRuns() {
        CooldownJump two = jump(2, true, Trend.LEVEL);
        CooldownJump more = jump(2.2, true, Trend.LEVEL);
        JumpEvidence e = evidence(two, more, jump(2.1, true, Trend.LEVEL));
        assertThat(e.evidence()).isTrue();
        assertThat(e.runs()).isEqualTo(3);
        assertThat(e.ratio()).isCloseTo(Math.cbrt(2 * 2.2 * 2.1), within(1e-12));
        assertThat(e.warnings()).isEmpty();
        // t(.975, 2) = 4.30265
        double[] logs = {Math.log(2), Math.log(2.2), Math.log(2.1)};
        double lo = Descriptive.mean(logs) - 4.302652729911275 * Math.sqrt(Descriptive.sampleVariance(logs) / 3);
        assertThat(e.lo().orElseThrow()).isCloseTo(Math.exp(lo), within(1e-9));
        JumpEvidence single = evidence(two);
        assertThat(single.evidence()).isFalse();
        assertThat(single.lo()).isEmpty();
        assertThat(single.warnings()).hasSize(1);
        assertThat(evidence(two, more, jump(2, false, Trend.LEVEL)).evidence()).isFalse();
        JumpEvidence climbing = evidence(two, more, jump(2, true, Trend.CLIMBING));
        assertThat(climbing.evidence()).isFalse();
        assertThat(climbing.tailsLevel()).isFalse();
        assertThat(climbing.exceedsSlope()).isTrue();
        assertThat(evidence(jump(1.04, true, Trend.LEVEL), jump(1.04, true, Trend.LEVEL))
                        .evidence())
                .isFalse();
        assertThat(evidence(jump(0, true, Trend.LEVEL), two).lo()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> JumpEvidence.of(List.of(), CONFIG));
    }
}
