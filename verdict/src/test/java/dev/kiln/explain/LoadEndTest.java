package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Disturbance;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Loads whose last seconds are low: a generator that ends, a part of a second, or a service that breaks. */
class LoadEndTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    /** It serves half for 10 s, then 1,000 with noise of a percent, and these shares of that in its last seconds. */
    private static double[] load(int seconds, double... last) {
        double[] load = new double[seconds];
        Arrays.setAll(load, i -> (i < 10 ? 500 : 1000) + 10 * (i * 7 % 5 - 2));
        for (int i = 0; i < last.length; i++) {
            load[seconds - last.length + i] *= last[i];
        }
        return load;
    }

    private static SeriesAnalysis of(double[] first, double[] after) {
        return SeriesAnalyser.analyse(first, new MeasuredLoad(after, List.of()), Optional.empty(), CONFIG);
    }

    private static String verdict(SeriesAnalysis series) {
        return Verdicts.of(List.of(), series, CONFIG).text();
    }

    private static double[] flat(int seconds, double... last) {
        double[] load = Arrays.copyOfRange(load(seconds + 10), 10, seconds + 10);
        for (int i = 0; i < last.length; i++) {
            load[seconds - last.length + i] *= last[i];
        }
        return load;
    }

    @Test
    void oneOrTwoLowSecondsAtItsEndAreNoPartOfTheEnd() {
        assertThat(verdict(of(load(60), flat(20)))).isEqualTo("peaked");
        for (double[] last : List.of(new double[] {0}, new double[] {0.6, 0.2}, new double[] {0, 0})) {
            SeriesAnalysis series = of(load(60, last), flat(20));
            assertThat(verdict(series)).as(Arrays.toString(last)).isEqualTo("peaked");
            assertThat(series.endOverPeak().orElseThrow().value()).isCloseTo(1, within(0.01));
        }
    }

    @Test
    void theyAreTold() {
        assertThat(of(load(60, 0, 0), flat(20)).shape().disturbances())
                .extracting(Disturbance::kind, Disturbance::seconds, Disturbance::lasted)
                .containsExactly(tuple(Disturbance.Kind.OUTAGE, 58.0, 2.0));
        assertThat(of(load(60), flat(20, 0.4)).shape().disturbances())
                .as("after the pause")
                .extracting(Disturbance::kind, Disturbance::lasted, Disturbance::afterPause)
                .containsExactly(tuple(Disturbance.Kind.DIP, 1.0, true));
        assertThat(of(load(60, 0.4), flat(20)).shape().disturbances())
                .extracting(Disturbance::kind)
                .containsExactly(Disturbance.Kind.DIP);
    }

    @Test
    void theLoadAfterThePauseHasThePeakThatItHadUntilThen() {
        SeriesAnalysis series = of(load(60), flat(20, 0.5, 0.1));
        assertThat(series.peak().orElseThrow().value()).isCloseTo(1000, within(5.0));
        assertThat(verdict(series)).isEqualTo("peaked");
    }

    @Test
    void theyAreNoPartOfWhatWasServedBeforeThePause() {
        assertThat(of(load(60, 0, 0), flat(20)).jump().orElseThrow().ratio().value())
                .isCloseTo(1, within(0.01));
    }

    @Test
    void threeAreTooManyForThat() {
        assertThat(verdict(of(load(60, 0, 0, 0), flat(20)))).isEqualTo("stopped");
        assertThat(verdict(of(load(60, 0.3, 0.3, 0.3, 0.3), flat(20)))).isNotEqualTo("peaked");
    }

    @Test
    void theyAreNoneWhereItHasOutagesEither() {
        for (double[] last : List.of(new double[] {0.6}, new double[] {0.3, 0.1})) {
            double[] first = load(90, last);
            for (int at : new int[] {20, 35, 50}) {
                Arrays.fill(first, at, at + 3, 0);
            }
            assertThat(of(first, flat(20)).shape().disturbances())
                    .filteredOn(one -> one.seconds() >= 90 - last.length)
                    .as(Arrays.toString(last))
                    .hasSize(1);
            assertThat(of(first, flat(20)).jump().orElseThrow().ratio().value()).isCloseTo(1, within(0.01));
        }
    }

    /** Its bins are of five seconds, and a low one is longer than a generator takes to end. */
    @Test
    void aServiceOfFewRequestsThatFallsForTenSecondsHasFallen() {
        assertThat(verdict(of(few(240), few(80, 20)))).isEqualTo("peaked");
        for (int seconds : new int[] {120, 240}) {
            double[] first = few(seconds);
            Arrays.fill(first, seconds - 10, seconds, 1.2);
            SeriesAnalysis series = of(first, few(80, 20));
            assertThat(series.binSeconds()).isEqualTo(5);
            assertThat(verdict(series)).isNotEqualTo("peaked");
            assertThat(series.endOverPeak().orElseThrow().value()).isCloseTo(0.88, within(0.01));
        }
    }

    @Test
    void twoSecondsWithoutARequestInALongBinAreNoPartOfTheEnd() {
        double[] first = few(240);
        Arrays.fill(first, 238, 240, 0);
        SeriesAnalysis series = of(first, few(80, 20));
        assertThat(verdict(series)).isEqualTo("peaked");
        assertThat(series.endOverPeak().orElseThrow().value()).isCloseTo(1, within(0.01));
    }

    /** Each of its iterations was measured whole, so the last two seconds are as true as any. */
    @Test
    void aBenchmarkThatFallsHasFallen() {
        double[] fallen = flat(300);
        Arrays.setAll(fallen, i -> i < 280 ? fallen[i] : 0.6 * fallen[i]);
        AnalysisConfig tenths = CONFIG.withBinSeconds(0.1);
        // Old evidence has rounded iterations, which are counted.
        for (AnalysisConfig config : List.of(tenths.timed(), tenths)) {
            SeriesAnalysis series =
                    SeriesAnalyser.analyse(fallen, new MeasuredLoad(flat(200), List.of()), Optional.empty(), config);
            assertThat(Verdicts.of(List.of(), series, config).text()).isNotEqualTo("peaked");
            assertThat(series.endOverPeak().orElseThrow().value()).isLessThan(0.95);
        }
    }

    /** Half for 20 s, and then 15 requests in five seconds. */
    private static double[] few(int seconds) {
        double[] load = new double[seconds];
        Arrays.setAll(load, i -> i < 20 ? 1.5 : 3);
        return load;
    }

    private static double[] few(int to, int from) {
        return Arrays.copyOfRange(few(to), from, to);
    }

    /** Where bins of few requests differ by that much all the time, a low one at the end is noise. */
    @Test
    void noiseIsNoDip() {
        double[] noisy = new double[60];
        Arrays.setAll(noisy, i -> 15 + 3 * (i * 7 % 5 - 2) / 2.0);
        noisy[59] = 10;
        assertThat(of(noisy, Arrays.copyOf(noisy, 20)).shape().disturbances()).isEmpty();
    }

    /** Where seconds are low all the time, the last one is as they are. */
    @Test
    void whatIsLowAllTheTimeIsLowAtItsEndToo() {
        double[] alternating = new double[60];
        Arrays.setAll(alternating, i -> i % 2 == 0 ? 1000 : 200);
        SeriesAnalysis series = of(alternating, Arrays.copyOf(alternating, 20));
        assertThat(series.ending().orElseThrow().level().value()).isCloseTo(600, within(1.0));
    }
}
