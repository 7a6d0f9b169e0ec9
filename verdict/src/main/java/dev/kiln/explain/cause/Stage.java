package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.BudgetPart;
import java.util.Locale;

/**
 * A Stage is what a request took in one part of a run.
 *
 * @param millis response time
 * @param waits of it the ms in which no thread of the request wanted a CPU: it was blocked, or no thread had it
 * @param cpu of it the ms on a CPU
 */
record Stage(double millis, double waits, double cpu) {
    /** The CPU time of a request is the same up to this relative difference. */
    private static final double SAME_CPU = 0.1;

    /** A change explains what got better if it explains at least this share of it; another one, under the rest. */
    private static final double MOST = 0.75;

    static Stage of(Budget budget) {
        return new Stage(
                budget.responseMillis(),
                budget.of(BudgetPart.BLOCKED).orElse(0)
                        + budget.of(BudgetPart.REST).orElse(0),
                budget.of(BudgetPart.RUNNING).orElse(0)
                        + budget.of(BudgetPart.KERNEL).orElse(0));
    }

    /**
     * Tells whether it is by its waits that a request took longer than later on, and not by its CPU time. What requests wait
     * for may be a thread that runs others, so a request that costs half the CPU later would take half the time.
     */
    boolean waitsExplain(Stage later) {
        double better = millis - later.millis;
        boolean sameCpu = Math.abs(cpu - later.cpu) <= SAME_CPU * cpu;
        double byCpu = later.cpu > 0 ? (cpu / later.cpu - 1) * later.millis : Double.POSITIVE_INFINITY;
        return better > 0 && waits - later.waits >= MOST * better && (sameCpu || byCpu < (1 - MOST) * better);
    }

    String waitWords() {
        return String.format(Locale.ROOT, "%s of %s ms", Explained.ms(waits), Explained.ms(millis));
    }
}
