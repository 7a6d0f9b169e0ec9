package dev.kiln.load.driver.bins;

import dev.kiln.model.load.LoadBin;
import java.util.Queue;
import org.HdrHistogram.IntCountsHistogram;
import org.jspecify.annotations.Nullable;

/**
 * A Bin counts requests while it is filled. The I/O thread writes it, and then the writer's thread reads it: never both at a
 * time.
 */
public final class Bin {
    private final Queue<Bin> home;
    /** The bin's start and end are by {@link System#nanoTime}. */
    public long startNanos;

    public long endNanos;
    public long started;
    public long completed;
    private long refused;
    private long reset;
    private long timeout;
    private long non2xx;
    private long badBody;
    /** This many requests wait or are in flight at the bin's end. */
    public long backlog;
    /** The event loop was late by at most this time. */
    public long lagNanos;
    /** This is true for the last bin of its phase. */
    public boolean last;

    /** These are the latencies since the last bin that carried some; null but for one bin in ten and for the last. */
    @Nullable
    public SecondLatencies latencies;

    /** @param home where it lies while it is free */
    Bin(Queue<Bin> home) {
        this.home = home;
    }

    /** Gives the bin back with its latencies, which may be those of another event loop; called by the writer. */
    public void giveBack() {
        SecondLatencies second = latencies;
        if (second != null) {
            latencies = null;
            second.giveBack();
        }
        home.add(this);
    }

    /** Empties the bin and sets its new start and end. */
    public void begin(long start, long end) {
        startNanos = start;
        endNanos = end;
        started = 0;
        completed = 0;
        refused = 0;
        reset = 0;
        timeout = 0;
        non2xx = 0;
        badBody = 0;
        backlog = 0;
        lagNanos = 0;
        last = false;
        latencies = null;
    }

    public void failed(RequestFailure failure) {
        switch (failure) {
            case REFUSED -> refused++;
            case RESET -> reset++;
            case TIMEOUT -> timeout++;
            case NON_2XX -> non2xx++;
            case BAD_BODY -> badBody++;
        }
    }

    /**
     * Adds what another event loop counted in the same time, or in the time that follows.
     *
     * @param o keeps latencies only if they are added here
     */
    void add(Bin o) {
        startNanos = Math.min(startNanos, o.startNanos);
        started += o.started;
        completed += o.completed;
        refused += o.refused;
        reset += o.reset;
        timeout += o.timeout;
        non2xx += o.non2xx;
        badBody += o.badBody;
        lagNanos = Math.max(lagNanos, o.lagNanos);
        if (latencies == null) {
            latencies = o.latencies;
            o.latencies = null;
        } else if (o.latencies != null) {
            latencies.add(o.latencies);
        }
    }

    LoadBin.Errors errors() {
        return new LoadBin.Errors(refused, reset, timeout, non2xx, badBody);
    }

    /**
     * @param launchNanos by the bin's own clock
     */
    public LoadBin toLoadBin(String phase, long launchNanos) {
        return new LoadBin(
                phase,
                startNanos - launchNanos,
                endNanos - launchNanos,
                started,
                completed,
                errors(),
                backlog,
                lagNanos);
    }

    /**
     * SecondLatencies are those of a second, not of a bin: 300 requests are too few for a high percentile, nothing reads finer
     * than a second, and each histogram costs 60 us to encode and 400 KB to keep. Handed over like a {@link Bin}, together with
     * one.
     */
    public static final class SecondLatencies {
        private static final int SIGNIFICANT_DIGITS = 3;

        public final IntCountsHistogram histogram = new IntCountsHistogram(CallCounts.MAX_NANOS, SIGNIFICANT_DIGITS);
        public final CallCounts calls = new CallCounts();
        private final Queue<SecondLatencies> home;
        public long startNanos;

        SecondLatencies(Queue<SecondLatencies> home) {
            this.home = home;
        }

        /** @param number of calls, where a load has several; else 0 */
        public void begin(long start, int number) {
            startNanos = start;
            calls.begin(number);
        }

        private void giveBack() {
            histogram.reset();
            calls.reset();
            home.add(this);
        }

        void add(SecondLatencies o) {
            startNanos = Math.min(startNanos, o.startNanos);
            histogram.add(o.histogram);
            calls.add(o.calls);
        }

        /** Counts one answer; a latency beyond the most counts as the most. */
        public void record(long nanos) {
            histogram.recordValue(Math.clamp(nanos, 0, CallCounts.MAX_NANOS));
        }
    }

    /** A RequestFailure is why a request did not succeed; each request fails at most once. */
    public enum RequestFailure {
        /** The request failed because no connection could be made. */
        REFUSED,
        /** The connection broke before an answer began, or was reset within it. */
        RESET,
        /** There was no complete answer within the load's timeout, connecting included. */
        TIMEOUT,
        /** The answer is complete, and its status is none that counts as good. */
        NON_2XX,
        /** The answer is not HTTP, was cut short, or lacks the expected text. */
        BAD_BODY
    }
}
