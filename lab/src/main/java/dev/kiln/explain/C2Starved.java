package dev.kiln.explain;

import static dev.kiln.explain.Named.C2_STARVED;
import static dev.kiln.explain.Named.CGROUP_THROTTLING;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.Finding;
import dev.kiln.model.Finding.Proof;
import dev.kiln.model.ThreadRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** C2 has work and gets no CPU for it. */
final class C2Starved implements Cause {
    @Override
    public Finding judge(Situation s, Judged earlier) {
        if (s.threads().isEmpty()) {
            return C2_STARVED.notObservable("the compiler threads' CPU time and waiting were not recorded: they take"
                    + " /proc/PID/task (kiln run), or pidstat -t");
        }
        if (s.observed().c2CpuShare().isEmpty()) {
            return s.threads().has(ThreadRole.C2)
                    ? C2_STARVED.notObservable("less than a second of load was recorded")
                    : C2_STARVED.ruledOut(proof("the target has no C2 thread: no HotSpot JVM, or one without C2"));
        }
        if (!s.waitsRecorded()) {
            return byEfficiency(s);
        }
        if (s.c2().isEmpty()) {
            return C2_STARVED.notObservable("less than a second of load was recorded");
        }
        Situation.Use c2 = s.c2().orElseThrow();
        List<Proof> proofs = proofs(s, c2);
        if (!c2.starved()) {
            return C2_STARVED.ruledOut(proofs.toArray(Proof[]::new));
        }
        return earlier.held(CGROUP_THROTTLING)
                ? C2_STARVED.notObservable(
                        proofs.getFirst().text() + ": under a CPU limit every thread waits; measure without the limit")
                : C2_STARVED.held(c2.waitRatio(), proofs, Remedies.STARVED_C2);
    }

    private static List<Proof> proofs(Situation s, Situation.Use c2) {
        List<Proof> proofs = new ArrayList<>();
        proofs.add(proof(
                String.format(
                        Locale.ROOT,
                        "C2 got %.1f %% of a CPU and waited for one %.1f %% of the time %s",
                        100 * c2.cpu(),
                        100 * c2.waiting(),
                        s.stretch()),
                s.moment()));
        s.efficiency().ifPresent(share -> proofs.add(efficiency(s, share)));
        if (c2.starved()) {
            s.target()
                    .ifPresent(target -> proofs.add(proof(
                            String.format(
                                    Locale.ROOT,
                                    "an even share of %.0f %s among %.1f runnable threads is %.1f %% of a CPU",
                                    s.targetCpus().orElse(1),
                                    s.targetCpus().orElse(1) == 1 ? "CPU" : "CPUs",
                                    target.demand(),
                                    100 * s.targetCpus().orElse(1) / (target.demand() + 1)),
                            s.moment())));
        }
        // Where the window is all there is, its own figures have said so.
        if (!s.whole()) {
            StarvedSpell.of(s.jit(), s.second(s.window().toNanos())).ifPresent(spell -> proofs.add(spell.proof()));
        }
        return proofs;
    }

    private static Proof efficiency(Situation s, double share) {
        return proof(
                String.format(
                        Locale.ROOT,
                        "the compilers had a CPU for %.0f %% of the time their compilations took (about 100 %% when served)",
                        100 * share),
                s.moment());
    }

    private static Finding byEfficiency(Situation s) {
        OptionalDouble share = s.efficiency();
        if (share.isPresent() && share.getAsDouble() <= Thresholds.EFFICIENCY_STARVED) {
            return C2_STARVED.held(
                    1 - share.getAsDouble(), List.of(efficiency(s, share.getAsDouble())), Remedies.STARVED_C2);
        }
        if (share.isPresent() && share.getAsDouble() >= Thresholds.EFFICIENCY_SERVED) {
            return C2_STARVED.ruledOut(efficiency(s, share.getAsDouble()));
        }
        return C2_STARVED.notObservable("the time threads wait for a CPU was not recorded: it takes /proc/PID/schedstat"
                + " (CONFIG_SCHED_INFO), or pidstat's %wait");
    }
}
