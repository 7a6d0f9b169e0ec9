package dev.kiln.doctor;

import static dev.kiln.explain.HandMade.nanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.HandMade;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Ten seconds of a process that was launched long ago. */
class LiveFiguresTest {
    private static final int BEGIN = 1_000_000;
    private static final int SECONDS = 10;

    private static final JitState.CodeLevels LEVELS = new JitState.CodeLevels(10, 20, 30, 260, OptionalInt.empty());

    private static HandMade watched(double process) {
        HandMade made = new HandMade("live", 1);
        for (int i = 0; i <= SECONDS; i++) {
            made.part(BEGIN + i, "load", 7 * i);
            made.part(BEGIN + i, "target", 100 + i * process);
        }
        return made;
    }

    /** Per second: CPU and wait of all threads of that role. */
    private static void thread(HandMade made, int tid, ThreadRole role, double cpu, double wait) {
        for (int i = 0; i <= SECONDS; i++) {
            made.thread(BEGIN + i, tid, role.name(), role, 5 + i * cpu, wait == 0 ? 0 : 3 + i * wait);
        }
    }

    private static JitSample asked(double at, int c1, int c2, Optional<JitState.CodeLevels> levels) {
        return new JitSample(
                nanos(BEGIN + at), OptionalInt.of(c1), OptionalInt.of(c2), levels, Optional.empty(), Optional.empty());
    }

    private static LiveDiagnosis judged(HandMade made) {
        return LiveDiagnosis.of(made.evidence(), SECONDS);
    }

    private static void close(OptionalDouble value, double expected) {
        assertThat(value.orElseThrow()).isCloseTo(expected, within(1e-6));
    }

    @Test
    void eachFigureIsOfTheTimeWatched() {
        HandMade made = watched(1.5);
        thread(made, 7, ThreadRole.C2, 0.4, 0.06);
        thread(made, 8, ThreadRole.C1, 0.1, 0.02);
        thread(made, 9, ThreadRole.GC, 0.05, 0);
        thread(made, 10, ThreadRole.VM, 0.03, 0);
        made.jit.add(asked(1, 3, 70, Optional.of(new JitState.CodeLevels(1, 2, 3, 200, OptionalInt.empty()))));
        made.jit.add(asked(6, 5, 80, Optional.of(LEVELS)));
        made.jit.add(asked(7, 6, 90, Optional.empty()));
        made.cgroup.add(new CgroupSample(nanos(BEGIN + 1), 40, 4, 0));
        made.cgroup.add(new CgroupSample(nanos(BEGIN + 9), 120, 24, nanos(1)));
        for (int i = 0; i <= SECONDS; i++) {
            made.compiler.add(new CompilerSample(nanos(BEGIN + i), 1000 + 15 * i, 0, nanos(i), 0, 0, 0));
        }

        LiveFigures figures = judged(made).figures();

        assertThat(figures.seconds()).isEqualTo(10);
        close(figures.targetCpu(), 1.5);
        close(figures.programCpu(), 1.5 - 0.4 - 0.1 - 0.05 - 0.03);
        close(figures.c2().cpu(), 0.4);
        close(figures.c2().waiting(), 0.06);
        close(figures.c1().cpu(), 0.1);
        close(figures.c1().waiting(), 0.02);
        close(figures.compilation().efficiency(), 0.5);
        close(figures.compilation().perSecond(), 15);
        assertThat(figures.c1().queue()).hasValue(6);
        assertThat(figures.c2().queue()).hasValue(90);
        assertThat(figures.compilation().levels()).contains(LEVELS);
        close(figures.compilation().level4Growth(), 12);
        close(figures.throttled(), 0.25);
    }

