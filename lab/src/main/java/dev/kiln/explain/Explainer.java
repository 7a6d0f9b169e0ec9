package dev.kiln.explain;

import dev.kiln.model.Finding;
import dev.kiln.model.RunEvidence;
import java.util.List;

/** Findings of any stretch of evidence: for a live process there is no warm-up whose second half could be judged. */
public final class Explainer {
    private Explainer() {}

    /** @param fromNanos and {@code toNanos} since launch; moments are seconds since {@code fromNanos} */
    public static List<Finding> findings(RunEvidence evidence, long fromNanos, long toNanos) {
        return Causes.judge(situation(evidence, fromNanos, toNanos));
    }

    static Situation situation(RunEvidence evidence, long fromNanos, long toNanos) {
        Window window = new Window(fromNanos, toNanos);
        ThreadCounters threads = new ThreadCounters(evidence.threads());
        Observed observed = new ObservedBuilder(evidence, threads, window).build();
        return new Situation(
                evidence,
                observed,
                threads,
                window,
                fromNanos,
                CurvesBuilder.build(evidence, List.of(), threads, fromNanos).jit());
    }
}
