package dev.kiln.model.load;

/**
 * A LoadBin is a slice of the load series. Requests are counted where they complete.
 *
 * @param startNanos since launch
 * @param completed successful responses
 * @param backlog requests in flight or due but not yet sent, at the end of the bin
 * @param lagNanos longest time in this bin for which the generator itself was late
 */
public record LoadBin(
        String phase,
        long startNanos,
        long endNanos,
        long started,
        long completed,
        Errors errors,
        long backlog,
        long lagNanos) {
    /** Returns the same slice by a clock that is ahead of this one. */
    public LoadBin later(long nanos) {
        return new LoadBin(phase, startNanos + nanos, endNanos + nanos, started, completed, errors, backlog, lagNanos);
    }

    /** Errors are the failed requests of a bin by kind. */
    public record Errors(long refused, long reset, long timeout, long non2xx, long badBody) {
        public static final Errors NONE = new Errors(0, 0, 0, 0, 0);

        public long total() {
            return refused + reset + timeout + non2xx + badBody;
        }

        public Errors plus(Errors o) {
            return new Errors(
                    refused + o.refused, reset + o.reset, timeout + o.timeout, non2xx + o.non2xx, badBody + o.badBody);
        }
    }

    /**
     * A CallBin is a slice of the series of one call of a mix, a second as a rule. Requests are counted where they end.
     *
     * @param startNanos since launch
     * @param completed successful responses
     * @param p50Nanos of those completed, within 1 %; 0 where it is not known
     * @param p99Nanos likewise
     */
    public record CallBin(
            String phase,
            long startNanos,
            long endNanos,
            String call,
            long completed,
            long errors,
            long p50Nanos,
            long p99Nanos) {}
}
