package dev.kiln.load.driver.http;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.driver.bins.Bin.RequestFailure;
import dev.kiln.load.driver.http.Feeder.Turn;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Slot is a request in flight and its connection, opened at need, kept as long as the server does. */
public final class Slot {
    private final ConnectionSource line;
    private Outcomes owner;
    private final long timeoutNanos;
    /** The number is that of its connection among those of the load; the first ones send first where a load grows. */
    public final int number;

    private @Nullable Link connection;
    private Call call;
    /** The turn says which request of the call it is. */
    private final Turn turn = new Turn();

    /** The session is that of the user whose requests these are; null where the load has none. */
    private @Nullable Session session;

    private long expiresAt;
    private boolean busy;
    private boolean resent;
    private boolean refused;
    private boolean resting;
    private AttemptResult lastResult = AttemptResult.NOTHING_YET;

    /** Latency counts from this time, by {@link System#nanoTime}: the intended start in the open loop. */
    public long startNanos;
    /** This is true if the request belongs to the phase that is being recorded. */
    public boolean counted;
    /** This many requests in a row found no server, or were cut off. */
    public int lostInRow;
    /** The slot tries again at this time; 0 when it is not waiting for that. */
    public long retryAt;
    /** This is true while the user thinks; the slot begins nothing meanwhile. */
    public boolean thinks;

    /** The user thinks until this time, by {@link System#nanoTime}. */
    public long thinksUntil;
    /** This is true if the slot begins nothing more here, because its connection goes to another event loop. */
    public boolean leaves;

    /** {@link Line#slot} makes it. */
    Slot(ConnectionSource line, Outcomes owner, int connection, long timeoutNanos) {
        this.line = line;
        this.owner = owner;
        this.number = connection;
        this.timeoutNanos = timeoutNanos;
        this.call = line.calls().first();
    }

    /** Tells whether a request is in flight. */
    public boolean busy() {
        return busy;
    }

    /** Adds the slot to the event loop that its connection has come to, and is called there. */
    public void arrive(Outcomes there) {
        owner = there;
        leaves = false;
        retryAt = 0;
        if (session != null) {
            session.moved(line.calls());
        }
    }

    /** Makes its requests those of users with a session. */
    public void joinSession() {
        session = new Session(line.calls(), turn);
    }

    @Nullable
    Session session() {
        return session;
    }

    /** Takes the next request of the target that this slot's connection goes to, and tells whether there is one. */
    public boolean take() {
        Session user = session;
        call = user == null ? line.calls().next() : user.next();
        return call.take(turn);
    }

    /** Returns the call of the request in flight. */
    public Call call() {
        return call;
    }

    /** Returns the turn of the request: which one of the call it is. */
    Turn turn() {
        return turn;
    }

    /** Returns the number of the last request's call among the calls of its target. */
    public int callNumber() {
        return call.number;
    }

    /** Tells whether the last request found no server. */
    public boolean refused() {
        return refused;
    }

    /** Returns the result of the last request that was not answered with success. */
    public AttemptResult lastResult() {
        return lastResult;
    }

    /** Sends a request that others have sent too. */
    public void begin(Call next, Turn shared, long start, long now) {
        turn.set(shared);
        call = next;
        begin(start, now);
    }

    /** Returns when the request in flight was sent first, by {@link System#nanoTime}: at a rate it may have been due earlier. */
    public long sentNanos() {
        return expiresAt - timeoutNanos;
    }

    /** Sends the request that it took; only when not busy. */
    public void begin(long start, long now) {
        startNanos = start;
        expiresAt = now + timeoutNanos;
        busy = true;
        resent = false;
        refused = false;
        retryAt = 0;
        transmit();
    }

    private void transmit() {
        Link open = connection;
        if (open == null) {
            open = line.connection(this);
            connection = open;
            open.first(this);
        } else {
            open.send(this, call);
        }
    }

    void shookHands(long nanos) {
        owner.shookHands(nanos);
    }

    void warn(String warning) {
        owner.warn(warning);
    }

    void notConnected(AttemptResult why, long now) {
        connection = null;
        refused = true;
        lost(RequestFailure.REFUSED, why, now);
    }

    /** The request's answer is complete; {@link #ready} follows. */
    void answered(int status, boolean expectedText, long now) {
        busy = false;
        lostInRow = 0;
        if (!line.calls().good(status)) {
            lastResult = AttemptResult.status(status);
            owner.failed(this, now, RequestFailure.NON_2XX);
        } else if (!expectedText) {
            lastResult = AttemptResult.passing("an answer without the expected text");
            owner.failed(this, now, RequestFailure.BAD_BODY);
        } else if (session != null) {
            answered(session, now);
        } else {
            owner.succeeded(this, now);
        }
    }

