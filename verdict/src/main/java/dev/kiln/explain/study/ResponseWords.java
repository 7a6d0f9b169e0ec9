package dev.kiln.explain.study;

import dev.kiln.explain.ResponseTimes;
import dev.kiln.explain.ResponseTimes.First;
import dev.kiln.explain.ResponseTimes.Settled;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.series.TimeToPeak;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** ResponseWords say in words what a variant's response times show, where it served all that it was offered. */
final class ResponseWords {
    private ResponseWords() {}

    /** Returns the beginning of a sentence, with the time until response times came to their level. */
    static String sentence(VariantResult variant) {
        List<RunResult> runs = variant.valid();
        ResponseTimes one = runs.getFirst().allServed().orElseThrow();
        String served = one.offer().isPresent()
                ? variant.name() + " served " + one.offered()
                : String.format(
                        Locale.ROOT,
                        "%s served all %s requests per second it was offered",
                        variant.name(),
                        number(one.rate().orElse(0)));
        Optional<TimeToPeak> time = variant.time(run -> settled(run).map(Settled::time));
        if (time.isEmpty()) {
            return served + "; response times were not recorded for long enough to say when they came to their level";
        }
        double level =
                median(variant, run -> settled(run).map(s -> s.levelMillis().value()));
        boolean reached = time.get().seconds().isPresent();
        return served
                + String.format(
                        Locale.ROOT,
                        "; its p%d %s its level of %s ms %s%s",
                        settled(runs.getFirst()).map(Settled::percentile).orElse(99),
                        reached
                                ? "came to"
                                : time.get().never() ? "did not come to" : "cannot be shown to have come to",
                        number(level),
                        reached
                                ? "after " + time.get().words(variant.horizon())
                                : String.format(Locale.ROOT, "within %.0f s", variant.horizon()),
                        runs.size() > 1
                                ? String.format(Locale.ROOT, " (median and range of %d runs)", runs.size())
                                : "");
    }

    private static Optional<Settled> settled(RunResult run) {
        return run.allServed().flatMap(ResponseTimes::settled);
    }

    /** Returns how long users waited and how much longer, in a sentence; blank where not all was served. */
    static String beginning(VariantResult variant) {
        if (!variant.allServed()) {
            return "";
        }
        double twice = median(variant, run -> settled(run).map(Settled::twiceSeconds));
        double first = median(
                variant,
                run -> run.allServed()
                        .flatMap(
                                times -> times.beginnings().stream().findFirst().map(First::p99Millis)));
        String above = Double.isNaN(twice)
                ? ""
                : String.format(Locale.ROOT, ", and was above twice that for %s s", number(twice));
        return Double.isNaN(first)
                ? above
                : above
                        + (Double.isInfinite(first)
                                ? "; over 1 % of the requests of the first 10 s got no answer"
                                : "; p99 of the first 10 s was " + number(first) + " ms");
    }

    /** Returns since when the latency to keep was kept, as the end of a sentence; blank without one. */
    static String slo(VariantResult variant) {
        RunResult any = variant.valid().getFirst();
        return any.responses()
                .flatMap(ResponseTimes::kept)
                .map(kept -> {
                    OptionalDouble from = variant.time(run ->
                                    run.responses().flatMap(ResponseTimes::kept).map(ResponseTimes.Kept::metFrom))
                            .map(TimeToPeak::seconds)
                            .orElse(OptionalDouble.empty());
                    return "; " + kept.slo().text()
                            + (from.isPresent()
                                    ? " was met from second " + number(from.getAsDouble()) + " on" + butFor(variant)
                                    : " was not met");
                })
                .orElse("");
    }

    /** Returns for how many of these seconds the latency was not kept, as the end of a sentence; blank for none. */
    private static String butFor(VariantResult variant) {
        double missed = median(
                variant, run -> run.responses().flatMap(ResponseTimes::kept).map(kept -> (double) kept.missedAfter()));
        return missed > 0 ? ", but for " + number(missed) + " s" : "";
    }

    private static double median(VariantResult variant, Function<RunResult, Optional<Double>> value) {
        return Descriptive.median(variant.valid().stream()
                        .flatMap(run -> value.apply(run).stream())
                        .mapToDouble(each -> each))
                .orElse(Double.NaN);
    }

    /** Formats a number with three digits at most, or all before the point: more are not needed to read it. */
    private static String number(double value) {
        return value >= 100
                ? String.format(Locale.ROOT, "%,.0f", value)
                : value >= 10 || value == Math.rint(value)
                        ? String.format(Locale.ROOT, "%.0f", value)
                        : String.format(Locale.ROOT, "%.1f", value);
    }
}
