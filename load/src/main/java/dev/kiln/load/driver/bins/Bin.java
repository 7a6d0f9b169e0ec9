package dev.kiln.load.driver.bins;

import dev.kiln.model.load.LoadBin;
import java.util.Arrays;
import java.util.Queue;
import org.HdrHistogram.IntCountsHistogram;
import org.jspecify.annotations.Nullable;

/** A Bin counts requests: the I/O thread writes it, and then the writer's thread reads it, never both. */
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

    /** Adds what another event loop counted then or next; it keeps latencies only if they are added. */
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

    /**
     * CallCounts are what became of each call of a mix in the same time as {@link Bin.SecondLatencies}, which it is a part of.
     * Calls have numbers from 0. It grows to the largest mix that it has seen, and stays so.
     */
    public static final class CallCounts {
        /** The longest latency that is counted is one hour, because no timeout is longer. */
        static final long MAX_NANOS = 3_600_000_000_000L;

        /** Latencies are counted of at most this many calls: each needs 20 KB for each second that the queue has. */
        static final int MOST_TIMED = 20;

        /** Latencies are exact to within 1 %: three digits would need eight times the memory. */
        private static final int SIGNIFICANT_DIGITS = 2;

        private int calls;
        private long[] completed = new long[0];
        private long[] failed = new long[0];
        private IntCountsHistogram[] latencies = new IntCountsHistogram[0];

        /** @param number of calls; 0 where a load has but one, whose figures are those of the whole */
        void begin(int number) {
            calls = number;
            if (completed.length < number) {
                completed = new long[number];
                failed = new long[number];
                int timed = latencies.length;
                latencies = Arrays.copyOf(latencies, Math.min(number, MOST_TIMED));
                for (int i = timed; i < latencies.length; i++) {
                    latencies[i] = new IntCountsHistogram(MAX_NANOS, SIGNIFICANT_DIGITS);
                }
            }
        }

        /** Returns how many calls are counted. */
        public int calls() {
            return calls;
        }

        public long completed(int call) {
            return completed[call];
        }

        public long failed(int call) {
            return failed[call];
        }

        /** Returns a quantile of a call's latency in ns; 0 where nothing was completed, or latencies are not counted. */
        public long percentile(int call, double percentile) {
            return call < latencies.length ? latencies[call].getValueAtPercentile(percentile) : 0;
        }

        /** Counts a good answer with its latency. */
        public void succeed(int call, long nanos) {
            if (calls > 0) {
                completed[call]++;
                if (call < latencies.length) {
                    latencies[call].recordValue(Math.clamp(nanos, 0, MAX_NANOS));
                }
            }
        }

        /** Counts a request that failed. */
        public void fail(int call) {
            if (calls > 0) {
                failed[call]++;
            }
        }

        void add(CallCounts o) {
            for (int i = 0; i < calls; i++) {
                completed[i] += o.completed[i];
                failed[i] += o.failed[i];
                if (i < latencies.length) {
                    latencies[i].add(o.latencies[i]);
                }
            }
        }

        void reset() {
            for (int i = 0; i < calls; i++) {
                completed[i] = 0;
                failed[i] = 0;
                if (i < latencies.length) {
                    latencies[i].reset();
                }
            }
            calls = 0;
        }
    }
}
