package dev.kiln.model;

import java.util.ArrayList;
import java.util.List;

/**
 * What watches a run from within, and so costs it something; what is watched from outside is watched always.
 *
 * @param jit the JVM is asked for its compile queues and compiled methods
 * @param flightRecorder it is launched with a flight recording
 * @param asyncProfiler it is launched with async-profiler
 */
public record Observe(boolean jit, boolean flightRecorder, boolean asyncProfiler) {
    public static final String JIT = "jit";
    /** Name of the instrument that {@link #jit} is. */
    public static final String JIT_QUERIES = "jit-queries";

    public static final String FLIGHT_RECORDER = "flight-recorder";
    public static final String ASYNC_PROFILER = "async-profiler";

    /** Unless an experiment says otherwise. */
    public static final Observe USUAL = new Observe(true, false, false);

    public static final Observe NOTHING = new Observe(false, false, false);

    /** Their names, as they stand in the evidence. */
    public List<String> instruments() {
        List<String> names = new ArrayList<>();
        if (jit) {
            names.add(JIT_QUERIES);
        }
        if (flightRecorder) {
            names.add(FLIGHT_RECORDER);
        }
        if (asyncProfiler) {
            names.add(ASYNC_PROFILER);
        }
        return List.copyOf(names);
    }
}
