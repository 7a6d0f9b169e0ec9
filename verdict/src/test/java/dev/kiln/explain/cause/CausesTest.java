package dev.kiln.explain.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunDigest;
import dev.kiln.explain.Service;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.OutOfMemory;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunInfo.Outcome;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.WaitKind;
import dev.kiln.model.run.Treatment;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each cause from evidence made by hand: as itself, not as another, on both sides of its threshold. */
class CausesTest {
    /** {@code docs/reference/explain.md} has the id of each. */
    @Test
    void theReferenceHasThemAll() throws IOException {
        String page = Files.readString(Path.of("../docs/reference/explain.md"));

        assertThat(Service.healthy().findings())
                .extracting(Finding::id)
                .allSatisfy(id -> assertThat(page).contains("`" + id + "`"));
    }

    @Test
    void nothingHoldsOfAHealthyService() {
        List<Finding> findings = Service.healthy().findings();

        assertThat(Service.ids(findings, FindingState.CONFIRMED)).isEmpty();
        assertThat(Service.ids(findings, FindingState.NOT_OBSERVABLE))
                .as("without a recording and thread dumps nothing is known of what runs")
                .containsExactly(
                        "recompilation-given-up",
                        "never-compiled",
                        "exceptions",
                        "reflection",
                        "log-formatting",
                        "class-loading");
        assertThat(findings)
                .hasSize(42)
                .extracting(Finding::id)
                .doesNotHaveDuplicates()
                .contains("memory-pressure", "aot-trained-without-traffic");
        assertThat(findings).allSatisfy(f -> {
            assertThat(f.remedies()).isEmpty();
            assertThat(f.weight()).isZero();
            assertThat(f.evidence()).isNotEmpty();
        });
    }

    @Test
    void aStarvedC2IsToldWithItsFigures() {
        Service service = Service.healthy().starved();

        Finding finding = service.finding("c2-starved");

        assertThat(finding.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(finding.title()).isEqualTo("C2 starved of CPU");
        assertThat(finding.weight()).isCloseTo(0.97, within(1e-9));
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "C2 got 3.0 % of a CPU and waited for one 97.0 % of the time in the last 15 s of the load",
                        "the compilers had a CPU for 4 % of the time their compilations took (about 100 % when served)",
                        "of the time it asked for a CPU it waited 97 %; 0 % of the time it was blocked or idle",
                        "it was starved from second 0 to the end of the load, 60 s");
        assertThat(finding.evidence().getFirst().when()).contains(new Finding.Moment(45, 60));
        assertThat(finding.explains()).containsExactly(Finding.Effect.BELOW_PEAK);
        assertThat(finding.evidence().getLast().when()).contains(new Finding.Moment(0, 60));
        assertThat(finding.remedies())
                .extracting(Finding.FindingRemedy::place)
                .contains(RemedyPlace.LAUNCH_FLAG, RemedyPlace.LIVE_PROCESS, RemedyPlace.PLATFORM);
        assertThat(finding.remedies())
                .anySatisfy(remedy -> assertThat(remedy.how()).startsWith("renice -n -20"));
        assertThat(Service.healthy().starved().held()).containsExactly("c2-starved");
    }

    @Test
    void c2IsStarvedIfItWaitsMostOfTheTimeAndOfItsTime() {
        assertThat(c2(0.19, 0.51)).contains("c2-starved");
        assertThat(c2(0.2, 0.51)).as("71.8 % of its time").isEmpty();
        assertThat(c2(0.1, 0.49)).as("it waits for less than half of the time").isEmpty();
        assertThat(c2(0.1, 0.5)).contains("c2-starved");
        assertThat(Service.healthy().first("c2-starved")).startsWith("C2 got 1.0 % of a CPU and waited for one 1.0 %");
    }

    private static List<String> c2(double cpu, double wait) {
        Service service = Service.healthy();
        service.c2Cpu = cpu;
        service.c2Wait = wait;
        return service.held();
    }

    @Test
    void withoutWaitsTheCompileTimeDecides() {
        assertThat(unwaited(0.25))
                .contains("held: the compilers had a CPU for 24 % of the time their compilations took");
        assertThat(unwaited(0.35)).contains("not-observable: the time threads wait for a CPU was not recorded");
        assertThat(unwaited(0.5)).contains("ruled-out: the compilers had a CPU for 48 %");
    }

    /** Whose load another program sent: how it was launched is known all the same. */
    @Test
    void aRunThatKilnLaunchedIsNoImport() {
        Service service = Service.healthy();
        service.evidence();
        service.made.provenance = Optional.of(new Provenance(
                List.of("p"),
                new Provenance.SourceBins(1_000_000_000L, true, Provenance.SourceKind.TIME),
                true,
                true,
                true,
                OptionalLong.empty(),
                List.of()));
        assertThat(stateOf("aot-rejected", service)).isEqualTo("ruled-out");
        service.made.command = List.of();
        assertThat(stateOf("aot-rejected", service)).isEqualTo("not-observable");
    }

    private static String stateOf(String id, Service service) {
        return RunDigest.of(service.made.evidence(), AnalysisConfig.defaults()).findings().stream()
                .filter(finding -> finding.id().equals(id))
                .map(finding -> finding.state().text())
                .findFirst()
                .orElseThrow();
    }

    /** Sources that have no column for it leave the waits unknown, which is no lack of load. */
    @Test
    void withoutAColumnForWaitsTheCompileTimeDecidesToo() {
        Service service = unwaitedService(0.25);
        service.evidence();
        service.made.provenance = Optional.of(new Provenance(
                List.of("p"),
                new Provenance.SourceBins(0, false, Provenance.SourceKind.TIME),
                false,
                false,
                false,
                OptionalLong.empty(),
                List.of()));
        List<Finding> findings =
                RunDigest.of(service.made.evidence(), AnalysisConfig.defaults()).findings();

        assertThat(findings)
                .filteredOn(f -> f.id().equals("c2-starved"))
                .extracting(
                        f -> f.state().text() + ": " + f.evidence().getFirst().text())
                .containsExactly("held: the compilers had a CPU for 24 % of the time their compilations took"
                        + " (about 100 % when served)");
    }

    private static String unwaited(double efficiency) {
        Finding finding = unwaitedService(efficiency).finding("c2-starved");
        return finding.state().text() + ": " + finding.evidence().getFirst().text();
    }

