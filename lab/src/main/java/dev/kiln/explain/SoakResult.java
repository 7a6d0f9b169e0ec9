package dev.kiln.explain;

import dev.kiln.model.SoakPlan;
import java.util.List;

/**
 * What a soak says.
 *
 * @param seconds of load that were recorded
 * @param errorShare of all requests
 * @param worstErrorShare of any window
 * @param problems what went wrong, in words; none of it a soak that held
 * @param complete whether all of its duration was recorded
 * @param held no problem, and no interval leaves room for one; false with no problem: it cannot be told
 * @param notes what a reader must know beside the figures
 */
public record SoakResult(
        String name,
        SoakPlan plan,
        List<SoakPart> parts,
        double seconds,
        long requests,
        long errors,
        double errorShare,
        double worstErrorShare,
        List<String> problems,
        boolean complete,
        boolean held,
        String conclusion,
        List<String> notes) {
    public SoakResult {
        parts = List.copyOf(parts);
        problems = List.copyOf(problems);
        notes = List.copyOf(notes);
    }

    /** Share of the error budget that was spent; beyond 1 it is exceeded. */
    public double budgetSpent() {
        return plan.errorBudget() > 0 ? errorShare / plan.errorBudget() : errors > 0 ? Double.POSITIVE_INFINITY : 0;
    }
}
