package dev.kiln.load.driver.http;

import dev.kiln.load.driver.http.Call.Value;
import dev.kiln.load.driver.http.Feeder.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.cookie.ClientCookieDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A Session is a user of a slot: it sends the calls of its target in their order, with cookies and with values of earlier
 * answers, and then again as another user. On the I/O thread.
 */
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

    /**
     * A good answer is complete.
     *
     * @return what it lacks, in words; empty if the user goes on
     */
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

    /**
     * Cookies are those of one user (RFC 6265), all of one host. They go by name and path; domains and {@code Secure} do not
     * matter, so that a service behind a proxy with TLS can be loaded without it.
     */
    static final class Cookies {
        /** A user keeps at most this many, as a browser does at least (RFC 6265, 6.1); the oldest goes first. */
        private static final int MOST = 50;

        private record KeptCookie(String name, String path, String pair) {}

        private final List<KeptCookie> kept = new ArrayList<>();

        void clear() {
            kept.clear();
        }

        /**
         * @param header the value of {@code Set-Cookie}
         * @param requestPath of the request that it answers
         */
        void set(String header, String requestPath) {
            Cookie cookie =
                    header.chars().anyMatch(Character::isISOControl) ? null : ClientCookieDecoder.LAX.decode(header);
            if (cookie == null) {
                return;
            }
            String asked = cookie.path();
            String path = asked == null || !asked.startsWith("/") ? folder(requestPath) : asked;
            kept.removeIf(one -> one.name.equals(cookie.name()) && one.path.equals(path));
            // An Expires of the past is an age below zero.
            if (cookie.maxAge() == Cookie.UNDEFINED_MAX_AGE || cookie.maxAge() > 0) {
                String value = cookie.wrap() ? '"' + cookie.value() + '"' : cookie.value();
                if (kept.size() == MOST) {
                    kept.removeFirst();
                }
                kept.add(new KeptCookie(cookie.name(), path, cookie.name() + "=" + value));
            }
        }

        /** Returns the path of a cookie that names none (RFC 6265, 5.1.4). */
        private static String folder(String requestPath) {
            int slash = requestPath.lastIndexOf('/');
            return slash <= 0 ? "/" : requestPath.substring(0, slash);
        }

        boolean isEmpty() {
            return kept.isEmpty();
        }

        /** Returns the cookie header of a request, those with longer paths first; empty for none. */
        String header(String requestPath) {
            return kept.stream()
                    .filter(one -> matches(one.path, requestPath))
                    .sorted(Comparator.comparingInt((KeptCookie one) -> -one.path.length()))
                    .map(KeptCookie::pair)
                    .collect(Collectors.joining("; "));
        }

        /** Tells whether a cookie's path covers that of a request (RFC 6265, 5.1.4). */
        private static boolean matches(String path, String requestPath) {
            return requestPath.startsWith(path)
                    && (requestPath.length() == path.length()
                            || path.endsWith("/")
                            || requestPath.charAt(path.length()) == '/');
        }
    }
}
