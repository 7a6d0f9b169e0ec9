package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The load begins at second 10, and has 100 connections. */
class FirstInitialisationTest {
    private static final String ID = "class-initialisation";

    private static Service waiting(int threads, double... at) {
        double[] served = seconds(60, 1000);
        for (int second = 0; second < 8; second++) {
            served[second] = 0;
        }
        Service service = Service.of(served, 1000);
        for (double second : at) {
            service.made.blocked.add(new BlockedSample(
                    nanos(10 + second),
                    "http",
                    false,
                    threads,
                    WaitKind.CLASS_INIT,
                    "app.Api.get:8",
                    "app.Slow, held by http",
                    ""));
            service.made.blocked.add(new BlockedSample(
                    nanos(10 + second), "http", false, 1, WaitKind.SLEEP, "app.Slow.<clinit>:9", "", ""));
        }
        service.made.blocked.add(new BlockedSample(nanos(66), "http", false, 50, WaitKind.RUNNABLE, "", "", ""));
        return service;
    }

    /** It was over long before the end: it explains nothing of what the service ended with. */
    @Test
    void aClassThatTheFirstRequestsWaitForIsToldAndExplainsNoLevel() {
        Finding finding = waiting(99, 0.5, 2, 6).finding(ID);

        assertThat(finding.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(finding.title()).isEqualTo("the first requests waited for the initialisation of a class");
        assertThat(finding.explains()).isEmpty();
        assertThat(finding.evidence().getFirst().text())
                .isEqualTo(
                        "until second 6.0 at least, when 99 threads waited for app.Slow, held by http at app.Api.get:8; 0"
                                + " requests had been answered by then");
        assertThat(finding.remedies()).isNotEmpty();
    }

    /** Others may answer while one waits. */
    @Test
    void requestsThatSeveralProcessesAnsweredAreNotCountedForOne() {
        assertThat(CodeKit.besideOthers(ID, waiting(99, 0.5, 2, 6)))
                .endsWith("when 99 threads waited for app.Slow, held by http at app.Api.get:8");
    }

    private static BlockedSample row(double second, int threads, String frame, String detail) {
        return new BlockedSample(
                nanos(10 + second), "http", false, threads, WaitKind.CLASS_INIT, "app.Api." + frame, detail, "");
    }

    /** Threads that wait in two places wait for the same class; those that wait for another one later do not. */
    @Test
    void threadsAreCountedByTheClassThatTheyWaitFor() {
        Service two = waiting(99);
        Service other = waiting(99);
        for (double second : new double[] {0.5, 2}) {
            two.made.blocked.add(row(second, 40, "get:8", "app.Slow, held by http"));
            two.made.blocked.add(row(second, 30, "put:9", "app.Slow, held by main"));
        }
        other.made.blocked.add(row(0.5, 99, "get:8", "app.Slow, held by http"));
        other.made.blocked.add(row(2, 99, "get:8", "app.Other, held by http"));

        assertThat(two.finding(ID).state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(two.first(ID)).contains("when 70 threads waited for app.Slow, held by http at app.Api.get:8");
        assertThat(other.finding(ID).state()).isNotEqualTo(FindingState.CONFIRMED);
    }

    /** Any service initialises classes for its first requests. */
    @Test
    void someThreadsOrAMomentAreNone() {
        Service later = waiting(99, 2, 6);
        later.made.blocked.add(new BlockedSample(nanos(10.5), "http", false, 20, WaitKind.RUNNABLE, "", "", ""));

        assertThat(List.of(waiting(40, 0.5, 2, 6), waiting(99, 0.5), waiting(99), later))
                .allSatisfy(service -> assertThat(service.finding(ID).state()).isNotEqualTo(FindingState.CONFIRMED));
    }
}
