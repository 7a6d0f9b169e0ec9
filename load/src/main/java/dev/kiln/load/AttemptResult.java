package dev.kiln.load;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * An AttemptResult is what came of one call that was not answered with success.
 *
 * @param words for people: "connection refused", "status 503", "no answer within 5 s"
 * @param kind whether waiting can change it
 */
public record AttemptResult(String words, AttemptKind kind) {
    /** NOTHING_YET is the result before the first attempt has ended. */
    public static final AttemptResult NOTHING_YET = new AttemptResult("nothing yet", AttemptKind.NONE);

    /** CONNECTION_REFUSED says that nobody listens at the address. */
    public static final AttemptResult CONNECTION_REFUSED = passing("connection refused");

    /** An open attempt that has waited for less than this says less than the result of the one before it. */
    private static final long LONG_NANOS = 1_000_000_000;

    /** An AttemptKind says whether another attempt can end in another way. */
    public enum AttemptKind {
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

        /** Tells whether no waiting changes the result. */
        public boolean lasts() {
            return this == NO_SUCH_PAGE || this == NO_LOGIN || this == NO_AGREEMENT;
        }
    }

    /** Returns a result that a later attempt may not have. */
    public static AttemptResult passing(String words) {
        return new AttemptResult(words, AttemptKind.PASSING);
    }

    /** Returns a result that every later attempt has, too. */
    public static AttemptResult noAgreement(String words) {
        return new AttemptResult(words, AttemptKind.NO_AGREEMENT);
    }

    /** Returns the result for an answer whose status is no success. */
    public static AttemptResult status(int status) {
        AttemptKind kind = status == 401 || status == 403
                ? AttemptKind.NO_LOGIN
                : status / 100 == 4 ? AttemptKind.NO_SUCH_PAGE : AttemptKind.PASSING;
        return new AttemptResult("status " + status, kind);
    }

    /**
     * Returns the result to report at the end of all attempts, where this one is that of the last attempt that has ended.
     *
     * @param waiting how long the oldest open attempt has been waiting, in ns; empty where none does
     */
    public AttemptResult atTheEnd(OptionalLong waiting) {
        return waiting.isPresent() && (kind == AttemptKind.NONE || waiting.getAsLong() >= LONG_NANOS)
                ? passing(String.format(Locale.ROOT, "no answer within %.1f s", waiting.getAsLong() / 1e9))
                : this;
    }
}
