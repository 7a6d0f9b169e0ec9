package dev.kiln.model;

import java.time.Duration;

/** One phase of a protocol. A pause is a phase without load: the connections stay open, nothing is sent. */
public sealed interface Phase {
    /** Unique within the protocol. */
    String name();

    Duration duration();

    record Load(String name, Duration duration) implements Phase {}

    record Pause(String name, Duration duration) implements Phase {}
}
