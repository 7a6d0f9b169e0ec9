package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Spinning is the cause that threads give their CPU away again and again. The kernel counts a yield as an involuntary
 * switch, so this looks like preemption; but they get the CPU back at once.
 */
final class Spinning {
    static final CauseId ID = new CauseId("spinning", "lock or yield spinning", Curve.C2, CauseId.ANY)
            .taking(BudgetPart.RUNNING, BudgetPart.KERNEL, BudgetPart.CPU_WAIT);

    /**
     * A thread yields if its CPU time per involuntary switch, in seconds, is below this: a scheduler's slice is 0.75 ms
     * at the least (2.8 ms in EEVDF), so what ends much sooner gave the CPU away itself. Measured: 2.2 ms preempted,
     * 0.075 ms yielding.
     */
    private static final double YIELD_SLICE = 0.1e-3;

    /**
     * A thread yields if its wait per involuntary switch, in seconds, is below this: it gets the CPU back at once;
     * measured 0.014 ms, against 107 ms preempted.
     */
    private static final double YIELD_WAIT = 1e-3;

    /**
     * A thread spins from this many involuntary switches per voluntary one. A thread that is woken may preempt the one
     * that woke it, so a service whose threads pass requests on has short slices too; but its threads block about as
     * often. Measured: 0.3 to 0.4 in such a service.
     */
    private static final double YIELDS_A_BLOCK = 5;

    /** Spinning must cost this share of one CPU before it is named. */
    private static final double SPINNING_CPU = 0.2;

    private static final List<FindingRemedy> REMEDIES = List.of(new FindingRemedy(
            "let threads block instead of spin",
            "fewer threads on the contended pool or lock; a pool that parks its waiters",
            "a change of code or of the pool",
            RemedyPlace.CODE));

    private Spinning() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        boolean switches = s.evidence().threads().stream().anyMatch(t -> t.involuntarySwitches() > 0);
        if (!switches || s.tooShort()) {
            return ID.notObservable(
                    "the threads' switches (/proc/PID/task/TID/status) were not recorded during the load");
        }
        Optional<WindowStatistics.ThreadGroup> spinner = s.observed().threads().stream()
                .filter(group -> spins(s, group))
                .max(Comparator.comparingDouble(WindowStatistics.ThreadGroup::cpuShare));
        if (spinner.isPresent()) {
            Finding spins = ID.confirmed(
                    spinner.get().cpuShare() / Math.max(1, s.targetCpus().orElse(1)),
                    List.of(proof(text(spinner.get()), s.moment())),
                    REMEDIES);
            // Of virtual threads the cost of a request has been held against the reference already.
            return Difference.ofCpu(Spinning::takes).judge(ID, spins, s);
        }
        Finding platform = s.observed().threads().stream()
                .filter(group -> !carrier(s, group.name()))
                .max(Comparator.comparingDouble(WindowStatistics.ThreadGroup::involuntaryPerSecond))
                .map(group -> ID.ruledOut(proof(text(group), s.moment())))
                .orElseGet(() -> ID.ruledOut(proof("only carriers of virtual threads ran", s.moment())));
        return VirtualSpinning.judge(s, earlier, name -> carrier(s, name), ID, REMEDIES)
                .or(() -> unclear(s))
                .orElse(platform);
    }

    /** A pool of the program's own may have the name of carriers, and spin. */
    private static Optional<Finding> unclear(WindowEvidence s) {
        return s.evidence().hasVirtual()
                ? Optional.empty()
                : s.observed().threads().stream()
                        .filter(group -> carrier(s, group.name()) && yields(group))
                        .findFirst()
                        .map(
                                group -> ID.notObservable(
                                        text(group)
                                                + "; carriers of virtual threads do so without harm, and no thread dump shows that these are some"));
    }

    private static Optional<Taken> takes(WindowEvidence s) {
        double cpu = s.observed().threads().stream()
                .filter(group -> spins(s, group))
                .mapToDouble(WindowStatistics.ThreadGroup::cpuShare)
                .sum();
        return s.observed().threads().isEmpty()
                ? Optional.empty()
                : Optional.of(Taken.share(cpu / Math.max(1, s.targetCpus().orElse(1)), "of the target's CPUs"));
    }

    /**
     * Carriers of virtual threads yield by design, thousands of times a second, without any harm. A virtual thread that
     * yields gives its carrier to another one, of which the kernel sees nothing: so they are judged by what requests cost. Where
     * thread dumps find no virtual thread, a pool of that name is the program's own.
     */
    private static boolean carrier(WindowEvidence s, String thread) {
        boolean without = !s.evidence().blocked().isEmpty() && !s.evidence().hasVirtual();
        return !without && s.evidence().info().machine().mayCarry(thread);
    }

    /** Threads of the collector yield to each other when they have run out of work, whatever the program does. */
    private static boolean spins(WindowEvidence s, WindowStatistics.ThreadGroup group) {
        return !carrier(s, group.name()) && !ThreadRole.valueOf(group.role()).isOfJvm() && yields(group);
    }

    private static boolean yields(WindowStatistics.ThreadGroup group) {
        double switches = perSecond(group);
        return group.cpuShare() >= SPINNING_CPU
                && switches > 0
                && group.cpuShare() / switches < YIELD_SLICE
                && group.waitShare() / switches < YIELD_WAIT
                && group.involuntaryPerSecond() >= YIELDS_A_BLOCK * group.voluntaryPerSecond();
    }

    private static double perSecond(WindowStatistics.ThreadGroup group) {
        return group.involuntaryPerSecond() * group.threads();
    }

    private static String text(WindowStatistics.ThreadGroup group) {
        double switches = perSecond(group);
        return String.format(
                Locale.ROOT,
                "%s: %,.0f involuntary switches a second (voluntary: %,.0f)%s",
                group.name(),
                switches,
                group.voluntaryPerSecond() * group.threads(),
                switches > 0
                        ? String.format(
                                Locale.ROOT,
                                ", each after %.3f ms of CPU and followed by %.3f ms of waiting",
                                1e3 * group.cpuShare() / switches,
                                1e3 * group.waitShare() / switches)
                        : "");
    }
}
