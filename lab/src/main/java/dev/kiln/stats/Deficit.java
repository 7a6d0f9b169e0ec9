package dev.kiln.stats;

/**
 * What warm-up cost over the horizon that is the length of the series. Nothing is left out: a dip is real loss.
 *
 * @param requests served
 * @param lost requests that a service at its peak from the first bin would have served more; negative if the series lies
 *     above the peak on average
 * @param seconds the same as seconds at the peak
 * @param efficiency requests served as a share of those at the peak
 */
public record Deficit(double requests, Estimate lost, Estimate seconds, double efficiency) {
    /**
     * Of a series of any length.
     *
     * @param bins requests per second
     * @param w length of a bin, in seconds
     * @param peak requests per second
     * @param reach half the relative width of the peak's interval
     */
    static Deficit of(double[] bins, double w, double peak, double reach) {
        double requests = Descriptive.sum(bins) * w;
        double possible = peak * bins.length * w;
        double lost = possible - requests;
        return new Deficit(
                requests,
                Estimate.ofDifference(lost, reach * possible),
                Estimate.ofDifference(lost / peak, reach * requests / peak),
                bins.length == 0 ? 1 : requests / possible);
    }
}
