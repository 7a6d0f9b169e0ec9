package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.ExactTest.RankSums;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RunsTest {
    @Test
    void theDistributionOfUIsComplete() {
        for (int n = 1; n <= 6; n++) {
            for (int m = 1; m <= 6; m++) {
                RankSums u = new RankSums(n, m);
                assertThat(u.cdf(n * m)).isCloseTo(1, within(1e-12));
                assertThat(u.cdf(0)).isCloseTo(1 / ExactTest.choose(n + m, n), within(1e-12));
                assertThat(u.cdf(-1)).isZero();
                assertThat(u.cdf((n * m - 1) / 2)).isCloseTo(1 - u.cdf(n * m - 1 - (n * m - 1) / 2), within(1e-12));
            }
        }
        assertThat(new RankSums(3, 4).cdf(2)).isCloseTo(4 / 35.0, within(1e-12));
    }

    @Test
    void multiplicityKeepsTheOrderAndItsBounds() {
        double[] p = {0.6, 0.01, 0.5};
        assertThat(Multiplicity.holm(p)).containsExactly(new double[] {1, 0.03, 1}, within(1e-12));
        assertThat(Multiplicity.benjaminiHochberg(p)).containsExactly(new double[] {0.6, 0.03, 0.6}, within(1e-12));
        assertThat(Multiplicity.holm(new double[] {0.01, 0.0101})[1]).isEqualTo(0.02);
        assertThat(Multiplicity.holm(new double[] {0, 1})).containsExactly(0, 1);
        assertThat(Multiplicity.holmLevels(p, 0.06)).containsExactly(new double[] {0.03, 0.02, 0.03}, within(1e-12));
        assertThat(Multiplicity.holmLevels(new double[] {0.026, 0.04}, 0.05))
                .as("what comes after one that is not rejected is not rejected either")
                .containsExactly(0.025, 0.025);
        assertThatIllegalArgumentException().isThrownBy(() -> Multiplicity.holm(new double[] {0.1, 1.1}));
        assertThatIllegalArgumentException().isThrownBy(() -> Multiplicity.holm(new double[] {-0.1}));
        assertThatIllegalArgumentException().isThrownBy(() -> Multiplicity.holm(new double[] {Double.NaN}));
    }

    @Test
    void runsNeededAreTheFewestThatDo() {
        for (double effect : new double[] {0.01, 0.02, 0.05, 0.2}) {
            int n = Power.runsForEffect(0.02, effect).orElseThrow();
            assertThat(Power.minimalDetectableEffect(0.02, n)).isLessThanOrEqualTo(effect);
            assertThat(n == 2 || Power.minimalDetectableEffect(0.02, n - 1) > effect)
                    .isTrue();
        }
        assertThat(Power.runsForEffect(0, 0.01)).hasValue(2);
        int pairs = Power.pairsForEffect(0.02, 0.01).orElseThrow();
        assertThat(Power.minimalDetectableEffect(0.02 / Math.sqrt(pairs), pairs - 1.0))
                .isLessThanOrEqualTo(0.01);
        assertThat(Power.minimalDetectableEffect(0.02 / Math.sqrt(pairs - 1), pairs - 2.0))
                .isGreaterThan(0.01);
        // exp((t(.9875; 9) + t(.8; 9)) 0.005) - 1 with 2.6850 and 0.8834.
        assertThat(Power.minimalDetectableEffect(0.005, 9, 0.975)).isCloseTo(0.018002, within(0.00001));
        assertThat(Power.pairsForEffect(0.02, 0.01, 0.975).orElseThrow()).isGreaterThan(pairs);
        assertThat(Power.runsForEffect(10, 0.01)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> Power.minimalDetectableEffect(0.01, 1));
        for (double cv : new double[] {-0.01, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Power.minimalDetectableEffect(cv, 3));
            assertThatIllegalArgumentException().isThrownBy(() -> Power.runsForEffect(cv, 0.1));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Power.runsForEffect(0.1, 0));
    }

    @Test
    void theSmallestPDecidesHowManyRunsItTakes() {
        assertThat(ExactTest.runsNeeded(0.05)).isEqualTo(4);
        assertThat(ExactTest.runsNeeded(0.1)).as("a p of 0.1 is not below it").isEqualTo(4);
        assertThat(ExactTest.runsNeeded(0.025)).isEqualTo(5);
        assertThat(ExactTest.pairsNeeded(0.05)).isEqualTo(6);
        assertThat(ExactTest.pairsNeeded(0.07)).isEqualTo(5);
        assertThat(ExactTest.unpaired(1, 1)).isEqualTo(1);
        assertThat(ExactTest.unpaired(2, 3)).isEqualTo(0.2);
        assertThatIllegalArgumentException().isThrownBy(() -> ExactTest.unpaired(0, 3));
        assertThatIllegalArgumentException().isThrownBy(() -> ExactTest.withinBlocks(0));
        assertThatIllegalArgumentException().isThrownBy(() -> ExactTest.runsNeeded(0));
        assertThatIllegalArgumentException().isThrownBy(() -> ExactTest.pairsNeeded(1));
    }

    @Test
    void halfTheRunsCensoredLeaveNoMedian() {
        CensoredTimes half = CensoredTimes.of(new double[] {10, 20, 60, 70}, 60);
        assertThat(half.reached()).isEqualTo(2);
        assertThat(half.median()).isEmpty();
        assertThat(half.restrictedMean()).isCloseTo(37.5, within(1e-12));
        CensoredTimes most =
                CensoredTimes.of(List.of(OptionalDouble.of(10), OptionalDouble.empty(), OptionalDouble.of(20)), 60);
        assertThat(most.median()).hasValue(20);
        assertThat(most.horizon()).isEqualTo(60);
        assertThat(CensoredTimes.compare(new double[] {1, 2}, new double[] {3, 4}, 60)
                        .warnings())
                .isEmpty();
        CensoredTimes.Comparison c = CensoredTimes.compare(new double[] {1, 2}, new double[] {30, 99}, 60);
        assertThat(c.warnings()).singleElement().asString().startsWith("1 of 4 runs");
        assertThat(c.restrictedMeanDifference()).isEqualTo(43.5);
        assertThatIllegalArgumentException().isThrownBy(() -> CensoredTimes.of(new double[0], 60));
        assertThatIllegalArgumentException().isThrownBy(() -> CensoredTimes.of(new double[] {-1}, 60));
        assertThatIllegalArgumentException().isThrownBy(() -> CensoredTimes.of(new double[] {1}, 0));
    }

    @Test
    void startUpTablesUseThePopulationDeviation() {
        double[] a = {544, 554, 550, 571, 550, 552, 568, 551, 554, 556};
        double[] b = {512, 525, 508, 515, 506, 515, 510, 517, 506, 508};
        assertThat(Summary.of(a).geomean()).isCloseTo(554.94, within(0.005));
        assertThat(Summary.of(a).populationSd()).isCloseTo(7.90, within(0.005));
        assertThat(Summary.of(b).geomean()).isCloseTo(512.17, within(0.005));
        assertThat(Summary.of(b).populationSd()).isCloseTo(5.65, within(0.005));
        Welch ratio = Welch.ratio(a, b, 0.95);
        assertThat(ratio.estimate()).isCloseTo(0.9229, within(5e-5));
        assertThat(ratio.lo()).isCloseTo(0.9114, within(5e-5));
        assertThat(ratio.hi()).isCloseTo(0.9346, within(5e-5));
    }

    @Test
    void aSummaryOfOneRunHasNoSpread() {
        assertThat(Summary.of(new double[] {7})).isEqualTo(new Summary(1, Math.exp(Math.log(7)), 7, 7, 0, 0, 0));
        Summary s = Summary.of(new double[] {1, 2, 6});
        assertThat(s.mean()).isEqualTo(3);
        assertThat(s.median()).isEqualTo(2);
        assertThat(s.cv()).isCloseTo(Math.sqrt(7) / 3, within(1e-12));
        assertThatIllegalArgumentException().isThrownBy(() -> Summary.of(new double[0]));
        for (double bad : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Summary.of(new double[] {1, bad}))
                    .withMessageContaining("run 1");
        }
    }
}
