package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunDigest;
import dev.kiln.explain.ServedLoad;
import dev.kiln.explain.Service;
import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatisticsBuilder;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What findings say and when, to the digit. A healthy service's window is the second half of its warm-up: seconds 30 to 60. */
class ProofsTest {
    private static Moment moment(Finding finding, int proof) {
        return finding.evidence().get(proof).when().orElseThrow();
    }

    @Test
    void theSpinnerIsTheGroupThatUsesMostCpu() {
        Service service = Service.healthy();
        service.workerInvoluntary = 20_000;
        Finding spinning = service.finding("spinning");

        assertThat(spinning.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(spinning.weight()).isCloseTo(0.8, within(1e-9));
        assertThat(moment(spinning, 0)).isEqualTo(new Moment(30, 60));
        assertThat(Service.healthy().first("spinning"))
                .isEqualTo(
                        "http-nio-8080-e: 50 involuntary switches a second (voluntary: 500), each after 16.000 ms of CPU and"
                                + " followed by 4.000 ms of waiting");
    }

    @Test
    void aSpinnerOnManyCpusWeighsLess() {
        Service service = Service.healthy();
        service.workerInvoluntary = 20_000;
        assertThat(service.finding("spinning").weight()).isCloseTo(0.8, within(1e-9));

        Service wide = Service.healthy();
        wide.made.on(new CpuAssignment(List.of(0, 1, 2, 3), List.of(4), List.of(4), true, List.of()));
        wide.workerInvoluntary = 20_000;
        assertThat(wide.finding("spinning").weight()).isCloseTo(0.2, within(1e-9));
    }

    private static JitSample cache(double at, long used, int full, int stopped) {
        return JitSample.at(nanos(at))
                .with(new JitState.CodeCacheFill(used << 20, 48L << 20, full, stopped, List.of()));
    }

    private static Service withoutAnswers() {
        Service service = Service.healthy();
        service.asked = false;
        return service;
    }

    @Test
    void aCodeCacheIsFullSinceItWasFirstFoundSo() {
        Service full = withoutAnswers();
        full.made.jit.add(cache(20, 40, 0, 0));
        full.made.jit.add(cache(35, 47, 1, 0));
        full.made.jit.add(cache(50, 47, 2, 1));
        assertThat(moment(full.finding("code-cache-full"), 0)).isEqualTo(new Moment(25, 40));

        Service stopped = withoutAnswers();
        stopped.made.jit.add(cache(20, 40, 0, 0));
        stopped.made.jit.add(cache(41, 47, 0, 1));
        stopped.made.jit.add(cache(50, 47, 0, 1));
        assertThat(moment(stopped.finding("code-cache-full"), 0)).isEqualTo(new Moment(31, 40));

        Service nearly = withoutAnswers();
        nearly.made.jit.add(cache(20, 40, 0, 0));
        nearly.made.jit.add(cache(50, 48, 0, 0));
        assertThat(moment(nearly.finding("code-cache-full"), 0)).isEqualTo(new Moment(40, 40));
        assertThat(nearly.first("code-cache-full"))
                .isEqualTo("48.0 of 48.0 MiB in use (100 %); found full 0 times, compilation stopped 0 times");
    }

    @Test
    void stallsOfTheGeneratorAreCountedBySecond() {
        Service once = Service.healthy();
        once.made.spoil("warmup", 45.0, 0, 250).spoil("warmup", 45.5, 0, 250);
        assertThat(once.first("generator-limit")).contains("over 200 ms in 3 % of the seconds");

        Service twice = Service.healthy();
        twice.made.spoil("warmup", 45.0, 0, 250).spoil("warmup", 47.5, 0, 250).spoil("warmup", 48, 0, 200);
        assertThat(twice.first("generator-limit"))
                .startsWith("the generator was at most 250 ms late, over 200 ms in 7 % of the seconds");
        assertThat(Service.healthy().first("generator-limit")).doesNotContain("of the seconds");
    }

    @Test
    void withoutLagAndCpusNothingIsKnownOfTheGenerator() {
        Service blind = new Service(HandMade.measured("a", 1000, HandMade.seconds(60, 1000)));
        blind.cpus = false;
        blind.parts = false;
        assertThat(blind.finding("generator-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);

        Service late = Service.healthy();
        late.cpus = false;
        late.parts = false;
        assertThat(late.finding("generator-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(late.first("generator-limit")).startsWith("the load generator's CPU time was not recorded");
    }

    private static Optional<String> heapToTry(String... flags) {
        Service heap = Service.healthy();
        heap.collectionShare = 0.3;
        heap.made.flags = List.of(flags);
        return heap.finding("heap-too-small")
                .remedies()
                .getFirst()
                .change()
                .map(change -> change.jvmFlags().getFirst());
    }

    @Test
    void theHeapsLimitIsTheLastFlagOfItsKind() {
        Service heap = Service.healthy();
        heap.collectionShare = 0.3;
        heap.made.flags = List.of("-Xmx32m", "-Xss1m", "-XX:MaxHeapSize=64m", "-Xms8m");

        assertThat(heap.first("heap-too-small"))
                .isEqualTo("30.0 % of the time went into collections, 3.0 a second, with -XX:MaxHeapSize=64m");
        assertThat(heapToTry("-Xmx32m", "-Xss1m", "-XX:MaxHeapSize=64m", "-Xms8m"))
                .contains("-XX:MaxHeapSize=128m");
        assertThat(heapToTry("-Xmx2G", "-XX:MaxRAMPercentage=10")).contains("-Xmx4G");
        assertThat(heapToTry()).contains("-XX:MaxRAMPercentage=50");
        assertThat(heapToTry("-XX:MaxRAMPercentage=60.0")).contains("-XX:MaxRAMPercentage=80");
        assertThat(heapToTry("-XX:MaxRAMPercentage=80")).isEmpty();
        assertThat(Service.healthy().first("gc")).isEqualTo("3.0 % of the time went into collections, 3.0 a second");
    }

    /** C2 works in the pause from second 70 on, at 80 % of a CPU; the second shared with load is not in it. */
    @Test
    void thePauseAfterTheWarmUpTellsTheBacklog() {
        Service service = withoutAnswers();
        service.c2InPause = 0.8;
        Finding backlog = service.finding("c2-backlog");

        assertThat(backlog.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(backlog.weight()).isCloseTo(0.5, within(1e-9));
        assertThat(backlog.evidence().getFirst().text())
                .isEqualTo("C2 used 12.0 s of CPU in the pause of 15 s, when no request came");
        assertThat(moment(backlog, 0)).isEqualTo(new Moment(60, 75));
    }

    @Test
    void aPauseBeforeTheWindowOrAShortOneTellsNothing() {
        HandMade early = new HandMade("a", 1)
                .load("first", 10, HandMade.seconds(10, 1000))
                .pause("pause", 15)
                .load("second", 35, HandMade.seconds(40, 1000))
                .load("third", 75, HandMade.seconds(20, 1000));
        Service before = new Service(early).until(20, 35, 95);
        before.asked = false;
        before.c2InPause = 0.8;
        assertThat(before.finding("c2-backlog").state()).isEqualTo(FindingState.NOT_OBSERVABLE);

        HandMade brief = new HandMade("a", 1)
                .load("warmup", 10, HandMade.seconds(60, 1000))
                .pause("pause", 2)
                .load("measure", 72, HandMade.seconds(20, 1000));
        Service shortly = new Service(brief).until(70, 72, 92);
        shortly.asked = false;
        shortly.c2InPause = 0.8;
        assertThat(shortly.finding("c2-backlog").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** Where the JVM was not asked, the flight recording's own figures of C2's queue do. */
    @Test
    void theQueueOfAFlightRecordingIsC2sAlone() {
        Service service = withoutAnswers();
        service.made.flight = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                List.of(),
                List.of(
                        new FlightDigest.QueueUse(nanos(40), "C2", 900, 0, 0, 0),
                        new FlightDigest.QueueUse(nanos(65), "C2", 500, 0, 0, 0),
                        new FlightDigest.QueueUse(nanos(66), "C1", 9000, 0, 0, 0),
                        new FlightDigest.QueueUse(nanos(67), "C2", 200, 0, 0, 0),
                        new FlightDigest.QueueUse(nanos(68), "C2", 100, 0, 0, 0),
                        new FlightDigest.QueueUse(nanos(69), "C2", 300, 0, 0, 0)),
                List.of(),
                List.of(),
                List.of())));

        assertThat(service.first("c2-backlog"))
                .isEqualTo("250 methods waited for C2 in the last 15 s of the load (median)");
        assertThat(service.finding("c2-backlog").weight()).isCloseTo(0.9 - 0.4 * 100 / 250, within(1e-9));
    }

    private static JitSample levels(double at, int queue, int level2, int level3) {
        return JitSample.at(nanos(at))
                .queues(OptionalInt.of(1), OptionalInt.of(queue))
                .with(new JitState.CodeLevels(7, level2, level3, 9, OptionalInt.empty()));
    }

    /** Only what lies within the window counts, its ends included; without methods with counters there is no share. */
    @Test
    void claimsAskForMediansOverTheWindow() {
        HandMade made = new HandMade("a", 1);
        made.jit.addAll(List.of(
                levels(9.9, 9999, 1, 99),
                levels(10, 40, 30, 10),
                levels(12, 10, 10, 30),
                levels(14, 20, 0, 0),
                levels(16, 30, 20, 20),
                levels(16.1, 9999, 99, 1)));
        WindowStatistics.Jit figures = jit(made, new Window(nanos(10), nanos(16)));

        assertThat(figures.c2Queue()).hasValue(25);
        assertThat(figures.level3Percent()).hasValue(50);
        assertThat(figures.aot().classes()).isEmpty();
        assertThat(jit(made, new Window(nanos(20), nanos(30))).c2Queue()).isEmpty();
    }

    private static WindowStatistics.Jit jit(HandMade made, Window window) {
        return new WindowStatisticsBuilder(made.evidence(), new ThreadTimes(List.of(), true), window)
                .build()
                .jit();
    }

    @Test
    void whoWaitsForTheLabsCpuIsNamed() {
        Service service = Service.healthy();
        service.labBusy = 0.99;
        service.loadCpu = 0.6;
        assertThat(RunDigest.of(service.evidence(), AnalysisConfig.defaults()).invalidReasons())
                .anyMatch(
                        reason -> reason.startsWith("load generator and database were the limit: their CPU was 99 %"));
    }

    /** More than half of the valid runs must be starved for C2 to be the cause; else what weighs most. */
    @Test
    void theConclusionNamesWhatWeighsMost() {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        Service service = Service.of(HandMade.seconds(60, 500), 1000);
        service.collectionShare = 0.95;
        service.collectionShareAfter = 0.91;
        assessment.add(service.evidence());

        assertThat(assessment.result("x").conclusion())
                .contains("it ended at 500 req/s, 50 % of its peak")
                .contains("; what held it back: "
                        + service.finding("heap-too-small").title() + " (95.0 % of the time");
    }

    private static Service cached(List<String> flags) {
        Service service = Service.healthy();
        service.level3 = 5;
        service.queue = 6;
        service.made.flags = flags;
        return service;
    }

    @Test
    void whetherTrainingDataIsReplayedIsReadFromFlagsOrNotKnown() {
        assertThat(cached(List.of()).first("stuck-at-tier-2"))
                .isEqualTo("no training data is replayed (AOTReplayTraining is off)");
        assertThat(cached(List.of("-XX:AOTCache=app.aot"))
                        .finding("stuck-at-tier-2")
                        .state())
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(cached(List.of("-XX:AOTCache=app.aot")).first("stuck-at-tier-2"))
                .endsWith("; whether training data is replayed is not known (AOTReplayTraining in jcmd PID"
                        + " VM.flags)");
        Finding held = cached(List.of("-XX:AOTCache=app.aot", "-XX:+AOTReplayTraining"))
                .finding("stuck-at-tier-2");
        assertThat(held.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(held.weight()).isEqualTo(0.96);
        Service silent = cached(List.of("-XX:AOTCache=app.aot"));
        silent.asked = false;
        assertThat(silent.first("stuck-at-tier-2")).startsWith("methods by level were not recorded");
    }

    @Test
    void withoutMethodsWithCountersNothingIsStuck() {
        Service service = cached(List.of("-XX:+AOTReplayTraining"));
        service.level2 = 0;
        service.level3 = 0;
        assertThat(service.finding("stuck-at-tier-2").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.first("stuck-at-tier-2")).startsWith("level 3 is 100.0 % of the methods");
    }

    @Test
    void anIdleTargetWeighsWhatItLeavesUnused() {
        Service service = Service.healthy();
        service.targetCpu = 0.2;
        service.targetWait = 0.05;
        Finding database = service.finding("database-limit");

        assertThat(database.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(database.weight()).isCloseTo(0.8, within(1e-6));
        assertThat(database.evidence().getFirst().text())
                .isEqualTo(
                        "the target used 20 % of its CPUs with 100 requests in flight over 100 connections; the database"
                                + " used 40 % of a CPU");
        assertThat(moment(database, 0)).isEqualTo(new Moment(30, 60));
    }

    @Test
    void withoutBacklogOrCpuTimeNothingIsKnownOfTheDatabase() {
        Service noBacklog = Service.of(HandMade.seconds(60, 1000), 1000, 0);
        assertThat(noBacklog.finding("database-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        Service noParts = Service.healthy();
        noParts.parts = false;
        noParts.threads = false;
        assertThat(noParts.finding("database-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** Methods of all levels are in use: what one level loses and another gains is no change. */
    @Test
    void methodsInUseAreThoseOfAllLevels() {
        Service service = withoutAnswers();
        service.compilations = 20;
        service.made.jit.add(JitSample.at(nanos(40))
                .queues(OptionalInt.of(0), OptionalInt.of(0))
                .with(new JitState.CodeLevels(100, 200, 300, 50, OptionalInt.empty())));
        service.made.jit.add(JitSample.at(nanos(60))
                .queues(OptionalInt.of(0), OptionalInt.of(0))
                .with(new JitState.CodeLevels(110, 240, 380, 70, OptionalInt.empty())));

        assertThat(service.first("deoptimisation-storm"))
                .isEqualTo("20 compilations a second, while methods in use changed by 150, those of C2 by 20");
    }

    private static void optimised(Service service, double at, int methods) {
        service.made.jit.add(JitSample.at(nanos(at))
                .queues(OptionalInt.of(0), OptionalInt.of(0))
                .with(new JitState.CodeLevels(0, 0, 0, methods, OptionalInt.empty())));
    }

    /** The last answer before the window and those within it; none after it. */
    @Test
    void answersAroundTheWindowCount() {
        Service service = withoutAnswers();
        service.compilations = 20;
        optimised(service, 20, 1000);
        optimised(service, 38, 1020);
        optimised(service, 50, 1060);
        optimised(service, 65, 1120);
        optimised(service, 90, 1200);
        assertThat(service.first("deoptimisation-storm")).endsWith("changed by 100, those of C2 by 100");
    }

    @Test
    void whatTheCpusLackedIsANoteOfEveryRun() {
        HandMade made = HandMade.measured("a", 1000, HandMade.seconds(60, 1000));
        made.on(new CpuAssignment(List.of(0), List.of(0), List.of(0), false, List.of("all share one CPU")));
        made.notes = List.of("seen during the run");

        assertThat(made.digest().caveats().notes())
                .contains("all share one CPU")
                .endsWith("seen during the run");
    }

    @Test
    void aRunIsSummedUpByPhase() {
        HandMade made = HandMade.measured("a", 500, HandMade.seconds(60, 1000));

        assertThat(made.digest().served().phases())
                .extracting(
                        ServedLoad.PhaseSummary::name, ServedLoad.PhaseSummary::load, ServedLoad.PhaseSummary::requests)
                .containsExactly(
                        tuple("warmup", true, 60_000L), tuple("pause", false, 0L), tuple("measure", true, 10_000L));
        assertThat(made.digest().served().phases().get(2).throughput()).isEqualTo(500);
        assertThat(made.digest().served().phases().get(1).startSeconds()).isEqualTo(70);
    }
}
