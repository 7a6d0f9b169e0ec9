package dev.kiln.model;

/**
 * The JIT's counters since the JVM began.
 *
 * @param timeNanos since launch
 * @param compileNanos wall time spent in compilations that have ended
 * @param codeBytes machine code produced
 */
public record CompilerSample(
        long timeNanos,
        long compilations,
        long osrCompilations,
        long compileNanos,
        long codeBytes,
        long bailouts,
        long invalidations)
        implements Sample {}
