package dev.kiln.soak;

import dev.kiln.evidence.StudyFile;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.report.Listed.StudyKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.core.type.TypeReference;

/**
 * A SoakPlan says what a soak is to do, in enough detail to go on with it: {@code soak.json}.
 *
 * @param arguments of the command
 * @param directory it was given in: relative paths mean files there
 * @param durationSeconds of load, over all segments
 * @param windowSeconds length of the windows the recorded series is read in, so that they stay few
 * @param errorBudget share of requests that may fail
 */
public record SoakPlan(
        int schemaVersion,
        List<String> arguments,
        String directory,
        double durationSeconds,
        double windowSeconds,
        double errorBudget) {
    public static final int SCHEMA_VERSION = 1;

    /** This document holds the plan of a soak, with which it can be continued. */
    public static final StudyFile<SoakPlan> FILE = new StudyFile<>(
            StudyKind.SOAK.file(),
            new TypeReference<>() {},
            SCHEMA_VERSION,
            "no soak in %1$s: ",
            "name a folder that kiln soak wrote, such as results/run-20260102-030405",
            false);

    /** Ten years. */
    private static final double MOST_SECONDS = 10 * 365.25 * 86_400;

    /** A soak has at most this many windows: more would show no more, and all of them are in memory at once. */
    private static final int MOST_WINDOWS = 600;

    public SoakPlan {
        arguments = List.copyOf(arguments);
        require("durationSeconds", durationSeconds, Double.MIN_NORMAL, MOST_SECONDS);
        require("windowSeconds", windowSeconds, 1, MOST_SECONDS);
        require("errorBudget", errorBudget, 0, 1);
    }

    private static void require(String key, double found, double least, double most) {
        if (!(found >= least && found <= most)) {
            throw new IllegalArgumentException(key + ": found " + found + ", which no soak has");
        }
    }

    /** Returns the length of a soak's windows, in whole seconds because latencies are recorded by the second. */
    public static double windowSeconds(double durationSeconds) {
        return Math.max(1, Math.ceil(durationSeconds / MOST_WINDOWS));
    }

    /**
     * A SoakSegment is one run of a soak: a process from its first request to its end, or to that of Kiln.
     *
     * @param windows whole ones, in order
     */
    public record SoakSegment(
            int run,
            Course.Outcome outcome,
            Optional<String> outcomeDetail,
            SoakLoad load,
            double windowSeconds,
            List<SoakWindow> windows,
            SoakMemory memory) {
        public SoakSegment {
            windows = List.copyOf(windows);
        }

        /** A SoakLoad is a recorded load, of a segment or a whole soak: requests answered, and errors. */
        public record SoakLoad(double seconds, long requests, long errors) {
            static SoakLoad of(List<SoakSegment> segments) {
                return new SoakLoad(
                        segments.stream()
                                .mapToDouble(one -> one.load().seconds())
                                .sum(),
                        segments.stream()
                                .mapToLong(one -> one.load().requests())
                                .sum(),
                        segments.stream().mapToLong(one -> one.load().errors()).sum());
            }

            /** Returns the share of all requests that failed. */
            public double errorShare() {
                return share(errors, requests);
            }
        }

        /**
         * A SoakMemory is what bounds the memory of the process, and who gave it back.
         *
         * @param limitBytes that the process may take: its cgroup's, or all that the machine has
         * @param heapLimitBytes that its heap may grow to, where a flag says so
         * @param collections during the load; empty where young and full ones are not counted apart
         */
        public record SoakMemory(
                OptionalLong limitBytes, OptionalLong heapLimitBytes, Optional<Generations> collections) {}

        private static double share(long errors, long requests) {
            return errors + requests == 0 ? 0 : errors / (double) (errors + requests);
        }

        /**
         * A SoakWindow is a slice of a soak.
         *
         * @param p99Nanos of the requests completed in it; 0 where there was none
         * @param rssBytes mean; 0 where it was not read
         * @param heapBytes least that a collection left; 0 where there was no collection, or no JVM
         * @param full collections of the whole heap that ended in it
         * @param cycles pauses of cycles that collect the old generation beside the program
         */
        public record SoakWindow(
                long requests, long errors, long p99Nanos, long rssBytes, long heapBytes, int full, int cycles) {
            double errorShare() {
                return share(errors, requests);
            }
        }
    }
}
