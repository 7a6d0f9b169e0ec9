package dev.kiln.remote;

import java.util.List;

/**
 * How far another machine's monotonic clock is from this one's.
 *
 * @param nanos to be added to its time for the time here
 * @param uncertaintyNanos the true one lies within so much of it
 */
public record ClockOffset(long nanos, long uncertaintyNanos) {
    /** A question and its answer: both times of this machine's clock, and the other's in between. */
    public record Exchange(long sentNanos, long otherNanos, long receivedNanos) {}

    /**
     * Each exchange bounds the offset, whatever its way there and back took; all bounds together are the answer (Marzullo and
     * Owicki, 1983, of clocks that do not drift: over the milliseconds of a measurement none drifts as much as the answer is
     * uncertain).
     *
     * @throws IllegalArgumentException without an exchange
     */
    public static ClockOffset of(List<Exchange> exchanges) {
        if (exchanges.isEmpty()) {
            throw new IllegalArgumentException("no exchange");
        }
        long least = Long.MIN_VALUE;
        long most = Long.MAX_VALUE;
        for (Exchange exchange : exchanges) {
            least = Math.max(least, exchange.sentNanos() - exchange.otherNanos());
            most = Math.min(most, exchange.receivedNanos() - exchange.otherNanos());
        }
        long width = Math.abs(most - least);
        return new ClockOffset(Math.min(least, most) + width / 2, (width + 1) / 2);
    }
}
