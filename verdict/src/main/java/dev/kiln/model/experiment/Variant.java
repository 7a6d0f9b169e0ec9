package dev.kiln.model.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A Variant is one way to launch the target; all inheritance is already resolved.
 *
 * @param optional whether it is left out on a machine that lacks what it needs
 * @param connections of its load, where it is one level of a sweep; empty for the experiment's
 */
public record Variant(String name, Target target, Observe observe, boolean optional, OptionalInt connections) {
    public Variant(String name, Target target) {
        this(name, target, Observe.USUAL, false, OptionalInt.empty());
    }

    public Variant with(Target other) {
        return new Variant(name, other, observe, optional, connections);
    }

    public Variant with(Observe other) {
        return new Variant(name, target, other, optional, connections);
    }

    /** Returns the same variant without a closing load. */
    public Variant withoutClosing() {
        return with(observe.withClosing(false));
    }

    public Variant named(String other) {
        return new Variant(other, target, observe, optional, connections);
    }

    /** Returns the same variant under the load of one level of a sweep. */
    public Variant at(SweepLevel level) {
        return new Variant(level.variant(), target, observe, optional, OptionalInt.of(level.connections()));
    }

    /** A SweepLevel is a swept variant, the configuration, under the load of so many connections. */
    public record SweepLevel(String configuration, int connections) {
        private static final String BEFORE_CONNECTIONS = "-c";

        /** Returns the name of the variant: that of its configuration with the connections behind it. */
        public String variant() {
            return configuration + BEFORE_CONNECTIONS + connections;
        }

        /** Returns the level of a run, by its variant's name and its connections; empty for a run that is no level. */
        public static Optional<SweepLevel> of(String variant, int connections) {
            String end = BEFORE_CONNECTIONS + connections;
            return variant.endsWith(end) && variant.length() > end.length()
                    ? Optional.of(new SweepLevel(variant.substring(0, variant.length() - end.length()), connections))
                    : Optional.empty();
        }
    }

    /**
     * Observe says what watches a run from within, and so costs it something. From outside, Kiln always watches.
     *
     * @param jit the JVM is asked for its compile queues and compiled methods
     * @param recording whether it is launched with a flight recording, and with which settings
     * @param asyncProfiler it is launched with async-profiler
     * @param threadDumps its threads are dumped near the beginning and the end of loads
     * @param fullCollections how often its JVM is asked for a collection of the whole heap under load; empty for never
     * @param closing its first run has a {@link Experiment.ClosingLoad}, where that is possible
     */
    public record Observe(
            boolean jit,
            boolean threadDumps,
            RecordingChoice recording,
            boolean asyncProfiler,
            Optional<Duration> fullCollections,
            boolean closing) {
        public static final String JIT = "jit";
        /** The evidence has this name for the instrument that {@link #jit} is. */
        public static final String JIT_QUERIES = "jit-queries";

        public static final String THREAD_DUMPS = "thread-dumps";
        public static final String FLIGHT_RECORDER = "flight-recorder";
        public static final String ASYNC_PROFILER = "async-profiler";
        public static final String FULL_COLLECTIONS = "full-collections";
        public static final String CLOSING_RECORDING = "closing-recording";

        /** A RecordingChoice is none, Kiln's settings, the JDK's {@code profile}, or samples by CPU time. */
        public enum RecordingChoice {
            OFF,
            ON,
            PROFILE,
            CPU_TIME
        }

        /** Runs are watched this way unless an experiment says otherwise. */
        public static final Observe USUAL = new Observe(true, true, RecordingChoice.OFF, false, Optional.empty(), true);

        public static final Observe NOTHING =
                new Observe(false, false, RecordingChoice.OFF, false, Optional.empty(), false);

        /** Returns the same with or without questions about the JIT. */
        public Observe withJit(boolean other) {
            return new Observe(other, threadDumps, recording, asyncProfiler, fullCollections, closing);
        }

        /** Returns the same with or without thread dumps. */
        public Observe withThreadDumps(boolean other) {
            return new Observe(jit, other, recording, asyncProfiler, fullCollections, closing);
        }

        /** Returns the same with that flight recording. */
        public Observe with(RecordingChoice other) {
            return new Observe(jit, threadDumps, other, asyncProfiler, fullCollections, closing);
        }

        /** Returns the same with or without async-profiler. */
        public Observe withAsyncProfiler(boolean other) {
            return new Observe(jit, threadDumps, recording, other, fullCollections, closing);
        }

        /** Returns the same with or without a closing load. */
        public Observe withClosing(boolean other) {
            return new Observe(jit, threadDumps, recording, asyncProfiler, fullCollections, other);
        }

        public boolean flightRecorder() {
            return recording != RecordingChoice.OFF;
        }

        /** Returns the names of the instruments that watch what is measured, as they stand in the evidence. */
        public List<String> instruments() {
            List<String> names = new ArrayList<>();
            if (jit) {
                names.add(JIT_QUERIES);
            }
            if (threadDumps) {
                names.add(THREAD_DUMPS);
            }
            switch (recording) {
                case OFF -> {}
                case ON -> names.add(FLIGHT_RECORDER);
                case PROFILE -> names.add(FLIGHT_RECORDER + ": profile");
                case CPU_TIME -> names.add(FLIGHT_RECORDER + ": cpu-time");
            }
            if (asyncProfiler) {
                names.add(ASYNC_PROFILER);
            }
            fullCollections.ifPresent(every -> names.add(FULL_COLLECTIONS + ": " + every.toSeconds() + " s"));
            return List.copyOf(names);
        }
    }
}
