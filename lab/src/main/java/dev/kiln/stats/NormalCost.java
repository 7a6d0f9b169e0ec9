package dev.kiln.stats;

/**
 * {@link SegmentCost#NORMAL}, on the series centred and divided by its overall standard deviation, so that the variance
 * floor means the same in every unit.
 */
final class NormalCost implements FittedCost {
    /**
     * Variance, as a share of the series' own, below which a segment counts as constant: what rounding leaves of 0. It is
     * the value R's changepoint substitutes (1e-11).
     */
    static final double FLOOR = 1e-11;

    /** Standard deviation, as a share of the mean, that rounding alone can leave of a constant series. */
    private static final double CONSTANT = 1e-12;

    private static final double LN_FLOOR = Math.log(FLOOR);
    private static final double LN_2PI_E = Math.log(2 * Math.PI) + 1;

    private final PrefixSums sums;
    private final double error;
    private final double lnScale;

    NormalCost(double[] series) {
        double mean = Descriptive.mean(series);
        double sd = Descriptive.populationSd(series);
        double scale = sd > CONSTANT * Math.abs(mean) ? sd : 1;
        double[] y = new double[series.length];
        for (int i = 0; i < y.length; i++) {
            y[i] = (series[i] - mean) / scale;
        }
        sums = new PrefixSums(y);
        error = sums.deviationError();
        lnScale = Math.log(scale);
    }

    @Override
    public double cost(int from, int to) {
        int m = to - from;
        double variance = sums.deviation(from, to) / m;
        return m * (LN_2PI_E + (variance <= FLOOR ? LN_FLOOR : Math.log(variance)));
    }

    /** L = m(ln 2pi + ln(var + floor) + 1): superadditive because ln is concave and m*var superadditive. */
    @Override
    public double minorant(int from, int to) {
        int m = to - from;
        return m * (LN_2PI_E + Math.log(Math.max(sums.deviation(from, to) - error, 0) / m + FLOOR));
    }

    /**
     * With m = to - s, V the exact variance of [s, to) and e the error: cost >= m(ln 2pi + ln(V - e/m) + 1), and ln(a/b) <=
     * (a-b)/b gives L - cost <= m(m*floor + e)/(mV - e). The deviation mV is at least Q, that of its part [join, to).
     */
    @Override
    public double slack(int first, int join, int to) {
        double q = sums.deviation(join, to) - error;
        if (q <= 2 * error) {
            return Double.POSITIVE_INFINITY;
        }
        double m = to - first;
        return m * (m * FLOOR + error) / (q - error);
    }

    @Override
    public double leastPerBin() {
        return LN_2PI_E + LN_FLOOR;
    }

    /** Costs are within 30 a bin, so sums stay below 60n; 1e-9n is a hundred thousand times the 2^-53 of that. */
    @Override
    public double rounding() {
        return 1e-9 * sums.length();
    }

    @Override
    public double objective(double sum) {
        return sum + sums.length() * 2 * lnScale;
    }
}
