package dev.kiln.importer.format;

import dev.kiln.model.run.Sample;
import java.util.OptionalInt;

/**
 * What was recorded of processes or CPUs during a load.
 *
 * @param what in words
 * @param clock which times it has
 * @param span from its first record to its last, in ns on its own clock
 * @param content what it is about
 * @param waits whether it has the time that threads waited; true for a log without threads
 */
public record SystemLog(
        String what,
        Clock clock,
        Span span,
        Content content,
        boolean waits,
        String kernel,
        OptionalInt cpus,
        Reader reader) {
    /** How long a sample is, or how coarse times are: what an alignment can be wrong by. Whole seconds in all logs. */
    public static final long RESOLUTION_NANOS = 1_000_000_000L;

    /** What a log's times are. */
    public enum Clock {
        /** ns since 1970. */
        EPOCH,
        /** Date and time of day in an unknown time zone. */
        LOCAL,
        /** Time of day alone. */
        TIME_OF_DAY
    }

    /** What is in a log; of two logs of CPUs that of each is the better one. */
    public enum Content {
        THREADS,
        EACH_CPU,
        ALL_CPUS_TOGETHER,
        /** Pauses of the target's collector. */
        COLLECTIONS
    }

    /** Takes what was recorded. Times are ns since the run's zero. */
    public interface Sink {
        void append(Sample sample);

        /** No thread was sampled in this stretch. */
        void unseen(long fromNanos, long toNanos);

        void gap(String what);
    }

    /** Sends all of a log to a sink. */
    public interface Reader {
        /** @param shiftNanos to be added to its own times */
        void read(long shiftNanos, Sink sink);
    }

    public boolean threads() {
        return content == Content.THREADS;
    }

    public void read(long shiftNanos, Sink sink) {
        reader.read(shiftNanos, sink);
    }
}
