package dev.kiln.model;

/**
 * The heap as its last collection left it, garbage that no collection has found yet included; eden, which new objects fill, is
 * not.
 *
 * @param timeNanos since launch, when it was seen: at most a tenth of a second after the collection
 * @param collections since the JVM began
 */
public record HeapSample(long timeNanos, long usedBytes, long collections) implements Sample {}
