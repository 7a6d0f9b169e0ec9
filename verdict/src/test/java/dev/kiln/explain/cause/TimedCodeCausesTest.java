package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.cause.CodeKit.besideOthers;
import static dev.kiln.explain.cause.CodeKit.closed;
import static dev.kiln.explain.cause.CodeKit.dumps;
import static dev.kiln.explain.cause.CodeKit.recorded;
import static dev.kiln.explain.cause.CodeKit.slower;
import static dev.kiln.explain.cause.CodeKit.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.Sample.ClassSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What requests run, as samples of a recording and the JVM's timers show it: from evidence made by hand, as {@link Service} has it. */
class TimedCodeCausesTest {
    /** What it took before was not recorded, so it explains nothing, and is not ruled out where there was none of it. */
    @Test
    void theClosingRecordingSaysThatAFamilyIsPresent() {
        Service present = closed(30);

        assertThat(present.finding("exceptions").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(present.finding("exceptions").explains()).isEmpty();
        assertThat(present.finding("exceptions").evidence())
                .extracting(Proof::text)
                .hasSize(2)
                .last()
                .isEqualTo("most of them were called from app.Stock.take");
        assertThat(present.first("exceptions"))
                .contains("150 of 250 samples ", "(closing/recording.jfr); what it took before was not recorded");
        assertThat(state(closed(0), "exceptions")).isEqualTo(FindingState.NOT_OBSERVABLE);
        Service dumped = closed(30);
        dumps(dumped, 64, "exceptions", 0);
        assertThat(state(dumped, "exceptions"))
                .as("thread dumps at the end of the load decide where they can")
                .isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void samplesOfARecordingTellItWithThrowablesPerRequest() {
        Service service = recorded("exceptions", 30, 25_000);

        assertThat(service.held()).containsExactly("exceptions");
        assertThat(service.first("exceptions"))
                .isEqualTo("450 of 750 samples made an exception, or read the trace of one (60 %, between 56 and 63)");
        assertThat(service.finding("exceptions").evidence())
                .extracting(Finding.Proof::text)
                .contains("most of them were called from app.Stock.take", "50.0 throwables were made for each request");
        assertThat(recorded("reflection", 30, -1).held()).containsExactly("reflection");
    }

    @Test
    void throwablesOfOneOfSeveralProcessesAreNotHeldAgainstTheRequestsOfAll() {
        assertThat(besideOthers("exceptions", recorded("exceptions", 30, 25_000)))
                .contains("most of them were called from app.Stock.take")
                .doesNotContain("for each request");
    }

    /** A recording does not sample threads that are inside the JVM. */
    @Test
    void aRecordingRulesExceptionsOutOnlyWhereFewAreThrown() {
        assertThat(state(recorded("exceptions", 1, 25_000), "exceptions")).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(recorded("exceptions", 1, -1), "exceptions")).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(recorded("exceptions", 1, 10), "exceptions")).isEqualTo(FindingState.RULED_OUT);
        assertThat(state(recorded("reflection", 1, -1), "reflection")).isEqualTo(FindingState.RULED_OUT);
        assertThat(state(recorded("logging", 4, -1), "log-formatting"))
                .as("8 %, and the stacks of its lines are walked inside the JVM")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        Service dumped = recorded("exceptions", 1, 25_000);
        dumps(dumped, 64, "exceptions", 12);
        dumps(dumped, 98, "exceptions", 0);
        assertThat(dumped.held()).as("dumps see them").containsExactly("exceptions");
        assertThat(dumped.finding("exceptions").explains()).contains(Effect.BELOW_PEAK);
    }

