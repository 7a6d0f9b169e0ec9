package dev.kiln.model;

import java.util.List;
import java.util.OptionalLong;

/**
 * What one start took.
 *
 * @param pair from 1, those to be discarded included
 * @param side 0 is A, 1 is B
 * @param value of the comparison's metric, in its unit
 * @param readyNanos from launch to the end of the start, launching included
 * @param rssBytes of the whole process tree at that moment; empty for a program that has ended by then
 * @param cpuNanos user and system time of the whole process tree until then
 */
public record StartSample(
        int pair,
        int side,
        double value,
        long readyNanos,
        OptionalLong rssBytes,
        OptionalLong cpuNanos,
        List<StartPhase> phases) {
    public StartSample {
        phases = List.copyOf(phases);
    }
}
