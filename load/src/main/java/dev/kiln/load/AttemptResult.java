package dev.kiln.load;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * An AttemptResult is what came of one call that was not answered with success.
 *
 * @param words for people: "connection refused", "status 503", "no answer within 5 s"
 * @param kind whether waiting can change it
 */
public record AttemptResult(String words, Kind kind) {
    /** Before the first attempt has ended. */
    public static final AttemptResult NOTHING_YET = new AttemptResult("nothing yet", Kind.NONE);

    /** Nobody listens at the address. */
    public static final AttemptResult CONNECTION_REFUSED = passing("connection refused");

    /** A shorter wait says less than what was seen before it. */
    private static final long LONG_NANOS = 1_000_000_000;

    /** Whether another attempt can end in another way. */
    public enum Kind {
        /** No attempt has ended. */
        NONE,

        /** A service that starts may answer so at first. */
        PASSING,

        /** The service answers, but knows no such page: a status from 400 to 499. */
        NO_SUCH_PAGE,

        /** The service wants to know who asks, or refuses whoever asked: a status of 401 or 403. */
        NO_LOGIN,

        /** Both sides do not agree on a certificate, on TLS or on a protocol. */
        NO_AGREEMENT;

        /** Whether no waiting changes it. */
        public boolean lasts() {
            return this == NO_SUCH_PAGE || this == NO_LOGIN || this == NO_AGREEMENT;
        }
    }

    /** A result that a later attempt may not have. */
    public static AttemptResult passing(String words) {
        return new AttemptResult(words, Kind.PASSING);
    }

    /** A result that every later attempt has, too. */
    public static AttemptResult noAgreement(String words) {
        return new AttemptResult(words, Kind.NO_AGREEMENT);
    }

    /** An answer whose status is no success. */
    public static AttemptResult status(int status) {
        Kind kind =
                status == 401 || status == 403 ? Kind.NO_LOGIN : status / 100 == 4 ? Kind.NO_SUCH_PAGE : Kind.PASSING;
        return new AttemptResult("status " + status, kind);
    }

    /**
     * What to say at the end of all attempts, where this is what came of the last one that has ended.
     *
     * @param waiting how long the oldest open attempt has been waiting, in ns; empty where none does
     */
    public AttemptResult atTheEnd(OptionalLong waiting) {
        return waiting.isPresent() && (kind == Kind.NONE || waiting.getAsLong() >= LONG_NANOS)
                ? passing(String.format(Locale.ROOT, "no answer within %.1f s", waiting.getAsLong() / 1e9))
                : this;
    }
}
