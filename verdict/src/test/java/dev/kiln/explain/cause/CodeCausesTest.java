package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.FlightDigest.QueueUse;
import dev.kiln.model.run.FlightDigest.ThrowableCount;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What requests run, as dumps, samples and the JVM's timers show it: from evidence made by hand, as {@link Service} has it. */
class CodeCausesTest {
    /** A service that is slower before the pause than after it. */
    private static Service slower() {
        return Service.of(seconds(60, 500), 1000);
    }

    /** Five dumps, in each of which so many of 20 running threads are in a family. */
    private static void dumps(Service service, int from, String family, int of) {
        for (int second = from; second < from + 5; second++) {
            running(service, second, of, "app.Stock.take:12", family);
            running(service, second, 20 - of, "app.Stock.sum:30", "");
        }
    }

    private static void running(Service service, int second, int threads, String frame, String family) {
        service.made.blocked.add(
                new BlockedSample(second * SECOND, "http", false, threads, WaitKind.RUNNABLE, frame, family));
    }

    private static FindingState state(Service service, String id) {
        return service.finding(id).state();
    }

    @ParameterizedTest
    @CsvSource({
        "exceptions, exceptions",
        "reflection, reflection",
        "logging, log-formatting",
        "class-loading, class-loading"
    })
    void whatRunningThreadsStandInIsNamedAndNothingElse(String family, String cause) {
        Service service = slower();
        dumps(service, 64, family, 12);
        dumps(service, 98, family, 0);

        assertThat(service.held()).containsExactly(cause);
        Finding finding = service.finding(cause);
        assertThat(finding.explains()).contains(Effect.BELOW_PEAK);
        assertThat(finding.evidence().getFirst().text())
                .startsWith("60 of 100 running threads in thread dumps ")
                .endsWith("(60 %, between 50 and 69)");
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .contains("most of them were called from app.Stock.take:12")
                .anyMatch(text -> text.contains("ms of a request") && text.contains("waiting for a CPU"));
        assertThat(finding.remedies()).isNotEmpty();
    }

    @Test
    void asMuchAtThePeakExplainsNothing() {
        Service same = slower();
        dumps(same, 64, "exceptions", 12);
        dumps(same, 98, "exceptions", 11);

        assertThat(same.finding("exceptions").explains()).doesNotContain(Effect.BELOW_PEAK);
        assertThat(same.finding("exceptions").title()).endsWith(", as much at the peak");
    }

    /** What C2 leaves slow makes all that runs dearer, and this as much as the rest. */
    @Test
    void aStarvedC2IsNoReasonToNameWhatRunsAsMuchAtThePeak() {
        Service starved = slower().starved();
        dumps(starved, 64, "logging", 12);
        dumps(starved, 98, "logging", 12);

        assertThat(starved.held().getFirst()).isEqualTo("c2-starved");
        assertThat(starved.finding("log-formatting").explains()).isEmpty();
    }

    @Test
    void aStarvedC2ComesFirst() {
        Service starved = slower().starved();
        starved.workerCpu = 0.95;
        dumps(starved, 64, "logging", 20);
        dumps(starved, 98, "logging", 0);

        assertThat(starved.held()).startsWith("c2-starved").contains("log-formatting");
    }

