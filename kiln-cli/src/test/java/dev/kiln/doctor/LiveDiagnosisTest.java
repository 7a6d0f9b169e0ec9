package dev.kiln.doctor;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.explain.HandMade;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LiveDiagnosisTest {
    /** Long after its launch: what is judged is the time watched. */
    private static final int BEGIN = 1_000_000;

    private static final int SECONDS = 10;

    /** Per second: what the process, C2 and its wait take, and how many methods are compiled. */
    private static HandMade watched(double process, double c2, double c2Wait, double compilations) {
        HandMade made = new HandMade("live", 1);
        for (int i = 0; i <= SECONDS; i++) {
            double at = BEGIN + i;
            made.part(at, "target", 100 + i * process);
            made.thread(at, 7, "C2 CompilerThre", ThreadRole.C2, 5 + i * c2, 3 + i * c2Wait);
            made.thread(at, 8, "C1 CompilerThre", ThreadRole.C1, 2, 1);
            made.compiler.add(new CompilerSample(
                    nanos(at), Math.round(1000 + i * compilations), 0, Math.round(i * 0.9 * SECOND), 0, 0, 0));
        }
        return made;
    }

    private static LiveDiagnosis judged(HandMade made) {
        return LiveDiagnosis.of(made.evidence(), SECONDS);
    }

    private static void asked(HandMade made, double at, int queue, int level4) {
        made.jit.add(JitSample.at(nanos(BEGIN + at))
                .queues(OptionalInt.of(0), OptionalInt.of(queue))
                .with(new JitState.CodeLevels(10, 20, 30, level4, OptionalInt.empty())));
    }

    @Test
    void compilersThatWaitForACpuAreStarved() {
        HandMade made = watched(1.0, 0.03, 0.95, 4);
        asked(made, 1, 400, 700);
        asked(made, 9, 420, 705);
        LiveDiagnosis diagnosis = judged(made);
        assertThat(diagnosis.state()).isEqualTo(LiveState.STARVED);
        assertThat(diagnosis.reason()).contains("C2 got 3.0 % of a CPU and waited for one 95.0 %");
        assertThat(diagnosis.confirmed()).extracting(Finding::id).contains("c2-starved", "c2-backlog");
        assertThat(diagnosis.confirmed().getFirst().remedies()).isNotEmpty();
        assertThat(diagnosis.figures().c2().waitRatio().orElseThrow()).isBetween(0.96, 0.98);
        // 420 methods wait, and 705 took 5.3 CPU seconds: at 3 % of a CPU that is 105 s.
        assertThat(diagnosis.forecast().orElseThrow().low() - 10).isBetween(40.0, 105.0);
        assertThat(diagnosis.findings())
                .flatExtracting(Finding::evidence)
                .extracting(Finding.Proof::text)
                .noneMatch(text -> text.contains("warm-up"));
    }

    @Test
    void aCpuLimitThatStarvesTheCompilersIsNamed() {
        HandMade made = watched(1.0, 0.03, 0.95, 4);
        for (int i = 0; i <= SECONDS; i++) {
            made.cgroup.add(new CgroupSample(nanos(BEGIN + i), 10L * i, 8L * i, i * SECOND / 2));
        }
        LiveDiagnosis diagnosis = judged(made);
        assertThat(diagnosis.state()).isEqualTo(LiveState.STARVED);
        assertThat(diagnosis.reason()).contains("CPU limit");
        assertThat(diagnosis.figures().throttled().orElseThrow()).isEqualTo(0.8);
        assertThat(diagnosis.confirmed()).extracting(Finding::id).contains("cgroup-throttling");
    }

    @Test
    void busyCompilersThatGetTheCpuAreWarming() {
        LiveDiagnosis diagnosis = judged(watched(1.5, 0.6, 0.1, 12));
        assertThat(diagnosis.state()).isEqualTo(LiveState.WARMING);
        assertThat(diagnosis.figures().programCpu().orElseThrow()).isBetween(0.89, 0.91);
    }

    @Test
    void manyQuickCompilationsAreWarming() {
        LiveDiagnosis diagnosis = judged(watched(1.5, 0.1, 0.0, 60));
        assertThat(diagnosis.state()).isEqualTo(LiveState.WARMING);
        assertThat(diagnosis.reason()).isEqualTo("60 compilations a second");
    }

    @Test
    void aQueueIsWarmingEvenIfC2LooksQuiet() {
        HandMade made = watched(1.0, 0.0, 0.0, 0);
        asked(made, 1, 300, 500);
        asked(made, 9, 300, 500);
        assertThat(judged(made).state()).isEqualTo(LiveState.WARMING);
    }

    @Test
    void aQueueOfMinutesAgoKeepsNoJvmFromBeingWarm() {
        HandMade made = watched(0.8, 0.01, 0.02, 1.5);
        asked(made, -25, 412, 900);
        assertThat(judged(made).figures().c2().queue()).isEmpty();
        assertThat(judged(made).state()).isEqualTo(LiveState.WARM);
    }

    @Test
    void aJvmThatWorksWithQuietCompilersIsWarm() {
        HandMade made = watched(0.8, 0.01, 0.02, 1.5);
        asked(made, 1, 0, 900);
        asked(made, 9, 1, 901);
        LiveDiagnosis diagnosis = judged(made);
        assertThat(diagnosis.state()).isEqualTo(LiveState.WARM);
        assertThat(diagnosis.forecast()).isEmpty();
        assertThat(diagnosis.figures().compilation().level4Growth().orElseThrow())
                .isEqualTo(0.125);
    }

    @Test
    void aSmallLoadBesideBusyCompilersIsWarming() {
        assertThat(judged(watched(0.3, 0.1, 0.1, 5)).state()).isEqualTo(LiveState.WARMING);
    }

    @Test
    void anIdleJvmIsNotWarm() {
        LiveDiagnosis diagnosis = judged(watched(0.01, 0.0, 0.0, 0.1));
        assertThat(diagnosis.state()).isEqualTo(LiveState.IDLE);
        assertThat(diagnosis.reason()).contains("1.0 % of a CPU");
    }

    @Test
    void aFullCodeCacheIsNotWarm() {
        HandMade made = watched(0.8, 0.0, 0.0, 0);
        made.jit.add(JitSample.at(nanos(BEGIN + 5.0))
                .with(new JitState.CodeCacheFill(47L << 20, 48L << 20, 1, 1, List.of())));
        LiveDiagnosis diagnosis = judged(made);
        assertThat(diagnosis.state()).isEqualTo(LiveState.WARMING);
        assertThat(diagnosis.reason()).contains("code cache full");
    }

    @Test
    void withoutCompilersNothingCanBeSaid() {
        HandMade made = new HandMade("live", 1);
        for (int i = 0; i <= SECONDS; i++) {
            made.part(BEGIN + i, "target", i);
            made.thread(BEGIN + i, 1, "java", ThreadRole.OTHER, i, 0);
        }
        assertThat(judged(made).state()).isEqualTo(LiveState.UNKNOWN);
        assertThat(LiveDiagnosis.of(new HandMade("live", 1).evidence(), SECONDS).state())
                .isEqualTo(LiveState.UNKNOWN);
    }

    @Test
    void whatNeedsALabIsNotAsked() {
        assertThat(judged(watched(0.8, 0.01, 0.02, 1.5)).findings())
                .extracting(Finding::id)
                .doesNotContain("generator-limit", "database-limit");
    }
}
