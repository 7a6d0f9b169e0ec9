package dev.kiln.stats;

/** The smallest two-sided p that an exact test of so many runs can give: what they could show at best. */
public final class SmallestP {
    private SmallestP() {}

    /** Rank test of n runs against m: 2 over the number of groupings; 0.1 for 3 against 3. */
    public static double unpaired(int n, int m) {
        Checks.atLeast("runs", Math.min(n, m), 1);
        return Math.min(1, 2 / Combinations.choose(n + m, n));
    }

    /** Permutation within n blocks of a pair each: 2^(1-n). */
    public static double withinBlocks(int pairs) {
        Checks.atLeast("pairs", pairs, 1);
        return Math.pow(2, 1 - pairs);
    }

    /** Fewest runs a side that can reject at alpha; 4 at 5 %. */
    public static int runsNeeded(double alpha) {
        Checks.share("alpha", alpha);
        int n = 1;
        while (unpaired(n, n) >= alpha) {
            n++;
        }
        return n;
    }

    /** Fewest pairs that can reject at alpha; 6 at 5 %. */
    public static int pairsNeeded(double alpha) {
        Checks.share("alpha", alpha);
        int n = 1;
        while (withinBlocks(n) >= alpha) {
            n++;
        }
        return n;
    }
}
