package dev.kiln.stats;

/** An Estimate is a figure with its interval, whose upper end is infinite where nothing bounds it. */
public record Estimate(double value, double lo, double hi) {
    /** Makes the estimate of a positive quantity: the interval reaches equally far to both sides on logarithms. */
    public static Estimate ofRelative(double value, double reach) {
        return new Estimate(value, value * Math.exp(-reach), value * Math.exp(reach));
    }

    public static Estimate ofDifference(double value, double reach) {
        return new Estimate(value, value - reach, value + reach);
    }

    public boolean below(double bound) {
        return hi < bound;
    }

    public boolean above(double bound) {
        return lo > bound;
    }

    public boolean within(double from, double to) {
        return lo >= from && hi <= to;
    }

    /** A Slack is how far an estimate may lie from what was measured, as times are known to their bin only. */
    public record Slack(double down, double up) {
        /** An estimate of which the slack leaves less than this share becomes 0: rounding leaves as much. */
        private static final double ROUNDING = 1e-12;

        /** This is the slack of a quantity that is measured and not counted in bins. */
        public static final Slack NONE = new Slack(0, 0);

        /** Returns the estimate moved towards 0 by the slack, but not beyond 0. */
        public double towardsZero(double estimate) {
            double left = Math.abs(estimate) - (estimate > 0 ? down : up);
            return left <= ROUNDING * Math.abs(estimate) ? 0 : Math.signum(estimate) * left;
        }
    }
}
