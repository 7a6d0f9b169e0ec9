package dev.kiln.stats;

/**
 * Difference of arithmetic means, b minus a, with Welch's t interval: for quantities that can be 0 or negative, as the
 * deficit.
 *
 * @param p two-sided
 * @param confidence of lo to hi
 */
public record WelchDifference(
        double difference, double lo, double hi, double se, double df, double t, double p, double confidence) {
    /** Of at least two runs a side. */
    public static WelchDifference of(double[] a, double[] b, double confidence) {
        return of(a, b, confidence, Slack.NONE);
    }

    /** The same where the difference is known only so well: interval and p take it in. */
    public static WelchDifference of(double[] a, double[] b, double confidence, Slack slack) {
        Series.requireFinite(a);
        Series.requireFinite(b);
        Checks.share("confidence", confidence);
        Student s = Student.welch(a, b);
        return new WelchDifference(
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
