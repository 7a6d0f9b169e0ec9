package dev.kiln.stats;

/**
 * Trend of the last bins, dips included: they are few, and slope and test are robust.
 *
 * @param growth over the whole tail, as a share of its mean
 * @param p exact Mann-Kendall on the block means
 */
record TailTrend(double growth, double p, Trend trend) {
    static TailTrend of(double[] tail, AnalysisConfig config) {
        double mean = Descriptive.mean(tail);
        double growth = mean == 0 ? 0 : TheilSen.slope(tail) * tail.length / mean;
        double p = MannKendall.of(blockMeans(tail, config.trendBlocks())).p();
        boolean moving = p < config.trendAlpha() && Math.abs(growth) > config.delta();
        Trend trend = !moving ? Trend.LEVEL : growth > 0 ? Trend.CLIMBING : Trend.DECLINING;
        return new TailTrend(growth, p, trend);
    }

    /** Blocks as equal as they can be, the longer ones first. */
    static double[] blockMeans(double[] values, int blocks) {
        double[] means = new double[blocks];
        int start = 0;
        for (int b = 0; b < blocks; b++) {
            int length = values.length / blocks + (b < values.length % blocks ? 1 : 0);
            double sum = 0;
            for (int i = start; i < start + length; i++) {
                sum += values[i];
            }
            means[b] = sum / length;
            start += length;
        }
        return means;
    }
}
