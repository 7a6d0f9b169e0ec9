package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateTest {
    private static final double[] BASE = {1000, 1002, 998, 1001, 999};

    private static double[] scaled(double factor) {
        double[] out = BASE.clone();
        for (int i = 0; i < out.length; i++) {
            out[i] *= factor;
        }
        return out;
    }

    /** A published comparison of two releases. */
    @ParameterizedTest
    @CsvSource({
        "137.0, 120.0, 14.2, 1.0",
        "179.0, 153.0, 17.0, 1.0",
        "261.0, 215.0, 21.4, 1.0",
        "342.0, 301.0, 13.6, 2.0",
        "148.0, 128.0, 15.6, 1.0",
        "637.0, 745.2, -14.5, -5.0"
    })
    void thePointRule(double current, double baseline, double variance, double tolerance) {
        Gate gate = Gate.point(baseline, current, tolerance);
        assertThat(gate.variancePct()).isCloseTo(variance, within(0.05));
        assertThat(gate.verdict()).isEqualTo(Gate.Verdict.FAIL);
        assertThat(gate.outcome()).isEqualTo(Gate.Verdict.FAIL);
        assertThat(gate.warnings()).extracting(Warning::code).containsExactly(Warning.Code.POINT_RULE);
        assertThat(gate.ciLoPct()).isEmpty();
        assertThat(gate.ciHiPct()).isEmpty();
        assertThat(gate.minimalDetectableEffectPct()).isEmpty();
    }

    @Test
    void theSignOfTheToleranceSaysWhichWayIsBetter() {
        assertThat(Gate.point(100, 101, 1).verdict()).isEqualTo(Gate.Verdict.PASS);
        assertThat(Gate.point(100, 50, 1).verdict()).isEqualTo(Gate.Verdict.PASS);
        assertThat(Gate.point(100, 102, 1).verdict()).isEqualTo(Gate.Verdict.FAIL);
        assertThat(Gate.point(100, 200, -1).verdict()).isEqualTo(Gate.Verdict.PASS);
        assertThat(Gate.point(100, 75, -25).verdict()).isEqualTo(Gate.Verdict.PASS);
        assertThat(Gate.point(100, 74, -25).verdict()).isEqualTo(Gate.Verdict.FAIL);
        for (double bad : new double[] {0, Double.NaN, Double.NEGATIVE_INFINITY}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Gate.point(1, 1, bad));
            assertThatIllegalArgumentException().isThrownBy(() -> Gate.interval(BASE, BASE, bad));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Gate.point(0, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Gate.point(1, -1, 1));
    }

    @Test
    void theIntervalRuleWorksBothWays() {
        assertThat(Gate.interval(BASE, scaled(1.001), 1).verdict()).isEqualTo(Gate.Verdict.PASS);
        assertThat(Gate.interval(BASE, scaled(1.02), 1).verdict()).isEqualTo(Gate.Verdict.FAIL);
        assertThat(Gate.interval(BASE, scaled(1.01), 1).verdict()).isEqualTo(Gate.Verdict.INCONCLUSIVE);
        assertThat(Gate.interval(BASE, scaled(0.5), 1).verdict()).isEqualTo(Gate.Verdict.PASS);
        assertThat(Gate.interval(BASE, scaled(0.5), -1).verdict()).isEqualTo(Gate.Verdict.FAIL);
        assertThat(Gate.interval(BASE, scaled(0.99), -1).verdict()).isEqualTo(Gate.Verdict.INCONCLUSIVE);
        assertThat(Gate.interval(BASE, scaled(1.5), -1).verdict()).isEqualTo(Gate.Verdict.PASS);
        assertThat(Gate.interval(BASE, scaled(1.001), 1).warnings()).isEmpty();
        assertThat(Gate.interval(BASE, scaled(1.001), 1).outcome()).isEqualTo(Gate.Verdict.PASS);
    }

    @Test
    void anUnderPoweredGateIsRefused() {
        double[] noisy = {900, 1000, 1100};
        Gate gate = Gate.interval(noisy, noisy, 5);
        assertThat(gate.underPowered()).isTrue();
        assertThat(gate.outcome()).isEqualTo(Gate.Verdict.REFUSED);
        assertThat(gate.verdict()).isEqualTo(Gate.Verdict.INCONCLUSIVE);
        assertThat(gate.warnings()).hasSize(2);
        assertThat(gate.warnings().getFirst().text()).contains("under-powered").contains("5 %");
        assertThat(gate.warnings().getLast().text()).contains("no look is left");
        double cv = Math.sqrt(Descriptive.sampleVariance(Series.logs(noisy)));
        assertThat(gate.minimalDetectableEffectPct().orElseThrow())
                .isCloseTo(100 * Power.minimalDetectableEffect(cv, 3), within(1e-9));
        assertThat(Gate.interval(noisy, noisy, -50).underPowered()).isFalse();
    }

    @Test
    void looksShareTheirAlpha() {
        Gate one = Gate.interval(BASE, scaled(1.01), 1);
        Gate three = Gate.interval(BASE, scaled(1.01), 1, 2, 3);
        assertThat(three.look()).isEqualTo(2);
        assertThat(three.looks()).isEqualTo(3);
        WelchRatio wide = WelchRatio.of(BASE, scaled(1.01), 1 - 0.1 / 3);
        assertThat(three.ciLoPct().orElseThrow()).isCloseTo(100 * (wide.lo() - 1), within(1e-9));
        assertThat(three.ciHiPct().orElseThrow()).isGreaterThan(one.ciHiPct().orElseThrow());
        assertThat(three.warnings()).extracting(Warning::text).anyMatch(t -> t.contains("2 of 3: add a block"));
        assertThat(Gate.interval(BASE, scaled(1.01), 1, 3, 3).warnings())
                .extracting(Warning::text)
                .anyMatch(t -> t.contains("no look is left"));
        for (int[] bad : new int[][] {{0, 1}, {2, 1}, {1, 4}}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Gate.interval(BASE, BASE, 1, bad[0], bad[1]));
        }
    }
}
