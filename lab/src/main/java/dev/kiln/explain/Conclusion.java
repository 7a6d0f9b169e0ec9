package dev.kiln.explain;

import dev.kiln.model.Finding;
import dev.kiln.model.Phase;
import dev.kiln.model.Protocol;
import dev.kiln.stats.TimeToPeak;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** One sentence that the figures carry, and no more than they carry. */
final class Conclusion {
    /** The headline time: to 90 % of the peak (analysis specification, section 4). */
    static final int HEADLINE_PERCENT = 90;

    private Conclusion() {}

    static String of(List<VariantResult> variants, Protocol protocol) {
        List<VariantResult> told = variants.stream()
                .filter(variant -> variant.runs().stream().anyMatch(RunResult::valid))
                .toList();
        if (told.isEmpty()) {
            return variants.isEmpty()
                    ? "Nothing was recorded."
                    : "No run is valid, so nothing can be said of a peak: " + firstReason(variants) + ".";
        }
        List<Phase.Load> warmup = warmup(protocol);
        List<VariantResult> ordered = told.stream()
                .sorted(Comparator.comparingDouble(
                        variant -> medianTime(variant).orElse(Double.MAX_VALUE)))
                .toList();
        String best = sentence(ordered.getFirst(), warmup);
        String text = ordered.size() == 1 ? best : best + "; " + sentence(ordered.getLast(), warmup);
        return text + (ordered.size() > 2 ? " (best and worst of " + ordered.size() + ")." : ".");
    }

    private static String firstReason(List<VariantResult> variants) {
        return variants.stream()
                .flatMap(variant -> variant.runs().stream())
                .flatMap(run -> run.invalidReasons().stream())
                .findFirst()
                .orElse("no run was recorded");
    }

    private static String sentence(VariantResult variant, List<Phase.Load> warmup) {
        if (variant.referencePeak().isEmpty()) {
            return variant.name() + " has no reference peak: the protocol has no load after a pause";
        }
        var reference = variant.referencePeak().get();
        String peak = String.format(
                Locale.ROOT, "%s%,.0f req/s", reference.lowerBound() ? "at least " : "", reference.value());
        OptionalDouble time = medianTime(variant);
        if (time.isPresent()) {
            return String.format(
                    Locale.ROOT,
                    "%s reached %d %% of its peak (%s) %s%s s %s",
                    variant.name(),
                    HEADLINE_PERCENT,
                    peak,
                    resolvable(variant) ? "" : "about ",
                    seconds(time.getAsDouble()),
                    warmup.size() > 1 ? "into the load" : "after the first request");
        }
        return unreached(variant, reference.value(), peak, warmup);
    }

    private static String unreached(VariantResult variant, double reference, String peak, List<Phase.Load> warmup) {
        String horizon = seconds(horizon(variant, warmup));
        double end = endOfWarmup(variant);
        if (Double.isNaN(end)) {
            return String.format(
                    Locale.ROOT,
                    "%s s of warm-up are too few to tell when %s reached %d %% of its peak (%s): it takes 10 whole seconds at the least",
                    horizon,
                    variant.name(),
                    HEADLINE_PERCENT,
                    peak);
        }
        return String.format(
                Locale.ROOT,
                "%s did not %s %d %% of its peak (%s) within %s s of load: it ended the warm-up at %,.0f req/s, %.0f %% of it%s",
                variant.name(),
                // A level counts once it is sustained; the last seconds alone may lie above it.
                100 * end >= HEADLINE_PERCENT * reference ? "stay at" : "reach",
                HEADLINE_PERCENT,
                peak,
                horizon,
                end,
                100 * end / reference,
                why(variant));
    }

    /** As planned; a warm-up that may end when it is steady lasted as long as it was recorded. */
    private static double horizon(VariantResult variant, List<Phase.Load> warmup) {
        if (warmup.stream().allMatch(load -> load.untilSteadyFrom().isEmpty())) {
            return warmup.stream().mapToLong(load -> load.duration().toMillis()).sum() / 1e3;
        }
        return Math.rint(median(valid(variant).stream()
                .mapToDouble(run -> run.phases().stream()
                        .filter(RunResult.PhaseSummary::load)
                        .limit(warmup.size())
                        .mapToDouble(RunResult.PhaseSummary::durationSeconds)
                        .sum())
                .toArray()));
    }

    /** Whether noise allows the level to be told from the peak in every run. */
    private static boolean resolvable(VariantResult variant) {
        return valid(variant).stream()
                .map(run -> Optional.ofNullable(run.timeToReferencePeak().get(HEADLINE_PERCENT)))
                .flatMap(Optional::stream)
                .allMatch(TimeToPeak::resolvable);
    }

    /** C2's wait where it is the cause in most valid runs, else the cause that weighs most. */
    private static String why(VariantResult variant) {
        List<RunResult> runs = valid(variant);
        if (2 * runs.stream().filter(Conclusion::starved).count() > runs.size()) {
            return String.format(
                    Locale.ROOT,
                    ", while its C2 compiler got %.0f %% of a CPU and waited for one %.0f %% of the time",
                    100 * median(runs, run -> run.observed().c2CpuShare()),
                    100 * Math.min(1, median(runs, run -> run.observed().c2WaitShare())));
        }
        return runs.stream()
                .flatMap(run -> run.explanation().findings().stream())
                .filter(finding -> finding.explains().contains(Finding.Effect.BELOW_PEAK))
                .max(Comparator.comparingDouble(Finding::weight))
                .map(finding -> "; found: " + finding.title())
                .orElse("");
    }

    private static boolean starved(RunResult run) {
        return run.observed().c2WaitShare().isPresent()
                && Findings.held(C2Starved.ID, run.explanation().findings()).isPresent();
    }

    private static double median(List<RunResult> runs, Function<RunResult, OptionalDouble> value) {
        return median(runs.stream()
                .mapToDouble(run -> value.apply(run).orElse(Double.NaN))
                .toArray());
    }

    /** Requests per second in the last ten seconds of the warm-up, median over valid runs. */
    static double endOfWarmup(VariantResult variant) {
        return median(
                valid(variant).stream().mapToDouble(Conclusion::endOfWarmup).toArray());
    }

    private static double endOfWarmup(RunResult run) {
        return run.endOfWarmup().orElse(Double.NaN);
    }

    /** Median over valid runs of the time to 90 % of the reference peak; empty where half or more never reach it. */
    static OptionalDouble medianTime(VariantResult variant) {
        double[] times = valid(variant).stream()
                .map(run -> Optional.ofNullable(run.timeToReferencePeak().get(HEADLINE_PERCENT)))
                .flatMap(Optional::stream)
                .map(TimeToPeak::seconds)
                .mapToDouble(seconds -> seconds.orElse(Double.POSITIVE_INFINITY))
                .toArray();
        double middle = median(times);
        return Double.isFinite(middle) ? OptionalDouble.of(middle) : OptionalDouble.empty();
    }

    private static List<RunResult> valid(VariantResult variant) {
        return variant.runs().stream().filter(RunResult::valid).toList();
    }

    private static double median(double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The load phases but the last, which measures; the only one is a warm-up. */
    private static List<Phase.Load> warmup(Protocol protocol) {
        List<Phase.Load> loads = protocol.phases().stream()
                .filter(Phase.Load.class::isInstance)
                .map(Phase.Load.class::cast)
                .toList();
        return loads.subList(0, Math.max(Math.min(1, loads.size()), loads.size() - 1));
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }
}
