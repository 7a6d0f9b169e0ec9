package dev.kiln.load.driver;

import dev.kiln.load.driver.bins.Bin;
import dev.kiln.load.driver.bins.Bin.RequestFailure;
import dev.kiln.load.driver.bins.Bin.SecondLatencies;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.model.run.Course.Handshakes;
import dev.kiln.model.run.Course.Hung;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A PhaseRecorder counts one phase: into bins, by completion time, and what no bin has. It is used on the I/O thread. */
final class PhaseRecorder {
    private static final int MAX_WARNINGS = 10;

    /** A Cut is how a phase is divided into bins, so many to a histogram and a tick. */
    record Cut(long binNanos, int binsPerSecond) {
        static final Cut STANDARD = new Cut(100_000_000, 10);
    }

    /** A PhaseCourse is a phase as all event loops share it. Its times are by {@link System#nanoTime}. */
    record PhaseCourse(long startNanos, long durationNanos, Cut cut, Pace pace) {
        long endNanos() {
            return startNanos + durationNanos;
        }
    }

    private final BinQueue queue;
    private final LongBinaryOperator waiting;
    private final Cut cut;
    private final int calls;
    private final long startNanos;
    private final long endNanos;
    private final List<String> warnings = new ArrayList<>();
    private Bin bin;
    private SecondLatencies latencies;
    private int bins;
    private long inFlight;
    private long sent;
    private long resent;
    private Handshakes handshakes = Handshakes.NONE;
    private long maxLagNanos;
    private long longestNanos;

    /**
     * Begins to count a phase, once the writer has caught up with the phase before.
     *
     * @param waiting asked at the end of each bin: requests due by a time beyond those that were sent
     * @param fromNanos where the first bin begins: the phase's start, or the end of a bin for an event loop that comes later
     * @param calls to be counted each, where a load has several; else 0
     */
    PhaseRecorder(BinQueue queue, LongBinaryOperator waiting, PhaseCourse course, long fromNanos, int calls) {
        this.queue = queue;
        this.waiting = waiting;
        this.cut = course.cut();
        this.calls = calls;
        this.startNanos = course.startNanos();
        this.endNanos = course.endNanos();
        Bin first = queue.takeFree();
        SecondLatencies second = queue.takeFreeLatencies();
        if (first == null || second == null) {
            throw new IllegalStateException("the evidence's writer has not caught up with the phase before");
        }
        bin = first;
        bin.begin(fromNanos, Math.min(fromNanos + cut.binNanos(), endNanos));
        bins = (int) ((fromNanos - startNanos) / cut.binNanos());
        latencies = second;
        latencies.begin(fromNanos, calls);
    }

    long startNanos() {
        return startNanos;
    }

    long endNanos() {
        return endNanos;
    }

    /** Returns the bin that {@code now} falls into; called for each event, with times that do not go back. */
    private Bin at(long now) {
        while (now >= bin.endNanos && bin.endNanos < endNanos) {
            next();
        }
        return bin;
    }

    void started(long now) {
        at(now).started++;
        inFlight++;
        sent++;
    }

    void succeeded(long now, long latencyNanos, int call) {
        at(now).completed++;
        latencies.record(latencyNanos);
        latencies.calls.succeed(call, latencyNanos);
        inFlight--;
    }

    /** Notes how long an answer took from when its request was sent, whatever it said. */
    void answered(long nanos) {
        longestNanos = Math.max(longestNanos, nanos);
    }

    void failed(long now, RequestFailure failure, int call) {
        at(now).failed(failure);
        latencies.calls.fail(call);
        inFlight--;
    }

    void resent() {
        resent++;
    }

    void shookHands(long nanos) {
        handshakes = handshakes.plus(new Handshakes(1, nanos, nanos));
    }

    void warn(String warning) {
        if (warnings.size() < MAX_WARNINGS && !warnings.contains(warning)) {
            warnings.add(warning);
        }
    }

