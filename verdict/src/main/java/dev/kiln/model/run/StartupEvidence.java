package dev.kiln.model.run;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.run.Course.StartPhase;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A StartupEvidence is all that was recorded of a start-up comparison: {@code startup.json}.
 *
 * @param sides as they were launched; the others are compared with the first
 * @param failure why it ended before its time
 * @param samples in the order of the starts
 */
public record StartupEvidence(
        StartOrigin origin,
        List<StartupSpec.StartSide> sides,
        StartMeasure measure,
        StartDesign design,
        StartMachine machine,
        Optional<String> failure,
        List<StartSample> samples) {
    public static final int SCHEMA_VERSION = 1;

    /** This is the metric where the end of a start is an event, and not a number that the program logs. */
    public static final String TIME = "time";

    public StartupEvidence {
        sides = List.copyOf(sides);
        samples = List.copyOf(samples);
    }

    /** A StartOrigin is who wrote the file, and when the comparison began. */
    public record StartOrigin(int schemaVersion, String kilnVersion, long startedEpochMillis) {}

    /** A StartMeasure is what is compared: what ended a start, in words, and a unit, {@code ms} for times. */
    public record StartMeasure(String until, String metric, String unit) {
        /** Tells whether the time of a start is compared, and not a number that the program logs. */
        public boolean comparesTime() {
            return metric.equals(TIME);
        }
    }

    /** A StartDesign is how starts follow one another: pairs, without those discarded before, cold or not. */
    public record StartDesign(int pairs, int discarded, OptionalLong seed, boolean cold) {}

    /** A StartMachine is where it ran, and what launching nothing takes, which is taken off every time. */
    public record StartMachine(long launchNanos, Machine.HostInfo host, CpuAssignment cpus) {}

    /**
     * A StartSample is what one start took.
     *
     * @param pair from 1, those to be discarded included
     * @param side its index, from 0
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

    /** A StartTable has a column of runs for each command, with headings; metric and unit may be empty. */
    public record StartTable(List<String> names, String metric, String unit, List<StartRow> rows) {
        public StartTable {
            names = List.copyOf(names);
            rows = List.copyOf(rows);
        }

        /** A StartRow is one pair or round; a value may be missing where the comparison was broken off. */
        public record StartRow(int run, List<OptionalDouble> values) {
            public StartRow {
                values = List.copyOf(values);
            }

            public boolean complete() {
                return values.stream().allMatch(OptionalDouble::isPresent);
            }
        }
    }
}
