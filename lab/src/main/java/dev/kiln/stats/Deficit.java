package dev.kiln.stats;

/**
 * What warm-up cost over the horizon that is the length of the series. Nothing is masked: a dip is real loss.
 *
 * @param requests served
 * @param deficitRequests requests that a service at its peak from the first bin would have served more; negative if the
 *     series lies above the peak on average
 * @param deficitSeconds the same as seconds at the peak
 * @param efficiency requests served as a share of those at the peak
 */
public record Deficit(double requests, double deficitRequests, double deficitSeconds, double efficiency) {
    /**
     * Of a series of any length.
     *
     * @param bins requests per second
     * @param w length of a bin, in seconds
     * @param peak requests per second
     */
    public static Deficit of(double[] bins, double w, double peak) {
        Series.requireRates(bins);
        Checks.positive("w", w);
        Checks.positive("peak", peak);
        double lost = 0;
        for (double x : bins) {
            lost += (peak - x) * w;
        }
        double requests = Descriptive.sum(bins) * w;
        double efficiency = bins.length == 0 ? 1 : requests / (peak * bins.length * w);
        return new Deficit(requests, lost, lost / peak, efficiency);
    }
}
