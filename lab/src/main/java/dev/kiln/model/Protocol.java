package dev.kiln.model;

import java.time.Duration;
import java.util.List;

/**
 * Phases in order.
 *
 * @param name a known protocol's name, or {@code custom}
 */
public record Protocol(String name, List<Phase> phases) {
    public Protocol {
        phases = List.copyOf(phases);
    }

    public Duration duration() {
        return phases.stream().map(Phase::duration).reduce(Duration.ZERO, Duration::plus);
    }
}
