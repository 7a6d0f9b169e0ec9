package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
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

    /** Something that one thread at a time runs may be full from this share of a CPU on. */
    static final double BUSY = 0.7;

    /** A change explains what got better if it explains at least this share of it; another one, under the rest. */
    private static final double MOST = 0.75;

    /** Tells whether the CPU time of a request is known: without it, nothing tells its waits from the time in which it ran. */
    static boolean isKnown(Budget budget) {
        return budget.of(BudgetPart.RUNNING).isPresent();
    }

    static Stage of(Budget budget) {
        return new Stage(
                budget.responseMillis(),
                budget.of(BudgetPart.BLOCKED).orElse(0)
                        + budget.of(BudgetPart.REST).orElse(0),
                budget.of(BudgetPart.RUNNING).orElse(0)
                        + budget.of(BudgetPart.KERNEL).orElse(0));
    }

    /**
     * Tells whether it is by its waits that a request took longer than later on, and not by its CPU time.
     *
     * @param cpus that the target used, its compilers included
     */
    boolean waitsExplain(Stage later, double cpus) {
        double better = millis - later.millis;
        boolean sameCpu = Math.abs(cpu - later.cpu) <= SAME_CPU * cpu;
        return better > 0
                && waits - later.waits >= MOST * better
                && (sameCpu || byCpu(later, cpus) < (1 - MOST) * better);
    }

    /**
     * Returns the ms that a request can have taken longer because it cost more CPU. Where a CPU or so was used, requests may
     * have waited for one that ran, for a lock or an event loop: half the CPU time is then half of the time. Where less was
     * used, what ran was busy for no more than that share of the time, and a queue before it is so much longer.
     */
    private double byCpu(Stage later, double cpus) {
        double inTurn = later.cpu > 0 ? (cpu / later.cpu - 1) * later.millis : Double.POSITIVE_INFINITY;
        return cpus >= BUSY ? inTurn : Math.min(inTurn, (cpu - later.cpu) / (1 - cpus));
    }

    String waitWords() {
        return String.format(Locale.ROOT, "%s of %s ms", Explained.ms(waits), Explained.ms(millis));
    }
}
