package dev.kiln.explain.budget;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.budget.BudgetKit.blocked;
import static dev.kiln.explain.budget.BudgetKit.budget;
import static dev.kiln.explain.budget.BudgetKit.millis;
import static dev.kiln.explain.budget.BudgetKit.sum;
import static dev.kiln.explain.budget.BudgetKit.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.Service;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.model.load.Latency.Histogrammed;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where threads that dumps find blocked leave the time of a request: under the load of {@link BudgetReaderTest}. */
class BlockedBudgetTest {
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

    /** Each wait begins with a voluntary switch, and no request takes longer than 150 ms. */
    @Test
    void aThreadThatWaitsLongerThanAnyRequestTakesHasNoneInHand() {
        assertThat(inTwoPlaces(0.2)).isEmpty();
        assertThat(inTwoPlaces(20))
                .extracting(Budget.BlockedTime::frame)
                .containsExactly("app.Reaper.await:9", "app.Reaper.work:5");
    }

    private static List<Budget.BlockedTime> inTwoPlaces(double waitsPerSecond) {
        Service service = Service.healthy();
        service.pool = "session-reaper-";
        service.workerVoluntary = waitsPerSecond;
        for (int t = 10; t < 70; t++) {
            service.made.latency.add(new LatencyInterval(
                    "warmup", t * SECOND, (t + 1) * SECOND, new Quantiles(1000, 1_000_000, 2_000_000, 150_000_000)));
        }
        List<BlockedSample> dumps = IntStream.range(64, 69)
                .mapToObj(second -> blocked(
                        second,
                        "session-reaper-thread",
                        1,
                        WaitKind.CONDITION,
                        second < 66 ? "app.Reaper.work:5" : "app.Reaper.await:9"))
                .toList();
        return budget(with(service.evidence(), dumps), 55, 70).blocked();
    }

    @Test
    void theOwnersOfAMonitorAreOnePlace() {
        List<BlockedSample> dumps = IntStream.range(64, 69)
                .boxed()
                .flatMap(second -> Stream.of(
                        blocked(second, "http", 40, WaitKind.IDLE, ""),
                        new BlockedSample(
                                second * SECOND,
                                "http",
                                false,
                                60,
                                WaitKind.MONITOR,
                                "app.Stock.take:12",
                                second == 64 ? "" : "app.Stock, held by http-" + (second < 67 ? "1" : "2"),
                                "")))
                .toList();

        Budget budget = budget(with(Service.healthy().evidence(), dumps), 55, 70);

        assertThat(budget.blocked()).extracting(Budget.BlockedTime::frame).containsExactly("app.Stock.take:12");
        assertThat(budget.blocked().getFirst().detail()).startsWith("app.Stock, held by http-");
        assertThat(budget.blocked().getFirst().millis()).isCloseTo(59.4, within(0.1));
    }

    /** A dump does not always find the object that a thread waits for. */
    @Test
    void oneLineOfCodeIsOnePlace() {
        List<BlockedSample> dumps = IntStream.range(64, 69)
                .mapToObj(second -> new BlockedSample(
                        second * SECOND,
                        "recovery",
                        false,
                        1,
                        WaitKind.CONDITION,
                        "app.Recovery.run:70",
                        second < 66 ? "java.lang.Object" : "",
                        ""))
                .toList();

        assertThat(budget(with(Service.healthy().evidence(), dumps), 55, 70).blocked())
                .isEmpty();
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
                        new BlockedSample(second * SECOND, "", true, reading, WaitKind.NETWORK, "", "read", ""),
                        new BlockedSample(second * SECOND, "", true, idle, WaitKind.IDLE, "", "read", ""),
                        new BlockedSample(
                                second * SECOND, "", true, writing, WaitKind.NETWORK, "", "write or connect", ""),
                        new BlockedSample(second * SECOND, "", true, 9, WaitKind.RUNNABLE, "", "", ""),
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
                                second < 64 + dumps ? detail : "",
                                ""),
                        blocked(second, "ForkJoinPool-1-worker", idleCarriers, WaitKind.IDLE, ""),
                        new BlockedSample(second * SECOND, "", true, 38, WaitKind.NETWORK, "", "read", ""),
                        new BlockedSample(second * SECOND, "", true, 0, WaitKind.IDLE, "", "read", ""),
                        new BlockedSample(second * SECOND, "", true, ready, WaitKind.RUNNABLE, "", "", "")))
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
        assertThat(new BudgetReader(evidence, new ThreadTimes(evidence.threads(), true))
                        .ofLive(new Window(nanos(55), nanos(70)))
                        .orElseThrow()
                        .missing())
                .contains(BudgetPart.BLOCKED);
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

        Budget live = new BudgetReader(evidence, new ThreadTimes(evidence.threads(), true))
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
}
