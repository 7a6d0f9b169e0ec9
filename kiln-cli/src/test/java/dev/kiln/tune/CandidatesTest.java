package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.Service;
import dev.kiln.explain.study.Assessment;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.stats.AnalysisConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a search tries, from what was recorded of the baseline. */
class CandidatesTest {
    /** A service that ends at 850 requests a second, and serves 1,000 after the pause. */
    private static Service below(double collections, double after) {
        Service service = Service.of(HandMade.seconds(60, 850), 1000);
        service.collectionShare = collections;
        service.collectionShareAfter = after;
        return service;
    }

    private static List<Finding> heldBack(Service service) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        assessment.add(service.evidence());
        RunResult run = assessment.result("x").variants().getFirst().runs().getFirst();
        return HeldBack.of(run, service.evidence());
    }

    private static Variant baseline(String... command) {
        return new Variant(
                "baseline",
                new Target(
                        new Target.Program(List.of(command), List.of(), Map.of(), Optional.empty()),
                        Target.Jvm.USUAL,
                        new ReadySign.FirstResponse(Duration.ofSeconds(1))));
    }

    private static List<String> tried(List<Finding> findings, Goal goal) {
        return Candidates.of(baseline("java", "-jar", "a.jar"), findings, goal, (name, why) -> {}).stream()
                .map(Candidate::name)
                .toList();
    }

    @Test
    void whatTakesMoreThanAtThePeakIsCured() {
        assertThat(tried(heldBack(below(0.23, 0.05)), Goal.DEFICIT))
                .containsExactly("useparallelgc", "maxrampercentage-50");
    }

    /** A longer warm-up is not what it did; a lower peak may be. */
    @Test
    void whatTakesAsMuchAtThePeakIsCuredOnlyForAHigherPeak() {
        List<Finding> findings = heldBack(below(0.23, 0.24));

        assertThat(findings)
                .filteredOn(finding -> finding.id().equals("gc"))
                .as("at the end of the load, and until throughput reached its peak")
                .hasSize(2)
                .allSatisfy(finding -> {
                    assertThat(finding.state()).isEqualTo(FindingState.CONFIRMED);
                    assertThat(finding.explains()).isEmpty();
                });
        assertThat(tried(findings, Goal.DEFICIT)).isEmpty();
        assertThat(tried(findings, Goal.T90)).isEmpty();
        assertThat(tried(findings, Goal.PEAK)).containsExactly("useparallelgc", "maxrampercentage-50");
    }

    /** The peak was measured with them, so they explain no difference to it. */
    @Test
    void whatLowersThePeakItselfIsCured() {
        Service counted = Service.healthy();
        counted.made.flags = List.of("-XX:ActiveProcessorCount=16");
        Service interpreted = Service.healthy();
        interpreted.made.flags = List.of("-Xint");
        Service debugged = Service.healthy();
        debugged.made.flags = List.of("-agentlib:jdwp=transport=dt_socket,server=y");

        assertThat(tried(heldBack(counted), Goal.DEFICIT)).containsExactly("activeprocessorcount-1");
        assertThat(tried(heldBack(interpreted), Goal.DEFICIT)).containsExactly("xmixed");
        assertThat(tried(heldBack(debugged), Goal.DEFICIT))
                .as("no flag takes a debugger away")
                .isEmpty();
        assertThat(tried(heldBack(Service.healthy()), Goal.DEFICIT)).isEmpty();
    }

    /** HotSpot takes the last, and Kiln's flags come before those of a command. */
    @Test
    void aFlagThatIsOverriddenIsLeftOutOfTheVariantAndTold() {
        for (Map.Entry<String, String> flags : Map.of(
                        "-Xint", "-Xmixed",
                        "-XX:TieredStopAtLevel=1", "-XX:TieredStopAtLevel=4",
                        "-XX:ActiveProcessorCount=16", "-XX:ActiveProcessorCount=1",
                        "-XX:ReservedCodeCacheSize=8m", "-XX:ReservedCodeCacheSize=16m",
                        "-XX:+DontCompileHugeMethods", "-XX:-DontCompileHugeMethods",
                        "-XX:PerMethodRecompilationCutoff=20", "-XX:PerMethodRecompilationCutoff=10000")
                .entrySet()) {
            Variant baseline = baseline("java", flags.getKey(), "-jar", "a.jar");
            Finding finding = remediedBy(flags.getValue());
            Candidate candidate = Candidates.of(baseline, List.of(finding), Goal.DEFICIT, (name, why) -> {})
                    .getFirst();

            assertThat(candidate.variant().target().jvm().ownFlags()).containsExactly(flags.getValue());
            assertThat(candidate.variant().target().command()).containsExactly("java", "-jar", "a.jar");
            assertThat(Candidates.changes(baseline, candidate.variant()))
                    .containsExactly("JVM flags " + flags.getValue(), "without " + flags.getKey());
            assertThat(baseline.target().command()).contains(flags.getKey());
        }
    }

    @Test
    void aScriptGetsFlagsByItsEnvironmentAndAContainerOnlyIfItPassesThemOn() {
        List<String> leftOut = new ArrayList<>();
        Variant script = baseline("./start.sh");
        Candidate candidate = Candidates.of(
                        script, List.of(remediedBy("-Xbatch")), Goal.DEFICIT, (name, why) -> leftOut.add(why))
                .getFirst();
        assertThat(Candidates.changes(script, candidate.variant()))
                .singleElement()
                .asString()
                .matches("environment JAVA_TOOL_OPTIONS=(.* )?-Xbatch");
        assertThat(candidate.change()).hasValue(Change.flags("-Xbatch"));

        assertThat(Candidates.of(
                        baseline("podman", "run", "image"),
                        List.of(remediedBy("-Xbatch")),
                        Goal.DEFICIT,
                        (name, why) -> leftOut.add(name + ": " + why)))
                .isEmpty();
        assertThat(leftOut)
                .containsExactly(
                        "xbatch: podman run does not pass JAVA_TOOL_OPTIONS on to the container; write podman run"
                                + " --env JAVA_TOOL_OPTIONS ..., or let Kiln make the container (container: in the experiment)");
    }

    /** Without root it was said what is not permitted, twice by its name, and not what to do. */
    @Test
    void whatThisMachineLacksComesWithItsRemedy() {
        assertThat(Candidates.whyNot(
                        "compiler-priority",
                        KilnException.machine(
                                "variant compiler-priority: compiler-priority: not permitted to raise the priority of threads",
                                "run Kiln as root")))
                .isEqualTo("not permitted to raise the priority of threads (run Kiln as root)");
        assertThat(Candidates.whyNot("x", KilnException.usage("no such thing", "")))
                .isEqualTo("no such thing");
    }

    @Test
    void aCauseWithoutAnythingToTryIsNamed() {
        assertThat(Candidates.uncured(List.of(remediedBy("-Xbatch")), Goal.DEFICIT))
                .isEmpty();
        Finding lock = confirmed("lock", "requests wait for a lock", List.of());
        assertThat(Candidates.uncured(List.of(remediedBy("-Xbatch"), lock, lock), Goal.DEFICIT))
                .containsExactly("requests wait for a lock");
    }

    private static Finding remediedBy(String flag) {
        return confirmed(
                "x",
                "x",
                List.of(new FindingRemedy("x", flag, "x", RemedyPlace.LAUNCH_FLAG).tried(Change.flags(flag))));
    }

    private static Finding confirmed(String id, String title, List<FindingRemedy> remedies) {
        return new Finding(
                id,
                title,
                Finding.Curve.THROUGHPUT,
                FindingState.CONFIRMED,
                1,
                Set.of(Finding.Effect.BELOW_PEAK),
                List.of(),
                remedies);
    }
}
