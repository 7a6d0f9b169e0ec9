package dev.kiln.recorder;

/**
 * What a JIT compiler's threads did in the last second or so.
 *
 * @param cpuShare of one CPU
 * @param waitShare threads waiting for a CPU on average
 */
public record CompilerLoad(double cpuShare, double waitShare) {}
