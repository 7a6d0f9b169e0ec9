package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.ScalabilityFit.TooFewLevels;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/**
 * Expected figures: scipy 1.17.1, least_squares with bounds at 0, brought to all digits by undamped Gauss-Newton steps in numpy,
 * and brentq on the profile of the sum of squares.
 */
class UniversalScalabilityTest {
    private static final Percentage CLOSE = Percentage.withPercentage(1e-4);

    private static UniversalScalability fit(double[] n, double[] x) {
        return (UniversalScalability) UniversalScalability.fit(n, x, 0.95);
    }

    /** Gunther's own example, SPEC SDM91; R's package usl has 0.0277, 0.000104 and a peak at 96.5. */
    @Test
    void theExampleOfTheLawsAuthor() {
        UniversalScalability law = fit(
                new double[] {1, 18, 36, 72, 108, 144, 216},
                new double[] {64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2});
        assertCoefficient(law.coefficients().lambda(), 89.99523310433223, 14.213489422585072);
        assertCoefficient(law.coefficients().sigma(), 0.027728475618634396, 0.009121731808215414);
        assertCoefficient(law.coefficients().kappa(), 0.00010436548384409086, 1.987527090726849e-05);
        assertThat(law.residualSd()).isCloseTo(82.84582002738205, CLOSE);
        assertThat(law.peak().orElseThrow().connections()).isCloseTo(96.51956096660943, CLOSE);
        assertThat(law.peak().orElseThrow().throughput()).isCloseTo(1883.8989960099625, CLOSE);
        assertThat(law.peakRange().lo()).isCloseTo(77.85535585079887, CLOSE);
        assertThat(law.peakRange().hi().orElseThrow()).isCloseTo(156.6618040725821, CLOSE);
        // It falls by 8 % at the most, and a plateau comes nearer to these seven points than the law.
        assertThat(law.peakTold()).isFalse();
        assertThat(law.plateauTold().orElseThrow().throughput()).isCloseTo(1789.825, CLOSE);
        assertThat(law.peakMeasured()).isTrue();
        assertThat(law.at(36)).isCloseTo(1541.3095978994297, CLOSE);
        assertThat(law.data().levels()).isEqualTo(7);
        assertThat(law.data().most()).isEqualTo(216);
    }

    private static void assertCoefficient(UniversalScalability.Coefficient c, double value, double se) {
        double t = 2.7764451051977934;
        assertThat(c.value()).isCloseTo(value, CLOSE);
        assertThat(c.lo()).isCloseTo(Math.max(0, value - t * se), Percentage.withPercentage(1e-3));
        assertThat(c.hi()).isCloseTo(value + t * se, Percentage.withPercentage(1e-3));
        assertThat(c.held()).isFalse();
    }

    @Test
    void oneToFortyConnections() {
        UniversalScalability law = fit(
                new double[] {1, 5, 10, 15, 20, 25, 30, 35, 40},
                new double[] {3273, 15800, 27900, 33900, 36400, 37082, 36300, 34600, 32391});
        assertThat(law.coefficients().lambda().value()).isCloseTo(3427.651071571377, CLOSE);
        assertThat(law.coefficients().sigma().value()).isCloseTo(0.009089251618837474, CLOSE);
        assertThat(law.coefficients().kappa().value()).isCloseTo(0.0018264130566100984, CLOSE);
        assertThat(law.peak().orElseThrow().connections()).isCloseTo(23.29258923816456, CLOSE);
        assertThat(law.peakRange().lo()).isCloseTo(22.759916051902334, CLOSE);
        assertThat(law.peakRange().hi().orElseThrow()).isCloseTo(23.87877598564159, CLOSE);
    }

    @Test
    void repeatedRunsArePointsOfTheirOwn() {
        UniversalScalability law = fit(
                new double[] {1, 1, 5, 5, 10, 10, 20, 20},
                new double[] {980, 1010, 4400, 4520, 7300, 7110, 8600, 8900});
        assertThat(law.data().points()).isEqualTo(8);
        assertThat(law.data().levels()).isEqualTo(4);
        assertThat(law.coefficients().sigma().value()).isCloseTo(0.01882825438466488, CLOSE);
        assertThat(law.coefficients().kappa().value()).isCloseTo(0.002454722425688717, CLOSE);
        assertThat(law.peakRange().lo()).isCloseTo(17.84399932999484, CLOSE);
        assertThat(law.peakRange().hi().orElseThrow()).isCloseTo(24.35483143138768, CLOSE);
    }

    @Test
    void aThroughputThatOnlyFlattensHasNoPeak() {
        UniversalScalability law =
                fit(new double[] {1, 2, 4, 8, 16, 32}, new double[] {1010, 1905, 3350, 5400, 7650, 9800});
        assertThat(law.coefficients().kappa()).isEqualTo(new UniversalScalability.Coefficient(0, 0, 0, true));
        assertThat(law.coefficients().sigma().value()).isCloseTo(0.07623112744019687, CLOSE);
        assertThat(law.coefficients().lambda().value()).isCloseTo(1028.9608919462728, CLOSE);
        assertThat(law.peak()).isEmpty();
        assertThat(law.peakRange().hi()).isEmpty();
        assertThat(law.peakRange().lo()).isCloseTo(84.22424877641122, CLOSE);
        assertThat(law.peakTold()).isFalse();
        assertThat(law.peakMeasured()).isFalse();
    }

