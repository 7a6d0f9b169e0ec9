package dev.kiln.explain.study;

import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Summary;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A PastRun is one run of an experiment that is over, with labels that somebody gave it. */
public record PastRun(
        PastRunName name,
        long epochMillis,
        double seconds,
        boolean valid,
        PastSetting setting,
        PastFigures figures,
        SortedMap<String, String> labels) {
    /** A PastRunName names a run among all; its variant's place from 0 gives it its colour on pages. */
    public record PastRunName(String experiment, String folder, String variant, int place, int run) {}

    /** A PastSetting is what compared runs share, in words: CPU model and number of CPUs, and protocol. */
    public record PastSetting(String host, String protocol) {}

    /** PastFigures are the figures of a run, and whether its reference peak is a lower bound. */
    public record PastFigures(boolean peakAtLeast, Map<Metric, Double> values) {
        public PastFigures {
            Map<Metric, Double> copy = new EnumMap<>(Metric.class);
            copy.putAll(values);
            values = Collections.unmodifiableMap(copy);
        }
    }

    public PastRun {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** Makes a run from its result, as it was assessed with the others of its variant. */
    public static PastRun of(
            RunInfo info, VariantResult variant, RunResult run, String folder, SortedMap<String, String> labels) {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.all(MetricUse.FOLLOWED)) {
            RunFigures.of(metric, run).stream().filter(Double::isFinite).forEach(figure -> figures.put(metric, figure));
        }
        return new PastRun(
                new PastRunName(
                        info.which().experiment(),
                        folder,
                        run.variant(),
                        Math.max(0, info.which().variants().indexOf(run.variant())),
                        run.run()),
                info.launchEpochMillis(),
                run.phases().stream()
                        .mapToDouble(phase -> phase.startSeconds() + phase.durationSeconds())
                        .max()
                        .orElse(0),
                run.valid(),
                new PastSetting(
                        info.host().cpuModel() + ", " + info.host().cpus() + " CPUs",
                        info.protocol().phases().stream().map(PastRun::words).collect(Collectors.joining(", "))),
                new PastFigures(
                        variant.referencePeak()
                                .filter(peak -> peak.lowerBound())
                                .isPresent(),
                        figures),
                labels);
    }

    /** Makes a run from the summary of its experiment. */
    public static PastRun of(
            Summary summary,
            Summary.VariantSummary variant,
            Summary.OfRun run,
            String folder,
            SortedMap<String, String> labels) {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        // A summary may have the older names.
        run.figures()
                .forEach((name, value) ->
                        Metric.known(name, MetricUse.FOLLOWED).ifPresent(metric -> figures.put(metric, value)));
        return new PastRun(
                new PastRunName(
                        summary.experiment(),
                        folder,
                        variant.name(),
                        Math.max(0, summary.variants().indexOf(variant)),
                        run.run()),
                run.launchEpochMillis(),
                run.seconds(),
                run.valid(),
                new PastSetting(summary.host(), summary.protocol()),
                new PastFigures(variant.peakAtLeast(), figures),
                labels);
    }

    private static String words(Phase phase) {
        double seconds = phase.duration().toMillis() / 1e3;
        return (seconds == Math.rint(seconds) ? Long.toString(Math.round(seconds)) : Double.toString(seconds))
                + (phase instanceof Phase.Load ? " s load" : " s pause");
    }

    public OptionalDouble figure(Metric metric) {
        Double value = figures.values().get(metric);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Tells whether the true figure is beyond what is shown: after a lower bound, or later than its load. */
    public boolean open(Metric metric) {
        boolean unreached = metric == Metric.T90
                && figure(Metric.PEAK).isPresent()
                && figure(Metric.T90).isEmpty();
        return unreached || (figures.peakAtLeast() && metric.againstPeak());
    }
}
