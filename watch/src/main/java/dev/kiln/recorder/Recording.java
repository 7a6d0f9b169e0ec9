package dev.kiln.recorder;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A Recording is that of a target while it runs, on this machine or another. */
public interface Recording extends AutoCloseable {
    /** Returns what the target's JVM has said of itself so far. */
    Optional<JvmInfo> jvm();

    /** Returns what the C2 threads did in the last second or so, for a live display; empty where there are none. */
    Optional<CompilerLoad> c2LastSecond();

    /** Returns how many processes share the load; the compilers of the last second are those of one. */
    default int processes() {
        return 1;
    }

    /** Dumps the target's threads at these moments, if the recording has thread dumps. */
    void dumpThreads(DumpTimes times);

    /** Records once more and ends. A second call does nothing. */
    RecordingResult stop();

    /** Ends like {@link #stop}, without a result. */
    @Override
    void close();

    /**
     * A CompilerLoad is what C2's threads did in the last second or so, and C1's.
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
        /** The compilers are quiet up to this share of a CPU, waits for one included: they ask for no more. */
        public static final double QUIET = 0.05;

        /** Returns the same load with another queue. */
        public CompilerLoad withQueue(OptionalInt told) {
            return new CompilerLoad(cpuShare, waitShare, cpuSeconds, waitSeconds, c1Demand, told);
        }

        /** Tells whether the kernel counts waits: a thread that has run has waited for some nanoseconds. */
        public boolean waitsCounted() {
            return waitSeconds > 0;
        }

        /** Returns the share of one CPU that both compilers used or waited for. */
        public double demand() {
            return cpuShare + waitShare + c1Demand;
        }
    }

    /**
     * A RecordingResult says how recording went.
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

    /**
     * DumpTimes are the moments of one load at which the target's threads are dumped: near its end, where the service is as good
     * as it gets in this load, and near the beginning of a cold one, where classes are initialised.
     *
     * @param nanos on the clock of {@link System#nanoTime}, ascending
     * @param endNanos when the load is over: an answer that comes later is of something else
     */
    record DumpTimes(List<Long> nanos, long endNanos) {
        private static final List<Duration> BEGINNING =
                List.of(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(6));

        private static final int AT_END = 5;
        private static final Duration APART = Duration.ofSeconds(1);

        /** A load may end a little before its time is over, and a starved JVM answers late. */
        private static final Duration BEFORE_END = Duration.ofMillis(500);

        /** A load that may end before its time may end at any moment. */
        private static final Duration MEANWHILE = Duration.ofSeconds(10);

        public DumpTimes {
            nanos = List.copyOf(nanos);
        }

        /** Returns the moments of a load; cold is a target that has had none before. */
        public static DumpTimes of(long beginNanos, Phase.Load load, boolean cold) {
            long end = beginNanos + load.duration().toNanos();
            List<Long> atEnd = new ArrayList<>();
            for (int i = AT_END - 1; i >= 0; i--) {
                long at = end - BEFORE_END.plus(APART.multipliedBy(i)).toNanos();
                if (at > beginNanos) {
                    atEnd.add(at);
                }
            }
            List<Long> all = new ArrayList<>();
            Optional<Duration> steady = load.earliestEnd();
            long from = beginNanos
                    + steady.orElse(load.duration()).minus(BEFORE_END).toNanos();
            if (cold) {
                BEGINNING.stream()
                        .map(after -> beginNanos + after.toNanos())
                        .filter(at -> at < from && before(at, atEnd))
                        .forEach(all::add);
            }
            for (long at = from; steady.isPresent() && before(at, atEnd); at += MEANWHILE.toNanos()) {
                all.add(at);
            }
            all.addAll(atEnd);
            return new DumpTimes(all, end);
        }

        /** Returns moments that divide a stretch evenly. */
        public static DumpTimes within(long beginNanos, Duration length, int dumps) {
            List<Long> all = new ArrayList<>();
            for (int i = 1; i <= dumps; i++) {
                all.add(beginNanos + length.toNanos() * i / (dumps + 1));
            }
            return new DumpTimes(all, beginNanos + length.toNanos());
        }

        /** Returns the same moments on a clock that shows so much more. */
        public DumpTimes plus(long moreNanos) {
            return new DumpTimes(nanos.stream().map(at -> at + moreNanos).toList(), endNanos + moreNanos);
        }

        /** Tells whether a moment lies before all of those by as much as these lie apart. */
        private static boolean before(long nanos, List<Long> all) {
            return all.isEmpty() || nanos + APART.toNanos() <= all.getFirst();
        }
    }
}
