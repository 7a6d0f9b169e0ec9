package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();
    private static final double[] LOW = {100, 101, 102, 103, 104, 105};
    private static final double[] HIGH = {120, 121, 122, 123, 124, 125};
    private static final double[] MIXED = {99, 101.5, 103.5, 102.5, 106, 104.5};

    private static RatioComparison compare(double[] a, double[] b) {
        return RatioComparison.of(a, b, CONFIG).orElseThrow();
    }

    private static double[] first(double[] x, int n) {
        return Arrays.copyOf(x, n);
    }

    @Test
    void agreementIsAConclusionDisagreementIsNone() {
        assertThat(compare(LOW, HIGH).conclusion()).isEqualTo(Conclusion.HIGHER);
        assertThat(compare(HIGH, LOW).conclusion()).isEqualTo(Conclusion.LOWER);
        assertThat(compare(LOW, HIGH).warnings()).isEmpty();
        assertThat(compare(LOW, MIXED).conclusion()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
        assertThat(Conclusion.of(1, 0.04, OptionalDouble.of(0.06), 0.01, 0.05)).isEqualTo(Conclusion.INCONCLUSIVE);
        assertThat(Conclusion.of(1, 0.06, OptionalDouble.of(0.04), 0.01, 0.05)).isEqualTo(Conclusion.INCONCLUSIVE);
        assertThat(Conclusion.of(1, 0.04, OptionalDouble.empty(), 0.01, 0.05)).isEqualTo(Conclusion.HIGHER);
        assertThat(Conclusion.of(-1, 0.04, OptionalDouble.of(0.049), 0.01, 0.05))
                .isEqualTo(Conclusion.LOWER);
        assertThat(Conclusion.of(1, 0.05, OptionalDouble.of(0.05), 0.01, 0.05))
                .isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
        assertThat(Conclusion.of(1, 0.01, OptionalDouble.of(0.05), 0.05, 0.05)).isEqualTo(Conclusion.EXPLORATORY);
        assertThat(Conclusion.INCONCLUSIVE.warnings(4))
                .extracting(Warning::code)
                .containsExactly(Warning.Code.METHODS_DISAGREE);
    }

    @Test
    void threeRunsAreExploratoryAndOneIsNone() {
        RatioComparison three = compare(first(LOW, 3), first(HIGH, 3));
        assertThat(three.conclusion()).isEqualTo(Conclusion.EXPLORATORY);
        assertThat(three.warnings()).extracting(Warning::text).anyMatch(t -> t.contains("at least 4 a side"));
        assertThat(compare(first(LOW, 4), first(HIGH, 4)).conclusion()).isEqualTo(Conclusion.HIGHER);
        assertThat(compare(first(LOW, 2), first(HIGH, 2)).conclusion()).isEqualTo(Conclusion.EXPLORATORY);
        assertThat(RatioComparison.of(first(LOW, 1), HIGH, CONFIG)).isEmpty();
        assertThat(RatioComparison.of(LOW, first(HIGH, 1), CONFIG)).isEmpty();
    }

    @Test
    void theCrossCheckIsThePermutationUpToSixRuns() {
        assertThat(compare(LOW, HIGH).permutation()).isPresent();
        assertThat(compare(LOW, new double[] {1, 2, 3, 4, 5, 6, 7}).permutation())
                .isEmpty();
    }

    @Test
    void runsWithoutVarianceAreCertain() {
        double[] a = {500, 500, 500};
        WelchRatio same = WelchRatio.of(a, a, 0.95);
        assertThat(same.p()).isEqualTo(1);
        assertThat(same.t()).isZero();
        assertThat(same.lo()).isCloseTo(1, within(1e-12));
        WelchRatio twice = WelchRatio.of(a, new double[] {1000, 1000}, 0.95);
        assertThat(twice.ratio()).isCloseTo(2, within(1e-12));
        assertThat(twice.hi()).isCloseTo(2, within(1e-12));
        assertThat(twice.p()).isCloseTo(0, within(1e-12));
        WelchDifference zero = WelchDifference.of(new double[3], new double[] {5, 5}, 0.95);
        assertThat(zero.df()).isEqualTo(3);
        assertThat(zero.p()).isZero();
        assertThat(zero.t()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(zero.lo()).isEqualTo(zero.hi()).isEqualTo(5);
    }

    @Test
    void differencesOfQuantitiesThatMayBeNegative() {
        WelchDifference d = WelchDifference.of(new double[] {-2, 0, 2}, new double[] {4, 6, 8}, 0.95);
        assertThat(d.difference()).isEqualTo(6);
        assertThat(d.se()).isCloseTo(Math.sqrt(8 / 3.0), within(1e-12));
        assertThat(d.df()).isCloseTo(4, within(1e-12));
        // t(.975, 4) = 2.776445
        assertThat(d.lo()).isCloseTo(6 - 2.7764451051977987 * d.se(), within(1e-9));
        assertThat(d.hi()).isCloseTo(6 + 2.7764451051977987 * d.se(), within(1e-9));
        assertThat(d.t()).isCloseTo(6 / d.se(), within(1e-12));
        assertThat(d.p()).isCloseTo(0.02131164, within(1e-6));
    }

    @Test
    void fiellersIntervalCanHaveNoEnd() {
        Fieller f = Fieller.of(new double[] {-5, 1, 6}, new double[] {3, 4, 5}, 0.95);
        assertThat(f.bounded()).isFalse();
        assertThat(f.lo()).isEmpty();
        assertThat(f.hi()).isEmpty();
        assertThat(f.ratio()).isCloseTo(6, within(1e-12));
        // A negative denominator turns the ratio, not the order of the ends.
        Fieller negative = Fieller.of(new double[] {-10, -11, -12}, new double[] {20, 21, 25}, 0.95);
        assertThat(negative.ratio()).isCloseTo(-2, within(1e-12));
        assertThat(negative.lo().orElseThrow()).isLessThan(negative.ratio());
        assertThat(negative.hi().orElseThrow()).isGreaterThan(negative.ratio());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fieller.of(new double[] {-1, 1}, new double[] {1, 2}, 0.95));
    }

    @Test
    void equalityHasToBeShown() {
        double[] a = {1000, 1001, 999, 1000.5, 999.5};
        double[] b = {1001, 1002, 1000, 1001.5, 1000.5};
        Tost near = Tost.of(a, b, 0.02);
        assertThat(near.equivalent()).isTrue();
        assertThat(near.p()).isLessThan(1e-6);
        assertThat(near.ci90Lo()).isGreaterThan(near.marginLo());
        assertThat(near.ci90Hi()).isLessThan(near.marginHi());
        Tost narrow = Tost.of(a, b, 0.001);
        assertThat(narrow.equivalent()).isFalse();
        assertThat(narrow.p()).isEqualTo(narrow.pUpper()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void pairsRemoveWhatTheyShare() {
        double[] a = {100, 200, 400, 800, 1600, 3200};
        double[] b = Arrays.stream(a).map(v -> v * 1.1 + v / 1000).toArray();
        b[0] *= 1.001;
        PairedRatio p = PairedRatio.of(a, b, 0.95);
        assertThat(p.ratio()).isCloseTo(1.101 * Math.pow(1.001, 1 / 6.0), within(1e-9));
        assertThat(p.df()).isEqualTo(5);
        assertThat(p.signFlipP()).hasValue(2 / 64.0);
        assertThat(p.smallestPossible()).isEqualTo(2 / 64.0);
        assertThat(p.conclusion()).isEqualTo(Conclusion.HIGHER);
        assertThat(p.warnings()).isEmpty();
        assertThat(p.t()).isGreaterThan(100);
        PairedRatio few = PairedRatio.of(first(a, 5), first(b, 5), 0.95);
        assertThat(few.conclusion()).isEqualTo(Conclusion.EXPLORATORY);
        assertThat(few.warnings()).extracting(Warning::text).anyMatch(t -> t.contains("at least 6 a side"));
        double[] many = new double[21];
        Arrays.fill(many, 5);
        assertThat(PairedRatio.of(many, many, 0.95).signFlipP()).isEmpty();
        assertThat(PairedRatio.of(first(many, 20), first(many, 20), 0.95).signFlipP())
                .hasValue(1);
        assertThatIllegalArgumentException().isThrownBy(() -> PairedRatio.of(a, first(b, 5), 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> PairedRatio.of(first(a, 1), first(b, 1), 0.95));
    }

    @Test
    void groupsOfDifferentSizeHaveNoMirrorImage() {
        Permutation p = Permutation.ofMeans(new double[] {20, 30}, new double[] {1, 2, 10})
                .orElseThrow();
        assertThat(p.permutations()).isEqualTo(10);
        assertThat(p.smallestPossible()).isEqualTo(0.1);
        assertThat(p.p()).isEqualTo(0.1);
        assertThat(Permutation.ofMeans(new double[] {-1, 0.1, 0.2}, new double[] {0.1, 0.2, -1})
                        .orElseThrow()
                        .p())
                .isEqualTo(1);
        double[] ten = new double[10];
        double[] eleven = new double[11];
        assertThat(Permutation.ofMeans(ten, ten)).isPresent();
        assertThat(Permutation.ofMeans(ten, eleven)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> Permutation.ofMeans(new double[0], ten));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Permutation.ofRatios(new double[] {1, 0}, ten))
                .withMessageContaining("run 1");
    }

    @Test
    void hodgesLehmannNamesTiesAndLimits() {
        HodgesLehmann tied = HodgesLehmann.of(LOW, new double[] {105, 106, 107, 108, 109, 110}, 0.95);
        assertThat(tied.u()).isEqualTo(35.5);
        assertThat(tied.warnings()).extracting(Warning::code).containsExactly(Warning.Code.NOT_EXACT);
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
        assertThatIllegalArgumentException().isThrownBy(() -> WelchRatio.of(bad, LOW, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> WelchRatio.of(LOW, bad, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> WelchRatio.of(LOW, HIGH, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> WelchRatio.of(LOW, first(HIGH, 1), 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.of(bad, LOW, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.of(LOW, bad, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.of(LOW, HIGH, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.of(LOW, new double[0], 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> PairedRatio.of(bad, bad, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> PairedRatio.of(LOW, HIGH, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> Tost.of(bad, LOW, 0.02));
        assertThatIllegalArgumentException().isThrownBy(() -> Tost.of(LOW, bad, 0.02));
        assertThatIllegalArgumentException().isThrownBy(() -> Tost.of(LOW, HIGH, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> Fieller.of(LOW, HIGH, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> WelchDifference.of(LOW, HIGH, 0));
        double[] nan = {1, Double.NaN};
        assertThatIllegalArgumentException().isThrownBy(() -> Fieller.of(nan, LOW, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> Fieller.of(LOW, nan, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> WelchDifference.of(nan, LOW, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> WelchDifference.of(LOW, nan, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> Permutation.ofMeans(nan, LOW));
        assertThatIllegalArgumentException().isThrownBy(() -> Permutation.ofMeans(LOW, nan));
        assertThatIllegalArgumentException().isThrownBy(() -> Permutation.ofRatios(LOW, bad));
    }
}