    @Test
    void whatWasNotSeenIsEmpty() {
        HandMade made = watched(0.5);
        thread(made, 8, ThreadRole.C1, 0.1, 0);
        made.cgroup.add(new CgroupSample(nanos(BEGIN + 1), 40, 4, 0));
        made.compiler.add(new CompilerSample(nanos(BEGIN + 1), 1000, 0, 0, 0, 0, 0));
        made.jit.add(asked(1, 3, 7, Optional.of(LEVELS)));

        LiveFigures figures = judged(made).figures();

        assertThat(figures.c2().cpu()).isEmpty();
        assertThat(figures.c2().waiting()).isEmpty();
        close(figures.c1().cpu(), 0.1);
        assertThat(figures.c1().waiting()).as("a kernel that tells no waits").isEmpty();
        assertThat(figures.throttled()).isEmpty();
        assertThat(figures.compilation().perSecond()).isEmpty();
        assertThat(figures.compilation().level4Growth()).isEmpty();
        assertThat(figures.compilation().levels()).contains(LEVELS);
    }

    @Test
    void noPeriodOfALimitIsNoThrottling() {
        HandMade made = watched(0.5);
        made.cgroup.add(new CgroupSample(nanos(BEGIN + 1), 40, 4, 0));
        made.cgroup.add(new CgroupSample(nanos(BEGIN + 5), 40, 4, 0));

        close(judged(made).figures().throttled(), 0);
    }

    @Test
    void aWarmJvmSaysWhatCompilersAndProgramUse() {
        HandMade made = watched(0.8);
        thread(made, 7, ThreadRole.C2, 0.03, 0.02);
        thread(made, 8, ThreadRole.C1, 0.01, 0.005);
        LiveDiagnosis diagnosis = judged(made);

        assertThat(diagnosis.state()).isEqualTo(LiveState.WARM);
        assertThat(diagnosis.reason())
                .isEqualTo("the compilers are quiet while it works: C1 and C2 ran 4.0 % and waited 2.5 % of the time;"
                        + " the program used 76 % of a CPU");
    }

    @Test
    void withoutWaitsWarmthIsByCpuTimeAlone() {
        HandMade made = watched(0.8);
        thread(made, 7, ThreadRole.C2, 0.03, 0);

        assertThat(judged(made).reason())
                .endsWith("; by CPU time alone, because this kernel does not record" + " waits");
    }

    @Test
    void busyCompilersSayHowBusy() {
        HandMade made = watched(1.5);
        thread(made, 7, ThreadRole.C2, 0.5, 0.1);

        assertThat(judged(made).reason())
                .isEqualTo("the compilers are busy: C1 and C2 ran 50.0 % and waited 10.0 % of the time;"
                        + " the program used 100 % of a CPU");
    }

    @Test
    void aStarvedC1IsNamed() {
        HandMade made = watched(1.0);
        thread(made, 8, ThreadRole.C1, 0.04, 0.9);
        LiveDiagnosis diagnosis = judged(made);

        assertThat(diagnosis.state()).isEqualTo(LiveState.STARVED);
        assertThat(diagnosis.reason()).isEqualTo("C1 got 4.0 % of a CPU and waited for one 90.0 % of the time");
    }

    @Test
    void lessThanASecondTellsNothing() {
        HandMade made = new HandMade("live", 1).part(BEGIN, "target", 1).part(BEGIN + 0.5, "target", 1.5);
        thread(made, 7, ThreadRole.C2, 0.1, 0.1);

        assertThat(judged(made).state()).isEqualTo(LiveState.UNKNOWN);
        assertThat(judged(made).reason()).isEqualTo("Kiln watched it for less than a second");
    }

    /** C2 had used 5 s when first seen, and uses 0.5 s in each second: 260 methods took 10 s. */
    @Test
    void theForecastKnowsWhatC2UsedBeforeAndItsQueue() {
        HandMade made = watched(1.5);
        thread(made, 7, ThreadRole.C2, 0.5, 0.3);
        made.jit.add(asked(9, 0, 2600, Optional.of(LEVELS)));

        Forecast forecast = judged(made).forecast().orElseThrow();

        assertThat(forecast.c2Share()).isCloseTo(0.5, within(0.001));
        assertThat(forecast.low() - forecast.atSecond())
                .isBetween(0.5 * 2600 * (10 / 260.0) / 0.5, 2600 * (10 / 260.0) / 0.5);
    }
}
