package dev.kiln.importer.program;

/** A Request is one of a log, in ns since 1970 or its own beginning, with file and line, or record. */
public record Request(long startNanos, long latencyNanos, RequestOutcome outcome, String place) {
    /** A RequestOutcome is what became of a request. */
    public enum RequestOutcome {
        OK,
        /** Nobody listened. Only some programs distinguish this from other losses. */
        REFUSED,
        /** There was no answer: the request was refused, reset, or failed in the generator. */
        LOST,
        TIMEOUT,
        STATUS,
        /** A check of the test did not accept the answer. */
        BODY;

        /** Returns the outcome's place in an array of counts. */
        @SuppressWarnings("EnumOrdinal") // it lives no longer than the import
        int place() {
            return ordinal();
        }
    }

    public long endNanos() {
        return startNanos + latencyNanos;
    }
}
