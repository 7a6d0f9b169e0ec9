package dev.kiln.model;

/**
 * How long warm-up will take, told from what C2 has been given so far.
 *
 * @param atSecond since the first request: what was known then
 * @param c2Share of one CPU that C2 got until then
 * @param asItIs seconds from the first request to the peak if that share stays
 * @param favoured the same if nothing kept the compilers from a CPU
 */
public record Forecast(double atSecond, double c2Share, Interval asItIs, Interval favoured) {
    /** Seconds; {@code high} may be infinite. */
    public record Interval(double low, double middle, double high) {}
}
