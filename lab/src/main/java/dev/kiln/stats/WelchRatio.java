package dev.kiln.stats;

/**
 * Ratio of geometric means, b over a, with Welch's t interval on logarithms (Welch 1947).
 *
 * @param seLog standard error of the logarithm of the ratio
 * @param p two-sided
 * @param confidence of lo to hi
 */
public record WelchRatio(
        double ratio, double lo, double hi, double seLog, double df, double t, double p, double confidence) {
    /** Of at least two runs a side. */
    public static WelchRatio of(double[] a, double[] b, double confidence) {
        return of(a, b, confidence, Slack.NONE);
    }

    /** The same where the logarithm of the ratio is known only so well: interval and p take it in. */
    public static WelchRatio of(double[] a, double[] b, double confidence, Slack slack) {
        Series.requirePositive(a);
        Series.requirePositive(b);
        Checks.share("confidence", confidence);
        Student s = Student.welch(Series.logs(a), Series.logs(b));
        return new WelchRatio(
                Math.exp(s.estimate()),
                Math.exp(s.lo(confidence) - slack.down()),
                Math.exp(s.hi(confidence) + slack.up()),
                s.se(),
                s.df(),
                s.t(),
                s.nearest(slack).p(),
                confidence);
    }
}
