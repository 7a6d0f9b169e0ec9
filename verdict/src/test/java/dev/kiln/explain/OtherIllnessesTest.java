package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.TruthSeries;
import dev.kiln.stats.TruthSeries.Truth;
import dev.kiln.stats.WiderFamilies;
import dev.kiln.stats.series.Disturbance;
import dev.kiln.stats.series.Disturbance.Kind;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import dev.kiln.stats.series.TimeToPeak;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Series with another illness than a starved compiler: each was called by a wrong name once. */
class OtherIllnessesTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    /** Seconds of a mean curve with independent noise. */
    private static double[] noisy(int seed, int n, double sd, IntToDoubleFunction curve) {
        Random random = new Random(seed);
        return IntStream.range(0, n)
                .mapToDouble(t -> Math.max(0, Math.rint(curve.applyAsDouble(t) * (1 + sd * random.nextGaussian()))))
                .toArray();
    }

    private static SeriesAnalysis of(double[] first, double[] measured) {
        return SeriesAnalyser.analyse(first, new MeasuredLoad(measured, List.of()), Optional.empty(), CONFIG);
    }

    private static Verdict verdict(SeriesAnalysis series) {
        return Verdicts.of(List.of(), series, CONFIG);
    }

    private static double rise(int t) {
        return 1000 * (1 - 0.9 * Math.exp(-t / 4.0));
    }

    @Test
    void aBacklogThatDrainsAboveTheRateIsSlowingForWhoDoesNotKnowTheRate() {
        SeriesAnalysis series =
                of(noisy(1, 60, 0.02, t -> t < 20 ? 100 : t < 53 ? 260 : 200), noisy(2, 20, 0.02, t -> 200));

        assertThat(verdict(series)).isInstanceOf(Verdict.Slowing.class);
    }

    @Test
    void anOutageInTheMeasuringPhaseIsListedAndNotPartOfThePeak() {
        SeriesAnalysis series =
                of(noisy(3, 90, 0.03, OtherIllnessesTest::rise), noisy(4, 30, 0.02, t -> t >= 13 && t < 18 ? 0 : 1000));

        assertThat(verdict(series)).isInstanceOf(Verdict.Peaked.class);
        assertThat(series.peak().orElseThrow().value()).isCloseTo(1000, within(15.0));
        assertThat(series.shape().disturbances())
                .filteredOn(Disturbance::afterPause)
                .extracting(Disturbance::kind, Disturbance::lasted)
                .containsExactly(tuple(Kind.OUTAGE, 5.0));
    }

    @Test
    void whatItTakesToSettleAfterThePauseIsNotPartOfThePeak() {
        SeriesAnalysis series =
                of(noisy(5, 90, 0.02, OtherIllnessesTest::rise), noisy(6, 30, 0.02, t -> t < 7 ? 300 + 60 * t : 1000));

        assertThat(verdict(series)).isInstanceOf(Verdict.Peaked.class);
        assertThat(series.peak().orElseThrow().value()).isCloseTo(1000, within(15.0));
        assertThat(of(noisy(5, 90, 0.02, t -> 800), noisy(6, 31, 0.01, t -> 600 + 10 * t))
                        .peak()
                        .orElseThrow()
                        .bounds())
                .as("what rises over all of it climbs")
                .containsExactly(Peak.PeakBound.CLIMBING);
    }

    /** A hundred at once every 1.6 s; ticks of 0.9 s. */
    @Test
    void batchesAndCoarseClocksAreNoCycle() {
        IntToDoubleFunction batches = t -> 100 * (Math.floor((t + 1) / 1.6) - Math.floor(t / 1.6));
        SeriesAnalysis series = of(noisy(7, 90, 0, batches), noisy(8, 30, 0, batches));
        IntToDoubleFunction ticks = t -> 500 * (Math.floor((t + 1) / 0.9) - Math.floor(t / 0.9));
        SeriesAnalysis clock = of(noisy(9, 90, 0.02, ticks), noisy(10, 30, 0.02, ticks));

        assertThat(verdict(series)).isInstanceOf(Verdict.Peaked.class);
        assertThat(series.endOverPeak().orElseThrow().value()).isCloseTo(1, within(0.05));
        assertThat(verdict(clock)).isInstanceOf(Verdict.Peaked.class);
    }

    /** Most seconds have less than what is served, and one of ten has twice as much. */
    @Test
    void aClockOfShortTicksMovesNoTime() {
        double ninetyNine = 4 * Math.log(90);
        int inside = 0;
        int one = 0;
        for (int seed = 30; seed < 50; seed++) {
            double phase = seed / 50.0;
            IntToDoubleFunction ticks = t -> 0.9 * (Math.floor((t + 1 + phase) / 0.9) - Math.floor((t + phase) / 0.9));
            SeriesAnalysis series = of(
                    noisy(seed, 90, 0.02, t -> rise(t) * ticks.applyAsDouble(t)),
                    noisy(100 + seed, 30, 0.02, t -> 1000 * ticks.applyAsDouble(t)));
            TimeToPeak time = series.time(99).orElseThrow();
            inside += time.lo().orElse(90) <= ninetyNine + 1 && time.hi().orElse(90) >= ninetyNine - 1 ? 1 : 0;
            Estimate jump = series.jump().orElseThrow().ratio();
            one += jump.lo() <= 1 && jump.hi() >= 1 ? 1 : 0;
        }
        assertThat(inside).as("T99, of 20").isGreaterThanOrEqualTo(18);
        assertThat(one).as("jump, of 20").isGreaterThanOrEqualTo(17);
    }

    @Test
    void aTurboThatEndsIsNoCycle() {
        SeriesAnalysis series =
                of(noisy(11, 90, 0.01, t -> t < 28 ? rise(t) : 800), noisy(12, 40, 0.01, t -> t < 28 ? 1000 : 800));

        assertThat(verdict(series))
                .isInstanceOfAny(Verdict.Slowing.class, Verdict.BelowPeak.class)
                .isNotEqualTo(new Verdict.Slowing(true));
    }

    @Test
    void oneFallIsToldBesideThePeak() {
        SeriesAnalysis series =
                of(noisy(13, 90, 0.03, t -> t >= 40 && t < 55 ? 700 : rise(t)), noisy(14, 30, 0.03, t -> 1000));

        assertThat(verdict(series)).isInstanceOf(Verdict.Peaked.class);
        assertThat(series.shape().disturbances())
                .filteredOn(one -> one.kind() == Kind.FALL)
                .singleElement()
                .satisfies(fall -> {
                    assertThat(fall.seconds()).isCloseTo(40, within(1.0));
                    assertThat(fall.lasted()).isCloseTo(15, within(2.0));
                });
    }

    /** Two seconds of each eleven, more and more of them: 14 % of the time at the end, and after the pause. */
    @Test
    void aCollectorThatTakesMoreAndMoreIsSlowing() {
        IntToDoubleFunction grows = t -> 8000 * (t % 11 < 2 ? 1 - 0.77 * Math.min(1, t / 160.0) : 1);
        SeriesAnalysis series = of(
                noisy(15, 180, 0.03, t -> Math.min(1, (t + 1) / 6.0) * grows.applyAsDouble(t)),
                noisy(16, 40, 0.03, t -> grows.applyAsDouble(t + 187)));

        assertThat(verdict(series)).isEqualTo(new Verdict.Slowing(false));
    }

    @Test
    void theSamePausesBeforeAndAfterLeaveTheShareAtOne() {
        IntToDoubleFunction pauses = t -> t % 13 < 2 ? 50 : 1000;
        for (int seed = 20; seed < 30; seed++) {
            SeriesAnalysis series =
                    of(noisy(seed, 90, 0.03, pauses), noisy(100 + seed, 30, 0.03, t -> pauses.applyAsDouble(t + 95)));

            assertThat(series.endOverPeak().orElseThrow().value()).isCloseTo(1, within(0.03));
            assertThat(verdict(series)).isInstanceOf(Verdict.Peaked.class);
        }
    }

    @Test
    void aLoadAfterThePauseThatServedLessLeavesThePeakUnknown() {
        SeriesAnalysis series = of(noisy(17, 60, 0.02, OtherIllnessesTest::rise), noisy(18, 30, 0.02, t -> 450));

        assertThat(series.absence()).contains(Peak.Absence.SERVED_LESS);
        assertThat(series.peak()).isEmpty();
        assertThat(series.reference().own()).isEmpty();
        assertThat(series.times()).isEmpty();
        assertThat(series.warmupCost()).isEmpty();
        assertThat(verdict(series)).isEqualTo(new Verdict.Slowing(true));
    }

    @Test
    void whatBrokeAndNeverCameBackWasServedBefore() {
        SeriesAnalysis series = of(noisy(19, 32, 0.03, t -> t < 16 ? 22_000 : 55), noisy(20, 20, 0.03, t -> 55));

        assertThat(verdict(series)).isEqualTo(new Verdict.StoppedServing(16));
        assertThat(series.peak().orElseThrow().value()).isCloseTo(22_000, within(500.0));
        assertThat(series.reference().own()).isEqualTo(series.peak());
        assertThat(series.time(TimeToPeak.HEADLINE).orElseThrow().seconds()).hasValue(0);
        assertThat(series.warmupCost().orElseThrow().seconds().value()).isCloseTo(16, within(0.5));
        assertThat(of(noisy(19, 32, 0.03, t -> t < 16 ? 22_000 : 55), noisy(20, 20, 0.03, t -> 23_000))
                        .peak()
                        .orElseThrow()
                        .value())
                .as("a pause that mended it shows the peak")
                .isCloseTo(23_000, within(500.0));
    }

    /** The last second alone is at 90 %: that is no time to the peak. */
    @Test
    void anEndBelowTheLevelWasNotThereInItsLastSecond() {
        double[] first = noisy(21, 60, 0.01, t -> 300 + 9.3 * t);
        first[59] = 960;
        SeriesAnalysis series = of(first, noisy(22, 30, 0.01, t -> 1000));
        TimeToPeak t90 = series.time(TimeToPeak.HEADLINE).orElseThrow();

        assertThat(series.endOverPeak().orElseThrow().below(0.9)).isTrue();
        assertThat(t90.seconds()).isEmpty();
        assertThat(t90.hi()).isEmpty();
    }

    @Test
    void aHigherShareIsNeverReachedEarlier() {
        for (Truth truth : TruthSeries.series(5, 480, WiderFamilies.ALL)) {
            List<TimeToPeak> times = of(truth.warmup(), truth.measure()).times();
            for (int i = 1; i < times.size(); i++) {
                assertThat(orNever(times.get(i).seconds()))
                        .isGreaterThanOrEqualTo(orNever(times.get(i - 1).seconds()));
                assertThat(orNever(times.get(i).lo()))
                        .isGreaterThanOrEqualTo(orNever(times.get(i - 1).lo()));
                assertThat(orNever(times.get(i).hi()))
                        .isGreaterThanOrEqualTo(orNever(times.get(i - 1).hi()));
            }
        }
    }

    private static double orNever(OptionalDouble seconds) {
        return seconds.orElse(Double.POSITIVE_INFINITY);
    }
}
