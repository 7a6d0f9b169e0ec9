package dev.kiln.explain;

import static dev.kiln.explain.Named.CGROUP_THROTTLING;
import static dev.kiln.explain.Named.TOO_MANY_RUNNABLE;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.Finding;
import dev.kiln.model.Finding.Proof;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** More threads ready to run than CPUs to run them, and the pool they belong to. */
final class TooManyRunnable implements Cause {
    @Override
    public Finding judge(Situation s, Judged earlier) {
        Optional<Situation.Use> target = s.target();
        boolean waits = target.isPresent() && (s.waitsRecorded() || target.get().waiting() > 0);
        if (!waits || s.targetCpus().isEmpty()) {
            return TOO_MANY_RUNNABLE.notObservable(
                    "the time threads wait for a CPU was not recorded while load went: it"
                            + " takes /proc/PID/schedstat (CONFIG_SCHED_INFO), or pidstat's %wait");
        }
        double runnable = target.get().demand();
        double perCpu = target.get().waiting() / s.targetCpus().getAsDouble();
        String text = String.format(
                Locale.ROOT,
                "%.1f threads of the target were runnable on average, for %.0f %s",
                runnable,
                s.targetCpus().getAsDouble(),
                s.targetCpus().getAsDouble() == 1 ? "CPU" : "CPUs");
        if (perCpu < Thresholds.WAITING_PER_CPU) {
            return TOO_MANY_RUNNABLE.ruledOut(proof(text, s.moment()));
        }
        if (earlier.held(CGROUP_THROTTLING)) {
            return TOO_MANY_RUNNABLE.notObservable(
                    text + ": under a CPU limit every thread waits; measure without the limit");
        }
        List<Proof> proofs = new ArrayList<>(List.of(proof(text, s.moment())));
        pool(s).ifPresent(group -> proofs.add(proof(
                String.format(
                        Locale.ROOT,
                        "most of them in the pool %s: %d threads, of which %.1f waited at a time",
                        group.name(),
                        group.threads(),
                        group.waitShare()),
                s.moment())));
        // A little below what starves of it: this is the cause, that the harm.
        return TOO_MANY_RUNNABLE.held(0.95 * (1 - 1 / perCpu), proofs, Remedies.RUNNABLE);
    }

    private static Optional<Observed.ThreadGroup> pool(Situation s) {
        return s.observed().threads().stream()
                .filter(group -> !group.role().equals("C1") && !group.role().equals("C2"))
                .max(Comparator.comparingDouble(Observed.ThreadGroup::waitShare));
    }
}
