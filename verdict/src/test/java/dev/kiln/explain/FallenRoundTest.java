package dev.kiln.explain;

import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.Another;
import dev.kiln.model.experiment.FoundReference.End;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Disturbance;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A round of the search that served much less than one before it. */
class FallenRoundTest {
    private static final int LOAD = 15;

    /** A minute of load at 600 requests a second, and rounds; C2 has nothing to do. */
    private static HandMade searched(double[]... rounds) {
        return searchedAfter(seconds(60, 600), rounds);
    }

    private static HandMade searchedAfter(double[] load, double[]... rounds) {
        HandMade made = new HandMade("a", 1).load("warmup", 10, load);
        for (int i = 0; i < rounds.length; i++) {
            made.pause(FoundReference.pause(i + 1), 5).load(FoundReference.load(i + 1), 75 + 20L * i, rounds[i]);
        }
        for (int second = 0; second <= 260; second++) {
            made.thread(second, 7, "C2 CompilerThre", ThreadRole.C2, 5, 1);
        }
        made.reference = Optional.of(new FoundReference(false));
        return made;
    }

    private static HandMade levels(double... levels) {
        return searched(
                Arrays.stream(levels).mapToObj(level -> seconds(LOAD, level)).toArray(double[][]::new));
    }

    private static PeakSearch after(HandMade made) {
        return PeakSearch.after(made.evidence(), List.of(), AnalysisConfig.defaults());
    }

    private static SeriesAnalysis series(HandMade made) {
        return made.digest().series(Optional.empty());
    }

    /** It ended as "found", and the mean of both was the peak. */
    @Test
    void aSecondRoundThatServedMuchLessThanTheFirstTakesAnother() {
        assertThat(after(levels(1520)).why()).contains(Another.RISEN);
        assertThat(after(levels(1520, 611)).why()).contains(Another.FELL);
        assertThat(after(levels(1520, 611)).end()).isEmpty();
        assertThat(after(levels(1520, 611, 611)).end())
                .as("two do not make it right")
                .isEmpty();
        assertThat(after(levels(1520, 611, 1520)).end()).contains(End.FOUND);
        assertThat(after(levels(1520, 1350)).end())
                .as("rounds differ by a tenth where neighbours come and go")
                .contains(End.FOUND);
    }

    @Test
    void itIsListedAsAnOutageAndNoPartOfThePeak() {
        SeriesAnalysis series = series(levels(1520, 610, 1520));

        assertThat(series.peak().orElseThrow().value()).isEqualTo(1520);
        assertThat(series.shape().disturbances())
                .containsExactly(new Disturbance(Disturbance.Kind.OUTAGE, 1, 14, 14 * (1520.0 - 610), 2));
        assertThat(series(levels(1520, 1000, 1520)).shape().disturbances())
                .extracting(Disturbance::kind)
                .containsExactly(Disturbance.Kind.FALL);
        assertThat(series(levels(1520, 1500, 1520)).shape().disturbances()).isEmpty();
    }

    /** Three seconds show no end; what came after the pause is read all the same. */
    @Test
    void afterALoadOfSecondsItIsListedToo() {
        double[] whole = seconds(LOAD, 1520);
        SeriesAnalysis series = SeriesAnalyser.analyse(
                seconds(3, 600),
                new MeasuredLoad(whole, List.of(whole, seconds(LOAD, 610), seconds(LOAD, 1520)), List.of()),
                Optional.empty(),
                AnalysisConfig.defaults());

        assertThat(series.ending()).isEmpty();
        assertThat(series.peak().orElseThrow().value()).isEqualTo(1520);
        assertThat(series.shape().disturbances())
                .containsExactly(new Disturbance(Disturbance.Kind.OUTAGE, 1, 14, 14 * (1520.0 - 610), 2));
    }

