package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.WaitKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What requests wait for while the CPUs of the target are idle, as thread dumps show it. */
class WaitCauseTest {
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

    private static void dumps(Service service, int from, WaitKind kind, String detail, int blocked) {
        for (int second = from; second < from + 5; second++) {
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "http", false, blocked, kind, "app.Stock.take:12", detail));
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "http", false, 100 - blocked, WaitKind.RUNNABLE, "", ""));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MONITOR, app.Stock, lock",
        "PARK, java.util.concurrent.locks.ReentrantLock$NonfairSync, lock",
        "PARK, java.util.concurrent.Semaphore$NonfairSync, pool",
        "QUEUE, java.util.concurrent.LinkedBlockingQueue, pool",
        "CONDITION, java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject, pool",
        "PARK, java.util.concurrent.CompletableFuture$Signaller, waits-for-task",
        "SLEEP, '', sleep",
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

    @Test
    void aWaitWhileTheCpusAreBusyIsOnlyWhereRequestsQueueForThem() {
        Service service = Service.healthy();
        dumps(service, 64, WaitKind.PARK, "java.util.concurrent.Semaphore$NonfairSync", 90);

        assertThat(service.held()).isEmpty();
        assertThat(service.finding("pool").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void withoutDumpsItIsNotObservable() {
        Service service = idle(1000, 1000);

        assertThat(service.held()).containsExactly("database-limit");
        assertThat(service.finding("lock").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("lock")).contains("thread dumps");
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
            service.made.blocked.add(new BlockedSample(second * SECOND, "event-loop", false, 2, WaitKind.IDLE, "", ""));
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
