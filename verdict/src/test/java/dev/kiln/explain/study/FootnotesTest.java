package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunDigest;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.Service;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Course.Hung;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.Unserved;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FootnotesTest {
    private static final Provenance OTHER_PROGRAM = new Provenance(
            List.of("h2load"),
            new Provenance.SourceBins(1_000_000_000L, true, Provenance.SourceKind.TIME),
            true,
            true,
            true,
            OptionalLong.empty(),
            List.of());

    private static HandMade run(String variant, int number, String... notes) {
        HandMade made = measured(variant, 1000, seconds(70, 1000)).numbered(number);
        made.notes = List.of(notes);
        return made;
    }

    private static List<String> notes(HandMade... runs) {
        return HandMade.assess(runs).footnotes();
    }

    @Test
    void aNoteStandsOnceAndNamesItsRunsUnlessItIsTrueOfAll() {
        assertThat(notes(run("a", 1, "hot", "late"), run("a", 2, "hot"), run("b", 1, "hot", "late")))
                .contains("hot", "late (run a 1, b 1)")
                .doesNotHaveDuplicates();
    }

    /** Seconds of a real load after a pause. */
    @Test
    void whoDividesTheFiguresLearnsWhatTheShareIsMeasuredAgainst() {
        double[] ragged = {2935, 2963, 2931, 3107, 3189, 3102, 1179, 3129, 3256, 3193, 2886, 3040, 3010, 2980, 3060};
        HandMade made = new HandMade("a", 1)
                .load("warmup", 10, seconds(60, 2000))
                .pause("pause", 15)
                .load("measure", 85, ragged);

        assertThat(HandMade.assess(made).conclusion()).contains("its peak (2,931 req/s)", "at 2,000 req/s, 66 % of it");
        assertThat(notes(made))
                .contains(
                        "a: the share of its peak is measured against 3,051 req/s, what the load after the pause served"
                                + " without its outliers");
        assertThat(notes(run("a", 1))).noneMatch(note -> note.contains("share of its peak"));
    }

    private static HandMade hung(int number, long requests, long nanos) {
        return run("a", number).unserved("warmup", new Unserved(20, 0, 0, 0, Optional.of(new Hung(requests, nanos))));
    }

    /** A p99 of 42 ms said nothing of 18 connections out of 20. */
    @Test
    void whatHangsUntilALoadEndsIsSaid() {
        assertThat(notes(hung(1, 18, 24_000_000_000L), hung(2, 17, 23_500_000_000L)))
                .contains(
                        "when a load ended, 17 to 18 of 20 requests in flight had waited for longer than any took that was"
                                + " answered, the first of them for 23.5 to 24.0 s: no response time has them");
        assertThat(notes(hung(1, 1, 400_000_000L))).noneMatch(note -> note.contains("in flight"));
        assertThat(notes(run("a", 1).unserved("warmup", new Unserved(20, 0, 0, 0))))
                .noneMatch(note -> note.contains("in flight"));
    }

    @Test
    void notesOfTheSameWordsAreOneWithTheRangeOfTheirFigures() {
        String driver = "the load driver's own compilers took %s %% of its CPU time in a phase of load";
        assertThat(notes(
                        run("a", 1, String.format(driver, "7.0"), String.format(driver, "12.5"), "3 of 9 seconds"),
                        run("a", 2, String.format(driver, "6.0"), "4 of 9 seconds"),
                        run("b", 1)))
                .contains(
                        "the load driver's own compilers took 6.0 to 12.5 % of its CPU time in a phase of load (run a 1, a 2)",
                        "3 of 9 seconds (run a 1)", "4 of 9 seconds (run a 2)");
        String cache = "AOT cache used, trained by traffic (recorded in %s s, created in 4.0 s, %s MB)";
        assertThat(notes(
                        run("a", 1, String.format(cache, "9.5", "103")),
                        run("b", 1, String.format(cache, "23.0", "98"))))
                .contains(
                        "AOT cache used, trained by traffic (recorded in 9.5 to 23.0 s, created in 4.0 s, 98 to 103 MB)");
        String dump = "thread dumps, the later ones: Kiln took no more, because a dump stopped the JVM for %s ms";
        assertThat(notes(run("a", 1, String.format(dump, "304")), run("a", 2, String.format(dump, "529"))))
                .contains(
                        "thread dumps, the later ones: Kiln took no more, because a dump stopped the JVM for 304 to 529 ms");
        assertThat(notes(
                        run("a", 1, new Restarted("shop", 14959, List.of("up", "2", "shop"), 420_000_000).note()),
                        run("a", 2, new Restarted("shop", 17556, List.of("up", "2", "shop"), 510_000_000).note())))
                .anyMatch(note ->
                        note.startsWith("the process of shop was started 0.42 to 0.51 s after 'up 2 shop' had begun"));
    }

    @Test
    void whatWasNotRecordedIsSaidWithItsReason() {
        HandMade made = run("a", 1);
        made.notRecorded = List.of(new NotRecorded("queues", "no attaching"));

        assertThat(notes(made)).contains("not recorded: queues: no attaching");
    }

    /** One run of three at 60 %: the mean of 843 is the peak of none. */
    @Test
    void runsOfTwoKindsAreSaidToDiffer() {
        assertThat(peaks(1000, 600, 1000))
                .singleElement()
                .asString()
                .startsWith(
                        "a: its runs have different peaks, 600 to 1,000 req/s; the peak of 843 req/s is their mean, known to ")
                .endsWith(" (95 % interval)");
        assertThat(peaks(1000, 900, 1050)).isEmpty();
    }

    private static List<String> peaks(double... peaks) {
        HandMade[] runs = new HandMade[peaks.length];
        for (int i = 0; i < peaks.length; i++) {
            runs[i] = measured("a", peaks[i], then(seconds(20, peaks[i] / 2), seconds(40, peaks[i])))
                    .numbered(i + 1);
        }
        return HandMade.assess(runs).footnotes().stream()
                .filter(note -> note.contains("different peaks"))
                .toList();
    }

    @Test
    void fewRunsAreSaidToBeFew() {
        assertThat(notes(run("a", 1), run("a", 2), run("b", 1)))
                .contains("one run a variant: how much runs differ is not known; --runs 6 can show a difference");
        assertThat(notes(runs(2)))
                .contains("2 runs a variant: exploratory; a difference between variants needs at least 6 runs of each");
        assertThat(notes(run("a", 1), run("a", 2), run("a", 3).ended(Outcome.LAB_FAILED, "disk full")))
                .contains(
                        "2 valid runs a variant: exploratory; a difference between variants needs at least 6 runs of each");
        assertThat(notes(runs(3))).anyMatch(note -> note.startsWith("3 runs a variant: exploratory"));
        assertThat(notes(runs(5))).anyMatch(note -> note.startsWith("5 runs a variant: exploratory"));
        assertThat(notes(runs(6))).noneMatch(note -> note.contains("a variant"));
    }

    /** With each variant more the level of a comparison gets smaller (Holm), in kiln compare too. */
    @Test
    void severalComparisonsTakeMoreRuns() {
        assertThat(notes(run("a", 1), run("b", 1), run("c", 1)))
                .anyMatch(note -> note.endsWith("--runs 7 can show a difference"));
        HandMade[] fourteen = IntStream.range(0, 14)
                .mapToObj(i -> run("v" + (char) ('a' + i), 1))
                .toArray(HandMade[]::new);
        // 2^(1-10) is below 0.05 / 13, and 2^(1-9) is not.
        assertThat(notes(fourteen)).anyMatch(note -> note.endsWith("--runs 10 can show a difference"));
    }

    /** Whose load another program sent can be repeated by Kiln; what was imported cannot. */
    @Test
    void moreRunsOfAVariantComeFromWhereItsRunsCameFrom() {
        HandMade made = run("a", 1);
        made.provenance = Optional.of(OTHER_PROGRAM);
        assertThat(notes(made))
                .anyMatch(note -> note.endsWith("--runs 6 can show a difference"))
                .noneMatch(note -> note.contains("import more"));
        made.command = List.of();
        assertThat(notes(made)).anyMatch(note -> note.contains("import more runs of it"));
    }

    /** Without blocks the exact test is Mann and Whitney's. It needs fewer runs. */
    @Test
    void importedRunsHaveNoBlocksAndSoFewerAreEnough() {
        assertThat(notes(imported(3)))
                .contains("3 runs a variant: exploratory; a difference between variants needs at least 4 runs of each");
        assertThat(notes(imported(4))).noneMatch(note -> note.contains("a variant"));
    }

    private static HandMade[] runs(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> run("a", i)).toArray(HandMade[]::new);
    }

    private static HandMade[] imported(int count) {
        HandMade[] runs = runs(count);
        for (HandMade run : runs) {
            run.provenance = Optional.of(OTHER_PROGRAM);
            run.command = List.of();
        }
        return runs;
    }

    @Test
    void whatWasAdaptiveIsSaid() {
        HandMade made = run("a", 1);
        made.runs = new Runs(5, 10, OptionalDouble.of(0.025));
        assertThat(notes(made))
                .anyMatch(note -> note.startsWith("adaptive: Kiln added blocks")
                        && note.contains("within 2.5 %, from 5 to at most 10")
                        && note.endsWith("covered the truth in at least 94.9 % of simulated experiments"));
        assertThat(notes(run("a", 1))).noneMatch(note -> note.startsWith("adaptive"));

        HandMade steady = new HandMade("a", 1);
        steady.untilSteady = Optional.of(Duration.ofSeconds(60));
        steady.load("warmup", 10, seconds(70, 1000));
        assertThat(notes(steady))
                .anyMatch(note -> note.startsWith("adaptive: the load before the pause ended as soon as throughput was"
                        + " steady, so the warm-up cost covers lengths that differ between runs"));

        HandMade known = new HandMade("a", 1);
        known.untilKnown = Optional.of(Duration.ofSeconds(30));
        known.load("warmup", 10, seconds(70, 1000));
        assertThat(notes(known))
                .anyMatch(note -> note.startsWith("adaptive: the load before the pause ended as soon as what the rest"
                        + " of it would show was known"));
    }

    /** C2 still had work, and the service was at its peak all the same. */
    @Test
    void aRunThatHasPeakedHasNoForecast() {
        Service busy = Service.healthy();
        busy.c2Cpu = 0.1;
        busy.c2Wait = 0.25;
        assertThat(RunDigest.of(busy.evidence(), AnalysisConfig.defaults())
                        .diagnosis()
                        .forecasts())
                .anyMatch(Forecast::tells);
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        assessment.add(busy.evidence());
        RunResult run = assessment.result("x").variants().getFirst().runs().getFirst();
        assertThat(run.explanation().verdict()).isInstanceOf(Verdict.Peaked.class);
        assertThat(run.explanation().forecasts()).isEmpty();
    }

    @Test
    void theLastForecastOfAStarvedVariantIsSaid() {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        assessment.add(Service.of(seconds(60, 500), 1000).starved().evidence());
        List<String> starved = assessment.result("x").footnotes();
        assertThat(starved)
                .filteredOn(note -> note.startsWith("forecast for a: C2 not done before "))
                .hasSize(1);

        Assessment healthy = new Assessment(AnalysisConfig.defaults());
        healthy.add(Service.healthy().evidence());
        assertThat(Stream.of(healthy.result("x")).flatMap(r -> r.footnotes().stream()))
                .noneMatch(note -> note.startsWith("forecast"));
    }

    /** "Far below" was said beside a run that nobody may read a peak from, and of peaks whose intervals meet. */
    @Test
    void aSiblingIsHigherByValidRunsAndByIntervals() {
        assertThat(farBelow(
                        measured("spring-jvm", 1000, seconds(60, 1000)), measured("spring-aot", 300, seconds(60, 300))))
                .hasSize(1);
        assertThat(farBelow(
                        measured("spring-jvm", 1000, seconds(60, 1000)).ended(Outcome.INTERRUPTED, ""),
                        measured("spring-aot", 300, seconds(60, 300))))
                .as("interrupted")
                .isEmpty();
        assertThat(farBelow(
                        measured("spring-jvm", 1000, seconds(60, 1000)),
                        measured("spring-jvm", 1600, seconds(60, 1600)).numbered(2),
                        measured("spring-aot", 500, seconds(60, 500)),
                        measured("spring-aot", 600, seconds(60, 600)).numbered(2)))
                .as("two runs a side that differ")
                .isEmpty();
    }

    private static List<String> farBelow(HandMade... runs) {
        return HandMade.assess(runs).footnotes().stream()
                .filter(note -> note.contains("far below"))
                .toList();
    }
}
