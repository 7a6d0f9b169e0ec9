package dev.kiln.load.driver;

import dev.kiln.load.driver.Bin.Failure;
import dev.kiln.load.driver.Slot.Outcomes;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.RunInfo.Handshakes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The load of one session: its slots, and who sends when. Lives on the I/O thread. */
final class LoadRun implements IoThread.Work, Outcomes {
    /** How often the loop looks at timeouts and at its own lateness. */
    private static final long TICK_NANOS = 10_000_000;

    private static final long REST_TICK_NANOS = 100_000_000;
    /** Slots looked over per tick, so that many connections do not make ticks long. */
    private static final int SLOTS_PER_SCAN = 500;

    private static final long FIRST_BACKOFF_NANOS = 10_000_000;
    private static final long MAX_BACKOFF_NANOS = 100_000_000;
    private static final int MAX_WARNINGS = 10;

    /** What only the I/O thread knows of a phase that has ended. */
    record Ending(
            long startNanos,
            long endNanos,
            long unfinished,
            long unsent,
            long resent,
            Handshakes handshakes,
            long maxLagNanos,
            boolean feedUsedUp,
            List<String> warnings) {}

    private final Slot[] slots;
    private final SlotQueue free;
    /** Requests per ns, or 0 in the closed loop. */
    private final double rate;

    private final BinQueue queue;
    private final List<String> warnings = new ArrayList<>();

    private @Nullable PhaseRecorder recorder;
    private long startNanos;
    private long nextTick;
    private int scanFrom;
    private long inFlight;
    private long sent;
    private long resent;
    private Handshakes handshakes = Handshakes.NONE;
    private boolean feedUsedUp;
    private @Nullable Ending ending;

    /** @param targets connections are dealt out to them in turn */
    LoadRun(IoThread io, LoadSpec spec, List<Calls> targets, BinQueue queue) {
        this.queue = queue;
        rate = spec.rate().orElse(0) / 1e9;
        slots = new Slot[spec.connections()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot(
                    io, targets.get(i % targets.size()), this, spec.timeout().toNanos());
        }
        free = new SlotQueue(slots.length);
    }

    void start(long durationNanos, PhaseRecorder.Cut cut) {
        warnings.clear();
        inFlight = 0;
        sent = 0;
        resent = 0;
        handshakes = Handshakes.NONE;
        ending = null;
        long now = System.nanoTime();
        startNanos = now;
        nextTick = now + TICK_NANOS;
        recorder = new PhaseRecorder(queue, this::backlog, now, durationNanos, cut);
        free.clear();
        for (Slot slot : slots) {
            slot.counted = false;
            if (!slot.busy()) {
                free(slot, now);
            }
        }
    }

    /** Ends the phase at once, if one is going on. */
    void stop() {
        if (recorder != null) {
            end(recorder, System.nanoTime());
        }
    }

    /** Of the last phase, once it has ended. */
    Ending ending() {
        Ending last = ending;
        if (last == null) {
            throw new IllegalStateException("no phase has ended");
        }
        return last;
    }

    void close() {
        stop();
        for (Slot slot : slots) {
            slot.drop();
        }
    }

    private long backlog(long at) {
        return inFlight + dueBy(at) - sent;
    }

    /** Requests due by a time (open loop); in the closed loop a request is due when it is sent. */
    private long dueBy(long at) {
        return rate == 0 ? sent : Math.max(sent, (long) ((at - startNanos) * rate) + 1);
    }

    private long dueAt(long request) {
        return startNanos + (long) (request / rate);
    }

    @Override
    public long deadline() {
        PhaseRecorder r = recorder;
        if (r == null) {
            return nextTick;
        }
        long next = Math.min(nextTick, r.endNanos());
        return rate == 0 || free.isEmpty() ? next : Math.min(next, dueAt(sent));
    }

