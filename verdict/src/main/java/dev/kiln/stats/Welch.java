package dev.kiln.stats;

/**
 * A Welch compares two configurations by Welch's t (1947), b against a: the ratio of geometric means by logarithms, or
 * the difference of means for quantities that can be 0 or negative, as the warm-up cost.
 *
 * @param estimate b over a, or b minus a
 * @param se standard error of the difference; of a ratio that of its logarithm
 * @param p two-sided
 * @param confidence of lo to hi
 */
public record Welch(
        double estimate, double lo, double hi, double se, double df, double t, double p, double confidence) {
    /** Compares by the ratio of geometric means, of at least two runs a side. */
    public static Welch ratio(double[] a, double[] b, double confidence) {
        return ratio(a, b, confidence, Slack.NONE);
    }

    /** Compares by the ratio where its logarithm is known only so well: the interval and p allow for it. */
    public static Welch ratio(double[] a, double[] b, double confidence, Slack slack) {
        Series.requirePositive(a);
        Series.requirePositive(b);
        Welch logs = difference(Series.logs(a), Series.logs(b), confidence, slack);
        return new Welch(
                Math.exp(logs.estimate),
                Math.exp(logs.lo),
                Math.exp(logs.hi),
                logs.se,
                logs.df,
                logs.t,
                logs.p,
                confidence);
    }

    /** Compares by the difference of means, of at least two runs a side. */
    public static Welch difference(double[] a, double[] b, double confidence) {
        return difference(a, b, confidence, Slack.NONE);
    }

    /** Compares by the difference where it is known only so well: the interval and p allow for it. */
    public static Welch difference(double[] a, double[] b, double confidence, Slack slack) {
        Series.requireFinite(a);
        Series.requireFinite(b);
        Checks.share("confidence", confidence);
        Student s = Student.welch(a, b);
        return new Welch(
                s.estimate(),
                s.lo(confidence) - slack.down(),
                s.hi(confidence) + slack.up(),
                s.se(),
                s.df(),
                s.t(),
                s.nearest(slack).p(),
                confidence);
    }
}
