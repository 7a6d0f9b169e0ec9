package dev.kiln.engines;

import dev.kiln.load.LoadDriver;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Protocol;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** An Engine checks whether it can send a load, and makes the driver that sends it. {@link Engines} lists all. */
public interface Engine {
    /** @throws KilnException for a load that this engine cannot send, or if the engine is not installed or not reachable */
    void check(LoadTemplate load, Protocol protocol);

    /** Names the work before the first run that takes noticeable time, in words; empty if there is none. */
    default Optional<String> preparation() {
        return Optional.empty();
    }

    /** Says why seconds of requests are unknown while a load goes on; empty where they can end it. */
    default Optional<String> blind() {
        return Optional.empty();
    }

    /** Tells whether nothing but the sums of a whole phase is known, and that at its end: then there is no curve. */
    default boolean totals() {
        return false;
    }

    /** Starts the engine; the prefix of its commands here replaces itself; the caller deletes the folder. */
    LoadDriver driver(List<String> prefix, Path temporary);
}
