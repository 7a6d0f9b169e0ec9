package dev.kiln.load.driver.http;

import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Http2Exchanges are a connection's requests by stream number; they do not allocate once grown. */
final class Http2Exchanges implements Http2Codec.AnswerParts {
    private final IntObjectMap<Exchange> inFlight = new IntObjectHashMap<>();
    private final ArrayDeque<Exchange> spare = new ArrayDeque<>();

    boolean isEmpty() {
        return inFlight.isEmpty();
    }

    void begin(int stream, Slot by, Call call) {
        Exchange fresh = spare.isEmpty() ? new Exchange() : spare.pop();
        fresh.begin(by, call);
        inFlight.put(stream, fresh);
    }

    @Override
    public void head(
            int stream,
            @Nullable CharSequence status,
            @Nullable CharSequence encoding,
            List<Entry<CharSequence, CharSequence>> kept) {
        Exchange exchange = inFlight.get(stream);
        if (exchange != null) {
            exchange.head(status, encoding, kept);
        }
    }

    @Override
    public void body(int stream, ByteBuf data) {
        Exchange exchange = inFlight.get(stream);
        if (exchange != null) {
            exchange.body(data);
        }
    }

    /**
     * Returns the request's end, or null for one that was given up; what is known of it can be read until the next
     * begins.
     */
    @Nullable
    Exchange take(int stream) {
        Exchange taken = inFlight.remove(stream);
        if (taken != null) {
            spare.push(taken);
        }
        return taken;
    }

    /** Gives up the request of a slot: its stream, or 0 if there is none. */
    int take(Slot by) {
        for (IntObjectMap.PrimitiveEntry<Exchange> entry : inFlight.entries()) {
            if (by.equals(entry.value().slot)) {
                int stream = entry.key();
                take(stream);
                return stream;
            }
        }
        return 0;
    }

    /** Returns the exchanges on all streams above one, in the order in which they began; they are then no longer here. */
    List<Exchange> takeAbove(int stream) {
        List<Integer> streams =
                inFlight.keySet().stream().filter(one -> one > stream).sorted().toList();
        List<Exchange> taken = new ArrayList<>();
        for (int one : streams) {
            taken.add(inFlight.remove(one));
        }
        return taken;
    }

    void clear() {
        inFlight.clear();
    }

    /** An Exchange is a request on its way, with what has arrived of its answer. */
    static final class Exchange {
        @SuppressWarnings("NullAway.Init") // begin sets it
        private Slot slot;

        private Optional<BodyMatcher.Pattern> expected = Optional.empty();
        private final BodyMatcher matcher = new BodyMatcher();
        /** The session is null where the load has none. */
        private @Nullable Session session;

        private int status;

        private void begin(Slot by, Call call) {
            slot = by;
            expected = call.bodyContains;
            session = by.session();
            status = 0;
        }

        Slot slot() {
            return slot;
        }

        /** Returns the answer's status; 0 before the answer begins. */
        int status() {
            return status;
        }

        /** @param code null in trailers */
        private void head(
                @Nullable CharSequence code,
                @Nullable CharSequence encoding,
                List<Entry<CharSequence, CharSequence>> kept) {
            // 1xx are hints: the answer is still to come.
            if (status == 0 && code != null && code.length() == 3 && code.charAt(0) != '1') {
                status = number(code);
                if (expected.isPresent()) {
                    matcher.begin(BodyMatcher.isGzip(encoding));
                }
                if (session != null) {
                    session.head(kept.iterator());
                }
            }
        }

        private static int number(CharSequence code) {
            int number = 0;
            for (int i = 0; i < 3; i++) {
                int digit = code.charAt(i) - '0';
                if (digit < 0 || digit > 9) {
                    return 0;
                }
                number = 10 * number + digit;
            }
            return number;
        }

        private void body(ByteBuf data) {
            if (expected.isPresent()) {
                matcher.feed(expected.get(), data);
            }
            if (session != null) {
                session.body(data);
            }
        }

        boolean asExpected() {
            return expected.isEmpty() || matcher.found();
        }
    }
}
