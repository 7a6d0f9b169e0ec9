package dev.kiln.explain;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A Forecast is when C2 will be done with the work that the load gives it, estimated from the CPU that it got so far.
 * Times are seconds since the first request; low to high claims to hold nine times of ten, which is not proven yet:
 * only low is printed.
 *
 * @param atSecond what was known then
 * @param c2Share of one CPU that C2 got until then
 * @param low C2 is not done before this, nineteen times of twenty
 * @param high may be infinite
 */
public record Forecast(double atSecond, double c2Share, double low, double middle, double high) {
    /** Tells whether the bound says more than that C2 still works. */
    public boolean tells() {
        return low >= atSecond + 1;
    }

    /** Returns the last forecast in words, as it knows most; empty where none says more than that C2 still works. */
    public static Optional<String> last(List<Forecast> forecasts) {
        return forecasts.stream()
                .filter(Forecast::tells)
                .reduce((earlier, later) -> later)
                .map(Forecast::words);
    }

    /** Returns {@code C2 not done before 140 s (by second 30 it got 3.4 % of a CPU)}. */
    public String words() {
        return String.format(
                Locale.ROOT, "%s (by second %.0f it got %.1f %% of a CPU)", brief(), atSecond, 100 * c2Share);
    }

    /** Returns {@code C2 not done before 140 s}, for the line of a running experiment. */
    public String brief() {
        return String.format(Locale.ROOT, "C2 not done before %.0f s", notBefore());
    }

    /** Returns the bound as it is shown. */
    public double notBefore() {
        // Rounded down it may be a time that is over already.
        return Math.max(twoDigits(low), Math.floor(atSecond));
    }

    /**
     * Rounds seconds down to two digits: more digits would claim more than is known, and rounded down it stays a bound.
     */
    public static double twoDigits(double seconds) {
        double step = seconds >= 100 ? Math.pow(10, Math.floor(Math.log10(seconds)) - 1) : 1;
        return Math.floor(seconds / step) * step;
    }
}
