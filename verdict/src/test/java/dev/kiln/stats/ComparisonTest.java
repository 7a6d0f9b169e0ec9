package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.Estimate.Slack;
import dev.kiln.stats.ExactTest.Permutation;
import dev.kiln.stats.ExactTest.RankSums;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.stats.Student.Welch;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final double[] LOW = {100, 101, 102, 103, 104, 105};
    private static final double[] HIGH = {120, 121, 122, 123, 124, 125};

    private static double[] first(double[] x, int n) {
        return Arrays.copyOf(x, n);
    }

    @Test
    void agreementIsAConclusionDisagreementIsNone() {
        assertThat(Conclusion.of(1, 0.04, OptionalDouble.of(0.06), 0.01, 0.05)).isEqualTo(Conclusion.INCONCLUSIVE);
        assertThat(Conclusion.of(1, 0.06, OptionalDouble.of(0.04), 0.01, 0.05)).isEqualTo(Conclusion.INCONCLUSIVE);
        assertThat(Conclusion.of(1, 0.04, OptionalDouble.empty(), 0.01, 0.05)).isEqualTo(Conclusion.HIGHER);
        assertThat(Conclusion.of(-1, 0.04, OptionalDouble.of(0.049), 0.01, 0.05))
                .isEqualTo(Conclusion.LOWER);
        assertThat(Conclusion.of(1, 0.05, OptionalDouble.of(0.05), 0.01, 0.05))
                .isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
        assertThat(Conclusion.of(1, 0.01, OptionalDouble.of(0.05), 0.05, 0.05)).isEqualTo(Conclusion.EXPLORATORY);
        assertThat(Conclusion.INCONCLUSIVE.why(0.01, "4 runs a side").orElseThrow())
                .startsWith("inconclusive");
        assertThat(Conclusion.EXPLORATORY.why(0.1, "4 runs a side"))
                .hasValue("exploratory: the smallest p that the exact test can give for so few is 0.1; at least 4"
                        + " runs a side can show a difference");
        assertThat(Conclusion.HIGHER.why(0.01, "4 runs a side")).isEmpty();
    }

    @Test
    void runsWithoutVarianceAreCertain() {
        double[] a = {500, 500, 500};
        Welch same = Welch.ratio(a, a, 0.95);
        assertThat(same.p()).isEqualTo(1);
        assertThat(same.t()).isZero();
        assertThat(same.lo()).isCloseTo(1, within(1e-12));
        Welch twice = Welch.ratio(a, new double[] {1000, 1000}, 0.95);
        assertThat(twice.estimate()).isCloseTo(2, within(1e-12));
        assertThat(twice.hi()).isCloseTo(2, within(1e-12));
        assertThat(twice.p()).isCloseTo(0, within(1e-12));
        Welch zero = Welch.difference(new double[3], new double[] {5, 5}, 0.95);
        assertThat(zero.df()).isEqualTo(3);
        assertThat(zero.p()).isZero();
        assertThat(zero.t()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(zero.lo()).isEqualTo(zero.hi()).isEqualTo(5);
    }

    @Test
    void differencesOfQuantitiesThatMayBeNegative() {
        Welch d = Welch.difference(new double[] {-2, 0, 2}, new double[] {4, 6, 8}, 0.95);
        assertThat(d.estimate()).isEqualTo(6);
        assertThat(d.se()).isCloseTo(Math.sqrt(8 / 3.0), within(1e-12));
        assertThat(d.df()).isCloseTo(4, within(1e-12));
        // t(.975, 4) = 2.776445
        assertThat(d.lo()).isCloseTo(6 - 2.7764451051977987 * d.se(), within(1e-9));
        assertThat(d.hi()).isCloseTo(6 + 2.7764451051977987 * d.se(), within(1e-9));
        assertThat(d.t()).isCloseTo(6 / d.se(), within(1e-12));
        assertThat(d.p()).isCloseTo(0.02131164, within(1e-6));
    }

    /** It held in 90 %: two runs lie close together by chance, and were taken to differ by as little. */
    @Test
    void fewRunsBesideManyAreNotTakenForExact() {
        Random random = new Random(1);
        int holds = 0;
        for (int i = 0; i < 4000; i++) {
            double[] few = random.doubles(2).map(u -> random.nextGaussian()).toArray();
            double[] many = random.doubles(10).map(u -> random.nextGaussian()).toArray();
            Welch difference = Welch.difference(few, many, 0.95);
            holds += difference.lo() <= 0 && difference.hi() >= 0 ? 1 : 0;
        }
        assertThat(holds / 4000.0).isBetween(0.95, 0.99);
        double[] equal = {1, 2, 4, 8};
        assertThat(Student.welch(equal, new double[] {3, 5, 9, 20, 1}).df())
                .as("four are enough")
                .isLessThan(7);
    }

    /** Four times of 38 s and four of 39 s, each known to its second, may be no more than a second apart. */
    @Test
    void timesAreKnownToTheirBin() {
        double[] a = {38, 38, 38, 38};
        double[] b = {39, 39, 39, 39};
        Welch difference = Welch.difference(a, b, 0.95, new Resolution(1, 1, "s").ofDifference());
        assertThat(difference.lo()).isCloseTo(0, within(1e-12));
        assertThat(difference.hi()).isCloseTo(2, within(1e-12));
        assertThat(difference.p()).isEqualTo(1);
        Slack slack = new Resolution(1, 1, "s").ofLogRatio(38, 39);
        Welch ratio = Welch.ratio(a, b, 0.95, slack);
        assertThat(ratio.lo()).isCloseTo(38.5 / 38.5, within(1e-12));
        assertThat(ratio.hi()).isCloseTo(39.5 / 37.5, within(1e-12));
        assertThat(ratio.p()).isEqualTo(1);
        PairedRatio pairs = PairedRatio.of(a, b, 0.95, slack);
        assertThat(pairs.hi()).isEqualTo(ratio.hi());
        assertThat(pairs.permutation().p()).hasValue(1);
        assertThat(HodgesLehmann.of(a, b, 0.94).widened(slack).hi().orElseThrow())
                .isCloseTo(39.5 / 37.5, within(1e-12));
        assertThat(Resolution.EXACT.ofLogRatio(38, 39)).isEqualTo(Slack.NONE);
    }

    @Test
    void pairsRemoveWhatTheyShare() {
        double[] a = {100, 200, 400, 800, 1600, 3200};
        double[] b = Arrays.stream(a).map(v -> v * 1.1 + v / 1000).toArray();
        b[0] *= 1.001;
        PairedRatio p = PairedRatio.of(a, b, 0.95);
        assertThat(p.ratio()).isCloseTo(1.101 * Math.pow(1.001, 1 / 6.0), within(1e-9));
        assertThat(p.df()).isEqualTo(5);
        assertThat(p.permutation().p()).hasValue(2 / 64.0);
        assertThat(p.permutation().smallestPossible()).isEqualTo(2 / 64.0);
        assertThat(p.conclusion()).isEqualTo(Conclusion.HIGHER);
        assertThat(p.seLog() * Math.sqrt(6)).isCloseTo(Math.log(1.001) / Math.sqrt(6), within(1e-9));
        PairedRatio few = PairedRatio.of(first(a, 5), first(b, 5), 0.95);
        assertThat(few.conclusion()).isEqualTo(Conclusion.EXPLORATORY);
        double[] many = new double[21];
        Arrays.fill(many, 5);
        assertThat(PairedRatio.of(many, many, 0.95).permutation().p()).isEmpty();
        assertThat(PairedRatio.of(first(many, 20), first(many, 20), 0.95)
                        .permutation()
                        .p())
                .hasValue(1);
        assertThatIllegalArgumentException().isThrownBy(() -> PairedRatio.of(a, first(b, 5), 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> PairedRatio.of(first(a, 1), first(b, 1), 0.95));
    }

    @Test
    void blocksAllowNothingButChangesOfSign() {
        Permutation p = Permutation.withinBlocks(new double[] {1, 2, 3, -0.5});
        // |sum| >= 5.5: all as they are, the small one turned, and the mirror images.
        assertThat(p.p()).hasValue(4 / 16.0);
        assertThat(p.smallestPossible()).isEqualTo(2 / 16.0);
        assertThat(Permutation.withinBlocks(new double[] {0.1, 0.2, -0.3}).p()).hasValue(1);
        assertThat(Permutation.withinBlocks(new double[21]).p()).isEmpty();
    }

    @Test
    void ranksNeedNoDistribution() {
        assertThat(RankSums.p(new double[] {-2, -1, 0, 1}, new double[] {2, 3, 4, 5}))
                .hasValue(2 / 70.0);
        assertThat(RankSums.p(new double[] {1, 2, 3, 4}, new double[] {4, 5, 6, 7}))
                .hasValue(2 / 70.0);
        assertThat(RankSums.p(new double[61], new double[2])).isEmpty();
    }

    @Test
    void hodgesLehmannNamesTiesAndLimits() {
        HodgesLehmann tied = HodgesLehmann.of(LOW, new double[] {105, 106, 107, 108, 109, 110}, 0.95);
        assertThat(tied.u()).isEqualTo(35.5);
        assertThat(tied.warnings()).containsExactly("runs of both sides are equal: the rank test is approximate");
        assertThat(HodgesLehmann.of(LOW, HIGH, 0.95).warnings()).isEmpty();
        HodgesLehmann twins = HodgesLehmann.of(new double[] {1, 1, 2, 2}, new double[] {3, 3, 4, 4}, 0.95);
        assertThat(twins.warnings()).isEmpty();
        assertThat(HodgesLehmann.of(LOW, LOW, 0.95).exactP()).isEqualTo(1);
        double[] many = new double[61];
        Arrays.fill(many, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.of(many, LOW, 0.95));
        assertThat(HodgesLehmann.of(first(many, 60), first(many, 60), 0.95).k()).isPositive();
    }

    @Test
    void whatIsNotPositiveHasNoRatio() {
        double[] bad = {1, 2, 0};
        assertThatIllegalArgumentException().isThrownBy(() -> Welch.ratio(bad, LOW, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> Welch.ratio(LOW, bad, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> Welch.ratio(LOW, HIGH, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Welch.ratio(LOW, first(HIGH, 1), 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.of(bad, LOW, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.of(LOW, bad, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.of(LOW, HIGH, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.of(LOW, new double[0], 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> PairedRatio.of(bad, bad, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> PairedRatio.of(LOW, HIGH, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> Welch.difference(LOW, HIGH, 0));
        double[] nan = {1, Double.NaN};
        assertThatIllegalArgumentException().isThrownBy(() -> Welch.difference(nan, LOW, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> Welch.difference(LOW, nan, 0.95));
    }
}
