package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.stats.AnalysisConfig;

/** CpuRoom tells whether the CPUs of the target had room while requests waited for something else. */
final class CpuRoom {
    /** CPUs that are busy for this share of the time are the limit themselves. */
    static final double FULL = 0.95;

    /** CPUs of which less is used have room, as {@link DatabaseLimit} has it for a target with a database. */
    static final double ROOM = 0.7;

    /** The CPUs are idle for most of the time below this share, as where no database is recorded. */
    private static final double HALF = 0.5;

    /** Requests that wait for a CPU for more than this share of their time may queue elsewhere because of that. A choice. */
    private static final double LITTLE = 0.1;

    private CpuRoom() {}

    /** Tells whether the target is known to have used less than this share of its CPUs. */
    static boolean below(double share, WindowEvidence s) {
        return s.target().isPresent()
                && s.targetCpus().isPresent()
                && s.target().get().cpu() < share * s.targetCpus().getAsDouble();
    }

    /** Tells whether it was not the load that was little. */
    static boolean isFullLoad(WindowEvidence s, Findings earlier) {
        return DatabaseLimit.isLoaded(s) && !earlier.confirmed(GeneratorLimit.ID);
    }

    /** Tells whether the room is known to be for requests: they hardly wait for a CPU, and nobody else takes it. */
    static boolean isForRequests(Budget end, Findings earlier) {
        return end.share(BudgetPart.CPU_WAIT).orElse(1) <= LITTLE
                && !earlier.confirmed(Throttling.ID)
                && !earlier.confirmed(NoisyNeighbour.ID);
    }

    /**
     * Tells whether a rate was sent, or users thought between their requests, so that the CPUs were less than half busy, and fewer
     * requests were on their way than could be: none had to wait for another to end.
     */
    static boolean isEasyRate(WindowEvidence s, Findings earlier) {
        boolean blocked =
                earlier.budgets().end().stream().anyMatch(end -> !end.blocked().isEmpty());
        return s.evidence().info().load().offeredRate().isPresent()
                && below(HALF, s)
                && blocked
                && s.behind().isEmpty()
                && !DatabaseLimit.isLoaded(s)
                && !earlier.confirmed(GeneratorLimit.ID);
    }

    /** Tells whether the rate that was sent succeeded, or that of thinking users who get their answers at once. */
    static boolean isServed(WindowEvidence s) {
        double rate = s.evidence().info().load().offeredRate().orElse(0);
        return s.servedPerSecond() >= (1 - AnalysisConfig.DELTA) * rate;
    }
}
