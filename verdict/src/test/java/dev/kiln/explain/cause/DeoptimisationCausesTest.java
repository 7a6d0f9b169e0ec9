package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.cause.CauseServices.flagsToTry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Sample.JitSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Code that is left again and again, by a recording or by the last deoptimisations that the JVM kept: from evidence made by hand. */
class DeoptimisationCausesTest {
    private static Service deoptimising(String action, int perSecond, int compiledPerSecond) {
        Service service = Service.healthy();
        List<FlightDeoptimizations> rows = new ArrayList<>();
        List<FlightCompilations> compiled = new ArrayList<>();
        for (int t = 10; t < 70; t++) {
            rows.add(new FlightDeoptimizations(t * SECOND, "unstable_if", action, perSecond));
            compiled.add(new FlightCompilations(t * SECOND, 4, compiledPerSecond, 0, 1, 1, ""));
        }
        service.made.flight = Optional.of(
                HandMade.flight(new FlightDigest.FlightJit(compiled, List.of(), rows, List.of(), List.of())));
        return service;
    }

    /** As in openjdk/jdk#28966: 540,000 deoptimisations in ten seconds, and next to no compilation. */
    @Test
    void trapsThatChangeNoCodeAreRecompilationGivenUpAndNoStorm() {
        Service service = deoptimising("none", 54_000, 1);

        assertThat(service.held()).containsExactly("recompilation-given-up");
        assertThat(service.first("recompilation-given-up"))
                .isEqualTo("54,000.0 deoptimisations a second, 100 % of which changed no code, and 1.0 compilations");
        assertThat(service.first("deoptimisation-storm")).endsWith("but what they leave is not compiled again");
        assertThat(flagsToTry(service.finding("recompilation-given-up")))
                .contains("-XX:PerMethodRecompilationCutoff=10000");
        assertThat(deoptimising("", 54_000, 1).held())
                .as("earlier digests have no action")
                .containsExactly("recompilation-given-up");
        assertThat(deoptimising("reinterpret", 100, 50).held()).containsExactly("deoptimisation-storm");
        assertThat(deoptimising("", 100, 50).held()).containsExactly("deoptimisation-storm");
        assertThat(deoptimising("none", 40, 1).held()).isEmpty();
    }

    @Test
    void implicitExceptionsThatMayNotBeThrownFastHaveARemedyOfTheirOwn() {
        Service slow = deoptimising("none", 54_000, 1);
        slow.made.flags = List.of("-XX:-OmitStackTraceInFastThrow");
        Service fast = deoptimising("none", 54_000, 1);
        fast.made.flags = List.of("-XX:-OmitStackTraceInFastThrow", "-XX:+OmitStackTraceInFastThrow");

        assertThat(flagsToTry(slow.finding("recompilation-given-up"))).startsWith("-XX:+OmitStackTraceInFastThrow");
        assertThat(flagsToTry(fast.finding("recompilation-given-up")))
                .as("the last one counts")
                .startsWith("-XX:PerMethodRecompilationCutoff=10000");
    }

    /** The event came with JDK 14: before, no recording has one, however many there were. */
    @Test
    void aRecordingOfAJdkWithoutTheEventRulesNoDeoptimisationsOut() {
        Service old = deoptimising("none", 0, 1);
        old.made.flags = List.of("-Xmx1g");
        old.made.version = "11.0.22";
        Service now = deoptimising("none", 0, 1);
        now.made.flags = List.of("-Xmx1g");
        now.made.version = "17.0.15";

        assertThat(givenUp(old)).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(old.first("deoptimisation-storm")).doesNotContain("deoptimisations a second");
        assertThat(givenUp(now)).isEqualTo(FindingState.RULED_OUT);
    }

    private static Service costlier(double targetCpuBefore, double perSecond) {
        Service service = Service.of(seconds(60, perSecond), 1000);
        service.targetCpu = targetCpuBefore;
        return service;
    }

