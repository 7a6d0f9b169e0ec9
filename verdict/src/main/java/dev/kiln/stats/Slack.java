package dev.kiln.stats;

/**
 * How far an estimate may lie from what was measured because times are known to their bin only, however many runs agree.
 *
 * @param down how much lower it may be, at least 0
 * @param up how much higher
 */
public record Slack(double down, double up) {
    /** What is left of an estimate by rounding alone. */
    private static final double ROUNDING = 1e-12;

    /** Of what is measured and not counted in bins. */
    public static final Slack NONE = new Slack(0, 0);

    /** Of a difference of times: half a bin each. */
    public static Slack ofDifference(double bin) {
        return new Slack(bin, bin);
    }

    /**
     * Of the logarithm of the ratio of two times, b over a, each half a bin more or less; at least a bin long.
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

    /** An estimate moved by as much as may be, but not beyond 0. */
    public double towardsZero(double estimate) {
        double left = Math.abs(estimate) - (estimate > 0 ? down : up);
        return left <= ROUNDING * Math.abs(estimate) ? 0 : Math.signum(estimate) * left;
    }
}
