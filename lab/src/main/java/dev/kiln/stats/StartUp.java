package dev.kiln.stats;

import java.util.Arrays;

/**
 * Start-up times of two builds, run as pairs A B A B ...; geometric mean and population standard deviation are the
 * convention of the tables people compare with.
 *
 * @param pairs used
 * @param ratio b over a
 */
public record StartUp(int pairs, Summary a, Summary b, WelchRatio ratio) {
    /** All pairs given, at least two. */
    public static StartUp of(double[] a, double[] b, double confidence) {
        if (a.length != b.length) {
            throw new IllegalArgumentException("pairs need runs of one number, not " + a.length + " and " + b.length);
        }
        return new StartUp(a.length, Summary.of(a), Summary.of(b), WelchRatio.of(a, b, confidence));
    }

    /** The first pair fills the caches and is left out. */
    public static StartUp withoutFirst(double[] a, double[] b, double confidence) {
        Checks.atLeast("runs", Math.min(a.length, b.length), 3);
        return of(Arrays.copyOfRange(a, 1, a.length), Arrays.copyOfRange(b, 1, b.length), confidence);
    }
}
