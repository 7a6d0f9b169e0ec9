package dev.kiln.explain;

import static dev.kiln.explain.Named.NOISY_NEIGHBOUR;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.Finding;
import java.util.List;
import java.util.Locale;

/** CPU taken by what is no part of the lab: the hypervisor's other guests, or other programs on the target's CPUs. */
final class NoisyNeighbour implements Cause {
    @Override
    public Finding judge(Situation s, Judged earlier) {
        Observed seen = s.observed();
        if (seen.stealShare().isEmpty()) {
            return NOISY_NEIGHBOUR.notObservable(
                    "the CPUs' own counters (/proc/stat) were not recorded while load went: kiln run records them");
        }
        double steal = seen.stealShare().getAsDouble();
        double foreign = seen.targetForeign().orElse(0);
        String text = String.format(
                Locale.ROOT,
                "the hypervisor took %.1f %% of the worst CPU%s",
                100 * steal,
                seen.targetForeign().isEmpty()
                        ? ""
                        : String.format(
                                Locale.ROOT, ", other programs %.1f %% of a CPU on the target's CPUs", 100 * foreign));
        boolean held = steal >= Thresholds.STEAL || foreign >= Thresholds.FOREIGN;
        return held
                ? NOISY_NEIGHBOUR.held(
                        Math.max(steal, foreign / s.targetCpus().orElse(1)),
                        List.of(proof(text, s.moment())),
                        Remedies.NEIGHBOUR)
                : NOISY_NEIGHBOUR.ruledOut(proof(text, s.moment()));
    }
}
