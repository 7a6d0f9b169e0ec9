package dev.kiln.explain.window;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.ToLongFunction;

/** A Window is a part of a run between two moments, in ns since launch. */
public record Window(long fromNanos, long toNanos) {
    public double seconds() {
        return (toNanos - fromNanos) / 1e9;
    }

    /** Returns the same part by a clock that is ahead by so many ns. */
    public Window later(long nanos) {
        return new Window(fromNanos + nanos, toNanos + nanos);
    }

    /** Returns the samples in the window, its ends included. */
    public <T> List<T> of(List<T> samples, ToLongFunction<T> time) {
        return samples.stream()
                .filter(s -> time.applyAsLong(s) >= fromNanos && time.applyAsLong(s) <= toNanos)
                .toList();
    }

    /** Returns by how much a counter of ns grew per ns between the last samples; NaN for a single one. */
    public double growth(NavigableMap<Long, Long> counter) {
        Map.Entry<Long, Long> from = counter.floorEntry(fromNanos);
        Map.Entry<Long, Long> to = counter.floorEntry(toNanos);
        return from == null || to == null || from.getKey().equals(to.getKey())
                ? Double.NaN
                : (to.getValue() - from.getValue()) / (double) (to.getKey() - from.getKey());
    }
}