    @Test
    void perfectScalingHoldsBothAtTheirBound() {
        UniversalScalability law = fit(new double[] {1, 2, 4, 8}, new double[] {1000, 2010, 3990, 8005});
        assertThat(law.coefficients().sigma().held()).isTrue();
        assertThat(law.coefficients().kappa().held()).isTrue();
        assertThat(law.coefficients().lambda().value()).isCloseTo(1000.2352941176471, CLOSE);
        assertThat(law.coefficients().lambda().hi())
                .isCloseTo(1000.2352941176471 + 12.706204736174694 * 1.60987437, CLOSE);
        assertThat(law.peakRange().lo()).isCloseTo(31.488552049738527, CLOSE);
    }

    @Test
    void threeCoefficientsNeedFourLevels() {
        ScalabilityFit fit = UniversalScalability.fit(
                new double[] {1, 1, 5, 5, 10, 10}, new double[] {10, 10, 40, 41, 60, 61}, 0.95);
        assertThat(fit)
                .isEqualTo(
                        new TooFewLevels(3, 4, "needs 4 different numbers of connections with a valid run, and has 3"));
    }

    @Test
    void aKnownLawIsFoundAgain() {
        SplittableRandom random = new SplittableRandom(7);
        double[] n = {1, 2, 5, 10, 20, 40, 80, 160};
        for (double sigma : new double[] {0, 0.01, 0.2, 0.7}) {
            for (double kappa : new double[] {1e-5, 1e-3, 0.05}) {
                double[] exact = Arrays.stream(n)
                        .map(m -> 250 * ScalabilityPoints.shape(m, sigma, kappa))
                        .toArray();
                UniversalScalability law = fit(n, exact);
                assertThat(law.coefficients().sigma().value()).isCloseTo(sigma, within(1e-6));
                assertThat(law.coefficients().kappa().value()).isCloseTo(kappa, within(1e-8));
                double peak = Math.sqrt((1 - sigma) / kappa);
                assertThat(law.peak().orElseThrow().connections()).isCloseTo(peak, Percentage.withPercentage(0.01));
                double[] noisy = Arrays.stream(exact)
                        .map(x -> x * (1 + 0.02 * (random.nextDouble() - 0.5)))
                        .toArray();
                UniversalScalability.Range range = fit(n, noisy).peakRange();
                assertThat(range.lo()).isLessThan(peak * 1.1);
                assertThat(range.hi().orElse(Double.MAX_VALUE)).isGreaterThan(peak * 0.9);
            }
        }
    }

    @Test
    void whatOnlyFallsPeaksAtOneConnection() {
        UniversalScalability law = fit(new double[] {1, 2, 4, 8, 16}, new double[] {1000, 640, 370, 205, 104});
        assertThat(law.peak().orElseThrow().connections()).isEqualTo(1);
        assertThat(law.peakRange().lo()).isEqualTo(1);
    }

    @Test
    void badPointsAreRefused() {
        double[] four = {1, 2, 3, 4};
        assertThatIllegalArgumentException().isThrownBy(() -> UniversalScalability.fit(new double[3], four, 0.95));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UniversalScalability.fit(new double[] {0.5, 2, 3, 4}, four, 0.95));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UniversalScalability.fit(four, new double[] {1, 0, 2, 3}, 0.95));
        assertThatIllegalArgumentException().isThrownBy(() -> UniversalScalability.fit(four, four, 1));
    }

    /** A hard limit is no peak, however closed the interval of the law's own peak is: of 400 series at most a twentieth says so. */
    @Test
    void aPlateauIsNoPeak() {
        Random random = new Random(40);
        int peaks = 0;
        int plateaus = 0;
        for (int i = 0; i < 400; i++) {
            double knee = 3 + 20 * random.nextDouble();
            UniversalScalability law = measured(random, 8 + i % 5, n -> 1000 * Math.min(n, knee));
            peaks += law.peakTold() ? 1 : 0;
            plateaus += law.plateauTold().isPresent() ? 1 : 0;
            law.plateauTold()
                    .ifPresent(plateau -> assertThat(plateau.connections()).isBetween(knee / 1.6, knee * 1.6));
        }
        assertThat(peaks).isLessThanOrEqualTo(20);
        assertThat(plateaus).isGreaterThanOrEqualTo(360);
    }

    /** A true peak with a fall of a tenth and more beyond it is named all the same. */
    @Test
    void aPeakIsToldFromAPlateau() {
        Random random = new Random(41);
        int peaks = 0;
        for (int i = 0; i < 400; i++) {
            double top = 20 + 20 * random.nextDouble();
            double sigma = 0.02;
            double kappa = (1 - sigma) / (top * top);
            UniversalScalability law =
                    measured(random, 8 + i % 5, n -> 1000 * n / (1 + sigma * (n - 1) + kappa * n * (n - 1)));
            peaks += law.peakTold() ? 1 : 0;
        }
        assertThat(peaks).isGreaterThanOrEqualTo(360);
    }

    /** At 1 to 128 connections, with 1 to 3 % of noise. */
    private static UniversalScalability measured(Random random, int levels, DoubleUnaryOperator law) {
        double[] n = new double[levels];
        double[] x = new double[levels];
        double noise = 0.01 + 0.02 * random.nextDouble();
        for (int i = 0; i < levels; i++) {
            n[i] = Math.rint(Math.pow(128, i / (levels - 1.0)));
            x[i] = law.applyAsDouble(n[i]) * Math.exp(noise * random.nextGaussian());
        }
        return (UniversalScalability) UniversalScalability.fit(n, x, 0.95);
    }
}