    /** A service of which nothing comes after the first round is not at its peak. */
    @Test
    void eightRoundsThatNeverComeBackLeaveNoPeak() {
        for (double low : new double[] {0, 611}) {
            double[] all = new double[FoundReference.MOST_ROUNDS];
            Arrays.fill(all, low);
            all[0] = 1520;
            HandMade made = levels(all);
            made.referenceEnd = after(made).end();
            RunDigest digest = made.digest();
            SeriesAnalysis series = series(made);

            assertThat(made.referenceEnd).as("at %s", low).contains(End.FELL);
            assertThat(series.peak()).isEmpty();
            assertThat(series.absence()).contains(Peak.Absence.FELL);
            assertThat(digest.foundPeak()).isEmpty();
            assertThat(Verdicts.of(digest, List.of(), series))
                    .isEqualTo(new Verdict.CannotTell(Peak.Absence.FELL.text(), "another load after another pause"));
        }
    }

    /** It ended as found, and the report said that the peak is unknown. */
    @Test
    void roundsThatAgreeBelowTheLoadBeforeThemAreNoPeak() {
        HandMade made = searchedAfter(seconds(60, 1000), seconds(LOAD, 800), seconds(LOAD, 790));
        assertThat(after(searchedAfter(seconds(60, 1000), seconds(LOAD, 800))).why())
                .contains(Another.FELL);
        assertThat(after(made).end()).contains(End.SERVED_LESS);
        made.referenceEnd = after(made).end();
        assertThat(made.digest().foundPeak()).isEmpty();
        assertThat(series(made).peak()).isEmpty();

        double[] slowing = seconds(60, 800);
        Arrays.fill(slowing, 0, 40, 1000);
        HandMade held = searchedAfter(slowing, seconds(LOAD, 800), seconds(LOAD, 800));
        assertThat(after(held).end()).as("a higher level was held before").contains(End.SERVED_LESS);
        held.referenceEnd = Optional.of(End.FOUND);
        assertThat(held.digest().foundPeak()).as("recorded before").isEmpty();
    }

    /** The load before it served more, which hid that it declined. */
    @Test
    void aDecliningRoundBelowTheLoadBeforeItTakesAnother() {
        double[] declining = new double[LOAD];
        Arrays.setAll(declining, i -> 800 - 15 * i + 10 * (i * 7 % 5 - 2));
        HandMade made = searchedAfter(seconds(60, 1000), seconds(LOAD, 800), declining);

        assertThat(after(made).why()).contains(Another.DECLINING);
        assertThat(after(made).end()).isEmpty();
    }

    /** What was served before the stop is the peak, which hid that the last round fell. */
    @Test
    void aRoundThatFellAfterAStopIsOne() {
        double[] stopped = seconds(60, 1520);
        Arrays.fill(stopped, 40, 60, 0);
        HandMade made = searchedAfter(stopped, seconds(LOAD, 700), seconds(LOAD, 300));

        assertThat(after(made).why()).contains(Another.FELL);
        assertThat(after(made).end()).isEmpty();
        assertThat(series(made).fell()).isTrue();
        assertThat(series(made).shape().disturbances())
                .extracting(Disturbance::kind, Disturbance::round)
                .contains(tuple(Disturbance.Kind.OUTAGE, 2));
    }

    @Test
    void aLaterRoundOfWhichNothingWasRecordedIsLessThanBefore() {
        assertThat(after(searched(seconds(LOAD, 1520), new double[0])).why()).contains(Another.FELL);
    }

    /** Seconds that vary by a quarter leave open whether a round a quarter lower is one that fell. */
    @Test
    void aRoundThatNoiseAloneMayHaveLoweredEndsTheSearch() {
        HandMade made = searchedAfter(rough(60, 600, 1), rough(LOAD, 1520, 2), rough(LOAD, 1140, 3));

        assertThat(after(made).end()).contains(End.FOUND);
        assertThat(series(made).shape().disturbances())
                .extracting(Disturbance::lasted)
                .doesNotContain(14.0);
    }

    /** Seconds that have this mean without the first. */
    private static double[] rough(int count, double level, long seed) {
        Random random = new Random(seed);
        double[] all = seconds(count, level);
        Arrays.setAll(all, i -> level * (1 + 0.25 * Math.clamp(random.nextGaussian(), -2, 2)));
        double mean = Arrays.stream(all, 1, count).average().orElseThrow();
        return Arrays.stream(all).map(x -> x * level / mean).toArray();
    }
}
