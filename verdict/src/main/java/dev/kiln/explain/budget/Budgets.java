package dev.kiln.explain.budget;

import dev.kiln.explain.window.Window;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.RunEvidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Budgets are where the response time went in a run. Each is empty where it is not known.
 *
 * @param beginning of the first seconds of the load
 * @param end of the last seconds of the load before the pause, which are held against the reference
 * @param reference of the load after the pause, or of the last round of a search
 * @param curve second by second
 */
public record Budgets(Optional<Budget> beginning, Optional<Budget> end, Optional<Budget> reference, BudgetCurve curve) {
    /** These budgets are those of a run without load. */
    public static final Budgets NONE =
            new Budgets(Optional.empty(), Optional.empty(), Optional.empty(), new BudgetCurve(List.of()));

    /** Returns these budgets, of which the last load has the families of the recording that was made when all else was measured. */
    public Budgets closedBy(FlightDigest closing) {
        return reference.isPresent()
                ? new Budgets(beginning, end, reference.map(last -> last.orClosing(closing)), curve)
                : new Budgets(beginning, end.map(last -> last.orClosing(closing)), reference, curve);
    }

    /** Tells whether one of the three is known. */
    public boolean known() {
        return beginning.isPresent() || end.isPresent() || reference.isPresent();
    }

    /**
     * A BudgetCurve is where the response time went, second by second.
     *
     * @param seconds those in which it is known, in order
     */
    public record BudgetCurve(List<BudgetSecond> seconds) {
        private static final long SECOND = 1_000_000_000L;

        public BudgetCurve {
            seconds = List.copyOf(seconds);
        }

        /**
         * A BudgetSecond is one second of a load.
         *
         * @param second since the first request
         */
        public record BudgetSecond(double second, Budget budget) {}

        /**
         * Reads each second of each load of a run.
         *
         * @param zeroNanos the first request
         */
        public static BudgetCurve of(RunEvidence evidence, BudgetReader reader, long zeroNanos) {
            List<BudgetSecond> seconds = new ArrayList<>();
            for (PhaseTime phase : evidence.info().phases()) {
                long end = phase.endNanos().orElse(phase.startNanos());
                for (long at = phase.startNanos(); phase.load() && at + SECOND <= end; at += SECOND) {
                    double second = (at - zeroNanos) / 1e9;
                    Optional<Budget> budget = reader.of(new Window(at, at + SECOND));
                    budget.ifPresent(known -> seconds.add(new BudgetSecond(second, known)));
                }
            }
            return new BudgetCurve(seconds);
        }
    }
}