    private void answered(Session user, long now) {
        Optional<String> missing = user.answered();
        if (missing.isPresent()) {
            lastResult = AttemptResult.passing(missing.get());
            owner.warn(missing.get());
            owner.failed(this, now, RequestFailure.BAD_BODY);
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

    /** That connection takes no further request; one that is in flight over it may still end well. */
    void left(Link by) {
        if (by.equals(connection) && !busy) {
            connection = null;
        }
    }

    /** The request waited for its turn on a connection that takes no more. It was never sent. */
    void rerouted() {
        connection = null;
        transmit();
    }

    /** The server says that it did not begin with the request, and has no use for this connection. */
    void unprocessed(String why, long now) {
        connection = null;
        if (resent) {
            lost(RequestFailure.RESET, AttemptResult.passing(why), now);
        } else {
            sendAgain();
        }
    }

    /** The server ended the request, and only it. */
    void cutOff(String why, long now) {
        lost(RequestFailure.RESET, AttemptResult.passing(why), now);
    }

    /** The answer makes no sense; the connection stays if others use it. */
    void nonsense(String why, long now) {
        fail(RequestFailure.BAD_BODY, AttemptResult.passing(why), now);
    }

    void malformed(String why, long now) {
        connection = null;
        fail(RequestFailure.BAD_BODY, AttemptResult.passing(why), now);
    }

    /** The connection went away by itself: reset or orderly, maybe amid an answer, maybe never used. */
    void closed(boolean reset, boolean answerBegan, boolean used, long now) {
        connection = null;
        if (!busy) {
            return;
        }
        if (answerBegan && !reset) {
            fail(RequestFailure.BAD_BODY, AttemptResult.passing("an answer that was cut short"), now);
        } else if (used && !reset && !answerBegan && !resent) {
            sendAgain();
        } else {
            lost(
                    RequestFailure.RESET,
                    AttemptResult.passing(reset ? "connection reset" : "connection closed without an answer"),
                    now);
        }
    }

    private void sendAgain() {
        resent = true;
        owner.resent(this);
        transmit();
    }

    private void lost(RequestFailure failure, AttemptResult why, long now) {
        lostInRow++;
        // A request that is sent again because its connection was closed, and now finds nobody, was lost by that close.
        fail(resent ? RequestFailure.RESET : failure, why, now);
    }

    /** Gives up the request in flight if its time is over. */
    public void expire(long now) {
        if (busy && now >= expiresAt) {
            Link open = connection;
            if (open != null) {
                open.cancel(this);
            }
            fail(RequestFailure.TIMEOUT, AttemptResult.passing("no answer within " + timeoutNanos / 1e9 + " s"), now);
        }
    }

    private void fail(RequestFailure failure, AttemptResult why, long now) {
        busy = false;
        lastResult = why;
        owner.failed(this, now, failure);
        owner.ready(this, now);
    }

    /** Gives up the connection, and any request on it without a word. */
    public void drop() {
        Link open = connection;
        if (open != null) {
            connection = null;
            open.abandon();
        }
    }

    /** Rests while the load has no use for the slot: closes its connection, if no other slot uses that. */
    public void rest() {
        resting = true;
        if (line.rests()) {
            drop();
        }
    }

    boolean isResting() {
        return resting;
    }

    /** Ends the rest, and tells whether there was one. */
    public boolean leaveRest() {
        boolean was = resting;
        resting = false;
        return was;
    }

    /** A Link is a connection as a slot uses it. */
    interface Link {
        /** Sends the first request of a slot, as soon as there is a connection. */
        void first(Slot by);

        /** Sends a further request of that slot. */
        void send(Slot by, Call call);

        /** Gives up the request of a slot, which stays or is {@linkplain Slot#released released}. */
        void cancel(Slot by);

        /** Closes the connection; nothing that still arrives matters. */
        void abandon();
    }

    /** A ConnectionSource is where a slot has its connection from. */
    interface ConnectionSource {
        /** Returns what is sent over the connections. */
        Calls calls();

        /** Returns a connection for a slot that has none. */
        Link connection(Slot by);

        /** Tells whether no slot has a use for a connection. */
        boolean rests();
    }

    /** Outcomes receive what became of a slot's request. All methods run on the I/O thread. */
    public interface Outcomes {
        /** A good answer was complete at {@code now}. */
        void succeeded(Slot slot, long now);

        void failed(Slot slot, long now, RequestFailure failure);

        /** The server closed the connection before it began with the request, which is sent again over a new one. */
        void resent(Slot slot);

        /** A TLS connection was made; the handshake took so long. */
        default void shookHands(long nanos) {}

        /** Records something that casts doubt on the figures. */
        default void warn(String warning) {}

        /** The slot can begin another request; called after either of the first two. */
        void ready(Slot slot, long now);
    }
}