    private static Service unwaitedService(double efficiency) {
        Service service = Service.healthy();
        service.c2Cpu = 0.5;
        service.c2Wait = 0;
        service.workerWait = 0;
        service.compileSeconds = 0.52 / efficiency;
        return service;
    }

    @Test
    void withoutCompilerThreadsNothingIsSaidOfC2() {
        Service blind = Service.healthy();
        blind.threads = false;
        Service nativeProgram = Service.healthy();
        nativeProgram.evidence();
        nativeProgram.made.threads.removeIf(t -> t.name().startsWith("C"));
        List<Finding> findings = RunDigest.of(nativeProgram.made.evidence(), AnalysisConfig.defaults())
                .findings();

        assertThat(blind.finding("c2-starved").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(Service.healthy().threadsAlone().finding("c2-starved").state())
                .isEqualTo(FindingState.RULED_OUT);
        assertThat(findings)
                .filteredOn(f -> f.id().equals("c2-starved"))
                .extracting(f -> f.state().text())
                .containsExactly("ruled-out");
    }

    @Test
    void threadCountersAloneShowStarvationAndItsPool() {
        Service imported = Service.healthy().starved().threadsAlone();
        imported.workerWait = 40;

        assertThat(imported.held()).containsExactly("c2-starved", "too-many-runnable", "c2-backlog");
        assertThat(Service.ids(imported.findings(), FindingState.NOT_OBSERVABLE))
                .contains(
                        "cgroup-throttling",
                        "noisy-neighbour",
                        "memory-pressure",
                        "heap-too-small",
                        "gc",
                        "code-cache-full",
                        "deoptimisation-storm");
    }

    @Test
    void aThrottledCgroupIsNotCalledStarved() {
        Service service = Service.healthy().starved();
        service.targetWait = 20;
        service.periods = 10;
        service.throttledPeriods = 6;

        assertThat(service.held()).containsExactly("cgroup-throttling");
        Finding finding = service.finding("cgroup-throttling");
        assertThat(finding.weight()).isCloseTo(0.6, within(1e-9));
        assertThat(finding.evidence())
                .containsExactly(new Finding.Proof(
                        "the cgroup's CPU limit cut 180 of 300 periods short (60 %), 9.0 s of waiting in 30 s",
                        Optional.of(new Finding.Moment(30, 60))));
        assertThat(service.first("c2-starved"))
                .endsWith("under a CPU limit every thread waits; measure without the limit");
        assertThat(service.finding("c2-starved").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.finding("too-many-runnable").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(changes(service, "cgroup-throttling").stream()
                        .flatMap(change -> change.modifiers().stream())
                        .map(Modifier::name))
                .as("what favours C2 may help within the limit")
                .containsExactly("virtual-threads", "compiler-priority");
    }

    @Test
    void aQuotaOfKilnsOwnCanBeBoostedUpToTheTargetsCpus() {
        assertThat(boosts(Treatment.NONE)).isEmpty();
        assertThat(boosts(limited(new Modifier.CpuQuota(0.5)))).containsExactly("cpu-boost: 1 to 0.5 until-warm");
    }

    private static Treatment limited(Modifier modifier) {
        return new Treatment(
                List.of(modifier.text()), Treatment.TreatmentLimits.of(List.of(modifier)), List.of(), Optional.empty());
    }

    private static List<Change> changes(Service service, String cause) {
        return service.finding(cause).remedies().stream()
                .flatMap(remedy -> remedy.change().stream())
                .toList();
    }

    private static List<String> boosts(Treatment treatment) {
        Service service = Service.healthy();
        service.periods = 10;
        service.throttledPeriods = 6;
        service.made.treatment = treatment;
        return service.finding("cgroup-throttling").remedies().stream()
                .flatMap(remedy -> remedy.change().stream())
                .flatMap(change -> change.modifiers().stream())
                .map(Modifier::text)
                .toList();
    }

    @Test
    void aLimitThatIsSeldomReachedIsNoCause() {
        Service seldom = Service.healthy();
        seldom.periods = 10;
        seldom.throttledPeriods = 0.4;
        Service often = Service.healthy();
        often.periods = 10;
        often.throttledPeriods = 0.5;

        assertThat(seldom.held()).isEmpty();
        assertThat(often.held()).containsExactly("cgroup-throttling");
        assertThat(Service.healthy().first("cgroup-throttling")).isEqualTo("no CPU limit was in force");
    }

    @Test
    void tooManyRunnableNamesThePool() {
        Service service = Service.healthy().starved();
        service.targetWait = 45;
        service.targetWaitAfter = 43.9;
        service.workerWait = 44;

        Finding finding = service.finding("too-many-runnable");

        assertThat(service.held()).contains("too-many-runnable");
        assertThat(finding.weight()).isCloseTo(0.95 * (1 - 1 / 45.0), within(1e-9));
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "45.9 threads of the target were runnable on average, for 1 CPU",
                        "most of them in the pool http-nio-8080-e: 45 threads, of which 44.0 waited on average");
        Service few = Service.healthy().starved();
        few.targetWait = 4.9;
        assertThat(few.held()).containsExactly("c2-starved");
        few = Service.healthy().starved();
        few.targetWait = 5;
        few.targetWaitAfter = 3.9;
        assertThat(few.held()).containsExactly("c2-starved", "too-many-runnable");
    }

    @Test
    void aLongQueueIsABacklogAndSoIsWorkInThePause() {
        Service queue = Service.healthy();
        queue.queue = 100;
        Service shortQueue = Service.healthy();
        shortQueue.queue = 99;
        shortQueue.c2InPause = 0.9;
        Service pause = Service.healthy();
        pause.asked = false;
        pause.c2InPause = 0.15;
        Service idle = Service.healthy();
        idle.asked = false;
        idle.c2InPause = 0.13;

        assertThat(queue.held()).containsExactly("c2-backlog");
        assertThat(queue.finding("c2-backlog").weight()).isCloseTo(0.5, within(1e-9));
        assertThat(queue.first("c2-backlog"))
                .isEqualTo("100 methods waited for C2 in the last 15 s of the load (median)");
        assertThat(changes(queue, "c2-backlog")).contains(Change.with(new Modifier.CiCompilerCount(4)));
        Service wide = Service.healthy();
        wide.made.flags = List.of("-XX:CICompilerCount=12");
        wide.queue = queue.queue;
        assertThat(changes(wide, "c2-backlog")).contains(Change.with(new Modifier.CiCompilerCount(24)));
        assertThat(shortQueue.held())
                .as("the queue knows better than the pause")
                .isEmpty();
        assertThat(pause.held()).containsExactly("c2-backlog");
        assertThat(pause.finding("c2-backlog").evidence())
                .containsExactly(new Finding.Proof(
                        "C2 used 2.3 s of CPU in the pause of 15 s, when no request came",
                        Optional.of(new Finding.Moment(60, 75))));
        assertThat(idle.held()).isEmpty();
    }

    /** Seconds since launch, level, count, sum and longest in seconds. */
    private static Service compiling(Service service, double[]... rows) {
        service.made.flight = Optional.of(new FlightDigest(
                Arrays.stream(rows)
                        .map(row -> new FlightDigest.FlightCompilations(
                                HandMade.nanos(row[0]),
                                (int) row[1],
                                (int) row[2],
                                0,
                                HandMade.nanos(row[3]),
                                HandMade.nanos(row[4])))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of()));
        return service;
    }

    @Test
    void compilationsOfTenSecondsAreLongWhileC2Waits() {
        double[] brief = {40, 4, 9, 20, 9.9};
        double[] exactly = {50, 4, 3, 12, 10};
        double[] longer = {60, 4, 1, 24.5, 24.5};
        Finding finding =
                compiling(Service.healthy().starved(), brief, exactly, longer).finding("long-compilations");

        assertThat(finding.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(finding.weight()).isEqualTo(0.5);
        assertThat(finding.explains()).containsExactly(Finding.Effect.BELOW_PEAK);
        assertThat(finding.evidence())
                .containsExactly(
                        new Finding.Proof(
                                "2 compilations took 10 s or more in the warm-up, the longest 24.5 s, at level 4",
                                Optional.of(new Finding.Moment(26.5, 51))),
                        new Finding.Proof(
                                "meanwhile C2 got 3.0 % of a CPU and waited for one 97.0 % of the time",
                                Optional.of(new Finding.Moment(26.5, 51))));
        assertThat(finding.remedies())
                .isEqualTo(compiling(Service.healthy().starved(), longer)
                        .finding("c2-starved")
                        .remedies());
        assertThat(compiling(Service.healthy().starved(), exactly).first("long-compilations"))
                .startsWith("1 compilation took");
        assertThat(compiling(Service.healthy().starved(), new double[] {50, 4, 3, 31, 11})
                        .first("long-compilations"))
                .as("a row has the longest of its second, and the sum of all")
                .startsWith("at least 1 compilation took");
        assertThat(compiling(Service.healthy().starved(), brief).first("long-compilations"))
                .isEqualTo("the longest compilation took 9.9 s");
        assertThat(compiling(Service.healthy().starved(), brief).held()).containsExactly("c2-starved");
    }

    @Test
    void aLongCompilationOfACompilerThatGotItsCpuIsNone() {
        double[] lasting = {50, 4, 1, 12, 12};
        double[] measuring = {95, 4, 1, 12, 12};
        Service served = compiling(Service.healthy(), lasting);
        Service later = compiling(Service.healthy().starved(), new double[] {50, 4, 1, 1.5, 1.5}, measuring);
        Service unwaited = compiling(unwaitedService(0.5), lasting);

        assertThat(served.held()).isEmpty();
        assertThat(served.first("long-compilations"))
                .isEqualTo("the longest compilation took 12.0 s, but C2 was not starved of CPU meanwhile");
        assertThat(later.first("long-compilations"))
                .as("of the warm-up alone")
                .isEqualTo("the longest compilation took 1.5 s");
        assertThat(unwaited.finding("long-compilations").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(unwaited.first("long-compilations"))
                .isEqualTo("the longest compilation took 12.0 s, but the time threads wait for a CPU was not recorded");
    }

    @Test
    void longCompilationsOfAStarvationThatEndedExplainNothingAtTheEnd() {
        Service service = compiling(Service.healthy().starved(), new double[] {40, 4, 1, 15, 15});
        service.c2WaitsUntil = 50;

        assertThat(service.held()).containsExactly("long-compilations");
        assertThat(service.finding("long-compilations").explains()).isEmpty();
        Service limited = compiling(Service.healthy().starved(), new double[] {40, 4, 1, 15, 15});
        limited.periods = 10;
        limited.throttledPeriods = 6;
        assertThat(limited.finding("long-compilations").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void theMethodOfALongCompilationIsNamedWhereTheRecordingNamesIt() {
        Service starved = Service.healthy().starved();
        starved.made.flight = Optional.of(new FlightDigest(
                List.of(
                        new FlightDigest.FlightCompilations(
                                HandMade.nanos(40), 4, 1, 0, HandMade.nanos(11), HandMade.nanos(11), "a.Brief.run"),
                        new FlightDigest.FlightCompilations(
                                HandMade.nanos(60), 4, 1, 0, HandMade.nanos(24), HandMade.nanos(24), "a.B.parse")),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of()));
        Service served = Service.healthy();
        served.made.flight = starved.made.flight;

        assertThat(starved.first("long-compilations"))
                .isEqualTo(
                        "2 compilations took 10 s or more in the warm-up, the longest 24.0 s, at level 4 (a.B.parse)");
        assertThat(served.first("long-compilations"))
                .isEqualTo("the longest compilation took 24.0 s (a.B.parse), but C2 was not starved of CPU meanwhile");
    }

    /** Without a recording the counters can say that there was none, but not that there was one. */
    @Test
    void countersRuleLongCompilationsOut() {
        Service quick = Service.healthy();
        quick.compileSeconds = 9.9;
        Service unknown = Service.healthy();
        unknown.compileSeconds = 10;
        Service blind = Service.healthy();
        blind.counters = false;

        assertThat(quick.finding("long-compilations").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(quick.first("long-compilations"))
                .isEqualTo("the compilations that ended between two readings took at most 9.9 s together");
        for (Service each : List.of(unknown, blind)) {
            assertThat(each.finding("long-compilations").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
            assertThat(each.first("long-compilations"))
                    .isEqualTo("how long single compilations took, and of which methods, was not recorded: it takes a"
                            + " flight recording");
        }
    }

    @Test
    void aSaturatedGeneratorIsItselfAndNotTheDatabase() {
        Service service = Service.healthy();
        service.labBusy = 0.95;
        service.loadCpu = 0.6;
        service.databaseCpu = 0.35;
        service.targetCpu = 0.5;
        service.targetBusy = 0.52;

        assertThat(service.held()).containsExactly("generator-limit");
        assertThat(service.first("generator-limit"))
                .isEqualTo(
                        "the generator was at most 3 ms late; it used 60 % of the CPU it can use, and the busiest CPU of"
                                + " load and database was 95 % busy");
        service = Service.healthy();
        service.labBusy = 0.94;
        assertThat(service.held()).isEmpty();
    }

    @Test
    void aGeneratorThatStallsIsTheLimit() {
        Service service = Service.healthy();
        service.made.spoil("warmup", 45, 0, 250);

        assertThat(service.held()).containsExactly("generator-limit");
        assertThat(service.first("generator-limit"))
                .startsWith("the generator was at most 250 ms late, over 200 ms in 3 % of the seconds; it used");
    }

    @Test
    void aSaturatedDatabaseIsItselfAndNotTheGenerator() {
        Service service = Service.healthy();
        service.labBusy = 0.97;
        service.loadCpu = 0.25;
        service.databaseCpu = 0.7;

        assertThat(service.held()).containsExactly("database-limit");
        assertThat(service.first("database-limit"))
                .isEqualTo("the database used 70 % of a CPU, and its CPU had no room left (97 % busy)");
    }

    @Test
    void aBackendThatIsSaturatedOrThatTheTargetWaitsForIsTheLimitAsADatabaseIs() {
        Service full = Service.healthy();
        full.behind = "backend";
        full.labBusy = 0.97;
        full.loadCpu = 0.25;
        full.databaseCpu = 0.7;
        Service slow = Service.healthy();
        slow.behind = "backend";
        slow.targetCpu = 0.69;

        assertThat(full.held()).containsExactly("database-limit");
        assertThat(full.first("database-limit"))
                .isEqualTo("the backend used 70 % of a CPU, and its CPU had no room left (97 % busy)");
        assertThat(slow.first("database-limit")).endsWith("; the backend used 40 % of a CPU");
    }

    @Test
    void aTargetThatIsIdleUnderLoadWaitsForSomething() {
        Service service = Service.healthy();
        service.targetCpu = 0.69;
        Service busy = Service.healthy();
        busy.targetCpu = 0.7;
        Service open = Service.of(HandMade.seconds(60, 1000), 1000, 79);
        open.targetCpu = 0.2;
        open.targetBusy = 0.2;
        Service alone = Service.healthy();
        alone.targetCpu = 0.5;
        alone.targetBusy = 0.5;
        alone.database = false;

        assertThat(service.held()).containsExactly("database-limit");
        assertThat(service.first("database-limit"))
                .isEqualTo(
                        "the target used 69 % of its CPUs with 100 requests in flight over 100 connections; the database"
                                + " used 40 % of a CPU");
        assertThat(service.finding("database-limit").weight()).isCloseTo(0.31, within(1e-9));
        assertThat(busy.held()).isEmpty();
        assertThat(open.held()).as("requests are few").isEmpty();
        assertThat(alone.finding("database-limit").state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** One connection: while the generator reads an answer and sends the next request, the target has none. */
    @Test
    void whatTheGeneratorTakesForTheOnlyRequestIsNoWaiting() {
        Service service = Service.of(HandMade.seconds(60, 1000), 1000, 1);
        service.made.connections = 1;
        service.targetCpu = 0.66;
        service.loadCpu = 0.23;
        Service slow = Service.of(HandMade.seconds(60, 1000), 1000, 1);
        slow.made.connections = 1;
        slow.targetCpu = 0.4;
        slow.targetBusy = 0.4;
        slow.loadCpu = 0.23;

        assertThat(service.finding("database-limit").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.first("database-limit"))
                .endsWith(
                        "; the generator used CPU time worth 23 % of the target's CPUs, and the target had no work meanwhile");
        assertThat(slow.finding("database-limit").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(slow.finding("database-limit").weight()).isCloseTo(0.37, within(1e-9));
    }

    @Test
    void aTargetWhoseCpuOthersTakeWaitsForThatAndNothingElse() {
        Service service = Service.healthy();
        service.targetCpu = 0.5;
        service.targetWait = 0.5;
        service.targetBusy = 1;
        Service idle = Service.healthy();
        idle.targetCpu = 0.1;
        idle.targetWait = 0.1;
        idle.targetBusy = 1;

        assertThat(service.held()).containsExactly("noisy-neighbour");
        assertThat(service.finding("database-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("database-limit")).endsWith("measure without them");
        assertThat(idle.held()).containsExactlyInAnyOrder("noisy-neighbour", "database-limit");
    }

    @Test
    void aSmallHeapIsToldFromACostlyCollector() {
        Service heap = Service.healthy();
        heap.collectionShare = 0.3;
        heap.made.flags = List.of("-Xmx32m");
        Service frequent = Service.healthy();
        frequent.collectionShare = 0.081;
        frequent.collections = 10;
        Service collector = Service.healthy();
        collector.collectionShare = 0.081;
        Service cheap = Service.healthy();
        cheap.collectionShare = 0.079;
        cheap.collections = 20;

        assertThat(heap.held()).containsExactly("heap-too-small");
        assertThat(heap.finding("heap-too-small").weight()).isCloseTo(0.3, within(1e-9));
        assertThat(heap.first("heap-too-small"))
                .isEqualTo("30.0 % of the time went into collections, 3.0 a second, with -Xmx32m");
        assertThat(heap.first("gc")).endsWith(": the heap's size is the cause");
        assertThat(frequent.held()).containsExactly("heap-too-small");
        assertThat(collector.held()).containsExactly("gc");
        assertThat(collector.first("gc")).isEqualTo("8.1 % of the time went into collections, 3.0 a second");
        assertThat(cheap.held()).isEmpty();
    }

    private static Service ranOut(OutOfMemory... errors) {
        Service service = Service.healthy();
        service.made.flags = List.of("-Xmx16m");
        service.made.outOfMemory = Set.of(errors);
        return service;
    }

    @Test
    void aFullHeapInTheLogOfATargetThatFailedIsTheHeapsFault() {
        Service ended = ranOut(OutOfMemory.HEAP);
        ended.made.ended(Outcome.TARGET_FAILED, "the target exited with code 1");
        Service lived = ranOut(OutOfMemory.HEAP, OutOfMemory.GC_OVERHEAD);
        lived.made.spoil("warmup", 60, 900, 0);
        Service hardly = ranOut(OutOfMemory.HEAP);
        hardly.made.spoil("warmup", 60, 3, 0);

        assertThat(ended.held()).containsExactly("heap-too-small");
        assertThat(ended.first("heap-too-small"))
                .isEqualTo("its log says java.lang.OutOfMemoryError: Java heap space, with -Xmx16m");
        assertThat(ended.finding("heap-too-small")
                        .remedies()
                        .getFirst()
                        .change()
                        .orElseThrow()
                        .jvmFlags())
                .containsExactly("-Xmx32m");
        assertThat(hardly.finding("heap-too-small").state())
                .as("three requests of thousands may have failed by anything")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(lived.held()).containsExactly("heap-too-small");
        assertThat(lived.first("heap-too-small"))
                .isEqualTo("its log says java.lang.OutOfMemoryError: Java heap space and java.lang.OutOfMemoryError:"
                        + " GC overhead limit exceeded, with -Xmx16m");
    }

    /** One request in the background may have wanted too much; but a heap that was full is not ruled out. */
    @Test
    void aFullHeapIsNoCauseWhereNothingFailedAndNoOtherMemoryIsTheHeap() {
        Service nothingFailed = ranOut(OutOfMemory.HEAP);
        Service other = ranOut(OutOfMemory.METASPACE, OutOfMemory.DIRECT_MEMORY, OutOfMemory.NATIVE_THREAD);
        other.made.ended(Outcome.TARGET_FAILED, "the target exited with code 1");

        assertThat(nothingFailed.held()).isEmpty();
        assertThat(nothingFailed.finding("heap-too-small").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(other.held()).isEmpty();
        assertThat(other.finding("heap-too-small").state()).isEqualTo(FindingState.RULED_OUT);
    }

    private static Service collecting(String cause) {
        Service service = Service.healthy();
        service.collections = 4;
        service.collectionShare = 0.2;
        service.collectionShareAfter = 0;
        service.collectedFor = cause;
        return service;
    }

    @Test
    void collectionsThatTheProgramAsksForAreNoFaultOfTheHeap() {
        Service asked = collecting("System.gc()");
        asked.fullShare = 0.19;
        asked.made.flags = List.of("-XX:+UseG1GC");

        assertThat(asked.held()).containsExactly("explicit-gc");
        Finding finding = asked.finding("explicit-gc");
        assertThat(finding.weight()).isCloseTo(0.2, within(1e-9));
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "20.0 % of the time went into collections, 4.0 a second; 19.0 % into full ones, 4.0 a second",
                        "20.0 % of the time for System.gc(), 4.0 a second");
        assertThat(changes(asked, "explicit-gc"))
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:+ExplicitGCInvokesConcurrent"), List.of("-XX:+DisableExplicitGC"));
        assertThat(asked.first("gc")).isEqualTo("0.0 % of the time went into collections, 0.0 a second");
        assertThat(changes(collecting("JvmtiEnv ForceGarbageCollection"), "explicit-gc"))
                .as("a collector that does not know the other flag")
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:+DisableExplicitGC"));
    }

    @Test
    void collectionsThatAToolAsksForAreNotTheProgramsDoing() {
        Service service = collecting("Diagnostic Command");

        assertThat(service.held()).containsExactly("explicit-gc");
        assertThat(service.finding("explicit-gc").title()).isEqualTo("collections that a tool asks for");
        assertThat(changes(service, "explicit-gc")).isEmpty();
    }

    /** Below its threshold it is ruled out, whatever the collections were for. */
    @Test
    void whatCollectionsWereForIsNotKnownWithoutTheirCauses() {
        Service cheap = Service.healthy();
        cheap.collectionShare = 0.049;
        Service unknown = Service.healthy();
        unknown.collectionShare = 0.051;
        Service heap = collecting("Allocation Failure");

        assertThat(cheap.finding("explicit-gc").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(unknown.finding("explicit-gc").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(heap.finding("explicit-gc").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void theCauseOfCollectionsDecidesOnTheRemedy() {
        assertThat(changes(collecting("G1 Evacuation Pause"), "gc"))
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:+UseParallelGC"), List.of("-XX:MaxRAMPercentage=50"));
        assertThat(changes(collecting("Metadata GC Threshold"), "gc"))
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:MetaspaceSize=256m"));
        assertThat(changes(collecting("G1 Humongous Allocation"), "gc"))
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:G1HeapRegionSize=32m"), List.of("-XX:MaxRAMPercentage=50"));
        Service much = collecting("Metadata GC Threshold");
        much.collectionShare = 0.3;
        assertThat(much.held()).as("no heap is too small for classes").containsExactly("gc");
        assertThat(much.finding("gc").evidence().getLast().text())
                .isEqualTo("30.0 % of the time for the metaspace's threshold, 4.0 a second");
    }

    @Test
    void pausesOfAFlightRecordingTellWhatTheyWereFor() {
        Service service = Service.healthy();
        service.counters = false;
        service.made.flight = Optional.of(new FlightDigest(
                List.of(),
                List.of(),
                List.of(),
                List.of(
                        new FlightDigest.FlightPause(45_000_000_000L, "System.gc()", 2_700_000_000L, "SerialOld"),
                        new FlightDigest.FlightPause(50_000_000_000L, "Allocation Failure", 300_000_000L, "DefNew")),
                List.of(),
                List.of()));

        assertThat(service.held()).containsExactly("explicit-gc");
        assertThat(service.finding("explicit-gc").evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "10.0 % of the time went into collections, 0.1 a second; 9.0 % into full ones, 0.0 a second",
                        "9.0 % of the time for System.gc(), 0.0 a second; 1.0 % of the time for allocation, 0.0 a second");
        assertThat(service.first("gc")).startsWith("1.0 % of the time went into collections");
    }

    @Test
    void pausesOfAFlightRecordingDoWhereCountersAreMissing() {
        Service service = Service.healthy();
        service.counters = false;
        service.made.flight = Optional.of(new FlightDigest(
                List.of(),
                List.of(),
                List.of(),
                List.of(
                        new FlightDigest.FlightPause(50_000_000_000L, "G1 Evacuation Pause", 3_000_000_000L),
                        new FlightDigest.FlightPause(5_000_000_000L, "before the window", 9_000_000_000L)),
                List.of(),
                List.of()));
        // Memory is the kernel's, and the JIT's counters are those of the recording: neither counts collections.
        for (int t = 1; t < 70; t++) {
            service.made.memory.add(new MemorySample(HandMade.nanos(t), 1 << 20, 0, 0, 0, 0, 0, Optional.empty()));
            service.made.compiler.add(new CompilerSample(HandMade.nanos(t), 2L * t, 0, 0, 0, 0, 0));
        }

        assertThat(service.held()).containsExactly("gc");
        assertThat(service.first("gc")).startsWith("10.0 % of the time went into collections, 0.0 a second");
        assertThat(service.finding("code-cache-full").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void memoryIsHeldAgainstItsLimit() {
        Service limited = Service.healthy();
        limited.made.treatment = limited(new Modifier.MemoryLimit(512L << 20));
        limited.rss = 461L << 20;
        Service within = Service.healthy();
        within.made.treatment = limited.made.treatment;
        within.rss = 460L << 20;
        Service machine = Service.healthy();
        machine.rss = 8L << 30;

        assertThat(limited.held()).containsExactly("memory-pressure");
        assertThat(limited.first("memory-pressure")).isEqualTo("at most 461 MiB resident, 90 % of the limit's 512 MiB");
        assertThat(within.held()).isEmpty();
        assertThat(machine.held()).containsExactly("memory-pressure");
        assertThat(machine.first("memory-pressure"))
                .isEqualTo("at most 8,192 MiB resident, 100 % of the machine's 8,192 MiB");
    }

    @Test
    void aFullCodeCacheIsToldByTheJvmOrByARecording() {
        Service stopped = Service.healthy();
        stopped.codeStopped = 1;
        Service full = Service.healthy();
        full.codeFull = 2;
        Service nearly = Service.healthy();
        nearly.codeUsed = 228L << 20;
        Service flown = Service.healthy();
        flown.made.flight = Optional.of(new FlightDigest(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(new FlightDigest.CodeCacheEvent(22_000_000_000L, "full")),
                List.of()));

        assertThat(stopped.held()).containsExactly("code-cache-full");
        assertThat(full.held()).containsExactly("code-cache-full");
        assertThat(full.first("code-cache-full"))
                .isEqualTo("30.0 of 240.0 MiB in use (13 %); found full 2 times, compilation stopped 0 times");
        assertThat(changes(full, "code-cache-full"))
                .as("twice what it has")
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:ReservedCodeCacheSize=480m"));
        assertThat(nearly.held()).containsExactly("code-cache-full");
        nearly = Service.healthy();
        nearly.codeUsed = 227L << 20;
        assertThat(nearly.held()).isEmpty();
        assertThat(flown.held()).containsExactly("code-cache-full");
        assertThat(flown.finding("code-cache-full").evidence())
                .containsExactly(new Finding.Proof(
                        "1 events of the code cache, the first: full", Optional.of(new Finding.Moment(12, 12))));
    }

    @Test
    void deoptimisationsAreCountedByReason() {
        assertThat(deoptimising(1500).held()).containsExactly("deoptimisation-storm");
        assertThat(deoptimising(1500).first("deoptimisation-storm"))
                .isEqualTo("51.0 deoptimisations a second, most of them class_check");
        assertThat(deoptimising(1469).held()).isEmpty();
    }

    private static Service deoptimising(int count) {
        Service service = Service.healthy();
        service.made.flight = Optional.of(new FlightDigest(
                List.of(),
                List.of(),
                List.of(
                        new FlightDigest.FlightDeoptimizations(50_000_000_000L, "class_check", count),
                        new FlightDigest.FlightDeoptimizations(50_000_000_000L, "unstable_if", 30),
                        new FlightDigest.FlightDeoptimizations(20_000_000_000L, "unstable_if", 9000)),
                List.of(),
                List.of(),
                List.of()));
        return service;
    }

    @Test
    void codeThatIsThrownAwayAsFastAsItIsMadeIsAStorm() {
        Service storm = Service.healthy();
        storm.compilations = 20;
        storm.level3PerSecond = 9.9;
        Service growing = Service.healthy();
        growing.compilations = 20;
        growing.level3PerSecond = 10.2;
        Service draining = Service.healthy();
        draining.compilations = 20;
        draining.level3 = 2000;
        draining.level3PerSecond = -10.2;
        draining.level4PerSecond = 10.2;
        Service settled = Service.healthy();
        settled.compilations = 19;

        assertThat(storm.held()).containsExactly("deoptimisation-storm");
        assertThat(storm.first("deoptimisation-storm"))
                .isEqualTo("20 compilations a second, while methods in use changed by 297, those of C2 by 0");
        assertThat(growing.held()).isEmpty();
        assertThat(draining.held()).as("C2 works off its queue").isEmpty();
        assertThat(settled.held()).isEmpty();
    }

    @Test
    void compilationsThatDoNotFallOffAreAStormEvenIfMethodsInUseAreNotKnown() {
        Service storm = Service.healthy();
        storm.asked = false;
        storm.compilations = 100;
        Service less = Service.healthy();
        less.asked = false;
        less.compilations = 99;
        Service starved = Service.healthy().starved();
        starved.asked = false;
        starved.compilations = 100;

        assertThat(storm.held()).containsExactly("deoptimisation-storm");
        assertThat(storm.first("deoptimisation-storm"))
                .isEqualTo("100 compilations a second, then 100, so they did not become fewer");
        assertThat(less.finding("deoptimisation-storm").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(starved.finding("deoptimisation-storm").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void aQueueBeforeAFullCodeCacheIsNoBacklogOfItsOwn() {
        Service service = Service.healthy();
        service.codeStopped = 1;
        service.queue = 1500;

        assertThat(service.held()).containsExactly("code-cache-full");
        assertThat(service.first("c2-backlog")).endsWith("the code cache has no room for them, which is the cause");
    }

    @Test
    void spinningIsToldFromPreemptionAndFromCarriers() {
        Service spinning = Service.healthy();
        spinning.workerInvoluntary = 20_000;
        Service preempted = Service.healthy();
        preempted.workerInvoluntary = 2_000;
        Service waiting = Service.healthy();
        waiting.workerInvoluntary = 20_000;
        waiting.workerWait = 21;
        Service carriers = Service.healthy();
        carriers.workerInvoluntary = 20_000;
        carriers.pool = "ForkJoinPool-1-";
        // The program has made a pool of its own first.
        Service laterCarriers = Service.healthy();
        laterCarriers.workerInvoluntary = 20_000;
        laterCarriers.pool = "ForkJoinPool-2-";
        // It has no virtual threads, so that this is a pool of the program.
        Service older = Service.healthy();
        older.made.version = "17.0.15";
        older.workerInvoluntary = 20_000;
        older.pool = "ForkJoinPool-1-";

        // Each request wakes another thread, which preempts the one that woke it.
        Service passingOn = Service.healthy();
        passingOn.workerInvoluntary = 20_000;
        passingOn.workerVoluntary = 18_000;

        assertThat(passingOn.held()).isEmpty();
        assertThat(spinning.held()).containsExactly("spinning");
        assertThat(spinning.first("spinning"))
                .isEqualTo(
                        "http-nio-8080-e: 20,000 involuntary switches a second (voluntary: 500), each after 0.040 ms of CPU and"
                                + " followed by 0.010 ms of waiting");
        assertThat(preempted.held()).isEmpty();
        assertThat(waiting.held()).doesNotContain("spinning");
        assertThat(carriers.held()).isEmpty();
        assertThat(laterCarriers.held()).isEmpty();
        assertThat(older.held()).containsExactly("spinning");
    }

    private static Service carriers() {
        Service service = Service.healthy();
        service.workerCpu = 0.6;
        service.workerInvoluntary = 20_000;
        service.pool = "ForkJoinPool-1-";
        return service;
    }

    /** A pool of the program may have the name, and spin. */
    @Test
    void carriersAreNoSpinnersOnlyIfThereAreVirtualThreads() {
        Service virtual = carriers();
        virtual.made.blocked.add(
                new BlockedSample(64_000_000_000L, "", true, 9, WaitKind.SOCKET, "app.Api.call:3", "read"));

        assertThat(carriers().finding("spinning").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(virtual.finding("spinning").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void stealAndOtherProgramsAreNeighbours() {
        Service stolen = Service.healthy();
        stolen.stolen = t -> 0.051 * t;
        Service little = Service.healthy();
        little.stolen = t -> 0.049 * t;
        Service crowded = Service.healthy();
        crowded.targetBusy = 0.99;
        crowded.targetCpu = 0.73;

        assertThat(stolen.held()).containsExactly("noisy-neighbour");
        assertThat(stolen.finding("noisy-neighbour").title()).startsWith("possible interference");
        assertThat(stolen.finding("noisy-neighbour").explains()).isEmpty();
        assertThat(stolen.finding("noisy-neighbour").evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "the hypervisor took 5.1 % of the target's CPUs, other programs 2.0 % of a CPU there",
                        "Kiln cannot tell whether throughput fell with it: fewer than 3 seconds with it, or"
                                + " without it");
        assertThat(little.held()).isEmpty();
        assertThat(crowded.held()).containsExactly("noisy-neighbour");
    }

    /** In seconds 50 to 55 since launch a hypervisor takes 40 % of the target's CPU. */
    @Test
    void aNeighbourExplainsAFallOnlyIfThroughputFellWithIt() {
        double[] level = HandMade.seconds(60, 1000);
        double[] fell = level.clone();
        for (int i = 0; i < 60; i++) {
            level[i] += i % 3 * 10;
            fell[i] = level[i] * (i >= 40 && i < 45 ? 0.6 : 1);
        }
        Finding with = robbed(fell).finding("noisy-neighbour");
        Finding without = robbed(level).finding("noisy-neighbour");

        assertThat(with.explains()).contains(Finding.Effect.FALL, Finding.Effect.BELOW_PEAK);
        assertThat(with.title()).isEqualTo("a noisy neighbour takes CPU");
        assertThat(with.evidence().getLast().text())
                .startsWith("throughput differed by -39.7 %")
                .endsWith("between the 5 seconds in which others took CPU and the other 25 seconds");
        assertThat(without.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(without.explains()).isEmpty();
        assertThat(without.evidence().getLast().text()).endsWith("seconds: a fall is not shown");
    }

    private static Service robbed(double[] warmup) {
        Service service = Service.of(warmup, 1000);
        service.stolen = t -> 0.4 * Math.clamp(t - 50, 0, 5);
        return service;
    }

    /** The other guests may take the load generator's CPU: that is no matter of the target. */
    @Test
    void whatIsTakenFromTheLabIsNoNeighbourOfTheTarget() {
        Service service = Service.healthy();
        service.made.on(new CpuAssignment(List.of(1), List.of(0), List.of(0), true, List.of()));
        service.stolen = t -> 0.3 * t;
        service.targetBusy = 0.4;
        service.labBusy = 0.92;

        assertThat(service.finding("noisy-neighbour").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.finding("generator-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("generator-limit")).endsWith("the hypervisor took CPU from it in every second");
    }

    @Test
    void aGeneratorThatUsesAllItCanIsTheLimitWhereverItRan() {
        Service moving = Service.healthy();
        moving.labBusy = 0.5;
        moving.loadCpu = 0.92;
        moving.targetCpu = 0.3;
        Service unpinned = Service.healthy();
        unpinned.made.on(new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()));

        assertThat(moving.held()).contains("generator-limit").doesNotContain("database-limit");
        assertThat(moving.first("generator-limit")).contains("it used 92 % of the CPU it can use");
        assertThat(unpinned.finding("generator-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        unpinned = Service.healthy();
        unpinned.made.on(new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()));
        unpinned.loadCpu = 0.95;
        assertThat(unpinned.finding("generator-limit").state()).isEqualTo(FindingState.CONFIRMED);
    }

    @Test
    void methodsStuckAtTier2NeedTrainingDataAndAQueue() {
        assertThat(replaying(true, 5, 6).held()).contains("stuck-at-tier-2");
        assertThat(replaying(true, 5, 6).first("stuck-at-tier-2"))
                .isEqualTo(
                        "level 3 is 0.8 % of the methods at levels 2 and 3 (0.8 % at the start of the window), with 6"
                                + " methods waiting for C2");
        assertThat(replaying(true, 5, 5).held()).as("no real queue").isEmpty();
        assertThat(replaying(false, 5, 6).held()).as("no training data").isEmpty();
        assertThat(replaying(true, 67, 6).held()).as("10 %").isEmpty();
        assertThat(replaying(true, 66, 6).held()).contains("stuck-at-tier-2");
        Service rising = replaying(true, 5, 6);
        rising.level3PerSecond = 0.3;
        assertThat(rising.held()).isEmpty();
        Service unknown = replaying(true, 5, 6);
        unknown.made.treatment = Treatment.NONE;
        unknown.made.command = List.of("java", "-XX:AOTCache=app.aot");
        assertThat(unknown.finding("stuck-at-tier-2").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        Service flagged = replaying(true, 5, 6);
        flagged.made.treatment = Treatment.NONE;
        flagged.made.flags = List.of("-XX:+AOTReplayTraining");
        assertThat(flagged.held()).contains("stuck-at-tier-2");
        Service off = replaying(true, 5, 6);
        off.made.flags = List.of("-XX:-AOTReplayTraining");
        assertThat(off.held()).isEmpty();
        assertThat(replaying(true, 5, 6).finding("stuck-at-tier-2").remedies())
                .extracting(Finding.FindingRemedy::how)
                .contains("-XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining");
    }

    private static Service replaying(boolean replays, int level3, int queue) {
        Service service = Service.healthy();
        service.level2 = 600;
        service.level3 = level3;
        service.queue = queue;
        service.made.treatment = aot("traffic", true, 9000, replays, Optional.empty());
        return service;
    }

    private static Treatment aot(String trained, boolean mapped, long classes, boolean replays, Optional<String> why) {
        return new Treatment(
                List.of(),
                List.of(),
                Optional.of(new Treatment.AotUse(
                        "app.aot", trained, mapped, OptionalLong.of(classes), Optional.of(replays), why)));
    }

    @Test
    void aRejectedCacheIsToldWithTheJvmsReason() {
        Service service = Service.healthy();
        service.made.treatment =
                aot("startup", false, 0, true, Optional.of("Mismatched values for property jdk.module.addmods"));

        assertThat(service.held()).containsExactly("aot-rejected");
        assertThat(service.first("aot-rejected"))
                .isEqualTo("app.aot is not mapped, and 0 classes came from a cache: Mismatched values for property"
                        + " jdk.module.addmods");
        assertThat(service.first("aot-trained-without-traffic")).isEqualTo("the cache was not used at all");
        Service used = Service.healthy();
        used.made.treatment = aot("traffic", true, 9000, true, Optional.empty());
        assertThat(used.first("aot-rejected")).isEqualTo("the cache is mapped, and 9,000 classes came from it");
        assertThat(used.held()).isEmpty();
    }

    @Test
    void trainingWithoutTrafficIsHeldAgainstAnOverloadedC2Alone() {
        Service starved = Service.healthy().starved();
        starved.made.treatment = aot("startup", true, 9000, false, Optional.empty());
        Service served = Service.healthy();
        served.made.treatment = aot("startup", true, 9000, false, Optional.empty());
        Service file = Service.healthy();
        file.made.treatment = aot("file", true, 9000, false, Optional.empty());

        assertThat(starved.held()).containsExactly("c2-starved", "aot-trained-without-traffic");
        assertThat(served.held()).isEmpty();
        assertThat(file.finding("aot-trained-without-traffic").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** A wait that ended at second 40 holds nothing down at second 60. */
    @Test
    void aStarvationThatEndedIsSaidToHaveEnded() {
        Service service = Service.healthy().starved();
        service.c2WaitsUntil = 50;
        Finding finding = service.finding("c2-starved");

        assertThat(finding.state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(finding.explains()).isEmpty();
        assertThat(finding.evidence().getFirst().text())
                .isEqualTo("C2 got 3.0 % of a CPU and waited for one 1.0 % of the time in the last 15 s of the load");
        assertThat(finding.evidence().getLast())
                .isEqualTo(new Finding.Proof(
                        "it was starved from second 0, the last time until second 40",
                        Optional.of(new Finding.Moment(0, 40))));
        assertThat(RunDigest.of(service.evidence(), AnalysisConfig.defaults())
                        .diagnosis()
                        .compilers()
                        .starved())
                .isEmpty();
    }

    /** Three compilers that each wait 20 % of the time are not one that waits 60 % of it. */
    @Test
    void waitsAreJudgedByThreadAndNotByTheirSum() {
        Service service = Service.healthy();
        service.c2Threads = 3;
        service.c2Cpu = 0.05;
        service.c2Wait = 0.2;
        assertThat(service.finding("c2-starved").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.first("c2-starved")).startsWith("C2 got 15.0 % of a CPU and waited for one 20.0 %");

        Service all = Service.healthy().starved();
        all.c2Threads = 3;
        assertThat(all.finding("c2-starved").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(all.first("c2-starved")).startsWith("C2 got 9.0 % of a CPU and waited for one 97.0 %");
    }

    @Test
    void aCompilerForWhichNothingWaitsHoldsNothingDown() {
        Service service = Service.healthy().starved();
        service.queue = 0;

        assertThat(service.finding("c2-starved").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.first("c2-starved"))
                .endsWith("in the last 15 s of the load, but no method waited to be compiled");
    }

    @Test
    void aLiveProcessIsJudgedOverAnyStretch() {
        List<Finding> findings = Causes.judge(
                WindowEvidence.of(Service.healthy().starved().evidence(), 20 * HandMade.SECOND, 40 * HandMade.SECOND));

        assertThat(Service.ids(findings, FindingState.CONFIRMED)).contains("c2-starved");
        assertThat(findings.getFirst().evidence().getFirst().when()).contains(new Finding.Moment(0, 20));
    }

    @Test
    void withoutAnyEvidenceNothingIsClaimed() {
        List<Finding> findings = Causes.judge(WindowEvidence.of(new HandMade("a", 1).evidence(), 0, 0));

        assertThat(Service.ids(findings, FindingState.CONFIRMED)).isEmpty();
        assertThat(Service.ids(findings, FindingState.RULED_OUT))
                .containsExactlyInAnyOrder("stuck-at-tier-2", "aot-rejected", "aot-trained-without-traffic");
        assertThat(findings)
                .filteredOn(f -> f.state() == FindingState.NOT_OBSERVABLE)
                .allSatisfy(f -> assertThat(f.evidence().getFirst().text()).isNotBlank());
    }
}
