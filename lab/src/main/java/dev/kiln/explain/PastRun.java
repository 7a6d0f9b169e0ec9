package dev.kiln.explain;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run of an experiment that is over.
 *
 * @param folder of the experiment
 * @param epochMillis of its launch
 * @param seconds it took
 * @param host CPU model and number of CPUs, in words
 * @param protocol in words
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
        Map<PastMetric, Double> figures,
        SortedMap<String, String> labels) {
    public PastRun {
        Map<PastMetric, Double> copy = new EnumMap<>(PastMetric.class);
        copy.putAll(figures);
        figures = Collections.unmodifiableMap(copy);
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public OptionalDouble figure(PastMetric metric) {
        Double value = figures.get(metric);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
