package dev.kiln.explain.budget;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.Service;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.load.Latency.Histogrammed;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.model.run.Sample.WaitKind;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A load of 1,000 requests a second from second 10 to 70 on 100 connections: a request takes 100 ms. */
class BudgetReaderTest {
    private static Budget budget(RunEvidence evidence, double from, double to) {
        return new BudgetReader(evidence, new ThreadTimes(evidence.threads()))
                .of(new Window(nanos(from), nanos(to)))
                .orElseThrow();
    }

    private static double sum(Budget budget) {
        return budget.millis().values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    private static double millis(Budget budget, BudgetPart part) {
        return budget.of(part).orElse(Double.NaN);
    }

    @Test
    void thePartsOfAClosedLoopSumToItsConnectionsOverItsThroughput() {
        Service service = Service.healthy();
        service.workerCpu = 0.8;
        service.workerWait = 20;
        service.collectionShare = 0.005;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.requestsPerSecond()).isCloseTo(1000, within(1.0));
        assertThat(budget.responseMillis()).isCloseTo(100, within(0.1));
        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(0.8, within(0.01));
        assertThat(millis(budget, BudgetPart.CPU_WAIT)).isCloseTo(20, within(0.1));
        // All threads stand for 1 % of the time, half of it for collections.
        assertThat(millis(budget, BudgetPart.COLLECTION)).isCloseTo(0.5, within(0.01));
        assertThat(millis(budget, BudgetPart.SAFEPOINT)).isCloseTo(0.5, within(0.01));
        assertThat(millis(budget, BudgetPart.REST)).isCloseTo(78.2, within(0.2));
        assertThat(sum(budget)).isCloseTo(budget.responseMillis(), within(1e-6));
        assertThat(budget.restIsLarge()).isTrue();
    }

    @Test
    void aThreadThatWorksWithoutLoadAsWellDoesNotServe() {
        Service service = Service.healthy();
        RunEvidence quiet = withThread(service, 0.5);

        assertThat(millis(budget(quiet, 55, 70), BudgetPart.RUNNING)).isCloseTo(0.8, within(0.01));
    }

    /** Adds a thread that uses this much CPU all the time. */
    private static RunEvidence withThread(Service service, double cpu) {
        for (int t = 0; t <= 105; t++) {
            service.made.thread(t, 7, "indexer", ThreadRole.OTHER, cpu * t, 0);
        }
        return service.evidence();
    }

    @Test
    void theCompilersDoNotServe() {
        Service service = Service.healthy();
        service.c2Cpu = 0.6;
        service.c2Wait = 0.3;
        service.workerWait = 0;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(0.8, within(0.01));
        assertThat(millis(budget, BudgetPart.CPU_WAIT)).isCloseTo(0, within(0.01));
    }

    @Test
    void aCpuLimitStopsAllRequestsAlike() {
        Service service = Service.healthy();
        // Ten periods a second, of which five are cut by 50 ms: a quarter of the time.
        service.periods = 10;
        service.throttledPeriods = 5;

        assertThat(millis(budget(service.evidence(), 55, 70), BudgetPart.CPU_LIMIT))
                .isCloseTo(25, within(0.1));
    }

    @Test
    void theLimitOfOneCpuIsNotSpreadOverAllOfTheMachine() {
        Service service = Service.healthy();
        service.made.on(new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()));
        // Each of ten periods a second is cut by 50 ms, and the target runs for the other half of the time.
        service.periods = 10;
        service.throttledPeriods = 10;
        service.workerCpu = 0.49;

