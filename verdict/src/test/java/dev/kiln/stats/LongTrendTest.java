package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongTrendTest {
    private static final double CONFIDENCE = 0.95;

    /** Least squares by hand: slope 1.5175, residuals that turn at every step, so nothing is added to their variance. */
    @Test
    void fewBinsAreTheirOwnBlocks() {
        double[] bins = {100, 103, 101, 106, 104, 109, 108, 112, 111, 115, 113, 118};
        LongTrend trend = LongTrend.ofMeans(bins, CONFIDENCE).orElseThrow();
        assertThat(trend.blocks()).isEqualTo(12);
        assertThat(trend.slope()).isCloseTo(217.0 / 143, within(1e-12));
        assertThat(trend.rho()).isZero();
        // Sum of squared residuals 27.3730, Sxx 143, t(.975, 10) = 2.228139.
        assertThat(trend.hi() - trend.slope()).isCloseTo(2.228139 * Math.sqrt(27.3729604 / 10 / 143), within(1e-5));
        assertThat(trend.level()).isEqualTo(1300 / 12.0);
        assertThat(trend.growth(trend.slope())).isCloseTo(12 * 217.0 / 143 / (1300 / 12.0), within(1e-12));
        assertThat(trend.rises()).isTrue();
        assertThat(trend.falls()).isFalse();
    }

    @Test
    void aStillSeriesGoesNowhere() {
        LongTrend trend = LongTrend.ofMeans(new double[20], CONFIDENCE).orElseThrow();
        assertThat(trend.slope()).isZero();
        assertThat(trend.lo()).isZero();
        assertThat(trend.hi()).isZero();
        assertThat(trend.growth(1)).isZero();
        assertThat(trend.rises()).isFalse();
    }

    @Test
    void sevenBinsAreTooFew() {
        assertThat(LongTrend.ofMeans(new double[7], CONFIDENCE)).isEmpty();
        assertThat(LongTrend.ofLeast(new double[8], CONFIDENCE)).isPresent();
    }

    /** The interval holds the true slope as often as it says, also where what follows one another is alike. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.6, 0.9, 0.97})
    void autocorrelationGoesIntoTheInterval(double rho) {
        SplittableRandom random = new SplittableRandom(29);
        int soaks = 1_000;
        int held = 0;
        for (int s = 0; s < soaks; s++) {
            double[] bins = new double[540];
            double noise = random.nextGaussian();
            for (int i = 0; i < bins.length; i++) {
                noise = rho * noise + Math.sqrt(1 - rho * rho) * random.nextGaussian();
                bins[i] = 1000 + 0.01 * i + 20 * noise;
            }
            LongTrend trend = LongTrend.ofMeans(bins, CONFIDENCE).orElseThrow();
            held += trend.lo() <= 0.01 && trend.hi() >= 0.01 ? 1 : 0;
        }
        assertThat(held / (double) soaks).isGreaterThan(0.93);
    }

    @Test
    void theLeastOfEachBlockHidesGarbage() {
        double[] heap = new double[400];
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < heap.length; i++) {
            heap[i] = 100 + 0.1 * i + (i % 10 == 0 ? 0 : 300 * random.nextDouble());
        }
        LongTrend least = LongTrend.ofLeast(heap, CONFIDENCE).orElseThrow();
        LongTrend means = LongTrend.ofMeans(heap, CONFIDENCE).orElseThrow();
        assertThat(least.slope()).isCloseTo(0.1, within(0.005));
        assertThat(least.hi() - least.lo()).isLessThan(means.hi() - means.lo());
    }
}