    @Test
    void exceptionsThatLeaveCompiledCodeAreRecompilationGivenUp() {
        Service service = recorded("exceptions", 30, 50_000);
        FlightDigest samples = service.made.flight.orElseThrow();
        List<FlightDeoptimizations> traps = new ArrayList<>();
        List<FlightCompilations> compiled = new ArrayList<>();
        for (int t = 0; t < 105; t++) {
            traps.add(new FlightDeoptimizations(t * SECOND, "range_check", "none", t < 70 ? 48_000 : 0));
            compiled.add(new FlightCompilations(t * SECOND, 4, 1, 0, 1, 1, ""));
        }
        service.made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(compiled, List.of(), traps, List.of(), List.of()),
                samples.collector(),
                samples.samples(),
                List.of()));

        assertThat(service.held()).containsExactly("recompilation-given-up");
        assertThat(service.first("exceptions")).endsWith("are made where compiled code is left, which is the cause");
    }

    /** Twenty connections on one CPU always have many: more of them wait because requests take longer. */
    @Test
    void aCrowdOfRunnableThreadsGivesWayToWhatRequestsCost() {
        Service service = slower();
        service.workerWait = 18;
        service.targetWait = 18;
        service.targetWaitAfter = 4;
        dumps(service, 64, "exceptions", 12);
        dumps(service, 98, "exceptions", 0);
        Service starved = slower();
        starved.workerWait = 18;
        starved.targetWait = 18;
        starved.targetWaitAfter = 8;
        starved.c2Cpu = 0.05;
        starved.c2Wait = 0.45;
        dumps(starved, 64, "exceptions", 12);
        dumps(starved, 98, "exceptions", 0);

        assertThat(service.held()).containsExactly("exceptions");
        assertThat(service.first("too-many-runnable")).contains("requests spend their CPU on exceptions");
        assertThat(starved.held()).contains("too-many-runnable");
    }

    /** The JVM's timers, which grow by so many seconds a second until the pause, and by others after it. */
    private static Service loading(double before, double after) {
        Service service = slower();
        for (int t = 0; t <= 105; t++) {
            service.made.classes.add(new ClassSample(
                    t * SECOND,
                    Math.round(1000 + 2000 * before * t),
                    nanos(before * Math.min(t, 70) + after * Math.max(0, t - 70))));
        }
        return service;
    }

    @Test
    void timeInClassLoadingIsHeldAgainstTheTimeThatThreadsRunOrWantTo() {
        Service service = loading(0.6, 0);

        assertThat(service.held()).containsExactly("class-loading");
        assertThat(service.finding("class-loading").explains()).contains(Effect.BELOW_PEAK);
        assertThat(service.first("class-loading"))
                .startsWith("1,200 classes were loaded a second, which took 59 % of the time");
        assertThat(loading(0.6, 0.6).finding("class-loading").explains())
                .as("as much at the peak")
                .isEmpty();
        assertThat(state(loading(0.1, 0), "class-loading")).isEqualTo(FindingState.RULED_OUT);
        assertThat(state(slower(), "class-loading")).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** The timers do not have what finding and making a class takes, and a warm service loads none. */
    @Test
    void ofClassesForEachRequestATenthOfTheTimeIsEnough() {
        assertThat(endless(0.12, 5000).held()).containsExactly("class-loading");
        assertThat(endless(0.12, 5000).first("class-loading")).startsWith("5,000 classes were loaded a second");
        assertThat(state(endless(0.12, 50), "class-loading"))
                .as("less than one for each request")
                .isEqualTo(FindingState.RULED_OUT);
        assertThat(state(endless(0.05, 5000), "class-loading")).isEqualTo(FindingState.RULED_OUT);
    }

    private static Service endless(double busy, long perSecond) {
        Service service = slower();
        for (int t = 0; t <= 105; t++) {
            service.made.classes.add(new ClassSample(t * SECOND, perSecond * t, nanos(busy * t)));
        }
        return service;
    }

    /** The timers go on while a thread waits for a CPU, or stands by a limit. */
    @Test
    void whereThatTimeIsNotKnownTheTimersTellNothing() {
        Service unknown = loading(0.6, 0);
        unknown.c2Wait = 0;
        unknown.workerWait = 0;
        unknown.targetWait = 0;
        Service limited = loading(0.6, 0);
        limited.periods = 10;
        limited.throttledPeriods = 9;

        assertThat(state(unknown, "class-loading")).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(limited.held()).contains("cgroup-throttling").doesNotContain("class-loading");
    }

    @Test
    void withoutTimersAfterThePauseItIsPresentAndNoMore() {
        Service service = loading(0.6, 0);
        service.made.classes.removeIf(sample -> sample.timeNanos() > 72 * SECOND);

        assertThat(state(service, "class-loading")).isEqualTo(FindingState.CONFIRMED);
        assertThat(service.finding("class-loading").explains()).isEmpty();
    }

    /** Every service loads classes at first; at the end of the load that is over, and holds nothing back there. */
    @Test
    void classesOfTheFirstRequestsAreToldAndNoCause() {
        Service service = Service.healthy();
        for (int t = 0; t <= 105; t++) {
            service.made.classes.add(new ClassSample(t * SECOND, 1000, nanos(0.4 * Math.min(t, 20))));
        }

        assertThat(service.held()).isEmpty();
        assertThat(service.finding("class-loading").evidence())
                .extracting(Finding.Proof::text)
                .anyMatch(text -> text.startsWith("in the first seconds it took about 0.40 of the "));
    }
}
