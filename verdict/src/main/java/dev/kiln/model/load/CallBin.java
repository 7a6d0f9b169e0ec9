package dev.kiln.model.load;

/**
 * A CallBin is a slice of the series of one call of a mix, a second as a rule. Requests are counted where they end.
 *
 * @param startNanos since launch
 * @param endNanos since launch
 * @param call its name
 * @param completed successful responses
 * @param errors failed requests of all kinds
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
