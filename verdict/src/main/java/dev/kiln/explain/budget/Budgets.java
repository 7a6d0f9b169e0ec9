package dev.kiln.explain.budget;

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

    /** Tells whether one of the three is known. */
    public boolean known() {
        return beginning.isPresent() || end.isPresent() || reference.isPresent();
    }
}