    /** Rows that a dump has no room for are of any pool. */
    @Test
    void threadsThatADumpCountsTogetherCountAsWell() {
        Service service = slower();
        for (int second = 64; second < 69; second++) {
            running(service, second, 12, "app.Stock.take:12", "exceptions");
            running(service, second, 8, "app.Stock.sum:30", "");
            service.made.blocked.add(new BlockedSample(second * SECOND, "", false, 30, WaitKind.RUNNABLE, "", ""));
        }

        assertThat(service.finding("exceptions").evidence().getFirst().text()).startsWith("60 of 250 running threads");
        assertThat(state(service, "exceptions")).as("between 19 and 30 %").isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void carriersWithoutTheirVirtualThreadsTellNothing() {
        Service service = slower();
        for (int second = 64; second < 74; second++) {
            service.made.blocked.add(
                    new BlockedSample(second * SECOND, "ForkJoinPool-1-worker", false, 16, WaitKind.RUNNABLE, "", ""));
        }

        assertThat(state(service, "exceptions")).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** What one source says at the end, another one at the peak: each misses another part. */
    @Test
    void theSameSourceIsHeldAgainstThePeak() {
        Service service = recorded("exceptions", 5, 25_000);
        dumps(service, 64, "exceptions", 9);

        assertThat(service.held()).containsExactly("exceptions");
        assertThat(service.finding("exceptions").explains()).isEmpty();
    }

    /** A quarter less is no difference if the few samples after the pause may have missed it. */
    @Test
    void theIntervalAfterThePauseCountsAsWell() {
        Service service = slower();
        dumps(service, 64, "exceptions", 9);
        for (int second = 98; second < 101; second++) {
            running(service, second, 2, "app.Stock.take:12", "exceptions");
            running(service, second, 5, "app.Stock.sum:30", "");
        }

        assertThat(service.finding("exceptions").title()).endsWith(", as much at the peak");
    }

    /** Half the CPU of a request was more than the whole request takes after the pause. */
    @Test
    void whatCostMoreThanTheWholeRequestDoesLaterHeldTheServiceBack() {
        Service service = slower();
        dumps(service, 64, "exceptions", 16);

        assertThat(service.finding("exceptions").explains()).contains(Effect.BELOW_PEAK);
        assertThat(service.finding("exceptions").evidence())
                .extracting(Proof::text)
                .anyMatch(
                        text -> text.startsWith("a request cost 0.80 ms of CPU after the pause, less than this alone"));
    }

    @Test
    void whereThePeakIsNotKnownItIsPresentAndNoMore() {
        Service service = slower();
        dumps(service, 64, "exceptions", 9);

        assertThat(service.held()).containsExactly("exceptions");
        assertThat(service.finding("exceptions").explains()).isEmpty();
        assertThat(service.finding("exceptions").evidence().getLast().text())
                .startsWith("too few samples after the pause");
    }

    @Test
    void theIntervalDecidesAndFewThreadsDecideNothing() {
        Service none = slower();
        dumps(none, 64, "exceptions", 0);
        Service few = slower();
        dumps(few, 64, "exceptions", 1);
        Service near = slower();
        dumps(near, 64, "exceptions", 4);
        Service one = slower();
        for (int second = 64; second < 69; second++) {
            running(one, second, 1, "app.Loop.run:" + second, "exceptions");
        }
        Service once = slower();
        running(once, 64, 14, "app.Loop.run:1", "");
        running(once, 64, 6, "app.Stock.take:12", "exceptions");

        assertThat(state(none, "exceptions")).as("at most 4 %").isEqualTo(FindingState.RULED_OUT);
        assertThat(state(few, "exceptions"))
                .as("at most 11 %, and dumps understate it")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(near, "exceptions")).as("20 % of 100").isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(one, "exceptions")).as("five threads").isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(once, "exceptions")).as("30 % in one dump").isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(Service.healthy(), "reflection")).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(Service.healthy().first("reflection")).contains("--flight-recorder");
    }

    /** Threads of one dump may stand alike by chance: 20 of them are worth 7, and 11 of 20 are at least 24 %. */
    @Test
    void oneDumpIsEnoughWhereItShowsMuch() {
        Service service = slower();
        running(service, 64, 9, "app.Loop.run:1", "");
        running(service, 64, 11, "app.Stock.take:12", "exceptions");

        assertThat(service.held()).containsExactly("exceptions");
        assertThat(service.first("exceptions")).contains("11 of 20 running threads", "55 %, between 24 and 83");
    }

    /** The interval of one dump after the pause is so wide that nearly any amount would be "as much". */
    @Test
    void oneDumpAfterThePauseSaysNotThatItTookAsMuch() {
        Service service = slower();
        dumps(service, 64, "exceptions", 9);
        running(service, 98, 11, "app.Loop.run:1", "");
        running(service, 98, 9, "app.Stock.take:12", "exceptions");

        assertThat(service.finding("exceptions").title()).doesNotContain("as much at the peak");
        assertThat(service.finding("exceptions").explains()).isEmpty();
    }

    /** It runs all the time, and no request needs it. */
    @Test
    void aThreadThatAlwaysStandsAtOnePlaceServesNoRequest() {
        Service service = slower();
        dumps(service, 64, "", 0);
        for (int second = 64; second < 69; second++) {
            for (int i = 0; i < 40; i++) {
                service.made.blocked.add(new BlockedSample(
                        second * SECOND,
                        "poll" + i + "x",
                        false,
                        1,
                        WaitKind.RUNNABLE,
                        "app.Poll.run:3",
                        "reflection"));
            }
        }

        assertThat(state(service, "reflection")).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void aServiceThatIsIdleIsNotHeldBackByWhatItRuns() {
        Service waits = idle(100);
        Service seldomAsked = idle(1);

        assertThat(waits.held()).containsExactly("database-limit");
        assertThat(waits.first("log-formatting")).endsWith(", but requests wait while the CPUs are idle");
        assertThat(seldomAsked.held()).isEmpty();
        assertThat(seldomAsked.first("log-formatting")).endsWith(", but that is 3.6 % of the target's CPUs");
    }

    private static Service idle(int inFlight) {
        Service idle = Service.of(seconds(60, 100), 100, inFlight);
        idle.workerCpu = 0.04;
        idle.workerWait = 0;
        idle.targetCpu = 0.04;
        idle.targetWait = 0;
        idle.targetBusy = 0.05;
        idle.loadCpu = 0.1;
        idle.database = false;
        dumps(idle, 64, "logging", 18);
        return idle;
    }

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

    /** @param of of 50 samples a second */
    private static Service closed(int of) {
        Service service = slower();
        List<FamilySamples> rows = new ArrayList<>();
        for (int t = 110; t < 115; t++) {
            rows.add(new FamilySamples(t * SECOND, CodeFamily.named("exceptions"), "app.Stock.take", of));
            rows.add(new FamilySamples(t * SECOND, Optional.empty(), "", 50 - of));
        }
        service.made.flight = Optional.empty();
        service.made.closing = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(List.of(), List.of(), rows, List.of()),
                List.of()));
        return service;
    }

    /** @param of of 50 samples a second before the pause */
    private static Service recorded(String family, int of, long throwablesPerSecond) {
        Service service = slower();
        List<FamilySamples> rows = new ArrayList<>();
        List<ThrowableCount> thrown = new ArrayList<>();
        List<QueueUse> queues = new ArrayList<>();
        for (int t = 0; t < 105; t++) {
            int mine = t < 70 ? of : 0;
            rows.add(new FamilySamples(t * SECOND, CodeFamily.named(family), "app.Stock.take", mine));
            rows.add(new FamilySamples(t * SECOND, Optional.empty(), "", 50 - mine));
            queues.add(new QueueUse(t * SECOND, "C2", 0, 0, 0, 0));
            if (throwablesPerSecond >= 0) {
                thrown.add(new ThrowableCount(t * SECOND, throwablesPerSecond * t));
            }
        }
        service.made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), queues, List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(List.of(), List.of(), rows, thrown),
                List.of()));
        return service;
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
            compiled.add(new FlightCompilations(t * SECOND, 4, 1, 0, 1, 1));
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
        service.targetWaitAfter = 8;
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
