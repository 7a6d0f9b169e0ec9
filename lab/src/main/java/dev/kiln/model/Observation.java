package dev.kiln.model;

/**
 * What Kiln does to see more of a target, beyond reading files of the kernel and of the JVM.
 *
 * @param jitQueries whether the JVM is asked, over its attach socket, for compile queues, methods by level and code cache
 */
public record Observation(boolean jitQueries) {
    public static final Observation DEFAULT = new Observation(true);

    /** Name of the instrument that {@link #jitQueries} is. */
    public static final String JIT_QUERIES = "jit-queries";
}
