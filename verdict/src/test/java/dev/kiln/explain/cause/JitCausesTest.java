package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.cause.CauseServices.flagsToTry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.FlightDigest.QueueUse;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Causes that lie in what is compiled, and in what is not: from evidence made by hand, as {@link Service} has it. */
class JitCausesTest {
    private static FlightDigest hot(HotMethod... methods) {
        List<TierShare> tiers = new ArrayList<>();
        List<QueueUse> queues = new ArrayList<>();
        for (int t = 0; t < 105; t++) {
            tiers.add(new TierShare(t * SECOND, 10, 10, 20, 10, 0));
            queues.add(new QueueUse(t * SECOND, "C2", 0, 0, 0, 0));
        }
        return new FlightDigest(
                new FlightDigest.FlightJit(List.of(), queues, List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(tiers, List.of(methods), List.of(), List.of()),
                List.of());
    }

    private static Service recorded(HotMethod... methods) {
        Service service = Service.healthy();
        service.queue = 0;
        service.made.flight = Optional.of(hot(methods));
        return service;
    }

    private static HotMethod at(int second, int interpreted, int c1, int c2, int level) {
        return new HotMethod(nanos(second), "a.Huge.run", interpreted, c1, c2, level, 0);
    }

    @Test
    void aHotMethodThatIsNeverCompiledIsPresentAndExplainsNoDifference() {
        Finding huge = recorded(at(50, 100, 0, 0, 0), at(60, 150, 0, 0, 0)).finding("never-compiled");

        assertThat(huge.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(huge.explains()).isEmpty();
        assertThat(huge.weight()).isCloseTo(0.25, within(1e-9));
        assertThat(huge.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly("a.Huge.run had 25 % of the samples at the end, interpreted, and never compiled");
        assertThat(flagsToTry(huge)).containsExactly("-XX:-DontCompileHugeMethods");
        Finding left = recorded(at(50, 5, 60, 0, 3), at(60, 0, 60, 0, 3)).finding("never-compiled");
        assertThat(left.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "a.Huge.run had 13 % of the samples at the end, code of C1, while C2 was idle and no method"
                                + " waited for it: C2 gave it up");
        assertThat(flagsToTry(left)).isEmpty();
    }

    /** No recording has the size of a method: only a bytecode beyond the limit shows that it is too large. */
    @Test
    void whatAFlagLeavesOutIsCuredByLeavingOutTheFlag() {
        Service excluded = recorded(at(50, 100, 0, 0, 0), at(60, 150, 0, 0, 0));
        excluded.made.flags = List.of("-XX:CompileCommand=exclude,a.Huge::run");

        assertThat(whats(excluded)).containsExactly("start it without -XX:CompileCommand=exclude,a.Huge::run");
        assertThat(whats(recorded(at(50, 100, 0, 0, 0), at(60, 150, 0, 0, 0))).getFirst())
                .startsWith("look at the size of the method");
        assertThat(whats(closed(new HotMethod(nanos(110), "a.Huge.run", 250, 0, 0, 0, 9_312)))
                        .getFirst())
                .startsWith("split the method");
    }

    private static List<String> whats(Service service) {
        return service.finding("never-compiled").remedies().stream()
                .map(Finding.FindingRemedy::what)
                .toList();
    }

    @Test
    void aMethodThatIsCompiledOrColdOrWaitsForC2IsNotCalledNeverCompiled() {
        assertThat(state(recorded(at(50, 100, 0, 0, 0), at(60, 10, 50, 900, 4))))
                .isEqualTo(FindingState.RULED_OUT);
        assertThat(state(recorded(at(50, 20, 0, 0, 0), at(60, 29, 0, 0, 0)))).isEqualTo(FindingState.RULED_OUT);
        assertThat(state(recorded(at(20, 900, 0, 0, 0), at(60, 1, 0, 0, 0)))).isEqualTo(FindingState.RULED_OUT);
        Service waiting = recorded(at(50, 0, 60, 0, 3), at(60, 0, 60, 0, 3));
        waiting.queue = 20;
        assertThat(state(waiting)).isEqualTo(FindingState.NOT_OBSERVABLE);
        Service interpreted = recorded(at(50, 900, 0, 0, 0));
        interpreted.made.flags = List.of("-Xint");
        assertThat(interpreted.held()).containsExactly("compilation-limited");
    }

    /** C1 that waits for a CPU, as under a limit, comes to a method late; one that is too large it never takes. */
    @Test
    void aMethodMayWaitForC1OrForRoomInTheCodeCache() {
        Service late = recorded(at(50, 100, 0, 0, 0), at(60, 150, 0, 0, 0));
        Service huge = recorded(new HotMethod(nanos(60), "a.Huge.run", 250, 0, 0, 0, 9_312));
        for (Service service : List.of(late, huge)) {
            for (int t = 0; t <= 105; t++) {
                service.made.thread(t, 4, "C1 CompilerThre", ThreadRole.C1, 0.1 * t, 0.5 * t);
            }
        }
        Service noRoom = recorded(at(50, 100, 0, 0, 0), at(60, 150, 0, 0, 0));
        noRoom.codeStopped = 1;

        assertThat(state(late)).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(late.first("never-compiled"))
                .endsWith("whether it waited for a compiler, or for room, is not known");
        assertThat(state(huge)).isEqualTo(FindingState.CONFIRMED);
        assertThat(state(noRoom)).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    private static FindingState state(Service service) {
        return service.finding("never-compiled").state();
    }

    private static Service closed(HotMethod... methods) {
        Service service = Service.healthy();
        List<TierShare> tiers = new ArrayList<>();
        for (int t = 110; t < 115; t++) {
            tiers.add(new TierShare(t * SECOND, 40, 40, 80, 40, 0));
        }
        service.made.closing = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(tiers, List.of(methods), List.of(), List.of()),
                List.of()));
        return service;
    }

    /** The recording that is made when all else was measured shows what runs, and not how much it was before. */
    @Test
    void theClosingRecordingShowsAMethodThatIsTooLargeToBeCompiled() {
        Finding huge = closed(new HotMethod(nanos(110), "a.Huge.run", 250, 0, 0, 0, 9_312))
                .finding("never-compiled");

        assertThat(huge.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(huge.explains()).isEmpty();
        assertThat(huge.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "a.Huge.run had 25 % of the samples in the load that went on under a recording from second"
                                + " 100 on (closing/recording.jfr), interpreted, and the JVM had no compiled code of it; it was"
                                + " found at its byte 9,312, and HotSpot compiles no method of over 8,000 bytes");
        assertThat(flagsToTry(huge)).containsExactly("-XX:-DontCompileHugeMethods");
        Service busy = closed(at(110, 250, 0, 0, 0));
        assertThat(state(busy))
                .as("how long it is was not seen, and methods waited for C2")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        Service idle = closed(at(110, 250, 0, 0, 0));
        idle.queue = 0;
        assertThat(idle.first("never-compiled")).endsWith("and the JVM had no compiled code of it");
    }

    @Test
    void theClosingRecordingConfirmsNothingOfMethodsWithCodeAndRulesOutOnlyWhatItShows() {
        assertThat(state(closed(at(110, 100, 0, 150, 4)))).isEqualTo(FindingState.RULED_OUT);
        assertThat(closed(at(110, 10, 0, 150, 4)).first("never-compiled"))
                .startsWith(
                        "no method with 5 % of the samples was interpreted, or left to C1, in the load that went on");
        assertThat(state(closed(at(110, 0, 200, 0, 3))))
                .as("whether C2 was idle was not recorded")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(closed(new HotMethod(nanos(110), "jdk.jfr.internal.Poll.run", 500, 0, 0, 0, 0))))
                .as("the recorder")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(closed())).isEqualTo(FindingState.NOT_OBSERVABLE);
        Service full = closed(at(110, 250, 0, 0, 0));
        full.codeFull = 2;
        assertThat(full.held()).as("there was no room for its code").containsExactly("code-cache-full");
        Service both = recorded(at(50, 100, 50, 900, 4));
        both.made.closing = closed(at(110, 250, 0, 0, 0)).made.closing;
        assertThat(both.first("never-compiled")).doesNotContain("closing");
    }

    @Test
    void withoutARecordingItIsSaidWhatWouldShowIt() {
        Service service = Service.healthy();
        service.evidence();
        service.made.compiler.replaceAll(row -> new CompilerSample(
                row.timeNanos(), row.compilations(), 0, row.compileNanos(), 0, row.timeNanos() / SECOND / 21, 0));
        Finding finding = RunDigest.of(service.made.evidence(), AnalysisConfig.defaults()).findings().stream()
                .filter(one -> one.id().equals("never-compiled"))
                .findFirst()
                .orElseThrow();

        assertThat(finding.state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(finding.evidence().getFirst().text())
                .contains("--flight-recorder")
                .endsWith("the JVM gave up 5 compilations (bailouts), which need not be of hot methods");
        assertThat(Service.healthy().first("never-compiled")).doesNotContain("bailouts");
    }

    /** One carrier, and beside it the timer of virtual threads under the same name. */
    private static Service carriers(double perSecond, double blocksPerSecond) {
        Service service = Service.of(seconds(60, perSecond), 1000);
        service.pool = "ForkJoinPool-1-";
        service.workerCpu = 0.95;
        service.workerWait = 0.01;
        service.workerInvoluntary = 544;
        service.workerVoluntary = blocksPerSecond;
        service.evidence();
        for (int t = 0; t <= 105; t++) {
            service.made.threads.add(new ThreadSample(
                    t * SECOND,
                    7,
                    "ForkJoinPool-1-",
                    ThreadRole.WORKER,
                    nanos(0.002 * t),
                    0,
                    0,
                    2000L * t,
                    t,
                    ThreadState.NOT_RECORDED));
        }
        return service;
    }

    private static Finding spinning(Service service) {
        return RunDigest.of(service.made.evidence(), AnalysisConfig.defaults()).findings().stream()
                .filter(finding -> finding.id().equals("spinning"))
                .findFirst()
                .orElseThrow();
    }

    /** As in HikariCP#2398: virtual threads yield to each other, and none gets on. */
    @Test
    void carriersAtFullLoadThatServeNextToNothingSpin() {
        Finding spinning = spinning(carriers(17, 2));

        assertThat(spinning.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(spinning.explains()).isNotEmpty();
        assertThat(spinning.weight()).isCloseTo(0.95, within(0.01));
        assertThat(spinning.evidence().getFirst().text())
                .startsWith(
                        "carriers of virtual threads used 95 % of the CPUs and blocked 2 times a second; a request cost");
        assertThat(spinning(carriers(1000, 2)).state())
                .as("busy, and a request costs what it costs in the reference: both may spin")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(spinning(carriers(17, 100)).state()).as("they block").isEqualTo(FindingState.RULED_OUT);
        Service blind = carriers(17, 2);
        blind.made.parts.clear();
        assertThat(spinning(blind).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void samplesTellWhetherCarriersSpin() {
        Service spins = carriers(17, 2);
        spins.made.flight =
                Optional.of(hot(new HotMethod(nanos(50), "jdk.internal.vm.Continuation.yield", 0, 0, 500, 4, 0)));
        Service works = carriers(17, 2);
        works.made.flight = Optional.of(hot(new HotMethod(nanos(50), "a.B.work", 0, 0, 900, 4, 0)));

        assertThat(spinning(spins).state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(spinning(spins).evidence().getFirst().text())
                .endsWith("; 32 % of the samples were in the scheduler of virtual threads");
        assertThat(spinning(works).state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** As JDK 25 was on one CPU: the timer takes a quarter of it, and blocks 18,500 times a second. */
    @Test
    void aBusyTimerOfVirtualThreadsIsNoCarrierThatBlocks() {
        Service spins = Service.of(seconds(60, 1000), 1000);
        spins.pool = "ForkJoinPool-1-";
        spins.workerCpu = 0.756;
        spins.workerWait = 0.241;
        spins.workerInvoluntary = 18_500;
        spins.workerVoluntary = 27;
        spins.evidence();
        for (int t = 0; t <= 105; t++) {
            spins.made.threads.add(new ThreadSample(
                    t * SECOND,
                    7,
                    "ForkJoinPool-1-",
                    ThreadRole.WORKER,
                    nanos(0.237 * t),
                    nanos(0.236 * t),
                    0,
                    18_500L * t,
                    t,
                    ThreadState.NOT_RECORDED));
        }
        spins.made.closing =
                Optional.of(hot(new HotMethod(nanos(106), "java.lang.VirtualThread.afterYield", 0, 0, 1700, 4, 0)));

        assertThat(spinning(spins).state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(spinning(spins).evidence().getFirst().text())
                .startsWith("carriers of virtual threads used 99 % of the CPUs and blocked 27 times a second");
    }

    /** What spins in both loads costs as much in both. */
    @Test
    void theClosingRecordingShowsThatCarriersSpinThroughout() {
        Service spins = carriers(1000, 2);
        spins.made.closing =
                Optional.of(hot(new HotMethod(nanos(106), "java.lang.VirtualThread.tryYield", 0, 0, 1700, 4, 0)));
        Service works = carriers(1000, 2);
        works.made.closing = Optional.of(hot(new HotMethod(nanos(106), "a.B.work", 0, 0, 900, 4, 0)));

        assertThat(spinning(spins).state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(spinning(spins).explains()).isEmpty();
        assertThat(spinning(spins).evidence().getFirst().text()).contains("closing/recording.jfr");
        assertThat(spinning(works).state()).isEqualTo(FindingState.RULED_OUT);
        Service cheaper = carriers(500, 2);
        cheaper.made.closing = works.made.closing;
        assertThat(spinning(cheaper).state())
                .as("a request cost twice the CPU before: it may have spun then")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
    }
}
