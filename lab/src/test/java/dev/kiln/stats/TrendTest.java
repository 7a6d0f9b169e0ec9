package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TrendTest {
    @Test
    void theSlopeIsTheMedianOfAllPairs() {
        assertThat(TheilSen.slope(new double[] {1, 3})).isEqualTo(2);
        // Slopes 1, 5, 9: one outlier does not move the median.
        assertThat(TheilSen.slope(new double[] {0, 1, 10})).isEqualTo(5);
        assertThat(TheilSen.slope(new double[] {0, 1, 2, 100})).isCloseTo((1 + 100 / 3.0) / 2, within(17.0));
        assertThatIllegalArgumentException().isThrownBy(() -> TheilSen.slope(new double[] {1}));
    }

    @Test
    void aLongSeriesGivesTheSameMedianWithoutHoldingItsSlopes() {
        for (RandomSeries shape : RandomSeries.values()) {
            for (int n : new int[] {1_416, 1_419}) {
                double[] y = shape.draw(n, 11);
                assertThat(TheilSen.slope(y)).as(shape.name()).isEqualTo(medianOfAllSlopes(y));
            }
        }
    }

    private static double medianOfAllSlopes(double[] y) {
        double[] slopes = new double[y.length * (y.length - 1) / 2];
        int k = 0;
        for (int i = 0; i < y.length; i++) {
            for (int j = i + 1; j < y.length; j++) {
                slopes[k++] = (y[j] - y[i]) / (j - i);
            }
        }
        Arrays.sort(slopes);
        return (slopes[(k - 1) / 2] + slopes[k / 2]) / 2;
    }

    @Test
    void kendallsPIsThatOfTheTables() {
        // Kendall (1970), appendix table 1: n = 4, S = 6: 1/24 on each side; n = 5, S = 8: 5/120.
        assertThat(MannKendall.of(new double[] {1, 2, 3, 4})).isEqualTo(new MannKendall(6, 2 / 24.0));
        MannKendall five = MannKendall.of(new double[] {1, 2, 3, 5, 4});
        assertThat(five.s()).isEqualTo(8);
        assertThat(five.p()).isCloseTo(2 * 5 / 120.0, within(1e-12));
        assertThat(MannKendall.of(new double[] {4, 3, 2, 1}).s()).isEqualTo(-6);
        assertThat(MannKendall.of(new double[] {1, 1, 1}).s()).isZero();
        assertThat(MannKendall.of(new double[] {1, 1, 1}).p()).isCloseTo(1, within(1e-12));
        assertThat(MannKendall.of(new double[100]).p()).isCloseTo(1, within(1e-9));
        assertThatIllegalArgumentException().isThrownBy(() -> MannKendall.of(new double[101]));
    }

    @Test
    void theFirstBlocksTakeWhatIsLeftOver() {
        assertThat(TailTrend.blockMeans(new double[] {1, 3, 5, 7, 9, 11, 13}, 3))
                .containsExactly(3, 8, 12);
    }

    @Test
    void aTrendNeedsBothSizeAndSignificance() {
        AnalysisConfig config = AnalysisConfig.defaults();
        double[] slow = new double[30];
        double[] fast = new double[30];
        double[] falling = new double[30];
        for (int i = 0; i < 30; i++) {
            slow[i] = 1000 + i;
            fast[i] = 1000 + 2 * i;
            falling[i] = 1000 - 2 * i;
        }
        assertThat(TailTrend.of(slow, config).trend()).isEqualTo(Trend.LEVEL);
        assertThat(TailTrend.of(fast, config).trend()).isEqualTo(Trend.CLIMBING);
        assertThat(TailTrend.of(fast, config).growth()).isCloseTo(60 / 1029.0, within(1e-12));
        assertThat(TailTrend.of(falling, config).trend()).isEqualTo(Trend.DECLINING);
        double[] steep = new double[30];
        for (int i = 0; i < 30; i++) {
            steep[i] = 1000 + 50 * i + (i / 3 % 2 == 0 ? 1500 : 0);
        }
        assertThat(TailTrend.of(steep, config).growth()).isGreaterThan(0.05);
        assertThat(TailTrend.of(steep, config).trend()).isEqualTo(Trend.LEVEL);
    }
}
