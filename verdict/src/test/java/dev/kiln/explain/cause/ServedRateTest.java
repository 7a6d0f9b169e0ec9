package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What requests wait for while a rate is served with CPU to spare. */
class ServedRateTest {
    /** A rate of 500 a second, on 100 connections. */
    private static Service rate(int blocked, int inFlight) {
        Service service = Service.of(seconds(60, 500), 500, inFlight);
        service.made.rate = OptionalDouble.of(500);
        service.targetCpu = 0.2;
        service.targetBusy = 0.22;
        service.workerCpu = 0.2;
        service.targetWait = 0.05;
        service.workerWait = 0.05;
        service.database = false;
        service.loadCpu = 0.1;
        for (int second = 64; second < 69; second++) {
            service.made.blocked.add(new BlockedSample(
                    second * SECOND, "http", false, blocked, WaitKind.SLEEP, "app.Stock.take:12", "", ""));
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "http", false, 100 - blocked, WaitKind.IDLE, "", "", ""));
        }
        return service;
    }

    /** Nobody waits for another to end, and each request waits: it is there, and holds no throughput back. */
    @Test
    void whatIsMostOfARequestIsPresentWhereARateIsServed() {
        Service service = rate(11, 12);

        assertThat(service.held()).containsExactly("sleep");
        assertThat(service.finding("sleep").title()).doesNotContain("as much at the peak");
        assertThat(service.finding("sleep").explains()).isEmpty();
        assertThat(service.finding("sleep").evidence().getLast().text()).endsWith("holds no throughput back");
        assertThat(service.finding("lock").state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** 100 users who think for 200 ms offer as much. */
    @Test
    void usersWhoThinkAreARateToo() {
        Service service = rate(11, 12);
        service.made.rate = OptionalDouble.empty();
        service.made.think = Duration.ofMillis(200);
        Service slow = rate(11, 12);
        slow.made.rate = OptionalDouble.empty();
        slow.made.think = Duration.ofMillis(100);

        assertThat(service.held()).containsExactly("sleep");
        assertThat(service.finding("sleep").explains()).isEmpty();
        assertThat(slow.finding("sleep").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(slow.first("sleep")).startsWith("fewer requests succeeded than thinking users send");
    }

    /** It takes less time after the pause, and still holds no throughput back. */
    @Test
    void whatTakesLessTimeAfterThePauseHoldsNoThroughputBackEither() {
        Service service = rate(11, 12);
        for (int second = 99; second < 104; second++) {
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "http", false, 1, WaitKind.SLEEP, "app.Stock.take:12", "", ""));
            service.made.blocked.add(new BlockedSample(second * SECOND, "http", false, 99, WaitKind.IDLE, "", "", ""));
        }
        service.made.load.replaceAll(bin -> bin.phase().equals("measure") ? with(bin, Errors.NONE, 2) : bin);

        assertThat(service.held()).containsExactly("sleep");
        assertThat(service.finding("sleep").explains()).isEmpty();
    }

    /** A third of the answers are errors, so the rate is not served, and nothing says what they waited for. */
    @Test
    void aRateWithErrorsIsNotServed() {
        Service service = rate(11, 12);
        service.made.load.replaceAll(bin -> with(bin, new Errors(0, 0, 0, bin.completed() / 3, 0), bin.backlog()));

        assertThat(service.held()).doesNotContain("sleep");
        assertThat(service.finding("sleep").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("sleep")).startsWith("fewer requests succeeded than the rate that was sent");
    }

    private static LoadBin with(LoadBin bin, Errors errors, long backlog) {
        return new LoadBin(
                bin.phase(),
                bin.startNanos(),
                bin.endNanos(),
                bin.started(),
                bin.completed() - errors.total(),
                errors,
                backlog,
                bin.lagNanos());
    }

    @Test
    void ofAServedRateFewThreadsOrALittleOfARequestNameNothing() {
        Service few = rate(3, 4);
        Service little = rate(5, 12);

        assertThat(few.held()).isEmpty();
        assertThat(few.finding("sleep").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(few.first("sleep")).endsWith("threads so, which are too few to tell");
        assertThat(little.held()).isEmpty();
        assertThat(little.first("sleep")).endsWith("and the rate that was sent was served");
    }
}
