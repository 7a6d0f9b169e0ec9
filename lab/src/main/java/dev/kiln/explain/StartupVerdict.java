package dev.kiln.explain;

import dev.kiln.model.StartTable;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.HodgesLehmann;
import dev.kiln.stats.Power;
import dev.kiln.stats.RatioComparison;
import dev.kiln.stats.SmallestP;
import dev.kiln.stats.Summary;
import dev.kiln.stats.WelchRatio;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The conclusion from two columns, with what it takes to reach one where there is none. */
record StartupVerdict(Conclusion outcome, String words, OptionalDouble detectable, OptionalInt runsNeeded) {
    static StartupVerdict of(StartTable table, double[] a, double[] b, AnalysisConfig config) {
        if (a.length < 2) {
            return new StartupVerdict(
                    Conclusion.EXPLORATORY,
                    "Not enough data: " + (a.length == 1 ? "1 pair" : "no pair") + ", where at least "
                            + SmallestP.runsNeeded(1 - config.confidence()) + " can show a difference.",
                    OptionalDouble.empty(),
                    OptionalInt.empty());
        }
        WelchRatio ratio = WelchRatio.of(a, b, config.confidence());
        Conclusion outcome = outcome(a, b, ratio, config);
        double cv = Math.hypot(Summary.of(a).cv(), Summary.of(b).cv()) / Math.sqrt(2);
        double detectable = Power.minimalDetectableEffect(cv, a.length);
        double seen = Math.abs(Math.expm1(Math.abs(Math.log(ratio.ratio()))));
        boolean shown = outcome == Conclusion.LOWER || outcome == Conclusion.HIGHER;
        OptionalInt needed = shown || seen < 1e-9 || cv == 0 ? OptionalInt.empty() : Power.runsForEffect(cv, seen);
        String words = words(table, outcome, ratio)
                + (shown || cv == 0 ? "" : " " + wanting(a.length, detectable, seen, needed));
        return new StartupVerdict(outcome, words, OptionalDouble.of(detectable), needed);
    }

    private static Conclusion outcome(double[] a, double[] b, WelchRatio ratio, AnalysisConfig config) {
        if (Math.max(a.length, b.length) > HodgesLehmann.MOST_RUNS) {
            return Conclusion.of(
                    Math.log(ratio.ratio()), ratio.p(), OptionalDouble.empty(), 0, 1 - config.confidence());
        }
        return RatioComparison.of(a, b, config).orElseThrow().conclusion();
    }

    private static String words(StartTable table, Conclusion outcome, WelchRatio ratio) {
        boolean time = table.unit().equals("ms") || table.unit().isEmpty();
        double percent = 100 * Math.abs(ratio.ratio() - 1);
        String size = String.format(Locale.ROOT, "by %.1f %%", percent);
        return switch (outcome) {
            case LOWER -> table.b() + " is " + (time ? "faster" : "lower") + " than " + table.a() + ", " + size + ".";
            case HIGHER -> table.b() + " is " + (time ? "slower" : "higher") + " than " + table.a() + ", " + size + ".";
            case NO_DIFFERENCE_SHOWN -> "No difference between " + table.a() + " and " + table.b() + " is shown.";
            case INCONCLUSIVE -> "Inconclusive: the interval and the exact test disagree.";
            case EXPLORATORY -> "Exploratory: so few pairs cannot show a difference.";
        };
    }

    private static String wanting(int pairs, double detectable, double seen, OptionalInt needed) {
        String first = String.format(
                Locale.ROOT, "%d pairs show a change of %.1f %% with 80 %% power", pairs, 100 * detectable);
        return needed.isEmpty()
                ? first + "."
                : String.format(
                        Locale.ROOT,
                        "%s; to show the %.2f %% that was seen, %s pairs are needed.",
                        first,
                        100 * seen,
                        Math.max(needed.getAsInt(), SmallestP.runsNeeded(0.05)));
    }
}