    private void next() {
        long from = bin.endNanos;
        long to = Math.min(from + cut.binNanos(), endNanos);
        Bin empty = queue.takeFree();
        if (empty == null) {
            bin.endNanos = to;
            return;
        }
        Bin full = bin;
        full.backlog = backlog(from);
        bin = empty;
        bin.begin(from, to);
        boolean second = ++bins % cut.binsPerSecond() == 0;
        SecondLatencies fresh = second ? queue.takeFreeLatencies() : null;
        if (fresh != null) {
            full.latencies = latencies;
            latencies = fresh;
            latencies.begin(from, calls);
        }
        queue.handOver(full);
        if (second) {
            queue.wakeWriter();
        }
    }

    private long backlog(long at) {
        return inFlight + waiting.applyAsLong(at, sent);
    }

    void lag(long now, long lagNanos) {
        Bin current = at(now);
        current.lagNanos = Math.max(current.lagNanos, lagNanos);
        maxLagNanos = Math.max(maxLagNanos, lagNanos);
    }

    /**
     * Hands over the last bin. A phase that is cancelled ends where it was cancelled.
     *
     * @param begun when each request in flight was sent, by {@link System#nanoTime}
     */
    LoopEnding end(long now, boolean feedUsedUp, LongStream begun) {
        long end = Math.min(now, endNanos);
        long waited = waiting.applyAsLong(end - 1, sent);
        at(end);
        bin.endNanos = Math.min(bin.endNanos, Math.max(end, bin.startNanos));
        bin.backlog = backlog(bin.endNanos);
        bin.latencies = latencies;
        bin.last = true;
        queue.handOver(bin);
        queue.wakeWriter();
        return new LoopEnding(
                startNanos,
                end,
                new LoopLeft(
                        inFlight,
                        -waited,
                        resent,
                        longestNanos,
                        begun.map(start -> end - start).boxed().toList()),
                handshakes,
                maxLagNanos,
                feedUsedUp,
                warnings);
    }

    /**
     * LoopLeft counts requests in no bin; sentMore is beyond those due, below 0 where some were not sent.
     *
     * @param longestNanos of those that were answered in the phase; 0 without any
     * @param inFlightNanos for how long each had been in flight at the end
     */
    record LoopLeft(long unfinished, long sentMore, long resent, long longestNanos, List<Long> inFlightNanos) {
        LoopLeft {
            inFlightNanos = List.copyOf(inFlightNanos);
        }

        /** Returns those that had been in flight for longer than any took that was answered. */
        Hung hung() {
            return inFlightNanos.stream()
                    .filter(nanos -> nanos > longestNanos)
                    .map(nanos -> new Hung(1, nanos))
                    .reduce(new Hung(0, 0), Hung::plus);
        }

        /** Counts requests that were due in the phase and never sent (open loop). */
        long unsent() {
            return Math.max(0, -sentMore);
        }

        private LoopLeft plus(LoopLeft o) {
            return new LoopLeft(
                    unfinished + o.unfinished,
                    sentMore + o.sentMore,
                    resent + o.resent,
                    Math.max(longestNanos, o.longestNanos),
                    Stream.concat(inFlightNanos.stream(), o.inFlightNanos.stream())
                            .toList());
        }
    }

    /** A LoopEnding holds what no bin says of a phase that has ended. */
    record LoopEnding(
            long startNanos,
            long endNanos,
            LoopLeft left,
            Handshakes handshakes,
            long maxLagNanos,
            boolean feedUsedUp,
            List<String> warnings) {
        LoopEnding {
            warnings = List.copyOf(warnings);
        }

        /** Returns the ending of two event loops together. */
        LoopEnding plus(LoopEnding o) {
            return new LoopEnding(
                    Math.min(startNanos, o.startNanos),
                    Math.max(endNanos, o.endNanos),
                    left.plus(o.left),
                    handshakes.plus(o.handshakes),
                    Math.max(maxLagNanos, o.maxLagNanos),
                    feedUsedUp || o.feedUsedUp,
                    Stream.concat(warnings.stream(), o.warnings.stream())
                            .distinct()
                            .toList());
        }
    }
}
