package dev.kiln.model;

/** Latency of all requests completed in one phase under load. */
public record PhaseLatency(String phase, long count, long p50Nanos, long p99Nanos, long maxNanos) {}
