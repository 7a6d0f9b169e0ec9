package dev.kiln.explain.window;

import static dev.kiln.explain.HandMade.APART;
import static dev.kiln.explain.HandMade.TOGETHER;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CgroupSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class WindowStatisticsBuilderTest {
    private static final Offset<Double> EXACT = within(1e-9);

    /** From second 10 to 20. */
    private static WindowStatistics observe(HandMade made) {
        RunEvidence evidence = made.evidence();
        return new WindowStatisticsBuilder(
                        evidence, new ThreadTimes(evidence.threads(), true), new Window(nanos(10), nanos(20)))
                .build();
    }

    private static HandMade made() {
        return new HandMade("a", 1);
    }

    @Test
    void sharesAreOfTheWindow() {
        WindowStatistics observed = observe(made().thread(1, 7, "C2 CompilerThre", ThreadRole.C2, 0, 0)
                .thread(10, 7, "C2 CompilerThre", ThreadRole.C2, 5, 4)
                .thread(12, 8, "C2 CompilerThre", ThreadRole.C2, 0.5, 1)
                .thread(20, 7, "C2 CompilerThre", ThreadRole.C2, 6, 9)
                .thread(30, 7, "C2 CompilerThre", ThreadRole.C2, 16, 9));

        assertThat(observed.c2CpuShare().orElseThrow()).isCloseTo((1 + 0.5) / 10, EXACT);
        assertThat(observed.c2WaitShare().orElseThrow()).isCloseTo((5 + 1) / 10.0, EXACT);
    }

    /** From JDK 26 on. */
    @Test
    void threadsWhoseNamesLackTheirMiddleAreOneGroupWhateverTheirNumber() {
        WindowStatistics observed = observe(made().thread(1, 7, "http-ni..exec-1", ThreadRole.WORKER, 0, 0)
                .thread(1, 8, "http-ni..xec-99", ThreadRole.WORKER, 0, 0)
                .thread(1, 9, "http-ni..Poller", ThreadRole.IO, 0, 0)
                .thread(20, 7, "http-ni..exec-1", ThreadRole.WORKER, 4, 0)
                .thread(20, 8, "http-ni..xec-99", ThreadRole.WORKER, 4, 0)
                .thread(20, 9, "http-ni..Poller", ThreadRole.IO, 1, 0));

        assertThat(observed.threads())
                .extracting(WindowStatistics.ThreadGroup::name, WindowStatistics.ThreadGroup::threads)
                .containsExactly(tuple("http-ni..", 2), tuple("http-ni..Poller", 1));
    }

    @Test
    void aProgramThatIsNoJvmHasNoCompilers() {
        WindowStatistics observed = observe(made().thread(1, 1, "nginx", ThreadRole.OTHER, 0, 0)
                .thread(10, 1, "nginx", ThreadRole.OTHER, 1, 0)
                .thread(20, 1, "nginx", ThreadRole.OTHER, 9, 0));

        assertThat(observed.c2CpuShare()).isEmpty();
        assertThat(observed.c2WaitShare()).isEmpty();
        assertThat(observed.compilations()).isEmpty();
        assertThat(observed.compileSeconds()).isEmpty();
        assertThat(observed.threads()).hasSize(1);
        assertThat(observed.threads().getFirst().cpuShare()).isCloseTo(0.8, EXACT);
    }

    @Test
    void threadsWithOneStemAreAGroupAndTheBusiestComesFirst() {
        List<WindowStatistics.ThreadGroup> groups = observe(made().thread(10, 1, "GC Thread#0", ThreadRole.GC, 1, 0)
                        .thread(20, 1, "GC Thread#0", ThreadRole.GC, 2, 0)
                        .thread(10, 2, "exec-1", ThreadRole.WORKER, 1, 1)
                        .thread(20, 2, "exec-1", ThreadRole.WORKER, 4, 5)
                        .thread(10, 3, "exec-12", ThreadRole.WORKER, 1, 1)
                        .thread(20, 3, "exec-12", ThreadRole.WORKER, 3, 3)
                        .thread(10, 4, "exec-3", ThreadRole.WORKER, 1, 1)
                        .thread(20, 4, "exec-3", ThreadRole.WORKER, 1, 1))
                .threads();

        assertThat(groups).extracting(WindowStatistics.ThreadGroup::name).containsExactly("exec", "GC Thread");
        WindowStatistics.ThreadGroup exec = groups.getFirst();
        assertThat(exec.threads()).as("that had CPU time").isEqualTo(2);
        assertThat(exec.role()).isEqualTo("WORKER");
        assertThat(exec.cpuShare()).isCloseTo(0.5, EXACT);
        assertThat(exec.waitShare()).isCloseTo(0.6, EXACT);
        assertThat(exec.voluntaryPerSecond()).as("a thread's").isCloseTo(100, EXACT);
    }

    @Test
    void whatIsSharedOfTheLabIsNotCountedAsOthers() {
        HandMade busy = lab(made())
                .cpu(10, 0, 5, 0)
                .cpu(20, 0, 14.9, 0.3)
                .cpu(10, 1, 3, 0)
                .cpu(20, 1, 12.6, 0);

        WindowStatistics apart = observe(busy);
        WindowStatistics together = observe(busy.on(TOGETHER));

        assertThat(apart.labBusy().orElseThrow()).isCloseTo(0.96, EXACT);
        assertThat(apart.lab().foreign().orElseThrow()).isCloseTo(0.96 - 0.2 - 0.3 - 0.01, EXACT);
        assertThat(apart.lab().targetForeign().orElseThrow()).isCloseTo(0.99 - 0.9, EXACT);
        assertThat(apart.stealShare().orElseThrow()).isCloseTo(0.03, EXACT);
        assertThat(together.labBusy()).isEmpty();
        assertThat(together.lab().foreign()).isEmpty();
        assertThat(together.lab().targetForeign()).isEmpty();
    }

    /** What was taken from load and database is theirs, and a CPU is full when it is busy for all that was left of it. */
    @Test
    void stolenTimeIsToldOfTheCpusItWasTakenFrom() {
        WindowStatistics observed = observe(lab(made())
                .on(new CpuAssignment(List.of(0, 3), List.of(1), List.of(1), true, List.of()))
                .cpu(10, 0, 0, 0)
                .cpu(20, 0, 9, 1)
                .cpu(10, 1, 0, 0)
                .cpu(20, 1, 6.9, 3)
                .cpu(10, 3, 0, 0)
                .cpu(20, 3, 9, 0));

        assertThat(observed.stealShare().orElseThrow()).isCloseTo(0.05, EXACT);
        assertThat(observed.lab().steal().orElseThrow()).isCloseTo(0.3, EXACT);
        assertThat(observed.labBusy().orElseThrow()).isCloseTo(6.9 / 7, EXACT);
        assertThat(observed.lab().generator().share()).as("robbed all the time").isEmpty();
    }

    /** 0.95 of a CPU in the seconds that it had, 0.5 in the five that it was robbed in. */
    @Test
    void theGeneratorsShareIsOfSecondsInWhichItWasNotRobbed() {
        HandMade made = made();
        double used = 0;
        double stolen = 0;
        for (int t = 10; t <= 20; t++) {
            made.part(t, "load", used).cpu(t, 1, used, stolen);
            used += t < 15 ? 0.95 : 0.5;
            stolen += t < 15 ? 0 : 0.5;
        }

        assertThat(observe(made).lab().generator().share().orElseThrow()).isCloseTo(0.95, EXACT);
    }

    @Test
    void theBusiestOfTheLabsCpusDecides() {
        HandMade spread = lab(made()).on(new CpuAssignment(List.of(0), List.of(1), List.of(2, 3), true, List.of()));
        spread.cpu(10, 1, 0, 0)
                .cpu(20, 1, 4, 0)
                .cpu(10, 2, 0, 0)
                .cpu(20, 2, 9.9, 0)
                .cpu(10, 3, 0, 0)
                .cpu(20, 3, 1, 0);

        assertThat(observe(spread).labBusy().orElseThrow()).isCloseTo(0.99, EXACT);
        assertThat(observe(spread.on(new CpuAssignment(List.of(0), List.of(1), List.of(2, 3), false, List.of())))
                        .labBusy())
                .as("unpinned")
                .isEmpty();
    }

    private static HandMade lab(HandMade made) {
        return made.on(APART)
                .part(1, "target", 2)
                .part(10, "target", 5)
                .part(20, "target", 14)
                .part(1, "load", 100)
                .part(10, "load", 101)
                .part(20, "load", 103)
                .part(10, "database", 1)
                .part(20, "database", 4)
                .part(10, "kiln", 1)
                .part(20, "kiln", 1.1);
    }

    @Test
    void theTargetsTotalIsSinceItsLaunchAndTheOthersSinceTheRecordings() {
        List<WindowStatistics.PartUse> parts = observe(lab(made())).parts();

        assertThat(parts)
                .extracting(WindowStatistics.PartUse::part)
                .containsExactly("target", "load", "database", "kiln");
        assertThat(parts.get(0).totalCpuSeconds().orElseThrow()).isCloseTo(14, EXACT);
        assertThat(parts.get(1).totalCpuSeconds().orElseThrow()).isCloseTo(3, EXACT);
        assertThat(parts.get(1).cpuShare()).isCloseTo(0.2, EXACT);
        assertThat(parts.get(1).waitShare()).isCloseTo(0.1, EXACT);
    }

    @Test
    void memoryCompilationsAndThrottlingAreOfTheWholeRun() {
        HandMade made = made();
        made.memory.add(new MemorySample(
                nanos(1), 500, 0, 0, 0, 0, 0, OptionalLong.empty(), Optional.empty(), Optional.empty()));
        made.memory.add(new MemorySample(
                nanos(30), 300, 250, 0, 0, 0, 0, OptionalLong.empty(), Optional.empty(), Optional.empty()));
        made.compiler.add(new CompilerSample(nanos(1), 10, 0, nanos(0.5), 0, 0, 0));
        made.compiler.add(new CompilerSample(nanos(30), 4000, 0, nanos(25), 0, 0, 0));
        made.cgroup.add(new CgroupSample(nanos(1), 5, 1, nanos(3)));
        made.cgroup.add(new CgroupSample(nanos(30), 50, 9, nanos(7)));

        WindowStatistics observed = observe(made);

        assertThat(observed.maxRssBytes()).hasValue(500);
        assertThat(observed.totals().maxPssBytes()).hasValue(250);
        assertThat(observed.compilations()).hasValue(4000);
        assertThat(observed.compileSeconds()).hasValue(25);
        assertThat(observed.totals().throttledSeconds()).hasValue(4);
        assertThat(observe(made()).totals().maxPssBytes()).isEmpty();
        assertThat(observe(made()).totals().throttledSeconds()).isEmpty();
    }

    /** Its counters have work beside the program too: without safepoints they tell no share. */
    @Test
    void ofACollectorBesideTheProgramOnlySafepointsTellTheShare() {
        HandMade unseen = collecting("-XX:+UseZGC", 0);

        assertThat(observe(unseen).collections()).isEmpty();
        assertThat(observe(collecting("-XX:+UseZGC", 7))
                        .collections()
                        .orElseThrow()
                        .share())
                .isCloseTo(0.01, EXACT);
        assertThat(observe(collecting("-XX:+UseSerialGC", 0))
                        .collections()
                        .orElseThrow()
                        .share())
                .isCloseTo(0.4, EXACT);
    }

    private static HandMade collecting(String collector, long safepoints) {
        HandMade made = made();
        made.flags = List.of(collector);
        made.compiler.add(new CompilerSample(nanos(1), 10, 0, nanos(0.5), 0, 0, 0));
        made.memory.add(new MemorySample(
                nanos(10), 1, 0, 0, 0, safepoints, 0, OptionalLong.empty(), Optional.empty(), Optional.empty()));
        made.memory.add(new MemorySample(
                nanos(20),
                1,
                0,
                9,
                nanos(4),
                safepoints,
                safepoints == 0 ? 0 : nanos(0.1),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty()));
        return made;
    }

    @Test
    void theWindowIsTheSecondHalfOfTheWarmUp() {
        HandMade made = measured("a", 1000, seconds(60, 500))
                .cpu(11, 1, 0, 0)
                .cpu(39, 1, 1, 0)
                .cpu(40, 1, 2, 0)
                .cpu(70, 1, 17, 0)
                .cpu(100, 1, 47, 0);

        assertThat(made.digest().observed().labBusy().orElseThrow()).isCloseTo(0.5, EXACT);
    }

    /** In the pauses the lab is idle: over both halves of three cycles it would look half as busy as it was. */
    @Test
    void ofCyclesTheWindowIsTheLastLoad() {
        HandMade made = HandMade.cycles()
                .cpu(55, 1, 10, 0)
                .cpu(70, 1, 10, 0)
                .cpu(85, 1, 24.7, 0)
                .cpu(100, 1, 24.7, 0);

        assertThat(made.digest().observed().labBusy().orElseThrow()).isCloseTo(0.98, EXACT);
    }
}
