package dev.kiln.stats;

/** {@link SegmentCost#L2}: the deviation itself, which is superadditive; only rounding separates bound and cost. */
final class SquaredCost implements FittedCost {
    private final PrefixSums sums;
    private final double error;

    SquaredCost(double[] series) {
        double mean = Descriptive.mean(series);
        double[] y = new double[series.length];
        for (int i = 0; i < y.length; i++) {
            y[i] = series[i] - mean;
        }
        sums = new PrefixSums(y);
        error = sums.deviationError();
    }

    @Override
    public double cost(int from, int to) {
        return sums.deviation(from, to);
    }

    @Override
    public double minorant(int from, int to) {
        return Math.max(sums.deviation(from, to) - error, 0);
    }

    @Override
    public double slack(int first, int join, int to) {
        return error;
    }

    @Override
    public double leastPerBin() {
        return 0;
    }

    @Override
    public double rounding() {
        return 2 * error;
    }

    @Override
    public double objective(double sum) {
        return sum;
    }
}
