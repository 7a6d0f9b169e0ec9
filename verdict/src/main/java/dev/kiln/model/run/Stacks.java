package dev.kiln.model.run;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stacks count the samples of a profile by stack.
 *
 * @param samples by their frames from the outermost to the innermost, joined by {@code ;}
 */
public record Stacks(Map<String, Long> samples) {
    public Stacks {
        samples = Collections.unmodifiableMap(new TreeMap<>(samples));
    }

    public Stacks plus(Stacks other) {
        Map<String, Long> all = new TreeMap<>(samples);
        other.samples.forEach((stack, count) -> all.merge(stack, count, Long::sum));
        return new Stacks(all);
    }

    public long total() {
        return samples.values().stream().mapToLong(Long::longValue).sum();
    }
}
