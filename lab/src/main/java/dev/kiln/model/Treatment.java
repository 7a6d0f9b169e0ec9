package dev.kiln.model;

import java.util.List;
import java.util.Optional;

/**
 * What was done to a run beyond its command.
 *
 * @param modifiers names of the ready-made modifiers that its variant carries, such as {@code xbatch}
 * @param instruments that watched it and cost it something, such as {@code flight-recorder}
 * @param aot empty where no AOT cache was asked for
 */
public record Treatment(List<String> modifiers, List<String> instruments, Optional<AotUse> aot) {
    public static final Treatment NONE = new Treatment(List.of(), List.of(), Optional.empty());

    public Treatment {
        modifiers = List.copyOf(modifiers);
        instruments = List.copyOf(instruments);
    }

    /**
     * Whether an AOT cache was used.
     *
     * @param file the cache
     * @param trained {@code startup}, {@code traffic} or {@code file}
     * @param mapped whether the running JVM had it mapped
     * @param sharedClasses classes that came from it
     * @param replaysTraining whether the JVM has AOTReplayTraining on; empty where it has no such flag
     * @param rejection the JVM's own reason; empty when it was used
     */
    public record AotUse(
            String file,
            String trained,
            boolean mapped,
            long sharedClasses,
            Optional<Boolean> replaysTraining,
            Optional<String> rejection) {}
}
