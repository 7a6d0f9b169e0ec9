package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.LongTrend.Direction;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Expected figures: scipy 1.17.1, theilslopes and kendalltau(method='exact'). */
class LongTrendTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    @Test
    void fewBinsAreTheirOwnBlocks() {
        LongTrend trend = LongTrend.ofMeans(
                        new double[] {100, 103, 101, 106, 104, 109, 108, 112, 111, 115, 113, 118}, CONFIG)
                .orElseThrow();
        assertThat(trend.blocks()).isEqualTo(12);
        assertThat(trend.slope()).isCloseTo(1.5, within(1e-12));
        assertThat(trend.lo()).isCloseTo(1.25, within(1e-12));
        assertThat(trend.hi()).isCloseTo(1.8, within(1e-12));
        assertThat(trend.p()).isCloseTo(1.6342325370103148e-05, within(1e-15));
        assertThat(trend.level()).isEqualTo(108.5);
        assertThat(trend.growth()).isCloseTo(18 / 108.5, within(1e-12));
        assertThat(trend.direction()).isEqualTo(Direction.RISING);
        assertThat(trend.rises()).isTrue();
        assertThat(trend.falls()).isFalse();
    }

    @Test
    void tiesNarrowTheInterval() {
        LongTrend trend = LongTrend.ofMeans(new double[] {100, 98, 103, 100, 98, 101, 100, 97, 99, 101}, CONFIG)
                .orElseThrow();
        assertThat(trend.slope()).isZero();
        assertThat(trend.lo()).isCloseTo(-2 / 3.0, within(1e-12));
        assertThat(trend.hi()).isCloseTo(0.4, within(1e-12));
        assertThat(trend.direction()).isEqualTo(Direction.LEVEL);
    }

    @Test
    void aStillSeriesIsLevel() {
        LongTrend trend = LongTrend.ofMeans(new double[20], CONFIG).orElseThrow();
        assertThat(trend.slope()).isZero();
        assertThat(trend.growth()).isZero();
        assertThat(trend.direction()).isEqualTo(Direction.LEVEL);
    }

    @Test
    void sevenBinsAreTooFew() {
        assertThat(LongTrend.ofMeans(new double[7], CONFIG)).isEmpty();
        assertThat(LongTrend.ofLeast(new double[8], CONFIG)).isPresent();
    }

    @Test
    void manyBinsBecomeFortyBlocksAndSlopesStayPerBin() {
        double[] bins = new double[600];
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < bins.length; i++) {
            bins[i] = 1000 + 0.5 * i + 40 * random.nextDouble();
        }
        LongTrend trend = LongTrend.ofMeans(bins, CONFIG).orElseThrow();
        assertThat(trend.blocks()).isEqualTo(40);
        assertThat(trend.slope()).isCloseTo(0.5, within(0.02));
        assertThat(trend.lo()).isLessThan(0.5);
        assertThat(trend.hi()).isGreaterThan(0.5);
        assertThat(trend.direction()).isEqualTo(Direction.RISING);
    }

    @Test
    void whatMovesLittleIsNamedAndNotJudged() {
        double[] up = new double[40];
        double[] down = new double[40];
        for (int i = 0; i < 40; i++) {
            up[i] = 1000 + i;
            down[i] = 1000 - i;
        }
        assertThat(LongTrend.ofMeans(up, CONFIG).orElseThrow().direction()).isEqualTo(Direction.RISING_A_LITTLE);
        LongTrend falling = LongTrend.ofMeans(down, CONFIG).orElseThrow();
        assertThat(falling.direction()).isEqualTo(Direction.FALLING_A_LITTLE);
        assertThat(falling.falls()).isFalse();
        for (int i = 0; i < 40; i++) {
            down[i] = 1000 - 10 * i;
        }
        assertThat(LongTrend.ofMeans(down, CONFIG).orElseThrow().falls()).isTrue();
    }

    @Test
    void theLeastOfEachBlockHidesGarbage() {
        double[] heap = new double[400];
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < heap.length; i++) {
            heap[i] = 100 + 0.1 * i + (i % 10 == 0 ? 0 : 300 * random.nextDouble());
        }
        LongTrend least = LongTrend.ofLeast(heap, CONFIG).orElseThrow();
        assertThat(least.slope()).isCloseTo(0.1, within(0.005));
        assertThat(least.hi() - least.lo())
                .isLessThan(LongTrend.ofMeans(heap, CONFIG).orElseThrow().hi()
                        - LongTrend.ofMeans(heap, CONFIG).orElseThrow().lo());
    }
}
