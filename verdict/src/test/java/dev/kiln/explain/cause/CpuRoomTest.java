package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A lock over work for a CPU keeps one CPU of two busy, and the JVM a part of the other: neither idle CPUs nor full ones. A request
 * takes 100 ms.
 */
class CpuRoomTest {
    /**
     * @param used share of the CPUs
     * @param waits ms of a request for a CPU
     * @param blocked of 100 threads
     */
    private static Service service(double used, double waits, WaitKind kind, String detail, int blocked) {
        Service service = Service.of(seconds(60, 1000), 1000);
        service.targetCpu = used;
        service.targetBusy = used + 0.02;
        service.workerCpu = used;
        service.workerWait = waits;
        service.targetWait = waits / 1000;
        service.database = false;
        service.loadCpu = 0.1;
        for (int second = 64; second < 69; second++) {
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "http", false, blocked, kind, "app.Stock.take:12", detail, ""));
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "http", false, 100 - blocked, WaitKind.RUNNABLE, "", "", ""));
        }
        return service;
    }

    @ParameterizedTest
    @CsvSource({
        "MONITOR, app.Stock, lock",
        "PARK, java.util.concurrent.Semaphore$NonfairSync, pool",
        "SOCKET, read, slow-service"
    })
    void whatRequestsWaitForIsNamedWhereCpusHaveRoomAndHardlyAnyWaitsForOne(
            WaitKind kind, String detail, String cause) {
        Service service = service(0.6, 1, kind, detail, 90);

        assertThat(service.held()).containsExactly(cause);
        assertThat(service.finding("database-limit").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void whereRequestsWaitForACpuTooItIsNotKnownWhatTheyWaitFor() {
        Service service = service(0.6, 20, WaitKind.MONITOR, "app.Stock", 70);

        assertThat(service.held()).doesNotContain("lock");
        assertThat(service.finding("lock").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("lock")).endsWith("whoever they wait for may wait for one");
        assertThat(service.finding("pool").state()).as("nobody waits for it").isEqualTo(FindingState.RULED_OUT);
    }

    /** The load generator has no CPU to spare, or sends as a recording does: the requests that it sends wait all the same. */
    @Test
    void whatRequestsWaitForIsNotRuledOutWhereFewAreInFlight() {
        Service service = service(0.6, 1, WaitKind.MONITOR, "app.Stock", 90);
        service.loadCpu = 0.97;
        service.labBusy = 0.98;

        assertThat(service.held()).containsExactly("generator-limit");
        assertThat(service.finding("lock").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("lock")).endsWith("whether this held anything back is not known");
        assertThat(service.finding("pool").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void busyCpusAndALittleOfARequestNameNothing() {
        assertThat(service(0.8, 1, WaitKind.MONITOR, "app.Stock", 90)
                        .finding("lock")
                        .state())
                .isEqualTo(FindingState.RULED_OUT);
        assertThat(service(0.6, 1, WaitKind.MONITOR, "app.Stock", 40)
                        .finding("lock")
                        .state())
                .isEqualTo(FindingState.RULED_OUT);
    }
}
