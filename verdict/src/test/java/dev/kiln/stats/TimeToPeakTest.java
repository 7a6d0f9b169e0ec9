package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.series.Noise;
import dev.kiln.stats.series.TimeToPeak;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeToPeakTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    /** Of 2 % a bin, independent. */
    private static final Noise NOISE = new Noise(0.02, 0, 0.02, 60, 58);

    /** Of a peak of 100 that is known to 1 %, with noise of 2 %. */
    private static TimeToPeak of(double[] bins, int percent) {
        return TimeToPeak.of(bins, 100, 0.01, percent, NOISE, CONFIG);
    }

    private static double[] step(int n, int at) {
        double[] x = new double[n];
        Arrays.fill(x, 0, at, 20);
        Arrays.fill(x, at, n, 100);
        return x;
    }

    private static TimeToPeak exactly(int percent, double seconds) {
        return new TimeToPeak(
                percent, OptionalDouble.of(seconds), OptionalDouble.of(seconds), OptionalDouble.of(seconds));
    }

    @Test
    void aStepIsExact() {
        for (int percent : TimeToPeak.PERCENTAGES) {
            assertThat(of(step(60, 23), percent).seconds()).hasValue(23);
        }
        assertThat(of(step(60, 23), 90)).isEqualTo(exactly(90, 23));
        assertThat(of(step(60, 0), 90)).isEqualTo(exactly(90, 0));
    }

    @Test
    void aStaircaseIsExact() {
        double[] stairs = new double[90];
        Arrays.setAll(stairs, i -> i < 10 ? 30 : i < 31 ? 60 : i < 52 ? 94 : 100);

        assertThat(of(stairs, 50).seconds()).hasValue(10);
        assertThat(of(stairs, 90).seconds()).hasValue(31);
        assertThat(of(stairs, 95).seconds()).hasValue(52);
        assertThat(of(stairs, 99).seconds()).hasValue(52);
    }

    /** 1 - 0.9 exp(-t / 10) is at p from t = 10 ln(0.9 / (1 - p)) on: 5.88, 21.97, 28.90, 45.0 s. */
    @Test
    void anExponentialIsExact() {
        double[] rise = new double[120];
        Arrays.setAll(rise, i -> 100 * (1 - 0.9 * Math.exp(-i / 10.0)));

        assertThat(of(rise, 50).seconds()).hasValue(6);
        assertThat(of(rise, 90).seconds()).hasValue(22);
        assertThat(of(rise, 95).seconds()).hasValue(29);
        assertThat(of(rise, 99).seconds()).hasValue(45);
    }

    @Test
    void anOutageAfterThePeakDoesNotMoveIt() {
        double[] hit = step(60, 23);
        Arrays.fill(hit, 40, 50, 0);

        assertThat(of(hit, 90).seconds()).hasValue(23);
        assertThat(of(step(60, 23), 90).seconds()).hasValue(23);
    }

    /** It had been at the peak for 5 s when it fell for 20. */
    @Test
    void aPeakThatWasLostForLongerThanItHadHeldWasNotReachedThen() {
        double[] relapse = step(60, 10);
        Arrays.fill(relapse, 15, 35, 20);

        assertThat(of(relapse, 90).seconds()).hasValue(35);
    }

    @Test
    void aLevelBelowIsNeverReached() {
        double[] below = new double[60];
        Arrays.fill(below, 70);
        TimeToPeak never = of(below, 90);

        assertThat(never)
                .isEqualTo(new TimeToPeak(90, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty()));
        assertThat(never.never()).isTrue();
        assertThat(of(below, 50).seconds()).hasValue(0);
        assertThat(of(new double[0], 90).never()).isTrue();
    }

    @Test
    void binsOfAnotherLengthAreSeconds() {
        assertThat(TimeToPeak.of(step(60, 23), 100, 0.01, 90, NOISE, CONFIG.withBinSeconds(0.5))
                        .seconds())
                .hasValue(11.5);
    }

    /** Where throughput hangs at 90 %, many times are as good; a peak that is known less well widens them. */
    @Test
    void theIntervalIsAsWideAsTheCurveIsUnclear() {
        Random random = new Random(5);
        double[] hangs = new double[120];
        Arrays.setAll(hangs, i -> (i < 30 ? 50 : i < 60 ? 90 : 100) + 3 * random.nextGaussian());
        TimeToPeak vague = of(hangs, 90);
        double width = vague.hi().orElseThrow() - vague.lo().orElseThrow();

        assertThat(vague.lo().orElseThrow()).isBetween(28.0, 31.0);
        assertThat(vague.hi().orElseThrow()).isBetween(58.0, 66.0);
        TimeToPeak vaguer = TimeToPeak.of(hangs, 100, 0.1, 90, NOISE, CONFIG);
        assertThat(vaguer.hi().orElse(120) - vaguer.lo().orElseThrow()).isGreaterThan(width);
    }

    @Test
    void theSumIsLeastAtTheTime() {
        double[] sums = TimeToPeak.sums(new double[] {50, 80, 100, 200}, 100, 90);

        assertThat(sums).containsExactly(new double[] {0, -0.1, -0.2, -0.1, 0}, within(1e-12));
        assertThat(TimeToPeak.least(sums)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "38,   36,   41,   38 s (36-41)",
                "38,   38,   38,   38 s",
                "-,    -,    -,    not reached in 60 s",
                "38,   36,   -,    38 s (36 to > 60)",
                "-,    52,   -,    > 60 s (52 to > 60)",
                "10.5, 9.25, 12,   10.5 s (9.25-12)",
            })
    void wordsHaveTheIntervalWhereThereIsOne(Double seconds, Double lo, Double hi, String words) {
        assertThat(new TimeToPeak(90, maybe(seconds), maybe(lo), maybe(hi)).words(60))
                .isEqualTo(words);
    }

    private static OptionalDouble maybe(Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
