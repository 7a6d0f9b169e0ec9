package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * TooManyRunnable is the cause that more threads are ready to run than there are CPUs to run them; it names the pool
 * they belong to.
 */
final class TooManyRunnable {
    static final CauseId ID = new CauseId(
                    "too-many-runnable", "too many runnable threads for the CPUs", Curve.C2, CauseId.LEVEL)
            .taking(BudgetPart.CPU_WAIT);

    /**
     * Too many threads are runnable if so many wait on each CPU: then any one thread gets at most a sixth of it, by
     * share = 1 / (runnable + 1).
     */
    private static final double WAITING_PER_CPU = 5;

    private static final List<FindingRemedy> REMEDIES = List.of(
            new FindingRemedy(
                            "make the pool smaller",
                            "server.tomcat.threads.max=16; quarkus.thread-pool.max-threads=16",
                            "requests wait for a thread; a pool that is too small leaves CPUs idle while its threads wait"
                                    + " for a database",
                            RemedyPlace.LAUNCH_FLAG)
                    .tried(Change.flags("-Dserver.tomcat.threads.max=16", "-Dquarkus.thread-pool.max-threads=16")),
            Remedies.MORE_CPU);

    private TooManyRunnable() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Optional<CpuUse> target = s.target();
        boolean waits = target.isPresent() && (s.waitsRecorded() || target.get().waiting() > 0);
        if (!waits || s.targetCpus().isEmpty()) {
            return ID.notObservable("the time threads wait for a CPU was not recorded during the load: it takes"
                    + " /proc/PID/schedstat (CONFIG_SCHED_INFO), or pidstat's %wait");
        }
        double runnable = target.get().demand();
        double perCpu = target.get().waiting() / s.targetCpus().getAsDouble();
        String text = String.format(
                Locale.ROOT,
                "%.1f threads of the target were runnable on average, for %.0f %s",
                runnable,
                s.targetCpus().getAsDouble(),
                s.targetCpus().getAsDouble() == 1 ? "CPU" : "CPUs");
        if (perCpu < WAITING_PER_CPU) {
            return ID.ruledOut(proof(text, s.moment()));
        }
        if (earlier.confirmed(Throttling.ID)) {
            return ID.notObservable(text + ": under a CPU limit every thread waits; measure without the limit");
        }
        return ofMany(s, earlier, text, perCpu);
    }

    /** @param perCpu how many wait for each CPU, which are too many */
    private static Finding ofMany(WindowEvidence s, Findings earlier, String text, double perCpu) {
        Proof many = proof(text, s.moment());
        Optional<Proof> same = Difference.ofCpu(TooManyRunnable::takes).same(s);
        if (same.isPresent()) {
            // A load of many connections on few CPUs always has many: that is no cause by itself.
            return ID.ruledOut(many, same.get());
        }
        Optional<Taken> there = s.others().reference().flatMap(TooManyRunnable::takes);
        boolean unseen = earlier.of(C2Starved.ID).state() == FindingState.NOT_OBSERVABLE;
        if (there.filter(taken -> taken.amount() >= WAITING_PER_CPU).isPresent() && !takesFromC2(s, earlier)) {
            if (unseen) {
                return ID.notObservable(text + "; whether they took CPU from C2 was not recorded");
            }
            // A request waits for a CPU that is full, with a thread or without one: how long, its own CPU time decides.
            return ID.ruledOut(
                    many,
                    proof(
                            there.get().words()
                                    + " after the pause as well: its CPUs were full there too, and C2 did not wait behind"
                                    + " them with work to do",
                            s.others().reference().orElseThrow().moment()));
        }
        if (earlier.confirmed(NoisyNeighbour.ID) && !takesFromC2(s, earlier)) {
            return ID.notObservable(text + ": they waited for other programs too; measure without these");
        }
        // Without a reference, or without figures of it, only what they take from C2 shows harm.
        boolean more = takes(s).isPresent()
                && s.others().reference().flatMap(TooManyRunnable::takes).isPresent();
        if (!more && !takesFromC2(s, earlier)) {
            return unseen
                    ? ID.notObservable(text + "; whether they took CPU from C2 was not recorded")
                    : ID.ruledOut(proof(text + ", but C2 did not wait behind them with work to do", s.moment()));
        }
        List<Proof> proofs = new ArrayList<>(List.of(many));
        pool(s).ifPresent(group -> proofs.add(proof(
                String.format(
                        Locale.ROOT,
                        "most of them in the pool %s: %d threads, of which %.1f waited on average",
                        group.name(),
                        group.threads(),
                        group.waitShare()),
                s.moment())));
        // A little below what starves of it: this is the cause, that the harm.
        return ID.confirmed(0.95 * (1 - 1 / perCpu), proofs, Remedies.withVirtualThreads(s, REMEDIES));
    }

    /** One thread more or less is no difference, nor is a tenth: that much is a compiler at work, or noise. */
    private static Optional<Taken> takes(WindowEvidence s) {
        return s.target()
                .filter(target -> s.targetCpus().isPresent())
                .map(target -> target.waiting() / s.targetCpus().getAsDouble())
                .map(perCpu -> new Taken(
                        perCpu,
                        Math.max(1, perCpu / 10),
                        String.format(Locale.ROOT, "%.1f of its threads waited for each CPU", perCpu)));
    }

    /** Tells whether C2 is starved or behind, or waited most of the time in which it had work to do. */
    static boolean takesFromC2(WindowEvidence s, Findings earlier) {
        boolean waited = s.c2().filter(
                        c2 -> c2.waitRatio() >= Thresholds.STARVED_RATIO && c2.demand() >= Thresholds.QUIET_DEMAND)
                .isPresent();
        return earlier.confirmed(C2Starved.ID)
                || earlier.confirmed(C2Backlog.ID)
                || (waited && s.c2Queue().orElse(1) > 0);
    }

    private static Optional<WindowStatistics.ThreadGroup> pool(WindowEvidence s) {
        return s.observed().threads().stream()
                .filter(group -> !group.role().equals("C1") && !group.role().equals("C2"))
                .max(Comparator.comparingDouble(WindowStatistics.ThreadGroup::waitShare));
    }
}
