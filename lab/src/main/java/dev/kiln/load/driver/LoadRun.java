package dev.kiln.load.driver;

import dev.kiln.load.driver.Bin.Failure;
import dev.kiln.load.driver.Slot.Outcomes;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Protocol.Phase;
import dev.kiln.model.RunInfo.Handshakes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
    private final Slot.Queue free;
    private final ThinkTimes thinking;
    private final LoadSpec spec;
    /** Counted each; 0 where there is but one. */
    private final int calls;

    private final Optional<Recording> recording;

    private final BinQueue queue;
    private final List<String> warnings = new ArrayList<>();

    private @Nullable PhaseRecorder recorder;
    private Pace pace;
    /** Slots of the connections before this one may send. */
    private int allowed;

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
        this.spec = spec;
        recording = targets.getFirst().recording();
        pace = new Pace(spec, new Phase.Load("none", Duration.ofNanos(1)), recording);
        calls = targets.getFirst().counted();
        Line[] lines = new Line[spec.connections()];
        Arrays.setAll(lines, i -> new Line(io, targets.get(i % targets.size())));
        // Neighbours are of different connections, so that the first requests of a phase go over all of them.
        slots = new Slot[spec.inFlight()];
        Arrays.setAll(
                slots,
                i -> new Slot(
                        lines[i % lines.length],
                        this,
                        i % lines.length,
                        spec.timeout().toNanos()));
        free = new Slot.Queue(slots.length);
        thinking = new ThinkTimes(targets.getFirst());
        if (spec.inSession()) {
            Arrays.asList(slots).forEach(Slot::joinSession);
        }
    }

    void start(Phase.Load phase, PhaseRecorder.Cut cut) {
        warnings.clear();
        inFlight = 0;
        sent = 0;
        resent = 0;
        handshakes = Handshakes.NONE;
        feedUsedUp = false;
        ending = null;
        long now = System.nanoTime();
        startNanos = now;
        nextTick = now + TICK_NANOS;
        recorder = new PhaseRecorder(queue, this::backlog, now, phase.duration().toNanos(), cut, calls);
        recording.ifPresent(Recording::rewind);
        pace = new Pace(spec, phase, recording);
        allowed = pace.connections(0);
        free.clear();
        for (Slot slot : slots) {
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
        return pace.isOpen() ? Math.max(sent, pace.dueBy(at - startNanos)) : sent;
    }

    @Override
    public long deadline() {
        PhaseRecorder r = recorder;
        if (r == null) {
            return nextTick;
        }
        long next = thinking.nextDone(Math.min(nextTick, r.endNanos()));
        return pace.isOpen() && !free.isEmpty() ? Math.min(next, startNanos + pace.nextDue()) : next;
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
                return;
            }
            for (Slot done = thinking.poll(now); done != null; done = thinking.poll(now)) {
                free(done, now);
            }
            if (pace.isOpen()) {
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

    /** Slots that the load grew by begin; those that it shrank by end by themselves, when their request has. */
    private void allow(long now) {
        int before = allowed;
        allowed = pace.connections(now - startNanos);
        for (int i = allowed > before ? 0 : slots.length; i < slots.length; i++) {
            Slot slot = slots[i];
            if (slot.number >= before && slot.number < allowed && slot.leaveRest()) {
                free(slot, now);
            }
        }
    }

    private void sendDue(PhaseRecorder r, long now) {
        while (r == recorder && !free.isEmpty()) {
            long due = pace.nextDue();
            // Of none that is left it is the phase's end.
            if (due > now - startNanos || due >= r.endNanos() - startNanos) {
                return;
            }
            Slot slot = free.take();
            if (slot.number < allowed) {
                begin(r, slot, startNanos + due, now);
            } else {
                slot.rest();
            }
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
        pace.sent();
        slot.counted = true;
        slot.begin(call, start, now);
    }

    private void end(PhaseRecorder r, long now) {
        long end = Math.min(now, r.endNanos());
        long unsent = dueBy(end - 1) - sent;
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
            r.succeeded(now, now - slot.startNanos, slot.callNumber());
            inFlight--;
        }
    }

    @Override
    public void failed(Slot slot, long now, Failure failure) {
        PhaseRecorder r = counting(slot, now);
        if (r != null) {
            r.failed(now, failure, slot.callNumber());
            inFlight--;
        }
        if (failure == Failure.REFUSED && !slot.lastSeen().equals("connection refused")) {
            warn(slot.lastSeen());
        }
    }

    @Override
    public void warn(String warning) {
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
        if (slot.number >= allowed) {
            slot.rest();
        } else if (pace.isOpen()) {
            free.add(slot);
        } else if (r != null && now < r.endNanos()) {
            begin(r, slot, now, now);
        }
    }
}
