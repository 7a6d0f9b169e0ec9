package dev.kiln.explain.window;

import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Curves;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunDigest;
import dev.kiln.explain.RunNotes;
import dev.kiln.explain.Verdicts;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.Provenance.SeenSpan;
import dev.kiln.model.run.Provenance.SourceBins;
import dev.kiln.model.run.Provenance.SourceKind;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.SeriesAnalysis;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinPolicyTest {
    private static Provenance foreign(SourceBins bins) {
        return new Provenance(List.of("a.json", "b.log"), bins, false, false, true, OptionalLong.empty(), List.of());
    }

    private static SourceBins time(double seconds) {
        return new SourceBins(nanos(seconds), false, SourceKind.TIME);
    }

    private static HandMade from(Provenance provenance, double... perSecond) {
        HandMade made = new HandMade("a", 1).load("warmup", 10, perSecond);
        made.provenance = Optional.of(provenance);
        return made;
    }

    private static List<String> notes(Provenance provenance) {
        HandMade made = from(provenance, 1);
        made.command = List.of();
        return RunNotes.foreign(made.evidence().info());
    }

    @Test
    void rowsLongerThanASecondAreTheBins() {
        RunEvidence tenths = from(foreign(time(2)), seconds(2, 500)).evidence();

        AnalysisConfig config = BinPolicy.config(tenths, AnalysisConfig.defaults());

        assertThat(config.binSeconds()).isEqualTo(0.1);
        assertThat(config.minRequests()).isEqualTo(AnalysisConfig.defaults().minRequests());
        LoadSeries series = BinPolicy.series("warmup", tenths, config);
        assertThat(series.completed()).hasSize(20).containsOnly(500);
        assertThat(series.startNanos()).isEqualTo(nanos(10));
        assertThat(series.endNanos()).isEqualTo(nanos(12));
        LoadSeries none = BinPolicy.series("other", tenths, config);
        assertThat(none.bins()).isZero();
        assertThat(none.startNanos()).isZero();
    }

    /** An iteration that ran one operation says its rate as exactly as one that ran a million: bins are not joined for it. */
    @Test
    void iterationsAreTimedAndNotCounted() {
        SourceBins iterations = new SourceBins(nanos(0.1), false, SourceKind.ITERATION);
        RunEvidence slow = from(foreign(iterations), seconds(40, 10))
                .load("measure", 60, seconds(20, 10))
                .evidence();

        AnalysisConfig config = BinPolicy.config(slow, AnalysisConfig.defaults());
        SeriesAnalysis series = RunDigest.of(slow, AnalysisConfig.defaults()).series(Optional.empty());

        assertThat(config.minRequests()).isZero();
        assertThat(series.binSeconds()).isEqualTo(0.1);
        assertThat(series.noise().cv()).isLessThan(0.001);
    }

    /** Kiln once wrote 30 ms an operation in 100 ms as three operations in 100 ms. */
    @Test
    void iterationsThatWereRoundedAreCounted() {
        SourceBins iterations = new SourceBins(nanos(0.1), false, SourceKind.ITERATION);
        RunEvidence old = from(foreign(iterations), seconds(40, 30))
                .load("measure", 60, seconds(20, 30))
                .evidence();

        assertThat(BinPolicy.config(old, AnalysisConfig.defaults()).minRequests())
                .isEqualTo(AnalysisConfig.defaults().minRequests());
    }

    @Test
    void failuresOfARowAreARate() {
        RunEvidence spoiled = from(foreign(time(2)), seconds(2, 500))
                .spoil("warmup", 10.5, 3, 7)
                .evidence();

        LoadSeries series = BinPolicy.series("warmup", spoiled, BinPolicy.config(spoiled, AnalysisConfig.defaults()));

        assertThat(series.errors()[5]).isEqualTo(30);
        assertThat(series.errors()[4]).isZero();
        assertThat(series.lagNanos()[5]).isEqualTo(7_000_000);
    }

    /** A hundredth of the requests of 60 s was accepted and of 60.5 s it was not: errors were whole ones in a second. */
    @ParameterizedTest
    @ValueSource(doubles = {0.7, 2.5, 7, 33.3, 60, 60.5})
    void theSameShareOfErrorsIsAcceptedOfRowsOfAnyLength(double seconds) {
        assertThat(erroneous(seconds, 9900, 100)).as("exactly what is accepted").isEmpty();
        assertThat(erroneous(seconds, 9899, 101)).as("one more").containsExactly(0);
        assertThat(erroneous(seconds, 19, 1)).as("one of twenty").containsExactly(0);
        assertThat(erroneous(seconds, 100, 0)).isEmpty();
    }

    private static List<Integer> erroneous(double seconds, long completed, long failed) {
        LoadBin row = new LoadBin(
                "warmup",
                0,
                nanos(seconds),
                completed + failed,
                completed,
                new LoadBin.Errors(0, 0, failed, 0, 0),
                0,
                0);
        LoadSeries series = LoadSeries.ofRows("warmup", List.of(row), seconds);
        return LoadSeries.validity(List.of(series), AnalysisConfig.defaults()).erroneous();
    }

    @Test
    void slicesOfASecondAreJoinedAsKilnsOwnAre() {
        RunEvidence own = from(foreign(time(1)), seconds(3, 500)).evidence();

        assertThat(BinPolicy.config(own, AnalysisConfig.defaults())).isEqualTo(AnalysisConfig.defaults());
        assertThat(BinPolicy.series("warmup", own, AnalysisConfig.defaults()).completed())
                .containsExactly(500, 500, 500);
        RunEvidence empty = from(foreign(time(5))).evidence();
        assertThat(BinPolicy.config(empty, AnalysisConfig.defaults())).isEqualTo(AnalysisConfig.defaults());
    }

    @Test
    void totalsGiveNoVerdictUnlessTheyAreInvalid() {
        HandMade total = from(foreign(new SourceBins(0, false, SourceKind.TOTAL)), seconds(2, 500));

        RunDigest digest = RunDigest.of(total.evidence(), AnalysisConfig.defaults());
        SeriesAnalysis series = digest.series(Optional.empty());
        assertThat(Verdicts.of(digest, List.of(), series)).isInstanceOf(Verdict.CannotTell.class);
        assertThat(Verdicts.of(digest, List.of("broken"), series)).isInstanceOf(Verdict.Invalid.class);
        assertThat(BinPolicy.totals(from(foreign(time(1)), 1).evidence().info()))
                .isFalse();
        assertThat(BinPolicy.totals(new HandMade("a", 1).evidence().info())).isFalse();
    }

    @Test
    void whatLimitsTheFiguresIsSaid() {
        assertThat(notes(foreign(time(0)))).containsExactly("imported from a.json, b.log");
        assertThat(notes(new Provenance(
                        List.of("x"),
                        new SourceBins(nanos(1), true, SourceKind.TIME),
                        true,
                        true,
                        false,
                        OptionalLong.of(nanos(0.25)),
                        List.of())))
                .containsExactly(
                        "imported from x",
                        "bins of 1 s by the start of requests: a stall shows too early, and times are exact to 1"
                                + " s",
                        "latencies are the source's own quantiles, at the bounds of its histogram's buckets; they"
                                + " cannot be combined",
                        "the source does not count failures before the target was up",
                        "the source does not record how long threads waited for a CPU",
                        "the clocks of load and threads may be 0.250 s apart");
        assertThat(notes(foreign(time(1)))).contains("bins of 1 s: times are exact to 1 s");
        assertThat(notes(foreign(new SourceBins(nanos(3), false, SourceKind.ITERATION))))
                .contains("a bin is one iteration; a time is a number of iterations times their usual length, 3 s");
        assertThat(notes(foreign(new SourceBins(0, false, SourceKind.TOTAL))))
                .contains("only totals were kept: without a curve there is no time to peak");
    }

    @Test
    void anImportedRunSaysWhereItIsFrom() {
        HandMade made = from(foreign(time(1)), seconds(70, 500));
        made.command = List.of();

        assertThat(HandMade.assess(made).footnotes()).contains("imported from a.json, b.log");
    }

    /** Of a run that Kiln launched another program sends the load only. */
    @Test
    void aLoadOfAnotherProgramIsNoImport() {
        ExperimentResult result = HandMade.assess(from(foreign(time(1)), seconds(70, 500)));

        assertThat(result.footnotes()).contains("the load is from a.json, b.log");
    }

    /** What compilers did while nobody looked is not known; half a second seen is enough. */
    @Test
    void secondsInWhichNoThreadWasSampledAreNoPoints() {
        Provenance gaps = new Provenance(
                List.of("x"),
                time(1),
                false,
                false,
                true,
                OptionalLong.empty(),
                List.of(new SeenSpan(nanos(11.2), nanos(12)), new SeenSpan(nanos(12.7), nanos(13))));
        HandMade made = from(gaps, seconds(4, 500));
        for (int t = 10; t <= 14; t++) {
            made.thread(t, 7, "C2 CompilerThre", ThreadRole.C2, 0.25 * (t - 10), 0);
        }

        assertThat(made.digest().curves().jit())
                .filteredOn(point -> point.second() >= 0)
                .extracting(Curves.JitPoint::second)
                .containsExactly(0.0, 2.0, 3.0);
    }

    @Test
    void constantsAreThoseOfTheRunsWhereAllHaveTheSameBins() {
        HandMade tenths = from(foreign(time(2)), seconds(2, 500));

        assertThat(HandMade.assess(tenths).config().binSeconds()).isEqualTo(0.1);
        assertThat(HandMade.assess(tenths, from(foreign(time(1)), seconds(3, 500)))
                        .config()
                        .binSeconds())
                .isEqualTo(1);
    }
}
