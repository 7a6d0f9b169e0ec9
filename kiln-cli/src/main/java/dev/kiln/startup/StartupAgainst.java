package dev.kiln.startup;

import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.startup.StartupResult.Verdict;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Power;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.text.Show;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A StartupAgainst is a command against the first: the conclusion from the pairs, with what is needed to reach one
 * where there is none.
 *
 * @param side number of the command, from 1
 * @param pairs that are whole
 * @param effect the change, as a share, that the pairs needed are for
 * @param confidence of the interval
 */
record StartupAgainst(StartTable table, int side, int pairs, double effect, double confidence) {
    /** An interval that ends so close to 1 has a decimal more: with two, both commands could look alike. */
    private static final double CLOSE = 1.05;

    /** Judges by the ratio of the pairs and its interval, and by the exact permutation within them. */
    Verdict verdict(Optional<PairedRatio> ratio) {
        if (ratio.isEmpty()) {
            String why = pairs < 2 ? tooFew(OptionalInt.empty()) : "A start took 0, so there is no ratio.";
            return new Verdict(Conclusion.NOT_ENOUGH_RUNS, why, OptionalDouble.empty(), OptionalInt.empty());
        }
        PairedRatio known = ratio.get();
        Conclusion outcome = known.conclusion();
        double sd = known.seLog() * Math.sqrt(pairs);
        double least = Power.byBoth(Power.Design.BLOCKS, pairs, 1 - confidence) * sd;
        OptionalDouble detectable =
                Double.isFinite(least) ? OptionalDouble.of(Math.expm1(least)) : OptionalDouble.empty();
        OptionalInt needed = outcome.shown()
                ? OptionalInt.empty()
                : Power.runs(Power.Design.BLOCKS, sd, Math.log1p(effect), 1 - confidence)
                        .number();
        return new Verdict(outcome, words(outcome, known, detectable, needed), detectable, needed);
    }

    private String words(Conclusion outcome, PairedRatio ratio, OptionalDouble detectable, OptionalInt needed) {
        String first = table.names().getFirst();
        String other = table.names().get(side);
        // With several verdicts, each says whose it is.
        String whose = table.names().size() == 2 ? "" : " between " + other + " and " + first;
        // Starts that are all alike say nothing about how much starts differ.
        String wanting = ratio.seLog() == 0 ? "" : " " + wanting(detectable, needed);
        return switch (outcome) {
            case LOWER ->
                isTime()
                        ? faster(other, first, 1 / ratio.ratio(), 1 / ratio.hi(), 1 / ratio.lo())
                        : differs(other, "lower", first, 1 - ratio.ratio(), 1 - ratio.hi(), 1 - ratio.lo());
            case HIGHER ->
                isTime()
                        ? faster(first, other, ratio.ratio(), ratio.lo(), ratio.hi())
                        : differs(other, "higher", first, ratio.ratio() - 1, ratio.lo() - 1, ratio.hi() - 1);
            case NO_DIFFERENCE_SHOWN ->
                "No difference between " + first + " and " + other + " is shown (" + other + "/" + first + " "
                        + interval(Show.range(ratio.lo(), ratio.hi(), Show::ratio)) + wanting;
            case INCONCLUSIVE -> "Inconclusive" + whose + ": the interval and the exact test disagree." + wanting;
            case EXPLORATORY, NOT_ENOUGH_RUNS, TWO_SESSIONS, CANNOT_TELL ->
                tooFew(ratio.seLog() == 0 ? OptionalInt.empty() : needed);
        };
    }

    /** Tells whether the table has times. One that says neither what it has nor its unit, has. */
    private boolean isTime() {
        return List.of("ms", "s").contains(table.unit())
                || (table.unit().isEmpty() && table.metric().isEmpty());
    }

    private String faster(String quick, String slow, double times, double from, double to) {
        int decimals = from < CLOSE ? 3 : 2;
        return quick + " is " + Show.ascii(times, decimals) + " times faster than " + slow + " ("
                + interval(Show.range(from, to, end -> Show.ascii(end, decimals)));
    }

    private String differs(String one, String way, String other, double by, double from, double to) {
        return one + " is " + Show.points(100 * by) + " " + way + " than " + other + " ("
                + interval(Show.range(from, to, end -> Show.ascii(100 * end, 1)) + " %");
    }

    private String interval(String ends) {
        return ends + ", " + Show.trimmed(100 * confidence, 2) + " % interval).";
    }

    private String rounds(int number) {
        return StartupResult.rounds(table.names().size(), number);
    }

    private String tooFew(OptionalInt needed) {
        return "Too few to tell: at least " + rounds(Power.fewest(Power.Design.BLOCKS, 1 - confidence))
                + " can show a difference"
                + (needed.isPresent()
                        ? "; to show one of " + percent(effect) + " takes " + rounds(needed.getAsInt())
                        : "")
                + ".";
    }

    private String wanting(OptionalDouble detectable, OptionalInt needed) {
        String now = detectable.isPresent()
                ? String.format(
                        Locale.ROOT, "show a change of %.1f %% with 80 %% power", 100 * detectable.getAsDouble())
                : "show no change, whatever they are";
        return rounds(pairs) + " " + now + "; to show one of " + percent(effect) + ", "
                + (needed.isPresent()
                        ? rounds(needed.getAsInt())
                        : "more than 10,000" + (table.names().size() == 2 ? " pairs" : " rounds"))
                + " are needed.";
    }

    private static String percent(double share) {
        return Show.trimmed(100 * share, 2) + " %";
    }
}
