package dev.kiln.model.experiment;

import dev.kiln.model.load.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Phases in order.
 *
 * @param name a known protocol's name, or {@code custom}
 * @param reference what follows the phases, where the reference peak is looked for; as many rounds as it takes
 */
public record Protocol(String name, List<Phase> phases, Optional<FoundReference> reference) {
    /** What several processes together get in place of a search: nothing watches their compilers. */
    private static final Duration ONE_PAUSE = Duration.ofSeconds(15);

    private static final Duration ONE_LOAD = Duration.ofSeconds(20);

    public Protocol {
        phases = List.copyOf(phases);
    }

    public Protocol(String name, List<Phase> phases) {
        this(name, phases, Optional.empty());
    }

    /** As long as it takes typically; exact without a search. */
    public Duration duration() {
        return planned().plus(reference.isPresent() ? FoundReference.typical() : Duration.ZERO);
    }

    public Duration atMost() {
        return planned().plus(reference.isPresent() ? FoundReference.atMost() : Duration.ZERO);
    }

    private Duration planned() {
        return phases.stream().map(Phase::duration).reduce(Duration.ZERO, Duration::plus);
    }

    /** How many phases of load are planned before any search. */
    public long loads() {
        return phases.stream().filter(Phase.Load.class::isInstance).count();
    }

    /** Whether it pauses before a load that can show the peak. */
    public boolean paused() {
        return reference.isPresent() || phases.stream().anyMatch(Phase.Pause.class::isInstance);
    }

    /** Whether a load ends as soon as throughput is steady, so that runs differ in length. */
    public boolean untilSteady() {
        return phases.stream()
                .anyMatch(phase -> phase instanceof Phase.Load load
                        && load.untilSteadyFrom().isPresent());
    }

    /** The loads that change from their beginning to their end. */
    public List<Phase.Load> shaped() {
        return phases.stream()
                .filter(Phase.Load.class::isInstance)
                .map(Phase.Load.class::cast)
                .filter(load -> load.shape().isPresent())
                .toList();
    }

    /** The phases, and one round of fixed length in place of a search. */
    public List<Phase> phasesWithOneRound() {
        List<Phase> all = new ArrayList<>(phases);
        if (reference.isPresent()) {
            all.add(new Phase.Pause(FoundReference.pause(1), ONE_PAUSE));
            all.add(new Phase.Load(FoundReference.load(1), ONE_LOAD));
        }
        return all;
    }

    /** One phase of a protocol. A pause is a phase without load: the connections stay open, nothing is sent. */
    public sealed interface Phase {
        /** Unique within the protocol. */
        String name();

        Duration duration();

        /**
         * Load.
         *
         * @param duration at most
         * @param untilSteadyFrom with it the phase ends as soon as throughput is steady, but not before this time
         * @param shape how the load changes; empty where it does not
         */
        record Load(String name, Duration duration, Optional<Duration> untilSteadyFrom, Optional<Shape> shape)
                implements Phase {
            public Load(String name, Duration duration) {
                this(name, duration, Optional.empty(), Optional.empty());
            }
        }

        record Pause(String name, Duration duration) implements Phase {}
    }
}
