package dev.kiln.load.driver;

import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.driver.Bin.Failure;
import dev.kiln.load.driver.Slot.Outcomes;
import dev.kiln.model.LoadSpec;
import java.util.concurrent.CompletableFuture;

/** Waits for a target to come up: one call at a time, each over a new connection, until one is answered with success. */
final class Prober implements IoThread.Work, Outcomes {
    private static final long BETWEEN_ATTEMPTS_NANOS = 3_000_000;
    private static final long TICK_NANOS = 10_000_000;

    private final Calls calls;
    private final Slot slot;
    private final long endNanos;
    private final CompletableFuture<Probe> result = new CompletableFuture<>();
    private long attempts;
    private long nextAttempt;
    private String lastSeen = "nothing: no attempt ended in time";

    Prober(IoThread io, LoadSpec spec, Calls calls, long timeoutNanos) {
        this.calls = calls;
        slot = new Slot(io, calls, this, spec.timeout().toNanos());
        nextAttempt = System.nanoTime();
        endNanos = nextAttempt + timeoutNanos;
    }

    CompletableFuture<Probe> result() {
        return result;
    }

    void stop() {
        slot.drop();
        result.complete(new Probe.Unanswered(lastSeen, attempts));
    }

    @Override
    public long deadline() {
        long now = System.nanoTime();
        return Math.min(endNanos, slot.busy() ? now + TICK_NANOS : Math.max(now, nextAttempt));
    }

    @Override
    public void turn(long now) {
        if (result.isDone()) {
            return;
        }
        slot.expire(now);
        if (now >= endNanos) {
            stop();
        } else if (!slot.busy() && now >= nextAttempt) {
            attempts++;
            slot.begin(calls.first(), now, now);
        }
    }

    @Override
    public void succeeded(Slot by, long now) {
        slot.drop();
        result.complete(new Probe.Answered(now, attempts));
    }

    @Override
    public void failed(Slot by, long now, Failure failure) {
        lastSeen = slot.lastSeen();
        slot.drop();
        nextAttempt = now + BETWEEN_ATTEMPTS_NANOS;
    }

    @Override
    public void resent(Slot by) {}

    @Override
    public void ready(Slot by, long now) {}
}
