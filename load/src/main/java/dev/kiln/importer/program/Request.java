package dev.kiln.importer.program;

/**
 * One request of a log. Times in ns, since 1970 or since the log's own beginning.
 *
 * @param place file and line, or record
 */
public record Request(long startNanos, long latencyNanos, Outcome outcome, String place) {
    /** What became of it. */
    public enum Outcome {
        OK,
        /** Nobody listened. Only some programs tell this from other losses. */
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

    public long endNanos() {
        return startNanos + latencyNanos;
    }
}
