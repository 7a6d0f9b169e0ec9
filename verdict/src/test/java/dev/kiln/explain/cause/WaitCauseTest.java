package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.model.run.WaitKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What requests wait for while the CPUs of the target are idle, as thread dumps show it. */
class WaitCauseTest {
    private static final String FUTURE = "java.util.concurrent.FutureTask";

    /** A service that uses a fifth of its CPU with all requests in flight. */
    private static Service idle(double warmup, double measured) {
        Service service = Service.of(seconds(60, warmup), measured);
        service.targetCpu = 0.2;
        service.targetBusy = 0.22;
        service.workerCpu = 0.2;
        service.targetWait = 0.05;
        service.workerWait = 0.05;
        service.database = false;
        service.loadCpu = 0.1;
        return service;
    }

    /** An executor of so many threads beside the requests, all with a task but those that are idle. */
    private static void executor(Service service, int from, String pool, int threads, int idle) {
        for (int second = from; second < from + 5; second++) {
            service.made.blocked.add(worker(second, pool, threads - idle, WaitKind.SLEEP, FUTURE));
            if (idle > 0) {
                service.made.blocked.add(worker(second, pool, idle, WaitKind.IDLE, ""));
            }
        }
    }

    private static BlockedSample worker(int second, String pool, int threads, WaitKind kind, String task) {
        String frame = kind == WaitKind.IDLE ? "" : "app.Batch.work:3";
        return new BlockedSample(second * SECOND, pool, false, threads, kind, frame, "", task);
    }

    private static Service waitingForTasks() {
        Service service = idle(500, 1000);
        dumps(service, 64, WaitKind.TASK, FUTURE, 90);
        return service;
    }

