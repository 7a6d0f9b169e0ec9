package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.ExactTest.RankSums;
import dev.kiln.stats.Student.Welch;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        for (Power.Design design : Power.Design.values()) {
            for (double effect : new double[] {0.01, 0.02, 0.05, 0.2}) {
                RunsNeeded.Runs needed = (RunsNeeded.Runs) Power.runs(design, 0.02, Math.log1p(effect), 0.05);
                int n = needed.aSide();
                assertThat(Power.byBoth(design, n, 0.05) * 0.02).isLessThanOrEqualTo(Math.log1p(effect));
                assertThat(n == 2 || Power.byBoth(design, n - 1, 0.05) * 0.02 > Math.log1p(effect))
                        .isTrue();
            }
        }
        assertThat(Power.runs(Power.Design.GROUPS, 0, 0.01, 0.05))
                .as("so few cannot reject")
                .isEqualTo(new RunsNeeded.Runs(4));
        assertThat(Power.runs(Power.Design.BLOCKS, 0, 0.01, 0.025)).isEqualTo(new RunsNeeded.Runs(7));
        assertThat(Power.byBoth(Power.Design.GROUPS, 3, 0.05)).isInfinite();
        assertThat(Power.runs(Power.Design.GROUPS, 10, 0.01, 0.05))
                .isEqualTo(new RunsNeeded.NoNumber(RunsNeeded.Why.TOO_MANY));
        assertThat(Power.runs(Power.Design.GROUPS, 0.1, 0, 0.05))
                .isEqualTo(new RunsNeeded.NoNumber(RunsNeeded.Why.RESOLUTION));
        assertThatIllegalArgumentException().isThrownBy(() -> Power.byBoth(Power.Design.GROUPS, 1, 0.05));
        for (double sd : new double[] {-0.01, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Power.runs(Power.Design.GROUPS, sd, 0.1, 0.05));
        }
    }

    /** 80 % within 5 points, by t and the exact test together, on other runs than those that the figure is from. */
    @ParameterizedTest
    @CsvSource({
        "GROUPS, 4, 0.05",
        "GROUPS, 6, 0.05",
        "GROUPS, 12, 0.05",
        "GROUPS, 30, 0.05",
        "GROUPS, 5, 0.0125",
        "BLOCKS, 6, 0.05",
        "BLOCKS, 8, 0.05",
        "BLOCKS, 12, 0.05",
        "BLOCKS, 21, 0.05",
        "BLOCKS, 8, 0.03"
    })
    void whatIsDetectableIsShownInFourCasesOfFive(Power.Design design, int n, double alpha) {
        Random random = new Random(99);
        double difference = Power.byBoth(design, n, alpha);
        int shown = 0;
        int all = 1000;
        for (int i = 0; i < all; i++) {
            double[] x = normal(random, n, 0);
            double[] y = normal(random, n, difference);
            Conclusion found = design == Power.Design.GROUPS
                    ? Conclusion.of(
                            1, Student.welch(x, y).p(), ExactTest.RankSums.p(x, y), ExactTest.unpaired(n, n), alpha)
                    : Conclusion.of(
                            1,
                            Student.oneSample(y).p(),
                            ExactTest.Permutation.withinBlocks(y).p(),
                            ExactTest.withinBlocks(n),
                            alpha);
            shown += found.shown() ? 1 : 0;
        }
        assertThat(shown / (double) all).isBetween(0.75, 0.85);
    }

    private static double[] normal(Random random, int runs, double mean) {
        double[] out = new double[runs];
        Arrays.setAll(out, i -> mean + random.nextGaussian());
        return out;
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
        CensoredTimes.CensoredDifference c = CensoredTimes.compare(new double[] {1, 2}, new double[] {30, 99}, 60);
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
