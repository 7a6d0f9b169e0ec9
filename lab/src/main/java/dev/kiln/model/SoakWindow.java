package dev.kiln.model;

/**
 * A slice of a soak.
 *
 * @param p99Nanos of the requests completed in it; 0 where there was none
 * @param rssBytes mean; 0 where it was not read
 * @param heapBytes least that a collection left; 0 where there was no collection, or no JVM
 */
public record SoakWindow(long requests, long errors, long p99Nanos, long rssBytes, long heapBytes) {}