    @Test
    void withoutARecordingAStormIsNotRuledOutWhereRequestsCostMore() {
        Service costly = costlier(0.9, 500);
        Service alike = costlier(0.9, 1000);
        Service blind = costlier(0.9, 1000);
        blind.parts = false;

        assertThat(List.of(costly, alike, blind)).allSatisfy(service -> {
            assertThat(service.finding("recompilation-given-up").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
            assertThat(service.first("recompilation-given-up")).contains("--flight-recorder");
        });
        assertThat(costly.first("recompilation-given-up"))
                .contains("the JVM was not asked for the last ones")
                .endsWith("; a request cost 1.80 ms of CPU, and 0.900 ms in the last load");
        assertThat(costly.finding("deoptimisation-storm").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(blind.finding("deoptimisation-storm").state())
                .as("nothing to compare")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(alike.finding("deoptimisation-storm").state()).isEqualTo(FindingState.RULED_OUT);
        Service busy = costlier(0.9, 500);
        busy.compilations = 30;
        busy.level4PerSecond = 20;
        assertThat(busy.finding("deoptimisation-storm").state())
                .as("the compilers are at work, and keep what they make")
                .isEqualTo(FindingState.RULED_OUT);
    }

    /** A look every two seconds from second {@code from} on, before each of which came so many in that time. */
    private static Service looking(Service service, int from, int count, double within, boolean all, int none) {
        service.asked = false;
        for (int t = from; t < 105; t += 2) {
            service.made.jit.add(JitSample.at(t * SECOND)
                    .with(new JitState.Deoptimisations(
                            count,
                            nanos(within),
                            all,
                            none,
                            Optional.of(new JitState.Trap("unstable_if", none > 0 ? "none" : "reinterpret", "a.B.c@7"))
                                    .filter(trap -> count > 1))));
        }
        return service;
    }

    private static Service looking(int count, double within, boolean all, int none) {
        return looking(Service.healthy(), 1, count, within, all, none);
    }

    /** As JDK 17 and 25 told it of 50 implicit exceptions a request with -XX:-OmitStackTraceInFastThrow. */
    @Test
    void trapsThatTheJvmKeepsAreRecompilationGivenUpWithoutARecording() {
        Service service = looking(5, 0.002, false, 5);

        assertThat(service.held()).containsExactly("recompilation-given-up");
        assertThat(service.first("recompilation-given-up"))
                .isEqualTo(
                        "over 2,000 deoptimisations a second (2.0 for each request) by the last ones that the JVM kept,"
                                + " and 50 or more at 15 of 15 looks; 100 % of those that it kept changed no code; most often at"
                                + " a.B.c@7: unstable_if, action none");
        assertThat(service.first("deoptimisation-storm")).endsWith("but what they leave is not compiled again");
        assertThat(service.finding("deoptimisation-storm").state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** Which requests this process answered is not known. */
    @Test
    void deoptimisationsOfOneOfSeveralProcessesAreNotHeldAgainstTheRequestsOfAll() {
        assertThat(CodeKit.besideOthers("recompilation-given-up", looking(5, 0.002, false, 5)))
                .startsWith("over 2,000 deoptimisations a second by the last ones that the JVM kept, and 50");
    }

    @Test
    void trapsThatTheJvmKeepsAreAStormWithoutARecording() {
        Service service = looking(5, 0.02, false, 0);

        assertThat(service.held()).containsExactly("deoptimisation-storm");
        assertThat(service.first("deoptimisation-storm")).startsWith("200 deoptimisations a second (0.20 for each");
        assertThat(service.finding("deoptimisation-storm").title()).endsWith(", as much at the peak");
        assertThat(service.finding("recompilation-given-up").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(storm(looking(6, 0.099, false, 0))).isEqualTo(FindingState.CONFIRMED);
        assertThat(storm(looking(6, 0.101, false, 0))).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    private static FindingState storm(Service service) {
        return service.finding("deoptimisation-storm").state();
    }

    private static FindingState givenUp(Service service) {
        return service.finding("recompilation-given-up").state();
    }

    @Test
    void fewDeoptimisationsAreRuledOutOnlyWhereTheJvmHasForgottenNextToNone() {
        Service few = looking(1, 2, true, 0);
        Service forgotten = looking(5, 0.5, false, 0);

        assertThat(List.of(storm(few), givenUp(few))).containsOnly(FindingState.RULED_OUT);
        assertThat(few.first("recompilation-given-up"))
                .isEqualTo(
                        "0.50 deoptimisations a second (0.00050 for each request) by the last ones that the JVM kept,"
                                + " and 50 or more at 0 of 15 looks; 0 % of those that it kept changed no code");
        assertThat(List.of(storm(forgotten), givenUp(forgotten))).containsOnly(FindingState.NOT_OBSERVABLE);
        assertThat(forgotten.first("recompilation-given-up")).contains("--flight-recorder", "0 of 15 looks");
        assertThat(storm(looking(5, 1.65, false, 0))).as("80 % of the time").isEqualTo(FindingState.RULED_OUT);
        assertThat(storm(looking(5, 1.55, false, 0))).as("76 %").isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** Lets every so many looks, the first among them, find these deoptimisations. */
    private static void found(Service service, int step, JitState.Deoptimisations last) {
        List<JitSample> rows = service.made.jit;
        for (int i = 0; i < rows.size(); i += step) {
            JitSample row = rows.get(i);
            rows.set(
                    i,
                    new JitSample(
                            row.timeNanos(),
                            row.c1Queue(),
                            row.c2Queue(),
                            row.levels(),
                            Optional.of(last),
                            row.codeCache()));
        }
    }

    /** Eight of ten traps changed no code: too few looks to say which of the two causes it is, and too many for either alone. */
    @Test
    void wherePartOfTheTrapsChangesCodeNeitherIsSaid() {
        Service service = looking(5, 0.02, false, 5);
        found(service, 4, new JitState.Deoptimisations(5, nanos(0.02), false, 0, Optional.empty()));

        assertThat(storm(service)).isNotEqualTo(FindingState.CONFIRMED);
    }

    /** A burst of one look in eight is a thousand a second on average. */
    @Test
    void aBurstIsNotRuledOutByTheQuietAroundIt() {
        Service service = looking(1, 2, true, 0);
        found(service, 8, new JitState.Deoptimisations(5, nanos(0.0001), false, 5, Optional.empty()));

        assertThat(List.of(storm(service), givenUp(service))).containsOnly(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void fewLooksTellOfNoStorm() {
        assertThat(givenUp(looking(Service.healthy(), 65, 5, 0.002, false, 5))).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(givenUp(looking(Service.healthy(), 63, 5, 0.002, false, 5))).isEqualTo(FindingState.CONFIRMED);
    }

    /** Every fourth look finds a burst. */
    @Test
    void compilationsDoNotRuleOutAStormThatWasThereAtTimes() {
        Service bursts = looking(5, 0.5, false, 0);
        bursts.asked = true;
        bursts.compilations = 30;
        bursts.level4PerSecond = 20;
        found(bursts, 4, new JitState.Deoptimisations(5, nanos(0.01), false, 0, Optional.empty()));
        Service none = looking(5, 0.5, false, 0);
        none.asked = true;
        none.compilations = 30;
        none.level4PerSecond = 20;

        assertThat(storm(bursts)).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(bursts.first("deoptimisation-storm")).contains("at 4 of 15 looks", "--flight-recorder");
        assertThat(storm(none)).isEqualTo(FindingState.RULED_OUT);
    }

    /** What C2 has to compile again and again is why it starves. */
    @Test
    void aStormComesBeforeTheC2ThatItStarves() {
        Service starved = Service.of(seconds(60, 500), 1000).starved();
        Service service = looking(starved, 1, 5, 0.02, false, 0);

        assertThat(service.held()).startsWith("deoptimisation-storm").contains("c2-starved");
        assertThat(service.finding("deoptimisation-storm").explains()).isNotEmpty();
    }

    /** What a request costs is held against the same load as all else: the whole of the last one. */
    @Test
    void theCostOfARequestIsComparedWithTheWholeReference() {
        HandMade made = new HandMade("a", 1);
        made.backlog = 100;
        made.load("warmup", 10, HandMade.seconds(60, 1000)).pause("pause", 15);
        made.load("measure", 85, HandMade.then(HandMade.seconds(10, 500), HandMade.seconds(10, 1000)));

        assertThat(new Service(made).first("recompilation-given-up"))
                .endsWith("a request cost 0.900 ms of CPU, and 1.20 ms in the last load");
    }
}
