package dev.kiln.stats;

/**
 * A Slack says how far an estimate may lie from what was measured because times are known to their bin only, however
 * many runs agree.
 *
 * @param down how much lower it may be, at least 0
 * @param up how much higher
 */
public record Slack(double down, double up) {
    /**
     * An estimate of which the slack leaves less than this share is moved to 0, because rounding alone leaves as much.
     */
    private static final double ROUNDING = 1e-12;

    /** This is the slack of a quantity that is measured and not counted in bins. */
    public static final Slack NONE = new Slack(0, 0);

    /** Returns the slack of a difference of two times, each known to half a bin: one bin to either side. */
    public static Slack ofDifference(double bin) {
        return new Slack(bin, bin);
    }

    /**
     * Returns the slack of the logarithm of the ratio of two times, b over a, each half a bin more or less; at least a
     * bin long.
     *
     * @param a geometric mean, as b
     */
    public static Slack ofLogRatio(double a, double b, double bin) {
        if (bin == 0) {
            return NONE;
        }
        double half = bin / 2;
        return new Slack(
                Math.log(b / (b - half)) + Math.log((a + half) / a),
                Math.log((b + half) / b) + Math.log(a / (a - half)));
    }

    /** Returns the estimate moved towards 0 by the slack, but not beyond 0. */
    public double towardsZero(double estimate) {
        double left = Math.abs(estimate) - (estimate > 0 ? down : up);
        return left <= ROUNDING * Math.abs(estimate) ? 0 : Math.signum(estimate) * left;
    }
}
