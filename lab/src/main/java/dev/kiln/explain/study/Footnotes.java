package dev.kiln.explain.study;

import dev.kiln.explain.Forecast;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.cause.Causes;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.load.DriverCompilers;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.ExactTest;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a reader must know to read the figures. Each note stands once and names its runs. */
final class Footnotes {
    /** A difference is shown at 5 %. */
    private static final double ALPHA = 0.05;

    private Footnotes() {}

    static List<String> of(List<VariantResult> variants, Optional<RunInfo> info) {
        Map<String, List<String>> runsByNote = new LinkedHashMap<>();
        DoubleSummaryStatistics driver = new DoubleSummaryStatistics();
        String most = "";
        int runs = 0;
        for (VariantResult variant : variants) {
            for (RunResult run : variant.runs()) {
                runs++;
                String name = variant.name() + " " + run.run();
                for (String note : run.notes()) {
                    Optional<DriverCompilers> took = DriverCompilers.of(note);
                    if (took.isEmpty()) {
                        runsByNote.computeIfAbsent(note, n -> new ArrayList<>()).add(name);
                    } else {
                        double percent = took.get().percent();
                        most = percent > driver.getMax() ? name : most;
                        driver.accept(percent);
                    }
                }
            }
        }
        List<String> notes = new ArrayList<>();
        int all = runs;
        runsByNote.forEach((note, where) ->
                notes.add(where.size() == all ? note : note + " (run " + String.join(", ", where) + ")"));
        if (driver.getCount() > 0) {
            notes.add(DriverCompilers.between(driver.getMin(), driver.getMax()) + ", in " + driver.getCount()
                    + (driver.getCount() == 1 ? " phase of load (" : " phases of load (most in ") + most + ")");
        }
        coverage(variants).ifPresent(notes::add);
        variants.forEach(variant -> forecast(variant).ifPresent(notes::add));
        variants.forEach(variant ->
                SiblingGap.of(variant, variants).map(SiblingGap::note).ifPresent(notes::add));
        general(variants, info, notes);
        return notes;
    }

    /** How much of what was hot the AOT caches knew: the median of the runs, and their range. */
    private static Optional<String> coverage(List<VariantResult> variants) {
        List<String> told = new ArrayList<>();
        for (VariantResult variant : variants) {
            double[] percent = variant.runs().stream()
                    .filter(RunResult::valid)
                    .flatMapToDouble(run -> RunFigures.of(Metric.AOT_COVERAGE, run).stream())
                    .sorted()
                    .toArray();
            if (percent.length > 0) {
                String range = percent.length == 1
                        ? ""
                        : String.format(Locale.ROOT, " (%.0f\u2013%.0f)", percent[0], percent[percent.length - 1]);
                told.add(String.format(Locale.ROOT, "%s %.0f %%", variant.name(), Descriptive.median(percent)) + range);
            }
        }
        return told.isEmpty()
                ? Optional.empty()
                : Optional.of("of the samples of the hottest methods, in methods whose profile the AOT cache has: "
                        + String.join(", ", told));
    }

    /** Of the first valid run that ended its warm-up with C2 starved. */
    private static Optional<String> forecast(VariantResult variant) {
        return variant.runs().stream()
                .filter(RunResult::valid)
                .filter(run -> Causes.confirmed(
                                Role.STARVES_C2, run.explanation().findings())
                        .isPresent())
                .flatMap(run -> Forecast.last(run.explanation().forecasts()).stream())
                .findFirst()
                .map(text -> "forecast for " + variant.name() + ": " + text);
    }

    private static void general(List<VariantResult> variants, Optional<RunInfo> info, List<String> notes) {
        info.map(RunInfo::runs)
                .filter(Runs::adaptive)
                .ifPresent(runs -> notes.add(String.format(
                        Locale.ROOT,
                        "adaptive: Kiln added blocks until the 95 %% interval of the peak was within %.1f %%,"
                                + " from %d to at most %d. The width decided the number of runs, so the"
                                + " interval is made at %.0f %%. It then covered the truth in at least"
                                + " %.1f %% of simulated experiments",
                        100 * runs.width().orElseThrow(),
                        runs.atLeast(),
                        runs.atMost(),
                        100 - 5 * Precision.SHARE_OF_ALPHA,
                        100 * Precision.COVERAGE)));
        if (info.filter(run -> run.protocol().untilSteady()).isPresent()) {
            notes.add("adaptive: the load before the pause ended as soon as throughput was steady, so the warm-up"
                    + " cost covers lengths that differ between runs");
        }
        info.map(RunInfo::protocol).stream()
                .flatMap(protocol -> protocol.shaped().stream())
                .map(phase -> String.format(
                        Locale.ROOT,
                        "the load changed in phase %s (%s): times to the peak and the warm-up cost count that time too",
                        phase.name(),
                        phase.shape().orElseThrow().text()))
                .forEach(notes::add);
        info.flatMap(run -> run.load().replay())
                .ifPresent(replay -> notes.add("replayed from " + replay.name()
                        + ": throughput follows the recording, so response times tell of the service"
                        + replay.note().map(note -> "; " + note).orElse("")));
        int fewest = variants.stream().mapToInt(v -> v.valid().size()).min().orElse(0);
        String run = variants.stream().allMatch(v -> v.valid().size() == v.runs().size()) ? " run" : " valid run";
        boolean imported = info.filter(RunInfo::imported).isPresent();
        // Kiln's own runs are in blocks, and blocks need more of them. Imported runs have no blocks.
        int needed = imported ? ExactTest.runsNeeded(ALPHA) : ExactTest.pairsNeeded(ALPHA);
        if (fewest == 1) {
            notes.add((imported ? "a variant with one" + run : "one" + run + " a variant")
                    + ": how much runs differ is not known; "
                    + (imported ? "import more runs of it, named VARIANT-NUMBER" : "--runs 5 gives intervals"));
        } else if (fewest > 1 && fewest < needed) {
            notes.add(fewest + run + "s a variant: exploratory; a difference between variants needs at least " + needed
                    + " runs of each");
        }
    }
}
