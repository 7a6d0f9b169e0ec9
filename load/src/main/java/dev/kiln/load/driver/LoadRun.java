package dev.kiln.load.driver;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.driver.PhaseRecorder.LoopEnding;
import dev.kiln.load.driver.PhaseRecorder.PhaseCourse;
import dev.kiln.load.driver.bins.Bin.RequestFailure;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.http.Calls;
import dev.kiln.load.driver.http.IoThread;
import dev.kiln.load.driver.http.Slot;
import dev.kiln.load.driver.http.Slot.Outcomes;
import dev.kiln.model.load.LoadSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A LoadRun is one event loop's part of a session's load: slots, and which sends when. On the I/O thread. */
final class LoadRun implements IoThread.IoWork, Outcomes {
    /** The loop checks timeouts and its own lateness once in this time. */
    private static final long TICK_NANOS = 10_000_000;

    private static final long REST_TICK_NANOS = 100_000_000;
    /** A tick checks at most this many slots, so that many connections do not make ticks long. */
    private static final int SLOTS_PER_SCAN = 500;

    private static final long FIRST_BACKOFF_NANOS = 10_000_000;
    private static final long MAX_BACKOFF_NANOS = 100_000_000;

    /** A Common is shared by event loops: two lock to take a request, and usedUp runs without a row left. */
    record Common(LoadSpec spec, Object lock, Runnable usedUp) {}

    private final Common common;
    private final BinQueue queue;
    private final LoopClaims claims;
    private final LoopLines lines;
    private final LoopLines.FreeSlots free;
    private final ThinkTimes thinking;
    /** This many calls are counted one by one; 0 where a load has but one. */
    private final int calls;

    private @Nullable PhaseRecorder recorder;
    /** Slots with a number below this one may send. */
    private int allowed;

    private long nextTick;
    private int scanFrom;
    private @Nullable LoopEnding ending;

    /**
     * @param targets connections are dealt out to them in turn
     * @param number of this loop; the first one also counts what is due
     * @param of so many, to which connections are dealt out in turn; 0 for a loop that gets its connections from others
     */
    LoadRun(IoThread io, Common common, List<Calls> targets, BinQueue queue, int number, int of) {
        this.common = common;
        this.queue = queue;
        LoadSpec spec = common.spec();
        Calls some = targets.getFirst();
        claims = new LoopClaims(spec, some, common.lock(), number == 0, of != 1);
        calls = some.counted();
        free = new LoopLines.FreeSlots(spec.inFlight());
        thinking = new ThinkTimes(some);
        lines = new LoopLines(this, this::arrived, io, targets);
        if (of > 0) {
            lines.make(spec, number, of);
        }
    }

    /** Makes the claims lock, because from now on other event loops take requests too. */
    void share() {
        claims.share();
    }

    int connections() {
        return lines.size();
    }

    /** Gives every n-th of its connections to another loop, each as soon as nothing of it is in flight. */
    void give(int every, LoadRun to) {
        lines.give(every, to.lines);
        free.release();
    }

    /** @param fromNanos where the first bin begins */
    void start(PhaseCourse course, long fromNanos) {
        ending = null;
        long now = System.nanoTime();
        nextTick = now + TICK_NANOS;
        recorder = new PhaseRecorder(queue, claims::waiting, course, fromNanos, calls);
        claims.begin(course.pace(), course.startNanos());
        allowed = claims.connections(now);
        free.clear();
        for (Slot slot : lines.slots()) {
            slot.counted = false;
            slot.leaveRest();
            if (!slot.busy() && !slot.thinks) {
                free(slot, now);
            }
        }
    }

    /** Ends the phase at once, if one is going on. */
    void stop() {
        if (recorder != null) {
            end(recorder, System.nanoTime(), false);
        }
    }

    /** Returns the ending of the last phase, once it has ended. */
    LoopEnding ending() {
        LoopEnding last = ending;
        if (last == null) {
            throw new IllegalStateException("no phase has ended");
        }
        return last;
    }

    void close() {
        stop();
        lines.close();
    }

    /** Frees slots that have come from another event loop. */
    private void arrived(List<Slot> others) {
        long now = System.nanoTime();
        for (Slot slot : others) {
            slot.leaveRest();
            free(slot, now);
        }
    }

    @Override
    public long deadline() {
        PhaseRecorder r = recorder;
        if (r == null) {
            return nextTick;
        }
        long next = thinking.nextDone(Math.min(nextTick, r.endNanos()));
        return claims.isOpen() && !free.isEmpty() ? Math.min(next, claims.nextDue()) : next;
    }

    @Override
    public void turn(long now) {
        PhaseRecorder r = recorder;
        if (now >= nextTick) {
            tick(now);
        }
        if (r != null && r == recorder) {
            if (now >= r.endNanos()) {
                end(r, now, false);
                return;
            }
            for (Slot done = thinking.poll(now); done != null; done = thinking.poll(now)) {
                free(done, now);
            }
            if (claims.isOpen()) {
                sendDue(r, now);
            }
        }
    }

