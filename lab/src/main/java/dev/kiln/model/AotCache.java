package dev.kiln.model;

import java.nio.file.Path;
import java.time.Duration;

/** Where the AOT cache of a variant comes from. */
public sealed interface AotCache {
    /** Trained by starting the target until it is ready, and ending it. */
    record Startup() implements AotCache {}

    /** Trained by the experiment's own load. */
    record Traffic(Duration duration) implements AotCache {}

    /** Made by somebody else. */
    record Given(Path file) implements AotCache {}

    /** One word, as it stands in results. */
    default String text() {
        return switch (this) {
            case Startup startup -> "startup";
            case Traffic traffic -> "traffic";
            case Given given -> "file";
        };
    }
}
