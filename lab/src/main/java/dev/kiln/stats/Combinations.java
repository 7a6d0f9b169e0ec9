package dev.kiln.stats;

/** Counting. */
final class Combinations {
    private Combinations() {}

    /** Exact as long as it is below 2^53. */
    static double choose(int n, int k) {
        double out = 1;
        for (int i = 1; i <= k; i++) {
            out = out * (n - k + i) / i;
        }
        return out;
    }
}
