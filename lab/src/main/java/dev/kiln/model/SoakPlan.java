package dev.kiln.model;

import java.util.List;

/**
 * What a soak is to do, in enough detail to go on with it: {@code soak.json}.
 *
 * @param arguments of the command
 * @param directory it was given in: relative paths mean files there
 * @param durationSeconds of load, over all segments
 * @param windowSeconds length of the windows the recorded series is read in, so that they stay few
 * @param errorBudget share of requests that may fail
 */
public record SoakPlan(
        int schemaVersion,
        List<String> arguments,
        String directory,
        double durationSeconds,
        double windowSeconds,
        double errorBudget) {
    public static final int SCHEMA_VERSION = 1;

    /** More than this say nothing that these do not, and must all be held at once. */
    private static final int MOST_WINDOWS = 600;

    public SoakPlan {
        arguments = List.copyOf(arguments);
    }

    /** Whole seconds: latencies are recorded by them. */
    public static double windowSeconds(double durationSeconds) {
        return Math.max(1, Math.ceil(durationSeconds / MOST_WINDOWS));
    }
}
