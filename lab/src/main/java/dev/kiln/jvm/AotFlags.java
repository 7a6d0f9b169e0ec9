package dev.kiln.jvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The JVM's flags around an AOT cache. A cache is made in two steps, record and create, not in one at the training run's
 * exit: each step then has a log and a time of its own, the end of the training run is short, and nothing that stops a slow
 * target can cut the assembly short.
 */
public final class AotFlags {
    /** The first version whose caches hold what training learned about methods. */
    public static final int SINCE = 25;

    private static final String REPLAY = "AOTReplayTraining";

    private AotFlags() {}

    /** What the training run must have in common with the runs that a flight recorder watches. */
    public static List<String> modules(boolean flightRecorder) {
        return flightRecorder ? List.of("--add-modules=jdk.jfr") : List.of();
    }

    public static List<String> record(Path configuration) {
        return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + configuration);
    }

    public static List<String> create(Path configuration, Path cache) {
        return List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + configuration, "-XX:AOTCache=" + cache);
    }

    /** A cache is only taken by a JVM that has the modules it was trained with, and a recording brings one. */
    public static List<String> use(Path cache, boolean flightRecorder) {
        List<String> flags = new ArrayList<>(modules(flightRecorder));
        flags.add("-XX:AOTCache=" + cache);
        return List.copyOf(flags);
    }

    /**
     * Whether a JVM that was given a cache replays the training it holds: it does unless told not to, and leaves the flag set
     * even when it rejects the cache.
     *
     * @param flags as the running JVM tells them, in order: the last one wins
     */
    public static Optional<Boolean> replaysTraining(List<String> flags, int feature) {
        if (feature < SINCE) {
            return Optional.empty();
        }
        return Optional.of(flags.stream()
                .filter(flag -> flag.equals("-XX:-" + REPLAY) || flag.equals("-XX:+" + REPLAY))
                .reduce((first, last) -> last)
                .map(flag -> flag.equals("-XX:+" + REPLAY))
                .orElse(true));
    }
}
