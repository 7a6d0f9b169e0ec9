package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.load.Latency.LatencyCounts;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.ScalabilityFit.TooFewLevels;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SweepAssessmentTest {
    private static final long MB = 1_000_000;

    private static HandMade level(String configuration, int connections, double throughput) {
        HandMade made = HandMade.measured(configuration + "-c" + connections, throughput, seconds(60, throughput));
        made.connections = connections;
        made.phaseLatency.add(new PhaseLatency(
                "measure",
                new Quantiles(100, 1_000_000L * connections, 3_000_000L * connections, 9_000_000),
                Optional.of(new PhaseLatency.More(
                        1.5e6 * connections,
                        1_500_000,
                        2_000_000,
                        2_500_000,
                        4_000_000,
                        new LatencyCounts(0, List.of())))));
        return made;
    }

    private static HandMade using(HandMade made, long rss, long pss) {
        for (int at = 1; at <= 105; at++) {
            made.memory.add(new MemorySample(
                    at * SECOND, rss, pss, 0, 0, 0, 0, OptionalLong.empty(), Optional.empty(), Optional.empty()));
        }
        return made;
    }

    private static ExperimentResult assess(Optional<DensityStudy> density, HandMade... runs) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        Arrays.stream(runs).forEach(run -> assessment.add(run.evidence()));
        return assessment.result("by hand", density);
    }

    @Test
    void variantsThatAreNoLevelsAreNoSweep() {
        HandMade hundred = HandMade.measured("a", 500, seconds(60, 500));
        HandMade otherwise = HandMade.measured("b-c5", 500, seconds(60, 500));
        assertThat(assess(Optional.empty(), hundred, otherwise).sweep()).isEmpty();
    }

    @Test
    void levelsComeByConnectionsWithTheirFigures() {
        ExperimentResult result =
                assess(Optional.empty(), level("a", 10, 800), using(level("a", 5, 500), 300 * MB, 200 * MB));
        SweepResult sweep = result.sweep().orElseThrow();
        SweepConfiguration one = sweep.configurations().getFirst();
        assertThat(one.name()).isEqualTo("a");
        assertThat(one.points()).extracting(SweepPoint::connections).containsExactly(5, 10);
        SweepPoint five = one.points().getFirst();
        assertThat(five.throughput().mean()).isCloseTo(500, within(1e-9));
        assertThat(five.throughput().bestSecond()).hasValue(500);
        assertThat(five.startSeconds()).hasValue(8);
        assertThat(five.memory().maxRssBytes()).hasValue(300 * MB);
        assertThat(five.memory().maxPssBytes()).hasValue(200 * MB);
        assertThat(five.steady().seconds()).hasValue(0);
        SweepPoint.Response response = five.response().orElseThrow();
        assertThat(response.mean()).hasValue(7.5);
        assertThat(response.p50()).isEqualTo(5);
        assertThat(response.p99()).isEqualTo(15);
        assertThat(response.max()).isEqualTo(9);
        assertThat(one.fit()).isInstanceOf(TooFewLevels.class);
        assertThat(one.best().orElseThrow().connections()).isEqualTo(10);
        assertThat(sweep.notes().getFirst()).contains("coordinated omission");
        assertThat(result.conclusion())
                .isEqualTo(
                        "a served most with 10 connections, 800 req/s (so few runs do not show which levels differ).");
    }

    @Test
    void theLawIsFittedToTheValidRunsAlone() {
        List<HandMade> runs = new ArrayList<>();
        for (int n : new int[] {1, 5, 10, 20, 40}) {
            runs.add(level("a", n, Math.rint(100 * n / (1 + 0.01 * (n - 1) + 0.002 * n * (n - 1)) / 10) * 10));
        }
        runs.add(level("a", 30, 50).ended(Outcome.TARGET_FAILED, "it died"));
        ExperimentResult result = assess(Optional.empty(), runs.toArray(HandMade[]::new));
        SweepConfiguration one = result.sweep().orElseThrow().configurations().getFirst();
        UniversalScalability law = (UniversalScalability) one.fit();
        assertThat(law.data().points()).isEqualTo(5);
        assertThat(law.peak().orElseThrow().connections()).isCloseTo(Math.sqrt(0.99 / 0.002), within(1.0));
        assertThat(one.points()).hasSize(6);
        assertThat(one.points().get(4).valid()).isFalse();
        assertThat(result.sweep().orElseThrow().notes())
                .anyMatch(note -> note.equals("no valid run, and left out of the" + " fit: a-c30"));
        assertThat(result.conclusion())
                .startsWith("a served most with 20 connections, ")
                .contains("% of that with 40", "the scalability law's peak: 22, between ");
    }

    @Test
    void runsOfALevelAreAveragedAndFittedOneByOne() {
        HandMade first = level("a", 5, 500);
        HandMade second = level("a", 5, 520).numbered(2);
        SweepPoint point = assess(Optional.empty(), first, second)
                .sweep()
                .orElseThrow()
                .configurations()
                .getFirst()
                .points()
                .getFirst();
        assertThat(point.throughput().mean()).isCloseTo(510, within(1e-9));
        assertThat(point.throughput().perRun()).containsExactly(500, 520);
        assertThat(point.runs().valid()).isEqualTo(2);
    }

    /** Two runs a level that differ by 40 req/s: 800 is told from 500, and not from 780. */
    @Test
    void aLevelIsToldFromTheBestOneWhereTheRunsDifferLess() {
        List<HandMade> runs = new ArrayList<>();
        for (int[] of : new int[][] {{5, 500}, {10, 780}, {20, 800}, {40, 600}}) {
            runs.add(level("a", of[0], of[1] - 20));
            runs.add(level("a", of[0], of[1] + 20).numbered(2));
        }
        ExperimentResult result = assess(Optional.empty(), runs.toArray(HandMade[]::new));

        assertThat(result.sweep().orElseThrow().configurations().getFirst().notToldFromBest(0.95))
                .containsExactly(10);
        assertThat(result.conclusion())
                .startsWith(
                        "a served most with 20 connections, 800 req/s, and 75 % of that with 40 (10 connections are not shown"
                                + " to differ from that");
    }

    /** Measured: one run of each level. The law is fitted in requests per second, and misses one connection by a third. */
    @Test
    void oneRunOfALevelIsJudgedByTheLawAsItIsFitted() {
        double[][] measured = {
            {1, 2310}, {5, 4020}, {10, 6850}, {15, 8010}, {20, 7910}, {25, 8500}, {30, 7890}, {35, 8160}, {40, 8370}
        };
        SweepConfiguration one = assess(
                        Optional.empty(),
                        Arrays.stream(measured)
                                .map(of -> level("a", (int) of[0], of[1]))
                                .toArray(HandMade[]::new))
                .sweep()
                .orElseThrow()
                .configurations()
                .getFirst();

        assertThat(one.notToldFromBest(0.95)).contains(10, 15, 20, 30, 35, 40).doesNotContain(1, 25);
    }

    @Test
    void aPeakThatWasSearchedForIsTheLevelAndMayBeALowerBound() {
        HandMade searched = new HandMade("a-c5", 1)
                .load("warmup", 10, seconds(30, 300))
                .pause("pause-r1", 5)
                .load("reference-1", 45, seconds(15, 800))
                .pause("pause-r2", 5)
                .load("reference-2", 65, seconds(15, 1000));
        searched.planned.subList(1, searched.planned.size()).clear();
        searched.connections = 5;
        searched.reference = Optional.of(new FoundReference(false));
        searched.referenceEnd = Optional.of(FoundReference.End.STILL_RISING);
        SweepResult sweep =
                assess(Optional.empty(), searched, level("a", 10, 1200)).sweep().orElseThrow();
        SweepPoint five = sweep.configurations().getFirst().points().getFirst();

        assertThat(five.throughput().mean()).isCloseTo(1000, within(1.0));
        assertThat(five.throughput().lowerBound()).isTrue();
        assertThat(sweep.configurations().getFirst().notToldFromBest(0.95)).containsExactly(5);
        assertThat(sweep.notes())
                .anyMatch(note -> note.startsWith("at least that much (\u2265)") && note.endsWith(": a-c5"));
    }

    /** As the peak of a variant: a bound says nothing where another run found it. */
    @Test
    void aRunThatFoundThePeakCountsBeforeOneThatHasALowerBound() {
        HandMade bound = level("a", 5, 700).numbered(2);
        bound.rate = OptionalDouble.of(700);
        SweepPoint five = point(level("a", 5, 1000), bound);

        assertThat(five.throughput().perRun()).containsExactly(1000);
        assertThat(five.throughput().lowerBound()).isFalse();
        assertThat(point(bound).throughput().lowerBound()).isTrue();
    }

    private static SweepPoint point(HandMade... runs) {
        return assess(Optional.empty(), runs)
                .sweep()
                .orElseThrow()
                .configurations()
                .getFirst()
                .points()
                .getFirst();
    }

    @Test
    void withoutAPauseTheEndOfTheLoadIsTheLevel() {
        HandMade made = new HandMade("a-c5", 1).load("warmup", 10, HandMade.then(seconds(30, 200), seconds(60, 600)));
        made.connections = 5;
        SweepResult sweep = assess(Optional.empty(), made).sweep().orElseThrow();
        SweepPoint point = sweep.configurations().getFirst().points().getFirst();
        assertThat(point.throughput().mean()).isCloseTo(600, within(1e-6));
        assertThat(point.steady().seconds()).hasValue(30);
        assertThat(point.response()).isEmpty();
        assertThat(sweep.notes().get(1)).contains("response times include the warm-up");
    }

    @Test
    void aLoadThatNeverBecameLevelCountsWithItsMean() {
        double[] climbing = new double[90];
        Arrays.setAll(climbing, second -> 200 + 10 * second);
        HandMade made = new HandMade("a-c5", 1).load("warmup", 10, climbing);
        made.connections = 5;
        SweepPoint point = assess(Optional.empty(), made)
                .sweep()
                .orElseThrow()
                .configurations()
                .getFirst()
                .points()
                .getFirst();
        assertThat(point.steady().seconds()).isEmpty();
        assertThat(point.throughput().mean()).isCloseTo(645, within(1e-6));
    }

    /** The published study's own arithmetic: 651, 414 and 122 MB; 37,082, 77,118 and 44,841 req/s; 2,048 MB. */
    @Test
    void processesThatFitAreCountedAsTheStudyDoes() {
        ExperimentResult result = assess(
                Optional.of(new DensityStudy(2048 * MB, List.of())),
                using(level("thorntail", 25, 37_080), 651 * MB, 0),
                using(level("quarkus", 25, 77_120), 414 * MB, 0),
                using(level("native", 25, 44_840), 122 * MB, 0));
        Density density = result.sweep().orElseThrow().density().orElseThrow();
        assertThat(density.theory()).extracting(Density.Theory::by).containsOnly(Density.By.RSS);
        assertThat(density.theory()).extracting(Density.Theory::processes).containsExactly(3L, 4L, 16L);
        assertThat(density.theory())
                .extracting(row -> Math.round(row.summed()))
                .containsExactly(3 * 37_080L, 4 * 77_120L, 16 * 44_840L);
        assertThat(density.theory())
                .extracting(row -> Math.round(100 * row.shareOfFirst().orElseThrow()))
                .containsExactly(100L, 277L, 645L);
        assertThat(result.sweep().orElseThrow().notes())
                .anyMatch(note -> note.startsWith("how many processes fit is theory"));
    }

    @Test
    void proportionalMemoryCountsMoreProcesses() {
        DensityStudy.MeasuredProcess measured =
                new DensityStudy.MeasuredProcess("a", 5, 5, 20, 900, 0, 1500, 1000, List.of());
        Density density = assess(
                        Optional.of(new DensityStudy(1000 * MB, List.of(measured))),
                        using(level("a", 5, 400), 300 * MB, 200 * MB))
                .sweep()
                .orElseThrow()
                .density()
                .orElseThrow();
        assertThat(density.theory()).extracting(Density.Theory::processes).containsExactly(3L, 5L);
        assertThat(density.verified()).containsExactly(measured);
    }
}
