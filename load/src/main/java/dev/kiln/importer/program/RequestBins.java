package dev.kiln.importer.program;

import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.LoadSink.RowLatencies;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * RequestBins turns single requests into bins by completion, with a histogram each second. Logs are nearly in the order of
 * completion, so a bin is told once the log is {@link #WINDOW_NANOS} further: memory does not grow with the log. A bin's number
 * of requests begun is that of those which ended in it.
 */
public final class RequestBins {
    /** Programs write a request down at most some seconds after it ended. */
    static final long WINDOW_NANOS = 30_000_000_000L;

    private static final long HOLE_NANOS = 3_600_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final int DIGITS = 3;

    /** A RequestBin begins a whole number of bins after zero. */
    private static final class RequestBin {
        final long index;
        final long[] failed = new long[Request.RequestOutcome.values().length];
        long completed;

        RequestBin(long index) {
            this.index = index;
        }

        long ended() {
            return completed + errors().total();
        }

        LoadBin.Errors errors() {
            return new LoadBin.Errors(
                    failed[Request.RequestOutcome.REFUSED.place()],
                    failed[Request.RequestOutcome.LOST.place()],
                    failed[Request.RequestOutcome.TIMEOUT.place()],
                    failed[Request.RequestOutcome.STATUS.place()],
                    failed[Request.RequestOutcome.BODY.place()]);
        }
    }

    private final LoadSink sink;
    private final long zero;
    private final long binNanos;
    private final Deque<RequestBin> bins = new ArrayDeque<>();
    private final TreeMap<Long, Histogram> seconds = new TreeMap<>();
    private long nextBin;

    /** @param zeroNanos the first request's beginning */
    public RequestBins(LoadSink sink, long zeroNanos, long binNanos) {
        this.sink = sink;
        this.zero = zeroNanos;
        this.binNanos = binNanos;
    }

    public void add(Request request) {
        long at = request.endNanos() - zero;
        long index = at / binNanos;
        if (at < 0 || index < nextBin) {
            throw late(request);
        }
        refuseHole(request, index);
        fill(index);
        RequestBin bin = bin(index);
        if (request.outcome() == Request.RequestOutcome.OK) {
            bin.completed++;
            seconds.computeIfAbsent(at / SECOND, second -> new Histogram(DIGITS))
                    .recordValue(Math.max(0, request.latencyNanos()));
        } else {
            bin.failed[request.outcome().place()]++;
        }
    }

    /** Passes on the bins that are left, and returns when the last of them ended. */
    public long end(long endNanos) {
        fill((endNanos - zero - 1) / binNanos);
        long end = leaveOutPart() ? zero + bins.getLast().index * binNanos + binNanos : endNanos;
        while (!bins.isEmpty()) {
            tellBin(end);
        }
        while (!seconds.isEmpty()) {
            tellSecond();
        }
        return end;
    }

    /** Leaves out a last bin of cut times, if under half of the one before: the load ended within it. */
    private boolean leaveOutPart() {
        if (binNanos < SECOND || bins.size() < 2) {
            return false;
        }
        RequestBin last = bins.removeLast();
        long before = bins.getLast().ended();
        if (2 * last.ended() >= before) {
            bins.add(last);
            return false;
        }
        long from = last.index * binNanos / SECOND;
        seconds.tailMap(from).clear();
        sink.gap("the load's last row, from its second " + from + " on, has " + last.ended() + " requests after "
                + before + " and is left out: a partial bin reads as a collapse");
        return true;
    }

    /** An hour without a request to end is a mistaken time, or two tests. */
    private void refuseHole(Request request, long index) {
        long newest = bins.isEmpty() ? nextBin : bins.getLast().index;
        if ((index - newest) * binNanos > HOLE_NANOS) {
            throw hole(request);
        }
    }

    static KilnException hole(Request request) {
        return KilnException.usage(
                request.place() + ": a request that ended more than an hour after those above it",
                "correct its time, or import the tests before and after it one by one");
    }

    static KilnException late(Request request) {
        return KilnException.usage(
                request.place() + ": a request that ended more than " + WINDOW_NANOS / SECOND
                        + " s before those above it",
                "restore the log as its program wrote it, or sort its lines by time");
    }

    /** Opens all bins up to this one; a second without a completion is a fact. */
    private void fill(long index) {
        for (long next = bins.isEmpty() ? nextBin : bins.getLast().index + 1; next <= index; next++) {
            bins.add(new RequestBin(next));
            if (bins.getLast().index - bins.getFirst().index > WINDOW_NANOS / binNanos) {
                tellBin(Long.MAX_VALUE);
            }
        }
        while (!seconds.isEmpty() && seconds.firstKey() < nextBin * binNanos / SECOND) {
            tellSecond();
        }
    }

    private RequestBin bin(long index) {
        Iterator<RequestBin> newest = bins.descendingIterator();
        RequestBin bin = newest.next();
        while (bin.index != index) {
            bin = newest.next();
        }
        return bin;
    }

    private void tellBin(long endNanos) {
        RequestBin bin = bins.removeFirst();
        nextBin = bin.index + 1;
        long start = zero + bin.index * binNanos;
        LoadBin.Errors errors = bin.errors();
        sink.row(new LoadRow(
                start,
                Math.max(start + 1, Math.min(start + binNanos, endNanos)),
                bin.completed + errors.total(),
                bin.completed,
                errors,
                RowLatencies.NONE));
    }

    private void tellSecond() {
        Map.Entry<Long, Histogram> second = seconds.pollFirstEntry();
        long start = zero + second.getKey() * SECOND;
        sink.latencies(start, start + SECOND, second.getValue());
    }
}
