package dev.kiln.load.driver.http;

import dev.kiln.load.driver.http.Call.Value;
import dev.kiln.load.driver.http.Feeder.Turn;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.Optional;

/** A Session is a slot's user, who sends calls with cookies and taken values, and then is another one. */
final class Session {
    private static final byte[] NONE = {};

    private Calls calls;
    private final Turn turn;
    private final Answer answer = new Answer();
    private final Cookies cookies = new Cookies();
    /** This is the number of the next call. */
    private int next;
    /** This is the number of the call whose request is in flight. */
    private int asked;

    /** @param turn of the slot; what its requests have of this user is there */
    Session(Calls calls, Turn turn) {
        this.calls = calls;
        this.turn = turn;
        turn.taken = new byte[calls.taken()][];
        Arrays.fill(turn.taken, NONE);
        turn.cookies = cookies;
    }

    /** Continues over another event loop. */
    void moved(Calls there) {
        calls = there;
    }

    Call next() {
        asked = next;
        // Only a good answer takes a user further: whatever else becomes of the request ends the pass.
        next = 0;
        if (asked == 0) {
            cookies.clear();
            Arrays.fill(turn.taken, NONE);
        }
        return calls.get(asked);
    }

    /** @param headers those that a session keeps */
    void head(Iterator<Entry<CharSequence, CharSequence>> headers) {
        answer.begin(headers, calls.get(asked).takesFromBody());
    }

    void body(ByteBuf piece) {
        answer.body(piece);
    }

    /** A good answer is complete; returns what it lacks, or empty if the user goes on. */
    Optional<String> answered() {
        Call call = calls.get(asked);
        if (call.keepsCookies()) {
            answer.eachCookie(cookie -> cookies.set(cookie, call.path(turn)));
        }
        for (Value value : call.takes()) {
            Optional<String> found = answer.find(value.where());
            if (found.isEmpty()) {
                answer.end();
                return Optional.of("no value for " + value.name() + " in the answer (" + value.how() + ")");
            }
            turn.taken[value.index()] = found.get().getBytes(StandardCharsets.UTF_8);
        }
        answer.end();
        next = calls.following(asked);
        return Optional.empty();
    }
}
