package dev.kiln.stats;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Classes of the runs of one configuration. Where they disagree, there is no pooled time.
 *
 * @param counts runs of each class that occurs
 */
public record ClassCounts(Map<SteadyClass, Integer> counts) {
    public ClassCounts {
        counts = Map.copyOf(counts);
    }

    public static ClassCounts of(List<SteadyClass> classes) {
        Map<SteadyClass, Integer> counts = new EnumMap<>(SteadyClass.class);
        classes.forEach(c -> counts.merge(c, 1, Integer::sum));
        return new ClassCounts(counts);
    }
}
