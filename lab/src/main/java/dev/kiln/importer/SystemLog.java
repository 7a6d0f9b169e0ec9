package dev.kiln.importer;

import java.util.OptionalInt;

/** What was seen of processes or CPUs beside a load. */
interface SystemLog {
    /** In words. */
    String what();

    /** Which times it has. */
    Clock clock();

    /** From its first record to its last, in ns on its own clock. */
    Span span();

    /** How long its samples are, or how coarse its times: what an alignment can be wrong by. */
    long resolutionNanos();

    String kernel();

    OptionalInt cpus();

    /** Whether it tells how long threads waited; true if it tells of no threads at all. */
    boolean waits();

    /** Whether it tells of all CPUs together only. */
    default boolean merged() {
        return false;
    }

    /** Whether it tells of threads. */
    default boolean threads() {
        return false;
    }

    /** @param shiftNanos to be added to its own times */
    void read(long shiftNanos, SystemSink sink);

    /** What a log's times are. */
    enum Clock {
        /** ns since 1970. */
        EPOCH,
        /** Date and time of day in a time zone that is not told. */
        LOCAL,
        /** Time of day alone. */
        TIME_OF_DAY
    }
}
