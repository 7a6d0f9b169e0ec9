package dev.kiln.explain;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A VariantResult is a variant's runs under its reference peak.
 *
 * @param referencePeak geometric mean over valid runs, or over all where none is valid; empty without a load after a pause
 * @param pooled the mean curve of the valid runs, each over its own peak; empty with fewer than two
 * @param higher the same held against the highest peak of all variants; empty where its own is the highest
 */
public record VariantResult(
        String name,
        Optional<Peak> referencePeak,
        List<RunResult> runs,
        Optional<SeriesAnalysis> pooled,
        Optional<Higher> higher) {
    public VariantResult {
        runs = List.copyOf(runs);
    }

    /**
     * A Higher is a variant held against a peak above its own.
     *
     * @param held the times and costs of its runs are to that peak, which is its reference; all else is as it was
     */
    public record Higher(String variant, VariantResult held) {
        public Peak peak() {
            return held.referencePeak.orElseThrow();
        }

        /** Returns {@code at least 1,222 req/s, that of favoured}. */
        public String words() {
            return peak().words() + ", that of " + variant;
        }
    }

    /** Returns the variant held also against the peak of another variant, which is higher. */
    public VariantResult against(String other, Peak peak, AnalysisConfig config) {
        VariantResult held = new VariantResult(
                name,
                Optional.of(peak),
                runs.stream()
                        .map(run -> run.with(SeriesAnalyser.against(run.series(), peak, config)))
                        .toList(),
                pooled.map(curve -> SeriesAnalyser.against(curve, peak, config)),
                Optional.empty());
        return new VariantResult(name, referencePeak, runs, pooled, Optional.of(new Higher(other, held)));
    }

    /** Returns the variant as it is compared with other variants: against the highest peak of all. */
    public VariantResult held() {
        return higher.map(Higher::held).orElse(this);
    }

    /** Returns how its own peak is called, so that nobody takes it for the one that times are compared to. */
    public String ownPeak() {
        return higher.isPresent() ? "its own peak" : "its peak";
    }

    /** Returns the variant held against its own peak alone. */
    public VariantResult alone() {
        return new VariantResult(name, referencePeak, runs, pooled, Optional.empty());
    }

    /** Returns the same under another name. */
    public VariantResult named(String other) {
        return new VariantResult(
                other,
                referencePeak,
                runs.stream().map(run -> run.of(other)).toList(),
                pooled,
                higher.map(above -> new Higher(above.variant, above.held.named(other))));
    }

    public List<RunResult> valid() {
        return runs.stream().filter(RunResult::valid).toList();
    }

    /** Returns the verdicts of valid runs, or of all where none is, with counts, the most frequent first. */
    public Map<String, Long> verdicts() {
        List<RunResult> told = valid().isEmpty() ? runs : valid();
        Map<String, Long> counts = told.stream()
                .collect(Collectors.groupingBy(
                        run -> run.explanation().verdict().text(), LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new));
    }

    /** Returns "peaked", or "2 peaked, 1 cannot tell" where runs differ. */
    public String verdict() {
        Map<String, Long> counts = verdicts();
        return counts.size() <= 1
                ? counts.keySet().stream().findFirst().orElse("no run")
                : counts.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", "));
    }

    /** Returns the time to a percentage of the peak: of several runs the median and range; empty for none. */
    public Optional<TimeToPeak> time(int percent) {
        return time(run -> run.series().time(percent));
    }

    /** Returns a time of one run with its interval; for several their median, with their range. */
    public Optional<TimeToPeak> time(Function<RunResult, Optional<TimeToPeak>> ofRun) {
        List<TimeToPeak> times =
                valid().stream().flatMap(run -> ofRun.apply(run).stream()).toList();
        if (times.size() <= 1) {
            return times.stream().findFirst();
        }
        double[] seconds = times.stream()
                .mapToDouble(time -> time.seconds().orElse(Double.POSITIVE_INFINITY))
                .sorted()
                .toArray();
        return Optional.of(new TimeToPeak(
                times.getFirst().percent(),
                finite(Descriptive.median(Arrays.stream(seconds)).orElseThrow()),
                finite(seconds[0]),
                finite(seconds[seconds.length - 1])));
    }

    private static OptionalDouble finite(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** Tells whether every valid run served all that it was offered, and so shows no peak. */
    public boolean allServed() {
        return !valid().isEmpty()
                && valid().stream().allMatch(run -> run.allServed().isPresent());
    }

    /**
     * Returns for how many seconds the valid runs were watched that did not come to their whole peak, the shortest of
     * them; the length of the longest warm-up where all did. A load may end before its time.
     */
    public double horizon() {
        return valid().stream()
                .map(RunResult::series)
                .filter(series -> series.times().stream()
                        .anyMatch(time -> time.seconds().isEmpty() || time.hi().isEmpty()))
                .mapToDouble(SeriesAnalysis::seconds)
                .min()
                .orElseGet(() -> valid().stream()
                        .mapToDouble(run -> run.series().seconds())
                        .max()
                        .orElse(0));
    }

    /** Returns the median requests per second at the warm-up's end of valid runs; empty where all were short. */
    public OptionalDouble endOfWarmup() {
        return Descriptive.median(valid().stream().flatMapToDouble(run -> run.endOfWarmup().stream()));
    }

    /** Returns the end over the peak: for one run with its interval; for several their median, with their range. */
    public Optional<Estimate> endOverPeak() {
        List<Estimate> shares = valid().stream()
                .flatMap(run -> run.series().endOverPeak().stream())
                .toList();
        if (shares.size() <= 1) {
            return shares.stream().findFirst();
        }
        double[] values = shares.stream().mapToDouble(Estimate::value).sorted().toArray();
        return Optional.of(new Estimate(Descriptive.median(values), values[0], values[values.length - 1]));
    }
}
