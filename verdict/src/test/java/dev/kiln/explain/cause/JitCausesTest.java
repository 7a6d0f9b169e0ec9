package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunDigest;
import dev.kiln.explain.Service;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.FlightDigest.QueueUse;
import dev.kiln.model.run.FlightDigest.TierShare;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.JitSample.CodeCacheFill;
import dev.kiln.model.run.Sample.JitSample.CodeHeap;
import dev.kiln.model.run.Sample.JitSample.HeapKind;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Causes that lie in what is compiled, and in what is not: from evidence made by hand, as {@link Service} has it. */
class JitCausesTest {
    private static Service flagged(String... flags) {
        Service service = Service.healthy();
        service.made.flags = List.of(flags);
        return service;
    }

    private static List<String> flagsToTry(Finding finding) {
        return finding.remedies().stream()
                .flatMap(remedy -> remedy.change().stream())
                .map(Change::jvmFlags)
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void whatKeepsMethodsFromCompilersIsPresentAndExplainsNoDifference() {
        Finding interpreted = flagged("-Xint").finding("compilation-limited");

        assertThat(interpreted.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(interpreted.explains()).isEmpty();
        assertThat(interpreted.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "-Xint is in force: methods are interpreted and never compiled; the peak, too, is that of"
                                + " interpreted code");
        assertThat(flagsToTry(interpreted)).containsExactly("-Xmixed");
        assertThat(flagged("-XX:TieredStopAtLevel=1").first("compilation-limited"))
                .isEqualTo(
                        "-XX:TieredStopAtLevel=1 is in force: C1 compiles, and C2 does not; the peak, too, is that of C1"
                                + " code");
        assertThat(flagged("-XX:CompileThresholdScaling=20").first("compilation-limited"))
                .endsWith("methods are compiled after 20 times as many calls and loops as usual");
        assertThat(flagged("-XX:-TieredCompilation", "-XX:CompileThreshold=100000")
                        .held())
                .containsExactly("compilation-limited");
        assertThat(flagged("-XX:CompileCommand=exclude,a.B::c").held()).containsExactly("compilation-limited");
        assertThat(flagged("-agentlib:jdwp=transport=dt_socket,server=y").held())
                .containsExactly("compilation-limited");
        Service wide = flagged("-XX:CICompilerCount=2");
        wide.made.on(new CpuAssignment(List.of(0, 1, 2, 3), List.of(4), List.of(4), true, List.of()));
        wide.made.inForce = List.of("-XX:ParallelGCThreads=4");
        assertThat(wide.finding("compilation-limited").state()).isEqualTo(FindingState.CONFIRMED);
    }

    @Test
    void whatLimitsNothingIsRuledOutAndUnknownFlagsAreNotObservable() {
        for (String flag : List.of(
                "-XX:-TieredCompilation",
                "-XX:TieredStopAtLevel=4",
                "-XX:CompileThresholdScaling=1.5",
                "-XX:CompileThreshold=100000",
                "-XX:CICompilerCount=2",
                "-XX:CompileCommand=quiet",
                "-javaagent:jdwp.jar")) {
            assertThat(flagged(flag).finding("compilation-limited").state())
                    .as(flag)
                    .isEqualTo(FindingState.RULED_OUT);
        }
        assertThat(flagged("-Xint", "-Xmixed").held()).as("the last one counts").isEmpty();
        assertThat(flagged().finding("compilation-limited").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void aPeakWithoutC2IsSaidToBeOne() {
        assertThat(verdict(flagged("-XX:TieredStopAtLevel=1")))
                .isEqualTo(new Verdict.Peaked(false, Verdict.PeakCode.C1));
        assertThat(verdict(flagged("-Xint"))).isEqualTo(new Verdict.Peaked(false, Verdict.PeakCode.INTERPRETED));
        assertThat(verdict(Service.healthy())).isEqualTo(new Verdict.Peaked(false, Verdict.PeakCode.ANY));
    }

    private static Verdict verdict(Service service) {
        service.evidence();
        return HandMade.assess(service.made)
                .variants()
                .getFirst()
                .runs()
                .getFirst()
                .explanation()
                .verdict();
    }

    /** Twenty connections on one CPU always have many runnable threads. */
    @Test
    void manyRunnableThreadsAreNoCauseWhereTheyTakeNothingFromC2() {
        Service interpreted = flagged("-Xint");
        interpreted.workerWait = 18;
        interpreted.targetWait = 18;
        interpreted.evidence();
        interpreted.made.threads.removeIf(thread -> thread.role() == ThreadRole.C2);
        Service served = Service.healthy();
        served.workerWait = 18;
        served.targetWait = 18;
        Service waits = Service.healthy();
        waits.workerWait = 18;
        waits.targetWait = 18;
        waits.targetWaitAfter = 0.5;
        waits.c2Cpu = 0.05;
        waits.c2Wait = 0.45;

        assertThat(interpreted.held()).containsExactly("compilation-limited");
        assertThat(served.held()).isEmpty();
        assertThat(served.finding("too-many-runnable").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(waits.held()).as("C2 waited with work to do").containsExactly("too-many-runnable");
    }

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
                new FlightDigest.FlightSamples(tiers, List.of(methods)),
                List.of());
    }

    private static Service recorded(HotMethod... methods) {
        Service service = Service.healthy();
        service.queue = 0;
        service.made.flight = Optional.of(hot(methods));
        return service;
    }

    private static HotMethod at(int second, int interpreted, int c1, int c2, int level) {
        return new HotMethod(nanos(second), "a.Huge.run", interpreted, c1, c2, level);
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
                new FlightDigest.FlightSamples(tiers, List.of(methods)),
                List.of()));
        return service;
    }

    /** The recording that is made when all else was measured shows what runs, and not how much it was before. */
    @Test
    void theClosingRecordingShowsAMethodThatIsTooLargeToBeCompiled() {
        Finding huge = closed(new HotMethod(nanos(110), "a.Huge.run", 250, 0, 0, 0, 9_312)).finding("never-compiled");

        assertThat(huge.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(huge.explains()).isEmpty();
        assertThat(huge.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly("a.Huge.run had 25 % of the samples in the load that went on under a recording from second"
                        + " 100 on (closing/recording.jfr), interpreted, and the JVM had no compiled code of it; it was"
                        + " found at its byte 9,312, and HotSpot compiles no method of over 8,000 bytes");
        assertThat(flagsToTry(huge)).containsExactly("-XX:-DontCompileHugeMethods");
        assertThat(closed(at(110, 250, 0, 0, 0)).first("never-compiled"))
                .as("how long it is was not seen")
                .endsWith("and the JVM had no compiled code of it");
    }

    @Test
    void theClosingRecordingConfirmsNothingOfMethodsWithCodeAndRulesOutOnlyWhatItShows() {
        assertThat(state(closed(at(110, 100, 0, 150, 4)))).isEqualTo(FindingState.RULED_OUT);
        assertThat(closed(at(110, 10, 0, 150, 4)).first("never-compiled"))
                .startsWith("no method with 5 % of the samples was interpreted, or left to C1, in the load that went on");
        assertThat(state(closed(at(110, 0, 200, 0, 3))))
                .as("whether C2 was idle was not recorded")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(closed(new HotMethod(nanos(110), "jdk.jfr.internal.Poll.run", 500, 0, 0, 0))))
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

    private static Service deoptimising(String action, int perSecond, int compiledPerSecond) {
        Service service = Service.healthy();
        List<FlightDeoptimizations> rows = new ArrayList<>();
        List<FlightCompilations> compiled = new ArrayList<>();
        for (int t = 10; t < 70; t++) {
            rows.add(new FlightDeoptimizations(t * SECOND, "unstable_if", action, perSecond));
            compiled.add(new FlightCompilations(t * SECOND, 4, compiledPerSecond, 0, 1, 1));
        }
        service.made.flight = Optional.of(new FlightDigest(compiled, List.of(), rows, List.of(), List.of(), List.of()));
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
            service.made.jit.add(new JitSample(
                    t * SECOND,
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    Optional.of(new JitSample.Deoptimisations(
                            count,
                            nanos(within),
                            all,
                            none,
                            Optional.of(new JitSample.Trap("unstable_if", none > 0 ? "none" : "reinterpret", "a.B.c@7"))
                                    .filter(trap -> count > 1))),
                    Optional.empty()));
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

    /** Eight of ten traps changed no code: too few looks to say which of the two causes it is, and too many for either alone. */
    @Test
    void wherePartOfTheTrapsChangesCodeNeitherIsSaid() {
        Service service = looking(5, 0.02, false, 5);
        List<JitSample> rows = service.made.jit;
        for (int i = 0; i < rows.size(); i += 4) {
            JitSample row = rows.get(i);
            rows.set(
                    i,
                    new JitSample(
                            row.timeNanos(),
                            row.c1Queue(),
                            row.c2Queue(),
                            row.levels(),
                            Optional.of(new JitSample.Deoptimisations(5, nanos(0.02), false, 0, Optional.empty())),
                            row.codeCache()));
        }

        assertThat(storm(service)).isNotEqualTo(FindingState.CONFIRMED);
    }

    /** A burst of one look in eight is a thousand a second on average. */
    @Test
    void aBurstIsNotRuledOutByTheQuietAroundIt() {
        Service service = looking(1, 2, true, 0);
        List<JitSample> rows = service.made.jit;
        for (int i = 0; i < rows.size(); i += 8) {
            JitSample row = rows.get(i);
            rows.set(
                    i,
                    new JitSample(
                            row.timeNanos(),
                            row.c1Queue(),
                            row.c2Queue(),
                            row.levels(),
                            Optional.of(new JitSample.Deoptimisations(5, nanos(0.0001), false, 5, Optional.empty())),
                            row.codeCache()));
        }

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
        List<JitSample> rows = bursts.made.jit;
        for (int i = 0; i < rows.size(); i += 4) {
            JitSample row = rows.get(i);
            rows.set(
                    i,
                    new JitSample(
                            row.timeNanos(),
                            row.c1Queue(),
                            row.c2Queue(),
                            row.levels(),
                            Optional.of(new JitSample.Deoptimisations(5, nanos(0.01), false, 0, Optional.empty())),
                            row.codeCache()));
        }
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

    private static JitSample cache(double at, double usedMib, double sizeMib, CodeHeap... heaps) {
        return new JitSample(
                nanos(at),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.of(new JitSample.CodeLevels(100, 600, 400, 800)),
                Optional.of(new CodeCacheFill(mib(usedMib), mib(sizeMib), 0, 0, List.of(heaps))));
    }

    private static long mib(double mib) {
        return Math.round(mib * (1 << 20));
    }

    private static CodeHeap heap(HeapKind kind, double usedMib, double sizeMib) {
        return new CodeHeap(kind, mib(usedMib), mib(sizeMib), OptionalInt.empty());
    }

    private static Service cached(JitSample... answers) {
        Service service = Service.healthy();
        service.asked = false;
        service.made.jit.addAll(List.of(answers));
        return service;
    }

    /** As JDK 17 and 25 told it: the JVM counts a segment as full only where code fits nowhere. */
    @Test
    void aFullSegmentIsTheCodeCacheWhileOthersHaveRoom() {
        CodeHeap profiled = heap(HeapKind.PROFILED, 5.99, 6);
        Service full = cached(
                cache(45, 10.5, 48, profiled, heap(HeapKind.NON_PROFILED, 2.9, 36)),
                cache(65, 11, 48, heap(HeapKind.PROFILED, 5.2, 6), heap(HeapKind.NON_PROFILED, 4.4, 36)));

        assertThat(full.held()).containsExactly("code-cache-full");
        assertThat(full.first("code-cache-full"))
                .isEqualTo("the segment for profiled nmethods had 6.0 of 6.0 MiB in use");
        assertThat(flagsToTry(full.finding("code-cache-full")))
                .containsExactly("-XX:ReservedCodeCacheSize=96m", "-XX:-SegmentedCodeCache");
        Service sized = cached(cache(65, 10.5, 48, profiled));
        sized.made.flags = List.of("-XX:ProfiledCodeHeapSize=6m");
        assertThat(flagsToTry(sized.finding("code-cache-full")))
                .as("sizes that do not add up do not start")
                .containsExactly("-XX:-SegmentedCodeCache");
        assertThat(cached(cache(65, 10.5, 48, heap(HeapKind.PROFILED, 5.6, 6))).held())
                .isEmpty();
        assertThat(cached(cache(65, 10.5, 48, heap(HeapKind.HOT, 8, 8))).held())
                .as("its methods are copies")
                .isEmpty();
    }

    /** The use of a cache of 8 MiB as JDK 17 told it, while javac ran in a loop. */
    @Test
    void aCacheThatIsFlushedInTurnsIsTheCodeCacheAndNoStorm() {
        double[] used = {6.9, 7.05, 7.0, 7.1, 6.88, 6.95, 6.85, 7.05, 6.8, 6.95, 6.8, 7.0, 6.85, 7.0, 6.8};
        JitSample[] answers = new JitSample[used.length];
        for (int i = 0; i < used.length; i++) {
            answers[i] = cache(41 + 2 * i, used[i], 8);
        }
        Service turns = cached(answers);
        turns.compilations = 60;

        assertThat(turns.held()).containsExactly("code-cache-full");
        assertThat(turns.first("code-cache-full"))
                .isEqualTo(
                        "87 % of it was in use, at least 1.1 MiB of code left it, and 60 methods a second were compiled:"
                                + " why code left it, the JVM does not say");
        assertThat(turns.finding("code-cache-full").title()).isEqualTo("code leaves the code cache in turns");
        assertThat(turns.finding("code-cache-full").remedies())
                .extracting(Finding.FindingRemedy::what, Finding.FindingRemedy::how)
                .containsExactly(tuple(
                        "compare with the default size: if it is as slow, the compilations are the fault and not the cache",
                        "-XX:ReservedCodeCacheSize=240m"));
        assertThat(turns.first("deoptimisation-storm"))
                .isEqualTo("code is thrown away for lack of room in the code cache, which is the cause");
        Service roomy = cached(cache(41, 7, 48), cache(55, 5, 48), cache(65, 7, 48));
        roomy.compilations = 2;
        assertThat(roomy.held()).as("code leaves a cache that has room, too").isEmpty();
        assertThat(cached(cache(41, 6.9, 8), cache(55, 6.95, 8), cache(65, 7, 8))
                        .held())
                .as("nothing left it")
                .isEmpty();
    }

    /** A cache of 8 MiB, so much in use but for one answer, before which so much had left it. */
    private static Service turning(double usedMib, double leftMib) {
        JitSample[] answers = new JitSample[15];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = cache(41 + 2 * i, i == 7 ? usedMib - leftMib : usedMib, 8);
        }
        Service service = cached(answers);
        service.compilations = 60;
        return service;
    }

    @Test
    void aCacheIsFlushedInTurnsFromThreeQuartersInUseAndAFiftiethThatLeftIt() {
        assertThat(codeCache(turning(0.76 * 8, 0.5))).isEqualTo(FindingState.CONFIRMED);
        assertThat(codeCache(turning(0.74 * 8, 0.5)))
                .as("it has room, but is small")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(turning(0.28 * 8, 0.5).first("code-cache-full"))
                .isEqualTo(
                        "28 % of it was in use, at least 0.5 MiB of code left it, and 60 methods a second were compiled:"
                                + " code may leave a small cache for want of room, or with its classes; a run with"
                                + " -XX:ReservedCodeCacheSize=240m, the default, tells");
        assertThat(codeCache(turning(0.8 * 8, 0.021 * 8))).isEqualTo(FindingState.CONFIRMED);
        assertThat(codeCache(turning(0.8 * 8, 0.019 * 8)))
                .as("a method or two that are replaced")
                .isEqualTo(FindingState.RULED_OUT);
    }

    private static FindingState codeCache(Service service) {
        return service.finding("code-cache-full").state();
    }

    /** JDK-8350621. */
    @Test
    void aFullCacheThatIsNeverFlushedAgainIsToldWithItsRemedy() {
        Service stuck = cached(cache(35, 47.6, 48), cache(50, 47.6, 48), cache(66, 47.7, 48));
        stuck.compilations = 0;
        stuck.made.version = "21.0.5";

        assertThat(stuck.held()).containsExactly("code-cache-full");
        assertThat(stuck.finding("code-cache-full").evidence().getLast().text())
                .startsWith("nothing was flushed or compiled in the 31 s after it was full")
                .endsWith("(JDK-8350621)");
        assertThat(stuck.finding("code-cache-full").remedies())
                .extracting(Finding.FindingRemedy::how)
                .contains("jcmd PID GC.run");
        Service old = cached(cache(35, 47.6, 48), cache(50, 47.6, 48), cache(66, 47.7, 48));
        old.compilations = 0;
        old.made.version = "17.0.15";
        assertThat(old.finding("code-cache-full").evidence())
                .as("it has a sweeper")
                .hasSize(1);
    }

    private static Service counting(int cpus, List<String> flags, List<String> chosen) {
        Service service = Service.healthy();
        List<Integer> target = new ArrayList<>();
        for (int cpu = 0; cpu < cpus; cpu++) {
            target.add(cpu);
        }
        service.made.on(new CpuAssignment(target, List.of(9), List.of(9), true, List.of()));
        service.made.flags = flags;
        service.made.inForce = chosen;
        return service;
    }

    @Test
    void theJvmCountsMoreOrFewerCpusThanItMayUse() {
        List<String> none = List.of("-XX:+UsePerfData");
        Service fewer = counting(4, List.of("-XX:ActiveProcessorCount=1"), List.of());
        Service more = counting(2, none, List.of("-XX:CICompilerCount=4", "-XX:ParallelGCThreads=8"));
        Service compilers = counting(2, none, List.of("-XX:CICompilerCount=4"));
        Service quota = counting(4, none, List.of("-XX:ParallelGCThreads=4"));
        Modifier limit = new Modifier.CpuQuota(1.5);
        quota.made.treatment =
                new Treatment(List.of(), Treatment.TreatmentLimits.of(List.of(limit)), List.of(), Optional.empty());

        assertThat(fewer.finding("processor-count").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(fewer.first("processor-count"))
                .isEqualTo("the JVM counts 1 CPU (-XX:ActiveProcessorCount=1), and may use 4");
        assertThat(fewer.finding("processor-count").explains()).isEmpty();
        assertThat(more.first("processor-count"))
                .isEqualTo("the JVM counts 8 CPUs (it chose 8 threads for its collector), and may use 2");
        assertThat(flagsToTry(more.finding("processor-count"))).containsExactly("-XX:ActiveProcessorCount=2");
        assertThat(compilers.finding("processor-count").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(quota.first("processor-count")).endsWith(", and may use 2");
        assertThat(quota.finding("processor-count").state()).isEqualTo(FindingState.CONFIRMED);
    }

    @Test
    void aCountThatFitsIsRuledOutAndAnUnknownLimitIsNotObservable() {
        List<String> none = List.of("-XX:+UsePerfData");
        Service fits = counting(16, none, List.of("-XX:CICompilerCount=12", "-XX:ParallelGCThreads=13"));
        Service limited = counting(8, none, List.of("-XX:ParallelGCThreads=1"));
        limited.periods = 10;
        Service untold = counting(8, none, List.of());

        assertThat(fits.finding("processor-count").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(limited.finding("processor-count").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(untold.finding("processor-count").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(counting(8, none, List.of("-XX:CICompilerCount=2"))
                        .finding("processor-count")
                        .state())
                .as("a small code cache has fewer compilers too")
                .isEqualTo(FindingState.RULED_OUT);
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
                    t * SECOND, 7, "ForkJoinPool-1-", ThreadRole.WORKER, nanos(0.002 * t), 0, 0, 2000L * t, t));
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
                .as("busy, and a request costs what it costs in the reference")
                .isEqualTo(FindingState.RULED_OUT);
        assertThat(spinning(carriers(17, 100)).state()).as("they block").isEqualTo(FindingState.RULED_OUT);
        Service blind = carriers(17, 2);
        blind.made.parts.clear();
        assertThat(spinning(blind).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void samplesTellWhetherCarriersSpin() {
        Service spins = carriers(17, 2);
        spins.made.flight =
                Optional.of(hot(new HotMethod(nanos(50), "jdk.internal.vm.Continuation.yield", 0, 0, 500, 4)));
        Service works = carriers(17, 2);
        works.made.flight = Optional.of(hot(new HotMethod(nanos(50), "a.B.work", 0, 0, 900, 4)));

        assertThat(spinning(spins).state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(spinning(spins).evidence().getFirst().text())
                .endsWith("; 32 % of the samples were in the scheduler of virtual threads");
        assertThat(spinning(works).state()).isEqualTo(FindingState.RULED_OUT);
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