        assertThat(millis(budget(service.evidence(), 55, 70), BudgetPart.CPU_LIMIT))
                .isCloseTo(50, within(0.5));
    }

    @Test
    void aLimitStopsAProcessForNoLongerThanThePeriodsThatItCuts() {
        Service service = Service.healthy();
        service.made.on(new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()));
        // A tenth of the periods is cut, on both CPUs.
        service.periods = 10;
        service.throttledPeriods = 1;
        service.cutSeconds = 0.2;
        service.workerCpu = 0.1;

        assertThat(millis(budget(service.evidence(), 55, 70), BudgetPart.CPU_LIMIT))
                .isCloseTo(10, within(1.0));
    }

    @Test
    void theKernelsShareIsApart() {
        Service service = Service.healthy();
        service.parts = false;
        for (int t = 0; t <= 105; t++) {
            service.made.parts.add(new PartSample(
                    t * SECOND,
                    "target",
                    nanos(0.9 * t),
                    0,
                    Optional.of(new PartSample.Modes(nanos(0.6 * t), nanos(0.3 * t)))));
        }

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(millis(budget, BudgetPart.KERNEL)).isCloseTo(0.3, within(0.01));
        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(0.5, within(0.01));
    }

    @Test
    void withARateTheMeanOfTheMeasuredLatenciesIsDivided() {
        Service service = Service.healthy();
        service.made.rate = OptionalDouble.of(1000);
        for (int t = 10; t < 70; t++) {
            service.made.latency.add(new LatencyInterval(
                    "warmup",
                    t * SECOND,
                    (t + 1) * SECOND,
                    new Quantiles(1000, 1, 1, 1),
                    0,
                    Optional.of(new Histogrammed(2_500_000, 1, 1))));
        }

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.responseMillis()).isCloseTo(2.5, within(1e-6));
        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(0.8, within(0.01));
        assertThat(sum(budget)).isCloseTo(2.5, within(1e-6));
    }

    @Test
    void moreWaitingThanThereIsTimeGivesWay() {
        Service service = Service.healthy();
        service.workerCpu = 1;
        service.workerWait = 150;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(millis(budget, BudgetPart.RUNNING)).isCloseTo(1, within(0.01));
        assertThat(millis(budget, BudgetPart.REST)).isCloseTo(0, within(1e-6));
        assertThat(sum(budget)).isCloseTo(100, within(0.1));
    }

    @Test
    void whatWasNotRecordedIsMissingAndNotZero() {
        Service service = Service.healthy().threadsAlone();

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.missing())
                .contains(BudgetPart.COLLECTION, BudgetPart.SAFEPOINT, BudgetPart.CPU_LIMIT, BudgetPart.KERNEL);
        assertThat(budget.of(BudgetPart.COLLECTION)).isEmpty();
        assertThat(sum(budget)).isCloseTo(100, within(0.1));
    }

    @Test
    void withoutThreadsThereIsNoBudget() {
        Service service = Service.healthy();
        service.threads = false;

        assertThat(new BudgetReader(service.evidence(), new ThreadTimes(List.of())).of(new Window(0, nanos(10))))
                .isEmpty();
    }

    @Test
    void samplesOfARecordingDivideWhatRuns() {
        Service service = Service.healthy();
        List<TierShare> tiers = IntStream.range(0, 105)
                .mapToObj(t -> new TierShare(t * SECOND, 10, 20, 40, 20, 10))
                .toList();
        service.made.flight =
                Optional.of(new FlightDigest(List.of(), List.of(), List.of(), List.of(), List.of(), tiers));

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.code())
                .extracting(Budget.CodeTime::kind)
                .containsExactly("interpreted", "c1", "c2", "native");
        assertThat(budget.code().get(2).millis()).isCloseTo(0.6 * millis(budget, BudgetPart.RUNNING), within(1e-6));
    }

    private static RunEvidence with(RunEvidence evidence, List<BlockedSample> blocked) {
        RunEvidence.JvmEvidence jvm = evidence.jvm();
        return new RunEvidence(
                evidence.info(),
                evidence.sent(),
                new RunEvidence.JvmEvidence(
                        jvm.threads(),
                        jvm.compiler(),
                        jvm.jit(),
                        blocked,
                        jvm.flight(),
                        jvm.collections(),
                        jvm.classes()),
                evidence.machine(),
                evidence.gaps());
    }

    private static BlockedSample blocked(int second, String pool, int threads, WaitKind kind, String frame) {
        return new BlockedSample(second * SECOND, pool, false, threads, kind, frame, "");
    }

    @Test
    void threadsThatDumpsFindBlockedAreTheTimeOfARequestThere() {
        List<BlockedSample> dumps = IntStream.range(64, 69)
                .boxed()
                .flatMap(second -> Stream.of(
                        blocked(second, "http", 60, WaitKind.MONITOR, "app.Stock.take:12"),
                        blocked(second, "http", 10, WaitKind.SOCKET, "app.Db.read:7"),
                        blocked(second, "http", 30, WaitKind.IDLE, ""),
                        blocked(second, "log-writer", 1, WaitKind.QUEUE, "app.Log.run:3")))
                .toList();

        Budget budget = budget(with(Service.healthy().evidence(), dumps), 55, 70);

        // All threads stand for 1 % of the time, in which no dump is taken.
        assertThat(millis(budget, BudgetPart.BLOCKED)).isCloseTo(69.3, within(0.1));
        assertThat(budget.blocked())
                .extracting(Budget.BlockedTime::kind, Budget.BlockedTime::frame)
                .containsExactly(tuple(WaitKind.MONITOR, "app.Stock.take:12"), tuple(WaitKind.SOCKET, "app.Db.read:7"));
        assertThat(budget.blocked().getFirst().millis()).isCloseTo(59.4, within(0.1));
        assertThat(millis(budget, BudgetPart.REST)).isCloseTo(28.7, within(0.2));
        assertThat(sum(budget)).isCloseTo(100, within(0.1));
    }

    @Test
    void aTimerIsNoRequestHoweverFewThereAre() {
        Service service = Service.healthy();
        service.made.connections = 1;
        List<BlockedSample> dumps = IntStream.range(64, 69)
                .mapToObj(second -> blocked(second, "timer", 1, WaitKind.SLEEP, "app.Clean.run:9"))
                .toList();

        assertThat(budget(with(service.evidence(), dumps), 55, 70).blocked()).isEmpty();
    }

    /** The JDK calls them Thread-0 and Thread-1, and they are no pool. */
    @Test
    void threadsWithoutANameOfTheirOwnAreNoPool() {
        List<BlockedSample> dumps = IntStream.range(64, 69)
                .boxed()
                .flatMap(second -> Stream.of(
                        blocked(second, "Thread", 1, WaitKind.SLEEP, "app.Watch.run:9"),
                        blocked(second, "Thread", 1, WaitKind.FILE, "app.Commands.run:7"),
                        blocked(second, "", 2, WaitKind.SLEEP, ""),
                        blocked(second, "", 2, WaitKind.CONDITION, "")))
                .toList();

        assertThat(budget(with(Service.healthy().evidence(), dumps), 55, 70).blocked())
                .isEmpty();
    }

    /** All that read have a connection to others. */
    private static List<BlockedSample> counted(int reading, int writing) {
        return counted(reading, 0, writing);
    }

    private static List<BlockedSample> counted(int reading, int idle, int writing) {
        return IntStream.range(64, 69)
                .boxed()
                .flatMap(second -> Stream.of(
                        new BlockedSample(second * SECOND, "", true, reading, WaitKind.NETWORK, "", "read"),
                        new BlockedSample(second * SECOND, "", true, idle, WaitKind.IDLE, "", "read"),
                        new BlockedSample(second * SECOND, "", true, writing, WaitKind.NETWORK, "", "write or connect"),
                        new BlockedSample(second * SECOND, "", true, 9, WaitKind.RUNNABLE, "", ""),
                        blocked(second, "ForkJoinPool-1-worker", 2, WaitKind.RUNNABLE, "")))
                .toList();
    }

    private static Service withoutVirtualDumps() {
        Service service = Service.healthy();
        service.made.notRecorded = List.of(new NotRecorded(NotRecorded.VIRTUAL_DUMPS, "the JVM can crash"));
        return service;
    }

    @Test
    void virtualThreadsThatAreOnlyCountedAreBlockedInTheNetwork() {
        Budget budget = budget(with(withoutVirtualDumps().evidence(), counted(60, 10)), 55, 70);

        assertThat(millis(budget, BudgetPart.BLOCKED)).isCloseTo(69.3, within(0.1));
        assertThat(budget.blocked())
                .extracting(Budget.BlockedTime::id, Budget.BlockedTime::frame, Budget.BlockedTime::detail)
                .containsExactly(tuple("network", "", "read"), tuple("network", "", "write or connect"));
        assertThat(sum(budget)).isCloseTo(100, within(0.1));
    }

    /** A dump without a count says nothing of the network, and a count of none says that nobody waits for it. */
    @Test
    void countsAreAveragedOverTheDumpsThatHaveThem() {
        List<BlockedSample> some = counted(60, 0).stream()
                .filter(row -> row.kind() != WaitKind.NETWORK || row.timeNanos() < 66 * SECOND)
                .toList();

        assertThat(millis(budget(with(withoutVirtualDumps().evidence(), some), 55, 70), BudgetPart.BLOCKED))
                .isCloseTo(59.4, within(0.1));
        assertThat(budget(with(withoutVirtualDumps().evidence(), counted(0, 0)), 55, 70)
                        .missing())
                .contains(BudgetPart.BLOCKED);
    }

    /** Of 100 connections 2.5 have a request: 97.5 threads may wait for the next one. */
    @Test
    void aThreadThatMayWaitForTheNextRequestHasNone() {
        Service service = withoutVirtualDumps();
        service.workerWait = 0;
        service.made.rate = OptionalDouble.of(1000);
        for (int t = 10; t < 70; t++) {
            service.made.latency.add(new LatencyInterval(
                    "warmup",
                    t * SECOND,
                    (t + 1) * SECOND,
                    new Quantiles(1000, 1, 1, 1),
                    0,
                    Optional.of(new Histogrammed(2_500_000, 1, 1))));
        }

        assertThat(budget(with(service.evidence(), counted(97, 0)), 55, 70).blocked())
                .isEmpty();
        assertThat(millis(budget(with(service.evidence(), counted(99, 0)), 55, 70), BudgetPart.BLOCKED))
                .isCloseTo(1.5, within(0.02));
    }

    /** They wait for the next request: of all that read no more wait for others than there are connections to them. */
    @Test
    void whatReadsWithoutAConnectionToOthersIsNoPartOfARequest() {
        assertThat(budget(with(withoutVirtualDumps().evidence(), counted(0, 60, 0)), 55, 70)
                        .missing())
                .contains(BudgetPart.BLOCKED);
        assertThat(millis(
                        budget(with(withoutVirtualDumps().evidence(), counted(20, 40, 0)), 55, 70), BudgetPart.BLOCKED))
                .isCloseTo(19.8, within(0.1));
    }

    /** As earlier versions recorded it. */
    @Test
    void whatReadsIsNoPartOfARequestWhereConnectionsToOthersAreNotKnown() {
        List<BlockedSample> unknown = counted(60, 10).stream()
                .filter(row -> row.kind() != WaitKind.IDLE)
                .toList();

        assertThat(budget(with(withoutVirtualDumps().evidence(), unknown), 55, 70)
                        .blocked())
                .extracting(Budget.BlockedTime::detail)
                .containsExactly("write or connect");
    }

    /** One row of carriers in each of five dumps, with so many virtual threads that wait for a carrier or for a socket. */
    private static List<BlockedSample> carriers(String detail, int idleCarriers, int ready, int dumps) {
        return IntStream.range(64, 69)
                .boxed()
                .flatMap(second -> Stream.of(
                        new BlockedSample(
                                second * SECOND,
                                "ForkJoinPool-1-worker",
                                false,
                                2,
                                second < 64 + dumps ? WaitKind.PINNED : WaitKind.RUNNABLE,
                                "app.Slow.<clinit>:9",
                                second < 64 + dumps ? detail : ""),
                        blocked(second, "ForkJoinPool-1-worker", idleCarriers, WaitKind.IDLE, ""),
                        new BlockedSample(second * SECOND, "", true, 38, WaitKind.NETWORK, "", "read"),
                        new BlockedSample(second * SECOND, "", true, 0, WaitKind.IDLE, "", "read"),
                        new BlockedSample(second * SECOND, "", true, ready, WaitKind.RUNNABLE, "", "")))
                .filter(row -> row.threads() > 0 || row.virtual())
                .toList();
    }

    /** Two virtual threads sleep on the only carriers, and 60 wait for these; 38 cannot be woken meanwhile. */
    @Test
    void whoWaitsForACarrierThatIsKeptWaitsForWhatKeepsIt() {
        Budget always = budget(with(withoutVirtualDumps().evidence(), carriers("SLEEP", 0, 60, 5)), 55, 70);

        assertThat(always.blocked())
                .extracting(Budget.BlockedTime::id, Budget.BlockedTime::frame, Budget.BlockedTime::detail)
                .containsExactly(tuple("pinned", "app.Slow.<clinit>:9", "SLEEP"));
        assertThat(millis(always, BudgetPart.BLOCKED)).isCloseTo(61.4, within(0.1));
        assertThat(sum(always)).isCloseTo(100, within(0.1));
    }

    /** In four of five dumps; in the fifth the 38 count as they do without it. */
    @Test
    void carriersThatAreKeptInSomeDumpsCountForThese() {
        Budget mostly = budget(with(withoutVirtualDumps().evidence(), carriers("SLEEP", 0, 60, 4)), 55, 70);

        assertThat(mostly.blocked()).extracting(Budget.BlockedTime::id).containsExactly("pinned", "network");
        assertThat(mostly.blocked().getFirst().millis()).isCloseTo(0.8 * 61.4, within(0.1));
        assertThat(mostly.blocked().getLast().millis()).isCloseTo(0.2 * 37.6, within(0.1));
    }

    /** A carrier is free; nobody waits for one; a file is written at once, and a dump finds threads there most. */
    @Test
    void noOtherThreadWaitsForACarrierThatIsKeptAlone() {
        assertThat(List.of(carriers("SLEEP", 1, 60, 5), carriers("SLEEP", 0, 0, 5), carriers("FILE write", 0, 60, 5)))
                .allSatisfy(dumps -> assertThat(
                                budget(with(withoutVirtualDumps().evidence(), dumps), 55, 70)
                                        .blocked())
                        .filteredOn(place -> place.id().equals("pinned"))
                        .as("no more than the two on carriers")
                        .allSatisfy(place -> assertThat(place.millis()).isLessThan(2.1)));
    }

    /** It may have connections of others, each with a thread that waits for their next request. */
    @Test
    void ofAProcessThatRanBeforeNoThreadInTheNetworkIsKnownToHaveARequest() {
        Service service = withoutVirtualDumps();
        service.made.attached = Optional.of(new Attached("1", 1, 60 * SECOND, 0));

        assertThat(budget(with(service.evidence(), counted(60, 10)), 55, 70).missing())
                .contains(BudgetPart.BLOCKED);
    }

    @Test
    void oneThreadInTheNetworkIsNoRequestAndOfALiveProcessNoneIs() {
        Service service = withoutVirtualDumps();
        service.workerCpu = 0.3;
        RunEvidence evidence = with(service.evidence(), counted(60, 0));

        assertThat(budget(with(service.evidence(), counted(1, 0)), 55, 70).blocked())
                .isEmpty();
        assertThat(new BudgetReader(evidence, new ThreadTimes(evidence.threads()))
                        .ofLive(new Window(nanos(55), nanos(70)))
                        .orElseThrow()
                        .missing())
                .contains(BudgetPart.BLOCKED);
    }

    @Test
    void theWayToASafepointIsAStopOfTheJvm() {
        Service service = Service.healthy();
        service.workerCpu = 0.8;
        service.workerWait = 20;
        service.collectionShare = 0.005;
        service.toSafepointShare = 0.04;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(budget.toSafepointMillis()).hasValueCloseTo(4.0, within(0.01));
        assertThat(millis(budget, BudgetPart.SAFEPOINT)).isCloseTo(4.5, within(0.01));
        assertThat(sum(budget)).isCloseTo(budget.responseMillis(), within(1e-6));
    }

    /** Threads that are on their way to one run, or wait for a CPU. */
    @Test
    void theWayToASafepointHasNoTimeOfAnotherPart() {
        Service service = Service.healthy();
        service.workerCpu = 1;
        service.workerWait = 96.5;
        service.toSafepointShare = 0.04;

        Budget budget = budget(service.evidence(), 55, 70);

        assertThat(millis(budget, BudgetPart.CPU_WAIT)).isCloseTo(96.5, within(0.1));
        assertThat(budget.toSafepointMillis().orElse(0)).isCloseTo(1.5, within(0.1));
        assertThat(millis(budget, BudgetPart.REST)).isCloseTo(0, within(1e-6));
        assertThat(budget(Service.healthy().evidence(), 55, 70).toSafepointMillis())
                .as("as earlier versions recorded it")
                .isEmpty();
    }

    @Test
    void looksAtThreadsTellHowLongARequestIsInAnUninterruptibleSleep() {
        Service service = Service.healthy();
        for (int tid = 1; tid <= 20; tid++) {
            for (int t = 0; t <= 105; t++) {
                service.made.threads.add(new ThreadSample(
                        t * SECOND,
                        5000 + tid,
                        "http",
                        ThreadRole.WORKER,
                        0,
                        0,
                        0,
                        0,
                        0,
                        (t + tid) % 4 == 0 ? ThreadState.UNINTERRUPTIBLE : ThreadState.SLEEPING));
            }
        }

        assertThat(budget(service.evidence(), 55, 70).uninterruptibleMillis()).hasValueCloseTo(5.0, within(0.01));
        assertThat(budget(Service.healthy().evidence(), 55, 70).uninterruptibleMillis())
                .isEmpty();
    }

    @Test
    void ofALiveProcessTheTimeOfItsThreadsAtWorkIsDivided() {
        Service service = Service.healthy();
        service.workerCpu = 0.3;
        service.workerWait = 0.1;
        List<BlockedSample> dumps = IntStream.range(64, 69)
                .boxed()
                .flatMap(second -> Stream.of(
                        blocked(second, "http", 2, WaitKind.SOCKET, "app.Db.read:7"),
                        blocked(second, "http", 1, WaitKind.IDLE, ""),
                        blocked(second, "timer", 1, WaitKind.SLEEP, "app.Clean.run:9")))
                .toList();
        RunEvidence evidence = with(service.evidence(), dumps);

        Budget live = new BudgetReader(evidence, new ThreadTimes(evidence.threads()))
                .ofLive(new Window(nanos(55), nanos(70)))
                .orElseThrow();

        assertThat(live.requestsPerSecond()).isCloseTo(2.42, within(0.01));
        assertThat(live.share(BudgetPart.BLOCKED).orElse(0)).isCloseTo(2 / 2.42, within(0.01));
        assertThat(live.share(BudgetPart.REST).orElse(1)).isCloseTo(0, within(0.01));
    }

    @Test
    void withoutDumpsNothingIsKnownOfWhatIsBlocked() {
        assertThat(budget(Service.healthy().evidence(), 55, 70).missing()).contains(BudgetPart.BLOCKED);
    }

    @Test
    void aRunHasTheBudgetsOfItsBeginningItsEndAndItsReference() {
        Service service = Service.of(seconds(60, 500), 1000);

        Budgets budgets = RunDigest.of(service.evidence(), AnalysisConfig.defaults())
                .observation()
                .budgets();

        assertThat(budgets.beginning().orElseThrow().responseMillis()).isCloseTo(200, within(0.5));
        assertThat(budgets.end().orElseThrow().responseMillis()).isCloseTo(200, within(0.5));
        assertThat(budgets.reference().orElseThrow().responseMillis()).isCloseTo(100, within(0.5));
        assertThat(budgets.curve().seconds())
                .hasSize(80)
                .allSatisfy(second -> assertThat(sum(second.budget()))
                        .isCloseTo(second.budget().responseMillis(), within(1e-6)));
    }
}
