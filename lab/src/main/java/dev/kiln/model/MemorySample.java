package dev.kiln.model;

/**
 * Memory of the target, and its collections since the JVM began (0 for a program that is no JVM).
 *
 * @param timeNanos since launch
 */
public record MemorySample(
        long timeNanos,
        long rssBytes,
        long pssBytes,
        long collections,
        long collectionNanos,
        long safepoints,
        long safepointNanos) {}
