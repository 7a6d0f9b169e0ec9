package dev.kiln.load;

/**
 * One second of a phase, for a live display.
 *
 * @param second of the phase, from 1; the last may be a partial one
 * @param requestsPerSecond completed
 * @param errors all kinds
 */
public record Tick(String phase, int second, double requestsPerSecond, long p99Nanos, long errors) {}
