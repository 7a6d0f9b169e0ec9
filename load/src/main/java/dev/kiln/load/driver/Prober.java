package dev.kiln.load.driver;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.WrongUrl;
import dev.kiln.load.driver.bins.Bin.RequestFailure;
import dev.kiln.load.driver.http.Calls;
import dev.kiln.load.driver.http.Feeder.Turn;
import dev.kiln.load.driver.http.IoThread;
import dev.kiln.load.driver.http.Line;
import dev.kiln.load.driver.http.Slot;
import dev.kiln.load.driver.http.Slot.Outcomes;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A Prober waits for a target to come up: it calls over new connections until one call is answered with success. A call that
 * was answered otherwise is followed by the next. Beside one that gets no answer another is sent from time to time: the target
 * may need long for its first response, or may have lost the call.
 */
final class Prober implements IoThread.IoWork, Outcomes {
    private static final long TICK_NANOS = 10_000_000;

    private final Calls calls;
    private final List<Slot> slots;
    /** All attempts send the first request of a load: what a load feeds is not used up by waiting. */
    private final Turn turn = new Turn();

    private final WrongUrl wrongUrl = new WrongUrl();
    private final long endNanos;
    private final CompletableFuture<Probe> result = new CompletableFuture<>();
    private long attempts;
    private long nextAttempt;
    private AttemptResult last = AttemptResult.NOTHING_YET;

    Prober(IoThread io, Calls calls, long timeoutNanos) {
        this.calls = calls;
        // The end of the wait ends a call, nothing before.
        slots = Stream.generate(() -> new Line(io, calls).slot(this, 0, timeoutNanos))
                .limit(Probe.MOST_OPEN)
                .toList();
        calls.first().take(turn);
        nextAttempt = System.nanoTime();
        endNanos = nextAttempt + timeoutNanos;
    }

    CompletableFuture<Probe> result() {
        return result;
    }

    void stop() {
        long now = System.nanoTime();
        OptionalLong waiting = slots.stream()
                .filter(Slot::busy)
                .mapToLong(slot -> now - slot.startNanos)
                .max();
        end(new Probe.NoAnswer(last.atTheEnd(waiting), attempts));
    }

    private void end(Probe how) {
        // First, because dropping a call may tell this prober that it failed.
        result.complete(how);
        slots.forEach(Slot::drop);
    }

    @Override
    public long deadline() {
        long now = System.nanoTime();
        return Math.min(endNanos, Math.max(now, Math.min(nextAttempt, now + TICK_NANOS)));
    }

    @Override
    public void turn(long now) {
        if (result.isDone()) {
            return;
        }
        if (now >= endNanos) {
            stop();
        } else if (now >= nextAttempt) {
            nextAttempt = now + Probe.BESIDE_NANOS;
            slots.stream().filter(slot -> !slot.busy()).findFirst().ifPresent(free -> {
                attempts++;
                free.begin(calls.first(), turn, now, now);
            });
        }
    }

    @Override
    public void succeeded(Slot by, long now) {
        end(new Probe.Answered(now, attempts));
    }

    @Override
    public void failed(Slot by, long now, RequestFailure failure) {
        last = by.lastResult();
        by.drop();
        nextAttempt = now + Probe.BETWEEN_ATTEMPTS_NANOS;
        if (wrongUrl.after(last, now) && !result.isDone()) {
            stop();
        }
    }

    @Override
    public void resent(Slot by) {}

    @Override
    public void ready(Slot by, long now) {}
}
