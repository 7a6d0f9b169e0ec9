package dev.kiln.stats;

/**
 * Two one-sided tests for "no change" of the ratio of geometric means (Schuirmann 1987), Welch's t on logarithms.
 *
 * @param marginLo 1 / marginHi
 * @param ci90Lo interval that lies within the margins iff the tests reject at 5 %
 * @param pLower of the ratio not being above marginLo
 * @param pUpper of the ratio not being below marginHi
 * @param p the greater of both
 */
public record Tost(
        double marginLo,
        double marginHi,
        double ci90Lo,
        double ci90Hi,
        double pLower,
        double pUpper,
        double p,
        boolean equivalent) {
    private static final double ALPHA = 0.05;

    /**
     * Of at least two runs a side.
     *
     * @param margin share of change that does not matter, as 0.02
     */
    public static Tost of(double[] a, double[] b, double margin) {
        Series.requirePositive(a);
        Series.requirePositive(b);
        Checks.positive("margin", margin);
        Student s = Student.welch(Series.logs(a), Series.logs(b));
        double reach = Math.log1p(margin);
        double pLower = s.pAbove(-reach);
        double pUpper = s.pBelow(reach);
        double p = Math.max(pLower, pUpper);
        double confidence = 1 - 2 * ALPHA;
        return new Tost(
                1 / (1 + margin),
                1 + margin,
                Math.exp(s.lo(confidence)),
                Math.exp(s.hi(confidence)),
                pLower,
                pUpper,
                p,
                p < ALPHA);
    }
}
