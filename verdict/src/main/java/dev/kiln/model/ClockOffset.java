package dev.kiln.model;

import java.util.List;

/**
 * A ClockOffset is the difference between another machine's monotonic clock and this one's.
 *
 * @param nanos add it to the other machine's time to get the time here
 * @param uncertaintyNanos the true offset differs by at most this much
 */
public record ClockOffset(long nanos, long uncertaintyNanos) {
    /**
     * A ClockExchange is a question and its answer: two times of this machine's clock, and the other clock's time in
     * between.
     */
    public record ClockExchange(long sentNanos, long otherNanos, long receivedNanos) {}

    /**
     * Returns the offset that all exchanges allow. Each exchange bounds the offset, however long the messages took. The
     * result is the intersection of all bounds (Marzullo and Owicki, 1983). The method assumes clocks without drift:
     * over the milliseconds of a measurement, a clock drifts less than the result is uncertain.
     *
     * @throws IllegalArgumentException without an exchange
     */
    public static ClockOffset of(List<ClockExchange> exchanges) {
        if (exchanges.isEmpty()) {
            throw new IllegalArgumentException("no exchange");
        }
        long least = Long.MIN_VALUE;
        long most = Long.MAX_VALUE;
        for (ClockExchange exchange : exchanges) {
            least = Math.max(least, exchange.sentNanos() - exchange.otherNanos());
            most = Math.min(most, exchange.receivedNanos() - exchange.otherNanos());
        }
        long width = Math.abs(most - least);
        return new ClockOffset(Math.min(least, most) + width / 2, (width + 1) / 2);
    }
}
