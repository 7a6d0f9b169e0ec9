package dev.kiln.jvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * AotFlags are the JVM's flags around an AOT cache. Kiln makes a cache in two steps, record and create, not in one at
 * the exit of the training run. So each step has a log and a time of its own, the training run ends quickly, and
 * stopping a slow target cannot interrupt the making of the cache.
 */
public final class AotFlags {
    /** The first version whose caches contain what training learned about methods. */
    public static final int SINCE = 25;

    private static final String REPLAY = "AOTReplayTraining";

    private AotFlags() {}

    /** Flags that the training run and the runs with a flight recorder must share. */
    public static List<String> modules(boolean flightRecorder) {
        return flightRecorder ? List.of("--add-modules=jdk.jfr") : List.of();
    }

    public static List<String> record(Path configuration) {
        return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + configuration);
    }

    public static List<String> create(Path configuration, Path cache) {
        return List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + configuration, "-XX:AOTCache=" + cache);
    }

    /** Has the JVM print which methods have a profile in the cache, and end before the program's own code runs. */
    public static List<String> tellProfiles(Path cache) {
        return List.of(
                "--dry-run", "-XX:+UnlockDiagnosticVMOptions", "-XX:+AOTPrintTrainingInfo", "-XX:AOTCache=" + cache);
    }

    /** A JVM uses a cache only if it has the modules of the training run, and a recording adds one. */
    public static List<String> use(Path cache, boolean flightRecorder) {
        List<String> flags = new ArrayList<>(modules(flightRecorder));
        flags.add("-XX:AOTCache=" + cache);
        return List.copyOf(flags);
    }

    /** Tells whether a JVM with a cache replays its training, the default; the last of its flags wins. */
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
