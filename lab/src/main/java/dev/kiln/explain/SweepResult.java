package dev.kiln.explain;

import java.util.List;
import java.util.Optional;

/**
 * What a sweep over numbers of connections says.
 *
 * @param density how many processes fit an amount of memory; empty where none was named
 * @param notes what a reader must know beside the figures
 */
public record SweepResult(List<SweepConfiguration> configurations, Optional<Density> density, List<String> notes) {
    public SweepResult {
        configurations = List.copyOf(configurations);
        notes = List.copyOf(notes);
    }
}
