package dev.kiln.model;

/**
 * When C2 will be done with what the load asks of it, told from what it has been given so far. Times are seconds since the
 * first request; low to high claims to hold nine times of ten, which is not proven yet: only low is printed.
 *
 * @param atSecond what was known then
 * @param c2Share of one CPU that C2 got until then
 * @param low C2 is not done before this, nineteen times of twenty
 * @param high may be infinite
 */
public record Forecast(double atSecond, double c2Share, double low, double middle, double high) {
    /** Whether the bound says more than that C2 still works. */
    public boolean tells() {
        return low >= atSecond + 1;
    }
}
