package dev.kiln.recorder;

import dev.kiln.model.KilnException;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A target's recording while it runs, on this machine or another. */
public interface Recording extends AutoCloseable {
    /** Returns what the target's JVM has said of itself so far. */
    Optional<JvmInfo> jvm();

    /** Returns what the C2 threads did in the last second or so, for a live display; empty where there are none. */
    Optional<CompilerLoad> c2LastSecond();

    /** Dumps the target's threads at these moments, if the recording has thread dumps. */
    void dumpThreads(DumpTimes times);

    /** Records once more and ends. A second call does nothing. */
    RecordingResult stop();

    /** Ends like {@link #stop}, without a result. */
    @Override
    void close();

    /**
     * What C2's threads did in the last second or so, and C1's.
     *
     * @param cpuShare of one CPU
     * @param waitShare threads waiting for a CPU on average
     * @param cpuSeconds used since the launch
     * @param waitSeconds waited since the launch, summed over threads
     * @param c1Demand share of one CPU that C1's threads used or waited for
     * @param c2Queue methods that wait for C2, as the JVM told it last; empty where it has not
     */
    record CompilerLoad(
            double cpuShare,
            double waitShare,
            double cpuSeconds,
            double waitSeconds,
            double c1Demand,
            OptionalInt c2Queue) {
        /**
         * The compilers are quiet up to this share of one CPU, with the time that they wait for one: they ask for no more.
         */
        public static final double QUIET = 0.05;

        /** Makes the load of compilers whose queue was not told. */
        public CompilerLoad(double cpuShare, double waitShare, double cpuSeconds, double waitSeconds, double c1Demand) {
            this(cpuShare, waitShare, cpuSeconds, waitSeconds, c1Demand, OptionalInt.empty());
        }

        CompilerLoad withQueue(OptionalInt told) {
            return new CompilerLoad(cpuShare, waitShare, cpuSeconds, waitSeconds, c1Demand, told);
        }

        /** Tells whether the kernel counts waits: a thread that has run has waited for some nanoseconds. */
        public boolean waitsCounted() {
            return waitSeconds > 0;
        }

        /** Share of one CPU that both compilers used or waited for. */
        public double demand() {
            return cpuShare + waitShare + c1Demand;
        }
    }

    /**
     * How recording went.
     *
     * @param notRecorded what could not be recorded, and why
     * @param notes what of the machine disturbed the target, in words
     * @param jvm what the target's JVM said of itself
     * @param cpuNanos CPU time of the recorder's thread
     * @param failure why it ended before it was stopped, such as a full disk
     */
    record RecordingResult(
            List<NotRecorded> notRecorded,
            List<String> notes,
            Optional<JvmInfo> jvm,
            long cpuNanos,
            Optional<KilnException> failure) {
        public RecordingResult {
            notRecorded = List.copyOf(notRecorded);
            notes = List.copyOf(notes);
        }
    }
}
