package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseServices.flagsToTry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Flags that keep methods from their compilers, and CPUs that the JVM counts wrongly: from evidence made by hand. */
class CompilationLimitsTest {
    private static Service flagged(String... flags) {
        Service service = Service.healthy();
        service.made.flags = List.of(flags);
        return service;
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
}