    private static void dumps(Service service, int from, WaitKind kind, String detail, int blocked) {
        for (int second = from; second < from + 5; second++) {
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "http", false, blocked, kind, "app.Stock.take:12", detail, ""));
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "http", false, 100 - blocked, WaitKind.RUNNABLE, "", "", ""));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MONITOR, app.Stock, lock",
        "PARK, java.util.concurrent.locks.ReentrantLock$NonfairSync, lock",
        "PARK, java.util.concurrent.Semaphore$NonfairSync, pool",
        "QUEUE, java.util.concurrent.LinkedBlockingQueue, pool",
        "CONDITION, java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject, pool",
        "PARK, java.util.concurrent.CountDownLatch$Sync, waits-for-task",
        "TASK, java.util.concurrent.CompletableFuture$Signaller, waits-for-task",
        "FULL_QUEUE, java.util.concurrent.ArrayBlockingQueue, queue",
        "SLEEP, '', sleep",
        "SLEEP, parkNanos, sleep",
        "RATE_LIMIT, SLEEP, rate-limit",
        "LOGGING, MONITOR java.util.logging.StreamHandler, logging",
        "CONNECT, '', slow-connect",
        "SOCKET, connect, slow-connect",
        "SOCKET, read, slow-service",
        "FILE, force, disk",
        "NAME_LOOKUP, '', name-lookup",
        "CLASS_INIT, app.Big, class-initialisation",
        "PINNED, '', pinned"
    })
    void whatRequestsWaitForIsNamedAndNothingElse(WaitKind kind, String detail, String cause) {
        Service service = idle(1000, 1000);
        dumps(service, 64, kind, detail, 90);

        assertThat(service.held()).containsExactly(cause);
        assertThat(service.first(cause))
                .isEqualTo("89 % of the 100 ms of a request were blocked so at the end of the load");
        assertThat(service.finding(cause).evidence().get(1).text()).contains("app.Stock.take:12");
        assertThat(service.finding(cause).remedies()).isNotEmpty();
    }

    /** The dumps show some platform threads, and none of the virtual ones that may have the requests. */
    @ParameterizedTest
    @CsvSource({"0, true", "30, false"})
    void whatVirtualThreadsWaitForIsNotKnownWhereTheyAreNotDumped(int platform, boolean nothingKnown) {
        Service service = idle(500, 1000);
        service.made.notRecorded = List.of(new NotRecorded(NotRecorded.VIRTUAL_DUMPS, "the JVM can crash"));
        for (int second = 64; second < 69; second++) {
            service.made.blocked.add(new BlockedSample(
                    second * SECOND,
                    "ForkJoinPool-1-worker",
                    false,
                    1,
                    WaitKind.RUNNABLE,
                    "app.Stock.count:8",
                    "",
                    ""));
            if (platform > 0) {
                service.made.blocked.add(new BlockedSample(
                        second * SECOND, "http", false, platform, WaitKind.SLEEP, "app.Stock.take:12", "", ""));
                service.made.blocked.add(
                        new BlockedSample(second * SECOND, "http", false, 1, WaitKind.RUNNABLE, "", "", ""));
            }
        }

        assertThat(service.finding("lock").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("lock")).isEqualTo("virtual threads were not dumped: the JVM can crash");
        assertThat(service.held()).containsExactly(nothingKnown ? "database-limit" : "sleep");
    }

    private static Service counting(int threads, String detail) {
        Service service = idle(500, 1000);
        service.made.notRecorded = List.of(new NotRecorded(NotRecorded.VIRTUAL_DUMPS, "the JVM can crash"));
        for (int second = 64; second < 69; second++) {
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "", true, threads, WaitKind.NETWORK, "", detail, ""));
            service.made.blocked.add(new BlockedSample(second * SECOND, "", true, 0, WaitKind.IDLE, "", "read", ""));
        }
        return service;
    }

    /** They may wait for their next requests: no connection to others was seen, or none was looked for. */
    @Test
    void virtualThreadsThatReadWaitForNobodyElseWithoutAConnectionToOthers() {
        Service none = counting(0, "read");
        none.made.blocked.replaceAll(row -> row.kind() == WaitKind.IDLE
                ? new BlockedSample(row.timeNanos(), "", true, 95, WaitKind.IDLE, "", "read", "")
                : row);
        Service unknown = counting(95, "read");
        unknown.made.blocked.removeIf(row -> row.kind() == WaitKind.IDLE);

        assertThat(List.of(none, unknown)).allSatisfy(service -> {
            assertThat(service.held()).containsExactly("database-limit");
            assertThat(service.finding("slow-service").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        });
    }

    /** One virtual thread sleeps on the one carrier in a static initialiser, and 60 others are ready to run. */
    @Test
    void aCarrierThatIsKeptIsNamedWithTheFrameThatKeepsIt() {
        Service service = counting(0, "read");
        for (int second = 64; second < 69; second++) {
            service.made.blocked.add(new BlockedSample(
                    second * SECOND,
                    "ForkJoinPool-1-worker",
                    false,
                    1,
                    WaitKind.PINNED,
                    "app.Slow.<clinit>:9",
                    "SLEEP",
                    ""));
            service.made.blocked.add(new BlockedSample(second * SECOND, "", true, 60, WaitKind.RUNNABLE, "", "", ""));
        }

        assertThat(service.held()).containsExactly("pinned");
        assertThat(service.finding("pinned").evidence().get(1).text())
                .contains("on a carrier, or waiting for one, that is kept at app.Slow.<clinit>:9, SLEEP");
        assertThat(service.finding("slow-service").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void virtualThreadsThatAreCountedInTheNetworkWaitForAnotherService() {
        Service service = counting(95, "read");

        assertThat(service.held()).containsExactly("slow-service");
        assertThat(service.finding("slow-service").evidence().get(1).text())
                .endsWith("in the network, on virtual threads that the JVM counts, read");
        assertThat(service.finding("lock").state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** Any of these may be done over the network. */
    @ParameterizedTest
    @ValueSource(strings = {"slow-connect", "logging", "rate-limit"})
    void whatTheyMayDoThereIsNotRuledOut(String cause) {
        Service service = counting(95, "read");

        assertThat(service.finding(cause).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first(cause)).isEqualTo("virtual threads were not dumped: the JVM can crash");
    }

    /** They write or connect; they are too few; they may wait for a generator that is far away. */
    @Test
    void whatTheyWaitForIsNotNamedWhereItMayBeSomethingElse() {
        Service connecting = counting(95, "write or connect");
        Service few = counting(20, "read");
        Service remote = counting(95, "read");
        remote.made.remote = Optional.of(new RemoteHost("other", 1000, OptionalLong.empty()));

        assertThat(List.of(connecting, few, remote))
                .allSatisfy(service -> assertThat(service.held()).containsExactly("database-limit"));
        assertThat(List.of(connecting, few, remote))
                .extracting(service -> service.finding("slow-service").state())
                .containsOnly(FindingState.NOT_OBSERVABLE);
        assertThat(few.finding("lock").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(remote.first("slow-service")).contains("load generator");
    }

    /** Twenty workers that do nothing else are in an uninterruptible sleep for so many of four looks. */
    private static void asleep(Service service, int of4) {
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
                        (t + tid) % 4 < of4 ? ThreadState.UNINTERRUPTIBLE : ThreadState.SLEEPING));
            }
        }
    }

    @Test
    void aWaitForAFileHasTheUninterruptibleSleepAsEvidence() {
        Service service = idle(100, 100);
        service.made.connections = 20;
        dumps(service, 64, WaitKind.FILE, "force", 18);
        asleep(service, 3);

        assertThat(service.held()).containsExactly("disk");
        assertThat(service.finding("disk").evidence().getLast().text())
                .isEqualTo("its threads were in an uninterruptible sleep (state D: a disk, a page, or a lock of the"
                        + " kernel's) for 150 of the 200 ms of a request");
    }

    /** Such as a page of a file that is mapped: for the JVM its thread runs. */
    @Test
    void aFileIsNotRuledOutWhereThreadsAreInAnUninterruptibleSleep() {
        Service much = idle(100, 100);
        much.made.connections = 20;
        dumps(much, 64, WaitKind.PARK, "java.util.concurrent.Semaphore", 18);
        asleep(much, 2);
        Service none = idle(100, 100);
        none.made.connections = 20;
        dumps(none, 64, WaitKind.PARK, "java.util.concurrent.Semaphore", 18);
        asleep(none, 0);

        assertThat(much.held()).containsExactly("pool");
        assertThat(much.finding("disk").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(much.first("disk")).contains("but its threads were in an uninterruptible sleep");
        assertThat(none.finding("disk").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void itHeldTheServiceBackOnlyIfItTookLessAfterThePause() {
        Service same = idle(1000, 1000);
        dumps(same, 64, WaitKind.MONITOR, "", 90);
        dumps(same, 98, WaitKind.MONITOR, "", 90);
        Service less = idle(500, 1000);
        dumps(less, 64, WaitKind.MONITOR, "", 90);
        dumps(less, 98, WaitKind.MONITOR, "", 10);

        // Fewer threads were found there by chance; the request takes as long.
        Service chance = idle(1000, 1000);
        dumps(chance, 64, WaitKind.MONITOR, "", 90);
        dumps(chance, 98, WaitKind.MONITOR, "", 80);

        assertThat(same.finding("lock").explains()).isEmpty();
        assertThat(chance.finding("lock").explains()).isEmpty();
        assertThat(less.finding("lock").explains()).contains(Effect.BELOW_PEAK);
    }

    /** The CPUs are as idle in both loads; but a request waits 200 ms, and then 100. */
    @Test
    void theGeneralCauseIsHeldAgainstTheTimeThatRequestsWait() {
        assertThat(idle(500, 1000).finding("database-limit").explains()).contains(Effect.BELOW_PEAK);
        assertThat(idle(1000, 1000).finding("database-limit").explains()).doesNotContain(Effect.BELOW_PEAK);
    }

    /** The CPUs are more idle at the end; but a request waits no longer: it costs less CPU. */
    @Test
    void idlerCpusAreNoLongerWait() {
        Service service = idle(1000, 1000);
        service.targetCpuAfter = 0.4;

        assertThat(service.finding("database-limit").explains()).doesNotContain(Effect.BELOW_PEAK);
        assertThat(service.finding("database-limit").title()).endsWith(", as much at the peak");
    }

    @ParameterizedTest
    @CsvSource({
        "PARK, java.util.concurrent.Semaphore$NonfairSync, pool",
        "LOGGING, MONITOR, logging",
        "CONNECT, '', slow-connect",
        "RATE_LIMIT, SLEEP, rate-limit",
        "FULL_QUEUE, '', queue"
    })
    void aWaitWhileTheCpusAreBusyIsOnlyWhereRequestsQueueForThem(WaitKind kind, String detail, String cause) {
        Service service = Service.healthy();
        dumps(service, 64, kind, detail, 90);

        assertThat(service.held()).isEmpty();
        assertThat(service.finding(cause).state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** A disk takes its time whatever the CPUs do, until these are full. */
    @ParameterizedTest
    @CsvSource({"FILE, write, disk", "SLEEP, '', sleep"})
    void whatTakesItsTimeIsNamedWhereTheCpusAreBusyToo(WaitKind kind, String detail, String cause) {
        Service service = Service.healthy();
        dumps(service, 64, kind, detail, 90);
        Service full = Service.healthy();
        full.targetCpu = 1;
        dumps(full, 64, kind, detail, 90);

        assertThat(service.held()).containsExactly(cause);
        assertThat(full.finding(cause).state()).isEqualTo(FindingState.RULED_OUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "logging", "slow-connect", "rate-limit", "queue"})
    void withoutDumpsItIsNotObservable(String cause) {
        Service service = idle(1000, 1000);

        assertThat(service.held()).containsExactly("database-limit");
        assertThat(service.finding(cause).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first(cause)).contains("thread dumps");
    }

    @Test
    void anExecutorThatHasTooFewWorkersIsNamedWithThem() {
        Service service = waitingForTasks();
        executor(service, 64, "worker", 2, 0);
        // It has grown until the load after the pause.
        dumps(service, 98, WaitKind.TASK, FUTURE, 90);
        executor(service, 98, "worker", 80, 0);

        assertThat(service.held()).containsExactly("queue");
        assertThat(service.finding("queue").evidence().get(1).text())
                .contains("app.Stock.take:12")
                .endsWith("; all 2 threads of worker had a task in every dump");
        assertThat(service.finding("queue").explains()).contains(Effect.BELOW_PEAK);
        assertThat(service.finding("waits-for-task").state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** None of these says that requests wait for a worker, and not for the task. */
    @Test
    void aTaskIsNoQueueUnlessOneExecutorOfFewIsAlwaysBusy() {
        Service idleOnce = waitingForTasks();
        executor(idleOnce, 64, "worker", 2, 0);
        idleOnce.made.blocked.add(worker(66, "worker", 1, WaitKind.IDLE, ""));
        Service many = waitingForTasks();
        executor(many, 64, "worker", 46, 0);
        Service two = waitingForTasks();
        executor(two, 64, "worker", 2, 0);
        executor(two, 64, "other-worker", 30, 20);
        Service seldom = waitingForTasks();
        executor(seldom, 60, "worker", 2, 0);
        Service cutShort = waitingForTasks();
        executor(cutShort, 64, "worker", 2, 0);
        cutShort.made.blocked.add(new BlockedSample(66 * SECOND, "", false, 1, WaitKind.IDLE, "", "", ""));
        // Somebody else completes it, such as an event loop.
        Service completed = idle(500, 1000);
        dumps(completed, 64, WaitKind.TASK, "java.util.concurrent.CompletableFuture$Signaller", 90);
        executor(completed, 64, "worker", 2, 0);
        Service forEver = idle(500, 1000);
        dumps(forEver, 64, WaitKind.TASK, "java.util.concurrent.CompletableFuture$Signaller", 90);
        Service folded = waitingForTasks();
        executor(folded, 64, "worker", 2, 0);
        folded.made.blocked.add(new BlockedSample(66 * SECOND, "", false, 9, WaitKind.RUNNABLE, "", "", ""));
        Service virtual = waitingForTasks();
        executor(virtual, 64, "worker", 2, 0);
        for (int second = 64; second < 69; second++) {
            forEver.made.blocked.add(
                    worker(second, "loop", 1, WaitKind.SLEEP, "java.util.concurrent.CompletableFuture"));
            virtual.made.blocked.add(
                    new BlockedSample(second * SECOND, "", true, 5, WaitKind.SOCKET, "app.Api.call:3", "read", ""));
        }
        Service notRecorded = waitingForTasks();
        for (int second = 64; second < 69; second++) {
            notRecorded.made.blocked.add(worker(second, "worker", 2, WaitKind.SLEEP, ""));
        }

        assertThat(List.of(idleOnce, many, two, seldom, cutShort, completed, forEver, folded, virtual, notRecorded))
                .allSatisfy(service -> assertThat(service.held()).containsExactly("waits-for-task"));
    }

    /** It does not use what it has while it makes another: that is no limit of the database. */
    @Test
    void aConnectionThatIsMadeIsNoAnswerThatIsAwaited() {
        Service service = idle(1000, 1000);
        service.database = true;
        dumps(service, 64, WaitKind.CONNECT, "", 90);

        assertThat(service.held()).containsExactly("slow-connect");
        assertThat(service.finding("slow-service").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void aSmallPoolDoesNotRuleOutWhatItWaitsFor() {
        // Twelve workers sleep, and 88 requests wait for one of them.
        Service service = idle(1000, 1000);
        dumps(service, 64, WaitKind.SLEEP, "", 12);

        assertThat(service.finding("sleep").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.held()).containsExactly("database-limit");
    }

    @Test
    void dumpsWithoutABlockedThreadAreSaidToBeThat() {
        Service service = idle(1000, 1000);
        for (int second = 64; second < 69; second++) {
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "event-loop", false, 2, WaitKind.IDLE, "", "", ""));
        }

        assertThat(service.first("lock")).startsWith("thread dumps found no thread blocked");
    }

    @Test
    void aWaitForTheNetworkIsForTheDatabaseIfThereIsOne() {
        Service service = idle(1000, 1000);
        service.database = true;
        dumps(service, 64, WaitKind.SOCKET, "read", 90);

        assertThat(service.held()).containsExactly("database-limit");
        assertThat(service.finding("database-limit").evidence().getLast().text())
                .contains("app.Stock.take:12");
    }
}
