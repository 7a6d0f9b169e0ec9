package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.series.Noise;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseTest {
    private static final int SERIES = 200;
    private static final double CV = 0.05;

    /** A level of 10,000 requests per second, so that counting adds nothing. */
    static double[] level(Random random, int n, double rho) {
        double[] out = new double[n];
        double state = random.nextGaussian();
        for (int i = 0; i < n; i++) {
            out[i] = 10_000 * (1 + CV * state);
            state = rho * state + Math.sqrt(1 - rho * rho) * random.nextGaussian();
        }
        return out;
    }

    private static Noise noise(double[]... stretches) {
        return Noise.of(List.of(stretches), 1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3, 0.6, 0.8})
    void theLongRunDeviationIsRightOnAverage(double rho) {
        Random random = new Random(1);
        double sum = 0;
        for (int i = 0; i < SERIES; i++) {
            sum += noise(level(random, 90, rho), level(random, 30, rho)).longRun();
        }
        double truth = CV * Math.sqrt((1 + rho) / (1 - rho));
        assertThat(sum / SERIES / truth).isCloseTo(1, within(0.25));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3, 0.6, 0.8})
    void theErrorOfAMeanIsWhatMeansScatterBy(double rho) {
        Random random = new Random(2);
        Noise exact = new Noise(CV, rho, CV * Math.sqrt((1 + rho) / (1 - rho)), 100, 100);
        for (int n : new int[] {5, 10, 30}) {
            double[] means = new double[4000];
            Arrays.setAll(means, i -> Descriptive.mean(level(random, n, rho)) / 10_000);
            assertThat(exact.ofMean(n) / Math.sqrt(Descriptive.sampleVariance(means)))
                    .as("%d bins", n)
                    .isCloseTo(1, within(0.05));
        }
    }

    @Test
    void aLineIsNoNoise() {
        double[] line = new double[40];
        Arrays.setAll(line, i -> 5000 + 50 * i);

        assertThat(noise(line).cv()).as("counting alone").isCloseTo(Math.sqrt(0.5 / 5975), within(1e-4));
        assertThat(noise(line, level(new Random(3), 60, 0)).cv()).isLessThan(CV);
    }

    @Test
    void countingIsTheLeast() {
        double[] ten = new double[60];
        Arrays.fill(ten, 10);

        assertThat(noise(ten).longRun()).isEqualTo(Math.sqrt(0.5 / 10 + 1 / 1200.0));
        assertThat(Noise.of(List.of(ten), 4).longRun())
                .as("the same rate in bins of 4 s")
                .isEqualTo(Math.sqrt(0.5 / 40 + 1 / 19_200.0));
    }

    /** An iteration of ten operations was timed: its mean is as exact as its clock. */
    @Test
    void whatWasTimedHasNoNoiseOfCounting() {
        double[] ten = new double[60];
        Arrays.fill(ten, 10);

        assertThat(Noise.of(List.of(ten), AnalysisConfig.defaults().timed().countedSeconds())
                        .longRun())
                .isLessThan(1e-4);
        assertThat(AnalysisConfig.defaults().countedSeconds()).isEqualTo(1);
    }

    @Test
    void ofTooFewBinsTheWorstIsThought() {
        assertThat(noise(new double[] {1, 1, 1, 1, 1}).longRun()).isEqualTo(0.3);
        assertThat(noise().effective()).isEqualTo(3);
        assertThat(noise(new double[30]).bins()).as("nothing served").isZero();
    }

    /** Where a second repeats the one before, fewer of them count. */
    @Test
    void binsThatCorrelateCountForFewer() {
        Noise alone = noise(level(new Random(4), 120, 0));
        Noise together = noise(level(new Random(4), 120, 0.8));

        assertThat(alone.bins()).isEqualTo(120);
        assertThat(alone.effective()).isBetween(80.0, 118.0);
        assertThat(together.effective()).isBetween(5.0, 30.0);
        assertThat(together.reach(2)).isGreaterThan(alone.reach(2));
    }
}
