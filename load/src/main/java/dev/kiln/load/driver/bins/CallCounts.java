package dev.kiln.load.driver.bins;

import java.util.Arrays;
import org.HdrHistogram.IntCountsHistogram;

/**
 * CallCounts are what became of each call of a mix in the same time as {@link Bin.SecondLatencies}, which it is a part of.
 * Calls have numbers from 0. It grows to the largest mix that it has seen, and stays so.
 */
public final class CallCounts {
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
