package dev.kiln.importer;

/**
 * One request of a log. Times in ns, since 1970 or since the log's own beginning.
 *
 * @param place file and line, or record
 */
record Request(long startNanos, long latencyNanos, Outcome outcome, String place) {
    /** What became of it. */
    enum Outcome {
        OK,
        /** Nobody listened; only some programs tell it from what else was lost. */
        REFUSED,
        /** No answer: refused, reset, or failed in the generator. */
        LOST,
        TIMEOUT,
        STATUS,
        /** An answer that a check of the test did not accept. */
        BODY;

        /** Its place in an array of counts. */
        @SuppressWarnings("EnumOrdinal") // it lives no longer than the import
        int place() {
            return ordinal();
        }
    }

    long endNanos() {
        return startNanos + latencyNanos;
    }
}
