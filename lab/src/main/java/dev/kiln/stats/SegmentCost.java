package dev.kiln.stats;

/** What a segment of the series costs; the smaller the sum over segments, the better the segmentation fits. */
public enum SegmentCost {
    /**
     * Twice the negative log likelihood of a normal segment with its own mean and variance: m(ln 2pi + ln var + 1), var
     * the population variance. Source: Killick, Fearnhead, Eckley (2012), JASA 107; R changepoint's cpt.meanvar.
     */
    NORMAL,
    /** Sum of squared deviations from the segment's mean: changes of the mean only. */
    L2;

    FittedCost fit(double[] series) {
        return switch (this) {
            case NORMAL -> new NormalCost(series);
            case L2 -> new SquaredCost(series);
        };
    }
}
