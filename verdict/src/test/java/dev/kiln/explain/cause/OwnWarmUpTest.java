package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.load.Latency.Histogrammed;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** An application that warms up by itself: it lets more requests through as time goes by, and each costs as much. */
class OwnWarmUpTest {
    /** CPU of a request, in seconds. */
    private static final double CPU = 0.0003;

    /** Load before the pause, in steps. */
    private static double[] steps(double... each) {
        double[] load = {};
        for (double rate : each) {
            load = then(load, seconds(60 / each.length, rate));
        }
        return load;
    }

    private static Service opening(double measured, double... each) {
        double[] load = steps(each);
        Service service = Service.of(load, measured);
        service.workerAt = t -> CPU * (t < 70 ? load[t - 10] : measured);
        service.targetCpu = 0.2;
        service.targetBusy = 0.22;
        service.targetWait = 0.05;
        service.workerWait = 0.05;
        service.database = false;
        service.loadCpu = 0.1;
        return service;
    }

    @Test
    void whatStillFallsAtTheEndHoldsTheServiceBelowItsPeak() {
        Service service = opening(1000, 50, 100, 200, 400);

        assertThat(service.held()).containsExactly("own-warm-up");
        assertThat(service.finding("own-warm-up").explains()).containsExactly(Effect.BELOW_PEAK);
        assertThat(service.finding("own-warm-up").title()).isEqualTo("the application warms up by itself");
        assertThat(service.first("own-warm-up"))
                .contains("in the first 15 s", "; it cost 0.30, 0.30 and 0.30 ms of CPU");
        assertThat(service.first("database-limit")).contains("own-warm-up");
    }

    @Test
    void whatIsOverBeforeTheEndIsPresentAndHasNoEffect() {
        Service service = opening(1000, 50, 200, 1000, 1000);

        assertThat(service.finding("own-warm-up").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(service.finding("own-warm-up").explains()).isEmpty();
        assertThat(service.finding("own-warm-up").title())
                .isEqualTo("the application warmed up by itself, until before the end of the load");
    }

    @Test
    void codeThatGetsFasterIsNone() {
        // One request runs at a time, and costs an eighth at the end.
        Service service = opening(1000, 50, 100, 200, 400);
        service.workerAt = t -> 0.8;

        assertThat(service.finding("own-warm-up").state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** As every JVM's: the code of the first requests is not compiled, which is a small part of what they wait. */
    @Test
    void codeThatGetsFasterBesideItChangesNothing() {
        Service service = opening(1000, 50, 100, 200, 400);
        service.workerAt = t -> t < 25 ? 0.1 : CPU * (t < 40 ? 100 : t < 55 ? 200 : t < 70 ? 400 : 1000);

        assertThat(service.finding("own-warm-up").explains()).containsExactly(Effect.BELOW_PEAK);
    }

    /** The first request of all may have worked for that long. */
    @Test
    void firstSecondsInWhichNothingWasServedLeaveItOpen() {
        double[] load = then(
                seconds(2, 0), then(seconds(13, 50), then(seconds(15, 100), then(seconds(15, 200), seconds(15, 400)))));
        Service service = Service.of(load, 1000);
        service.workerAt = t -> CPU * (t < 70 ? load[t - 10] : 1000);
        service.targetCpu = 0.2;
        service.targetBusy = 0.22;
        service.workerWait = 0.05;
        service.database = false;

        assertThat(service.finding("own-warm-up").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void aWaitThatStaysIsNone() {
        assertThat(opening(500, 500).finding("own-warm-up").state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** Such as a lock that somebody lets go of in the pause. */
    @Test
    void aWaitThatEndsAtOnceMayBeAnything() {
        assertThat(opening(1000, 100).finding("own-warm-up").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void aFewSlowRequestsAtFirstAreEveryService() {
        Service service = opening(1000, 1000);
        double[] load = then(seconds(2, 100), seconds(58, 1000));
        Service cold = Service.of(load, 1000);
        cold.workerAt = t -> CPU * (t < 70 ? load[t - 10] : 1000);

        assertThat(cold.finding("own-warm-up").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.finding("own-warm-up").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void compilersAtWorkLeaveItOpen() {
        Service busy = opening(1000, 50, 100, 200, 400);
        busy.c2Cpu = 0.8;
        Service working = opening(1000, 50, 100, 200, 400);
        working.c2Cpu = 0.4;

        assertThat(busy.finding("own-warm-up").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(working.finding("own-warm-up").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(working.finding("own-warm-up").explains()).isEmpty();
    }

    @Test
    void oneBusyThreadLeavesItOpen() {
        Service service = opening(1000, 50, 100, 200, 400);
        service.workerCpu = 0.05;
        service.workerWait = 0.95;

        assertThat(service.finding("own-warm-up").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void withoutThreadsItIsNotObservable() {
        Service service = opening(1000, 50, 100, 200, 400);
        service.threads = false;

        assertThat(service.finding("own-warm-up").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void withARateItIsTheMeasuredTime() {
        Service service = opening(400, 400);
        service.made.rate = OptionalDouble.of(400);
        for (int t = 10; t < 105; t++) {
            if (t < 70 || t >= 85) {
                double millis = t < 25 ? 1500 : t < 40 ? 700 : t < 70 ? 300 : 50;
                service.made.latency.add(new LatencyInterval(
                        t < 70 ? "warmup" : "measure",
                        t * SECOND,
                        (t + 1) * SECOND,
                        new Quantiles(400, 1, 1, 1),
                        0,
                        Optional.of(new Histogrammed(1e6 * millis, 1, 1))));
            }
        }

        assertThat(service.finding("own-warm-up").explains()).containsExactly(Effect.BELOW_PEAK);
        assertThat(service.first("own-warm-up")).contains("the first 15 s");
    }

    private static void dumps(Service service, int from, int pool, int disk) {
        for (int second = from; second < from + 5; second++) {
            service.made.blocked.add(blocked(second, WaitKind.PARK, "app.Pool.take:12", pool));
            service.made.blocked.add(blocked(second, WaitKind.FILE, "app.Log.write:7", disk));
            service.made.blocked.add(blocked(second, WaitKind.RUNNABLE, "", 100 - pool - disk));
        }
    }

    private static BlockedSample blocked(int second, WaitKind kind, String frame, int threads) {
        return new BlockedSample(second * SECOND, "http", false, threads, kind, frame, "", "");
    }

    @Test
    void itNamesThePlaceWhoseTimeFellMost() {
        Service service = opening(1000, 50, 100, 200, 400);
        dumps(service, 11, 50, 45);
        dumps(service, 64, 20, 70);
        dumps(service, 95, 1, 90);

        assertThat(service.finding("own-warm-up").evidence().get(1).text())
                .startsWith("what fell most: ")
                .endsWith("ms at app.Pool.take:12");
        assertThat(opening(1000, 50, 100, 200, 400)
                        .finding("own-warm-up")
                        .evidence()
                        .get(1)
                        .text())
                .contains("--no-thread-dumps");
    }
}