    @Override
    public void turn(long now) {
        PhaseRecorder r = recorder;
        if (now >= nextTick) {
            tick(now);
        }
        if (r != null && r == recorder) {
            if (now >= r.endNanos()) {
                end(r, now);
            } else if (rate > 0) {
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
            nextTick = Math.max(nextTick, now - TICK_NANOS) + TICK_NANOS;
        }
        for (int i = Math.min(SLOTS_PER_SCAN, slots.length); i > 0; i--) {
            scanFrom = scanFrom + 1 == slots.length ? 0 : scanFrom + 1;
            Slot slot = slots[scanFrom];
            if (slot.busy()) {
                slot.expire(now);
            } else if (slot.retryAt != 0 && now >= slot.retryAt) {
                slot.retryAt = 0;
                free(slot, now);
            }
        }
    }

    private void sendDue(PhaseRecorder r, long now) {
        while (r == recorder && !free.isEmpty()) {
            long due = dueAt(sent);
            if (due > now || due >= r.endNanos()) {
                return;
            }
            begin(r, free.take(), due, now);
        }
    }

    private void begin(PhaseRecorder r, Slot slot, long start, long now) {
        Call call = slot.nextCall();
        if (call.usedUp()) {
            feedUsedUp = true;
            end(r, now);
            return;
        }
        r.at(now).started++;
        inFlight++;
        sent++;
        slot.counted = true;
        slot.begin(call, start, now);
    }

    private void end(PhaseRecorder r, long now) {
        long end = Math.min(now, r.endNanos());
        long unsent = dueBy(rate == 0 ? end : end - 1) - sent;
        r.end(end);
        recorder = null;
        nextTick = now;
        ending = new Ending(
                startNanos,
                end,
                inFlight,
                unsent,
                resent,
                handshakes,
                r.maxLagNanos(),
                feedUsedUp,
                List.copyOf(warnings));
        for (Slot slot : slots) {
            slot.counted = false;
            slot.retryAt = 0;
        }
    }

    /** The recorder, if what happens to this slot now is part of the phase. */
    private @Nullable PhaseRecorder counting(Slot slot, long now) {
        PhaseRecorder r = recorder;
        if (r != null && now >= r.endNanos()) {
            end(r, now);
            return null;
        }
        return slot.counted ? r : null;
    }

    @Override
    public void succeeded(Slot slot, long now) {
        PhaseRecorder r = counting(slot, now);
        if (r != null) {
            r.succeeded(now, now - slot.startNanos);
            inFlight--;
        }
    }

    @Override
    public void failed(Slot slot, long now, Failure failure) {
        PhaseRecorder r = counting(slot, now);
        if (r != null) {
            r.at(now).failed(failure);
            inFlight--;
        }
        if (failure == Failure.REFUSED && !slot.lastSeen().equals("connection refused")) {
            warn(slot.lastSeen());
        }
    }

    private void warn(String warning) {
        if (warnings.size() < MAX_WARNINGS && !warnings.contains(warning)) {
            warnings.add(warning);
        }
    }

    @Override
    public void resent(Slot slot) {
        if (slot.counted) {
            resent++;
        }
    }

    @Override
    public void shookHands(long nanos) {
        if (recorder != null) {
            handshakes = new Handshakes(
                    handshakes.count() + 1, handshakes.nanos() + nanos, Math.max(handshakes.maxNanos(), nanos));
        }
    }

    @Override
    public void ready(Slot slot, long now) {
        slot.counted = false;
        if (recorder == null) {
            return;
        }
        if (slot.lostInRow > 1 || slot.refused()) {
            int doublings = Math.min(slot.lostInRow - 1, 4);
            slot.retryAt = now + Math.min(FIRST_BACKOFF_NANOS << doublings, MAX_BACKOFF_NANOS);
        } else {
            free(slot, now);
        }
    }

    private void free(Slot slot, long now) {
        PhaseRecorder r = recorder;
        if (rate > 0) {
            free.add(slot);
        } else if (r != null && now < r.endNanos()) {
            begin(r, slot, now, now);
        }
    }

    /** Slots that are free, first in first out, so that all connections are used alike. Fixed size, allocates nothing. */
    private static final class SlotQueue {
        private final Slot[] slots;
        private int head;
        private int size;

        SlotQueue(int capacity) {
            slots = new Slot[capacity];
        }

        boolean isEmpty() {
            return size == 0;
        }

        void add(Slot slot) {
            int at = head + size++;
            slots[at < slots.length ? at : at - slots.length] = slot;
        }

        Slot take() {
            Slot slot = slots[head];
            head = head + 1 == slots.length ? 0 : head + 1;
            size--;
            return slot;
        }

        void clear() {
            head = 0;
            size = 0;
        }
    }
}
