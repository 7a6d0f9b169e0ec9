package dev.kiln.explain;

import dev.kiln.model.Phase;
import dev.kiln.model.RunInfo;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One run of an experiment that is over.
 *
 * @param folder of the experiment
 * @param epochMillis of its launch
 * @param seconds it took
 * @param host CPU model and number of CPUs, in words
 * @param protocol in words
 * @param peakAtLeast its reference peak is a lower bound
 * @param figures those it has
 * @param labels that somebody gave it, such as a commit
 */
public record PastRun(
        String experiment,
        String folder,
        String variant,
        int run,
        long epochMillis,
        double seconds,
        boolean valid,
        String host,
        String protocol,
        boolean peakAtLeast,
        Map<PastMetric, Double> figures,
        SortedMap<String, String> labels) {
    public PastRun {
        Map<PastMetric, Double> copy = new EnumMap<>(PastMetric.class);
        copy.putAll(figures);
        figures = Collections.unmodifiableMap(copy);
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** A run as it was assessed with the others of its variant. */
    public static PastRun of(
            RunInfo info, VariantResult variant, RunResult run, String folder, SortedMap<String, String> labels) {
        Map<PastMetric, Double> figures = new EnumMap<>(PastMetric.class);
        for (PastMetric metric : PastMetric.values()) {
            metric.of(run).ifPresent(figure -> figures.put(metric, figure));
        }
        return new PastRun(
                info.experiment(),
                folder,
                run.variant(),
                run.run(),
                info.launchEpochMillis(),
                run.phases().stream()
                        .mapToDouble(phase -> phase.startSeconds() + phase.durationSeconds())
                        .max()
                        .orElse(0),
                run.valid(),
                info.host().cpuModel() + ", " + info.host().cpus() + " CPUs",
                info.protocol().phases().stream().map(PastRun::words).collect(Collectors.joining(", ")),
                variant.referencePeak().filter(peak -> peak.lowerBound()).isPresent(),
                figures,
                labels);
    }

    private static String words(Phase phase) {
        double seconds = phase.duration().toMillis() / 1e3;
        return (seconds == Math.rint(seconds) ? Long.toString(Math.round(seconds)) : Double.toString(seconds))
                + (phase instanceof Phase.Load ? " s load" : " s pause");
    }

    public OptionalDouble figure(PastMetric metric) {
        Double value = figures.get(metric);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Whether the true figure is known to be beyond what the run shows: after a lower bound, or later than its load. */
    boolean open(PastMetric metric) {
        boolean unreached = metric == PastMetric.T90
                && figures.containsKey(PastMetric.PEAK)
                && !figures.containsKey(PastMetric.T90);
        return unreached || (peakAtLeast && metric.againstPeak());
    }
}
