package dev.kiln.tune;

import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * A BudgetPlan divides the time of a search before its first run. It is kept while a search goes on: the looks that are
 * planned share the error, so that they must not become more.
 *
 * @param baselineRuns before anything else
 * @param screens of candidates that fit; none where candidates are not screened
 * @param pairs of runs of a look at a proof
 * @param looks at proofs, all together
 */
public record BudgetPlan(int baselineRuns, int screens, int pairs, int looks) {
    /** Earlier searches planned so, whatever their budget was. */
    static final BudgetPlan USUAL = new BudgetPlan(2, 0, 5, 9);

    /** Four screens find most cures; fewer are worth a search only if nothing else fits. */
    private static final int ENOUGH_SCREENS = 4;

    /** One screen alone ranks nothing. */
    private static final int FEW_SCREENS = 2;

    /** More candidates than this have hardly been seen. */
    private static final int MOST_SCREENS = 8;

    /** Plans in the order in which they are wanted: runs of the baseline, pairs, least screens. */
    private static final List<BudgetPlan> WANTED = List.of(
            new BudgetPlan(2, ENOUGH_SCREENS, 5, 1),
            new BudgetPlan(1, ENOUGH_SCREENS, 5, 1),
            new BudgetPlan(1, 1, 4, 1));

    /**
     * Lengths are the seconds that things of a search take.
     *
     * @param before all runs
     * @param run of the whole protocol
     * @param screen of the first seconds of its load; empty where candidates are not screened
     * @param stage around the runs of a stage
     * @param last what the run of what is handed over takes at least
     */
    record Lengths(double before, double run, Optional<Double> screen, double stage, double last) {}

    /** Returns the plan for a budget in seconds; empty if it is not enough for one screen and one proof. */
    static Optional<BudgetPlan> of(double budget, Lengths lengths) {
        if (lengths.screen().isEmpty()) {
            return budget >= USUAL.least(lengths) ? Optional.of(USUAL) : Optional.empty();
        }
        return WANTED.stream()
                .filter(wanted -> budget >= wanted.least(lengths))
                .findFirst()
                .map(wanted -> wanted.filling(budget, lengths));
    }

    /** Returns the seconds of the smallest search. */
    static double leastOf(Lengths lengths) {
        return (lengths.screen().isPresent() ? WANTED.getLast() : USUAL).least(lengths);
    }

    /** Returns the seconds that it takes with one look. */
    private double least(Lengths lengths) {
        double screening = lengths.screen()
                .map(screen -> screens * screen + lengths.stage())
                .orElse(0.0);
        return lengths.before()
                + 2 * lengths.stage()
                + screening
                + (baselineRuns + 2 * pairs) * lengths.run()
                + lengths.last();
    }

    /** Returns this plan with more screens and more looks, as far as they fit. */
    private BudgetPlan filling(double budget, Lengths lengths) {
        double screen = lengths.screen().orElseThrow();
        int more = (int) Math.min(MOST_SCREENS - screens, (budget - least(lengths)) / screen);
        BudgetPlan full = new BudgetPlan(baselineRuns, screens + more, pairs, looks);
        int moreLooks = (int) ((budget - full.least(lengths)) / (2 * pairs * lengths.run()));
        return new BudgetPlan(baselineRuns, screens + more, pairs, Math.min(USUAL.looks, looks + moreLooks));
    }

    /**
     * Returns this plan with fewer pairs where its runs take longer than it was made for: with as many as fit beside two screens, or
     * else without any. A plan of which not even the fewest fit stays as it is.
     *
     * @param affords told screens and whole runs, whether both fit into what is left
     */
    BudgetPlan fitting(BiPredicate<Integer, Integer> affords) {
        for (int beside : new int[] {Math.min(FEW_SCREENS, screens), 0}) {
            for (int fewer = pairs; fewer >= PairedRatio.FEWEST_PAIRS; fewer--) {
                if (affords.test(beside, 2 * fewer)) {
                    return new BudgetPlan(baselineRuns, screens, fewer, looks);
                }
            }
        }
        return this;
    }

    /** Tells whether nothing had to be left out for the budget but further looks. */
    boolean isWhole() {
        return baselineRuns == WANTED.getFirst().baselineRuns && pairs == WANTED.getFirst().pairs;
    }

    /** Returns the error that each look at a proof may have, so that all together have this. */
    double errorOfALook(double all) {
        return all / looks;
    }

    /**
     * Returns the plan in words, for the line before the first run.
     *
     * @param blind why a screen cannot end early; empty where it can
     */
    String text(double budget, Lengths lengths, Optional<String> blind) {
        List<String> parts = new ArrayList<>();
        parts.add(Show.plural(baselineRuns, "run") + " of the baseline, the service as it is ("
                + minutes(baselineRuns * lengths.run()) + ")");
        lengths.screen()
                .filter(screen -> screens > 0)
                .ifPresent(screen -> parts.add("up to " + Show.plural(screens, "candidate") + ", each screened by "
                        + (blind.isEmpty() ? "at most " : "") + Screening.SECONDS + " s of load"
                        + blind.map(why -> ", because " + why).orElse("") + " (" + minutes(screens * screen) + ")"));
        parts.add("a proof of the best by " + pairs + " pairs of runs (" + minutes(2 * pairs * lengths.run()) + ")"
                + (looks > 1
                        ? ", and more pairs, rounds or proofs while there is time, " + looks + " looks at most"
                        : ", and no second look"));
        parts.add("at the end a run with the files that are handed over (" + minutes(lengths.last()) + ")");
        return "plan for " + minutes(budget) + ": " + String.join("; ", parts);
    }

    private static String minutes(double seconds) {
        return String.format(Locale.ROOT, "%.0f min", Math.ceil(seconds / 60));
    }
}
