package dev.kiln.model;

/**
 * How much a metric may change.
 *
 * @param percent positive: lower is better, and this much more is tolerated; negative: higher is better, and this much less
 * @param eitherWay no change of this size in either direction is tolerated
 * @param place file and line that say so
 */
public record Tolerance(String metric, double percent, boolean eitherWay, String place) {}
