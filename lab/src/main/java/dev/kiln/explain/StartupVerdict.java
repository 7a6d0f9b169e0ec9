package dev.kiln.explain;

import dev.kiln.model.StartTable;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.PairedRatio;
import dev.kiln.stats.Power;
import dev.kiln.stats.SmallestP;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The conclusion from the pairs, with what it takes to reach one where there is none. */
record StartupVerdict(Conclusion outcome, String words, OptionalDouble detectable, OptionalInt pairsNeeded) {
    /**
     * By the ratio of the pairs and its interval, and the exact permutation within them.
     *
     * @param pairs that are whole
     * @param effect the change, as a share, that the pairs needed are for
     */
    static StartupVerdict of(
            StartTable table, Optional<PairedRatio> ratio, int pairs, double effect, double confidence) {
        int fewest = SmallestP.pairsNeeded(1 - confidence);
        if (ratio.isEmpty()) {
            String why = pairs < 2
                    ? "Not enough data: " + (pairs == 1 ? "1 pair" : "no pair") + ", where at least " + fewest
                            + " can show a difference."
                    : "A start has 0, so there is no ratio to tell of.";
            return new StartupVerdict(Conclusion.NOT_ENOUGH_RUNS, why, OptionalDouble.empty(), OptionalInt.empty());
        }
        PairedRatio known = ratio.get();
        Conclusion outcome = known.conclusion();
        double detectable = Power.minimalDetectableEffect(known.seLog(), known.df());
        OptionalInt enough = Power.pairsForEffect(known.seLog() * Math.sqrt(pairs), effect);
        OptionalInt needed = outcome.shown() || enough.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(Math.max(enough.getAsInt(), fewest));
        String words = words(table, outcome, known, fewest)
                + (outcome.shown() || known.seLog() == 0 ? "" : " " + wanting(pairs, detectable, effect, needed));
        return new StartupVerdict(outcome, words, OptionalDouble.of(detectable), needed);
    }

    private static String words(StartTable table, Conclusion outcome, PairedRatio ratio, int fewest) {
        boolean time = table.unit().equals("ms") || table.unit().isEmpty();
        double one = 100 * Math.abs(ratio.lo() - 1);
        double other = 100 * Math.abs(ratio.hi() - 1);
        String size = String.format(
                Locale.ROOT,
                "by %.1f %% (%.1f to %.1f)",
                100 * Math.abs(ratio.ratio() - 1),
                Math.min(one, other),
                Math.max(one, other));
        return switch (outcome) {
            case LOWER -> table.b() + " is " + (time ? "faster" : "lower") + " than " + table.a() + ", " + size + ".";
            case HIGHER -> table.b() + " is " + (time ? "slower" : "higher") + " than " + table.a() + ", " + size + ".";
            case NO_DIFFERENCE_SHOWN -> "No difference between " + table.a() + " and " + table.b() + " is shown.";
            case INCONCLUSIVE -> "Inconclusive: the interval and the exact test disagree.";
            case EXPLORATORY, NOT_ENOUGH_RUNS, CANNOT_TELL ->
                "Exploratory: at least " + fewest + " pairs can show a difference.";
        };
    }

    private static String wanting(int pairs, double detectable, double effect, OptionalInt needed) {
        return String.format(
                Locale.ROOT,
                "%d pairs show a change of %.1f %% with 80 %% power; to show one of %s %%, %s pairs are needed.",
                pairs,
                100 * detectable,
                String.format(Locale.ROOT, "%.2f", 100 * effect).replaceAll("\\.?0+$", ""),
                needed.isPresent() ? Integer.toString(needed.getAsInt()) : "more than 10,000");
    }
}
