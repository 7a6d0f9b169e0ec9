package dev.kiln.importer.format;

import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.model.run.Sample;
import java.util.OptionalInt;

/** A SystemLog was recorded of processes or CPUs during a load; its span is in ns on its own clock. */
public record SystemLog(
        String what,
        LogClock clock,
        Span span,
        LogContent content,
        boolean waits,
        LogMachine machine,
        LogReader reader) {
    /** A sample is so long, and times so coarse, that an alignment can be wrong by as much. */
    public static final long RESOLUTION_NANOS = 1_000_000_000L;

    /** A LogMachine is what a log says of the machine: its kernel, empty if unknown, and how many CPUs it has. */
    public record LogMachine(String kernel, OptionalInt cpus) {
        public static final LogMachine UNKNOWN = new LogMachine("", OptionalInt.empty());
    }

    /** A LogClock says what a log's times are. */
    public enum LogClock {
        /** The times are ns since 1970. */
        EPOCH,
        /** The times are date and time of day in an unknown time zone. */
        LOCAL,
        /** The times are times of day alone. */
        TIME_OF_DAY
    }

    /** LogContent is what is in a log. Of two logs of CPUs, the one that lists each CPU is the better one. */
    public enum LogContent {
        THREADS,
        EACH_CPU,
        ALL_CPUS_TOGETHER,
        /** It has pauses of the target's collector. */
        COLLECTIONS
    }

    /** A Sink receives what was recorded. Times are ns since the run's zero. */
    public interface Sink {
        void append(Sample sample);

        /** Notes that no thread was sampled between these times. */
        void unseen(long fromNanos, long toNanos);

        void gap(String what);
    }

    /** A LogReader sends all of a log to a sink. */
    public interface LogReader {
        /** @param shiftNanos to be added to its own times */
        void read(long shiftNanos, Sink sink);
    }

    public boolean threads() {
        return content == LogContent.THREADS;
    }

    public void read(long shiftNanos, Sink sink) {
        reader.read(shiftNanos, sink);
    }
}
