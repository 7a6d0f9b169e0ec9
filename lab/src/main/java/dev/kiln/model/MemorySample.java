package dev.kiln.model;

/**
 * Memory of the target, and its collections since the JVM began (0 for a program that is no JVM).
 *
 * @param timeNanos since launch
 * @param pssBytes 0 where it was not read: it costs too much to be read each time
 */
public record MemorySample(
        long timeNanos,
        long rssBytes,
        long pssBytes,
        long collections,
        long collectionNanos,
        long safepoints,
        long safepointNanos)
        implements Sample {}
