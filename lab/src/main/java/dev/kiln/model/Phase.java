package dev.kiln.model;

import java.time.Duration;
import java.util.Optional;

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
     */
    record Load(String name, Duration duration, Optional<Duration> untilSteadyFrom) implements Phase {
        public Load(String name, Duration duration) {
            this(name, duration, Optional.empty());
        }
    }

    record Pause(String name, Duration duration) implements Phase {}
}
