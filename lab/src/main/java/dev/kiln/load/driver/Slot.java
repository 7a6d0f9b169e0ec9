package dev.kiln.load.driver;

import dev.kiln.load.driver.Bin.Failure;
import dev.kiln.load.driver.Feeder.Turn;
import org.jspecify.annotations.Nullable;

/**
 * A place for one request in flight, and the connection it goes over. The connection is opened when a request needs it, and kept
 * as long as the server keeps it.
 */
final class Slot {
    private final IoThread io;
    private final Calls calls;
    private final Outcomes owner;
    private final long timeoutNanos;

    private @Nullable Connection connection;
    private Call call;
    /** Which request of the call it is. */
    private final Turn turn = new Turn();

    private long expiresAt;
    private boolean busy;
    private boolean resent;
    private boolean refused;
    private String lastSeen = "nothing yet";

    /** From where latency counts, by {@link System#nanoTime}: the intended start in the open loop. */
    long startNanos;
    /** Belongs to the phase that is being recorded. */
    boolean counted;
    /** Requests in a row that found no server, or were cut off. */
    int lostInRow;
    /** When to try again, or 0 when the slot is not waiting for that. */
    long retryAt;

    Slot(IoThread io, Calls calls, Outcomes owner, long timeoutNanos) {
        this.io = io;
        this.calls = calls;
        this.owner = owner;
        this.timeoutNanos = timeoutNanos;
        this.call = calls.first();
    }

    boolean busy() {
        return busy;
    }

    /** Of the target that this slot's connection goes to. */
    Call nextCall() {
        return calls.next();
    }

    /** The last request found no server. */
    boolean refused() {
        return refused;
    }

    /** What came of the last request, in words. */
    String lastSeen() {
        return lastSeen;
    }

    /** Sends a request; only when not busy. */
    void begin(Call next, long start, long now) {
        next.take(turn);
        transmit(next, start, now);
    }

    /** The same for a request that others have sent too. */
    void begin(Call next, Turn shared, long start, long now) {
        turn.set(shared);
        transmit(next, start, now);
    }

    private void transmit(Call next, long start, long now) {
        call = next;
        startNanos = start;
        expiresAt = now + timeoutNanos;
        busy = true;
        resent = false;
        refused = false;
        retryAt = 0;
        transmit();
    }

    private void transmit() {
        Connection open = connection;
        if (open == null) {
            open = new Connection(io, this);
            connection = open;
            open.connect(calls);
        } else {
            open.send(call, turn);
        }
    }

    void connected(Connection by) {
        by.send(call, turn);
    }

    void shookHands(long nanos) {
        owner.shookHands(nanos);
    }

    void notConnected(String why, long now) {
        connection = null;
        refused = true;
        lost(Failure.REFUSED, why, now);
    }

    /** The request's answer is complete; {@link #ready} follows. */
    void answered(int status, boolean expectedText, long now) {
        busy = false;
        lostInRow = 0;
        if (!calls.good(status)) {
            lastSeen = "status " + status;
            owner.failed(this, now, Failure.NON_2XX);
        } else if (!expectedText) {
            lastSeen = "an answer without the expected text";
            owner.failed(this, now, Failure.BAD_BODY);
        } else {
            owner.succeeded(this, now);
        }
    }

    void ready(long now) {
        owner.ready(this, now);
    }

    /** The connection is of no more use: the server closes it after this answer. */
    void released() {
        connection = null;
    }

    void malformed(String why, long now) {
        connection = null;
        fail(Failure.BAD_BODY, why, now);
    }

    /**
     * The connection went away by itself.
     *
     * @param reset by a reset, rather than by an orderly close
     * @param answerBegan part of the answer was here
     * @param used it had served a request before
     */
    void closed(boolean reset, boolean answerBegan, boolean used, long now) {
        connection = null;
        if (!busy) {
            return;
        }
        if (answerBegan && !reset) {
            fail(Failure.BAD_BODY, "an answer that was cut short", now);
        } else if (used && !reset && !answerBegan && !resent) {
            resent = true;
            owner.resent(this);
            transmit();
        } else {
            lost(Failure.RESET, reset ? "connection reset" : "connection closed without an answer", now);
        }
    }

    private void lost(Failure failure, String why, long now) {
        lostInRow++;
        // A request that is sent again because its connection was closed, and now finds nobody, was lost by that close.
        fail(resent ? Failure.RESET : failure, why, now);
    }

    void expire(long now) {
        if (busy && now >= expiresAt) {
            drop();
            fail(Failure.TIMEOUT, "no answer within " + timeoutNanos / 1e9 + " s", now);
        }
    }

    private void fail(Failure failure, String why, long now) {
        busy = false;
        lastSeen = why;
        owner.failed(this, now, failure);
        owner.ready(this, now);
    }

    /** Gives up the connection, and any request on it without a word. */
    void drop() {
        Connection open = connection;
        if (open != null) {
            connection = null;
            open.abandon();
        }
    }

    /** Who is told what became of a slot's request. All methods run on the I/O thread. */
    interface Outcomes {
        /** A good answer was complete at {@code now}. */
        void succeeded(Slot slot, long now);

        void failed(Slot slot, long now, Failure failure);

        /** The server closed an idle connection just as the request was sent over it; it is sent again over a new one. */
        void resent(Slot slot);

        /** A TLS connection was made; the handshake took so long. */
        default void shookHands(long nanos) {}

        /** After either of the first two: the slot can begin another request. */
        void ready(Slot slot, long now);
    }
}