    private void tick(long now) {
        PhaseRecorder r = recorder;
        if (r == null) {
            nextTick = now + REST_TICK_NANOS;
        } else {
            r.lag(Math.min(now, r.endNanos()), now - nextTick);
            allow(now);
            nextTick = Math.max(nextTick, now - TICK_NANOS) + TICK_NANOS;
        }
        List<Slot> slots = lines.slots();
        for (int i = Math.min(SLOTS_PER_SCAN, slots.size()); i > 0; i--) {
            scanFrom = scanFrom + 1 >= slots.size() ? 0 : scanFrom + 1;
            Slot slot = slots.get(scanFrom);
            if (slot.busy()) {
                slot.expire(now);
            } else if (slot.retryAt != 0 && now >= slot.retryAt) {
                slot.retryAt = 0;
                free(slot, now);
            }
        }
        lines.goOn();
    }

    /** Frees the slots that the load has grown by. Those that it has shrunk by stop by themselves when their request ends. */
    private void allow(long now) {
        int before = allowed;
        allowed = claims.connections(now);
        List<Slot> slots = lines.slots();
        for (int i = allowed > before ? 0 : slots.size(); i < slots.size(); i++) {
            Slot slot = slots.get(i);
            if (slot.number >= before && slot.number < allowed && slot.leaveRest()) {
                free(slot, now);
            }
        }
    }

    private void sendDue(PhaseRecorder r, long now) {
        while (r == recorder) {
            while (!free.isEmpty() && free.first().number >= allowed) {
                free.take().rest();
            }
            long due = free.isEmpty() ? LoopClaims.NONE : claims.due(free.first(), now, r.endNanos());
            if (due == LoopClaims.USED_UP) {
                end(r, now, true);
            } else if (due == LoopClaims.NONE) {
                return;
            } else {
                send(r, free.take(), r.startNanos() + due, now);
            }
        }
    }

    private void send(PhaseRecorder r, Slot slot, long start, long now) {
        r.started(now);
        slot.counted = true;
        slot.begin(start, now);
    }

    private void end(PhaseRecorder r, long now, boolean feedUsedUp) {
        recorder = null;
        nextTick = now;
        ending = r.end(
                now,
                feedUsedUp,
                lines.slots().stream()
                        .filter(slot -> slot.counted && slot.busy())
                        .mapToLong(Slot::sentNanos));
        for (Slot slot : lines.slots()) {
            slot.counted = false;
            slot.retryAt = 0;
        }
        if (feedUsedUp) {
            common.usedUp().run();
        }
    }

    /** Returns the recorder if what a slot does now is of the phase, else null; ends a phase that is over. */
    private @Nullable PhaseRecorder counting(Slot slot, long now) {
        PhaseRecorder r = recorder;
        if (r != null && now >= r.endNanos()) {
            end(r, now, false);
            return null;
        }
        return slot.counted ? r : null;
    }

    @Override
    public void succeeded(Slot slot, long now) {
        PhaseRecorder r = counting(slot, now);
        if (r != null) {
            r.answered(now - slot.sentNanos());
            r.succeeded(now, now - slot.startNanos, slot.callNumber());
        }
    }

    @Override
    public void failed(Slot slot, long now, RequestFailure failure) {
        PhaseRecorder r = counting(slot, now);
        if (r != null) {
            if (failure == RequestFailure.NON_2XX || failure == RequestFailure.BAD_BODY) {
                r.answered(now - slot.sentNanos());
            }
            r.failed(now, failure, slot.callNumber());
        }
        if (failure == RequestFailure.REFUSED && !slot.lastResult().equals(AttemptResult.CONNECTION_REFUSED)) {
            warn(slot.lastResult().words());
        }
    }

    @Override
    public void warn(String warning) {
        if (recorder != null) {
            recorder.warn(warning);
        }
    }

    @Override
    public void resent(Slot slot) {
        if (slot.counted && recorder != null) {
            recorder.resent();
        }
    }

    @Override
    public void shookHands(long nanos) {
        if (recorder != null) {
            recorder.shookHands(nanos);
        }
    }

    @Override
    public void ready(Slot slot, long now) {
        slot.counted = false;
        boolean lost = slot.lostInRow > 1 || slot.refused();
        if ((!lost && thinking.add(slot, now)) || recorder == null) {
            return;
        }
        if (lost) {
            int doublings = Math.min(slot.lostInRow - 1, 4);
            slot.retryAt = now + Math.min(FIRST_BACKOFF_NANOS << doublings, MAX_BACKOFF_NANOS);
        } else {
            free(slot, now);
        }
    }

    private void free(Slot slot, long now) {
        PhaseRecorder r = recorder;
        if (slot.leaves) {
            return;
        }
        if (slot.number >= allowed) {
            slot.rest();
        } else if (claims.isOpen()) {
            free.add(slot);
        } else if (r != null && now < r.endNanos()) {
            if (claims.next(slot)) {
                send(r, slot, now, now);
            } else {
                end(r, now, true);
            }
        }
    }
}
