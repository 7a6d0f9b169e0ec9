import java.util.Arrays;

/**
 * Criteria that stop a warm-up once what was measured is stable enough. Each says for every second whether it would stop with
 * what is known at that second's end.
 */
final class Windows {
    /** Values looked at together. */
    static final int COV_SECONDS = 10;

    /** Seconds of one iteration of the criteria of Laaber et al., which compare iterations: one value has no distribution. */
    private static final int ITERATION = 5;

    /** Iterations that must agree, as in the authors' own code, sealuzh/jmh. */
    private static final int HISTORY = 5;

    /** Seconds in which those have found nothing new. */
    static final int MEMORY = HISTORY * ITERATION;

    /** Thresholds of the paper. */
    private static final double RCIW = 0.03, KLD = 0.99;

    /** Half a 99 % interval of a mean, in standard errors. */
    private static final double Z = 2.5758;

    private static final int POINTS = 200;

    /**
     * Coefficient of variation of a sliding window below a threshold, of 1 or 2 %: A. Georges, D. Buytaert, L. Eeckhout,
     * "Statistically Rigorous Java Performance Evaluation", OOPSLA 2007.
     */
    static boolean[] cov(double[] x, double threshold) {
        boolean[] out = new boolean[x.length];
        for (int end = COV_SECONDS; end <= x.length; end++) {
            double mean = Rivals.mean(x, end - COV_SECONDS, end);
            out[end - 1] = deviation(x, end - COV_SECONDS, end) <= threshold * mean;
        }
        return out;
    }

    /**
     * Width of the 99 % interval of the mean of all so far, relative to it, the same to 3 points over five iterations: C. Laaber,
     * S. Würsten, H. Gall, P. Leitner, "Dynamically Reconfiguring Software Microbenchmarks", ESEC/FSE 2020. They bootstrap the
     * interval; for a mean that is the normal one.
     */
    static boolean[] rciw(double[] x) {
        boolean[] out = new boolean[x.length];
        double[] width = new double[x.length / ITERATION + 1];
        for (int i = 1; i < width.length; i++) {
            int end = i * ITERATION;
            width[i] = 2 * Z * deviation(x, 0, end) / Math.sqrt(end) / Rivals.mean(x, 0, end);
            boolean stable = i >= HISTORY;
            for (int k = 1; k < HISTORY && stable; k++) {
                stable = Math.abs(width[i] - width[i - k]) < RCIW;
            }
            hold(out, end, stable);
        }
        return out;
    }

    /**
     * Divergence of Kullback and Leibler between the densities of all so far and of all until the iteration before, both ways,
     * as 2 to the power of minus their sum, above 99 % in five iterations: Laaber et al. as above, after S. He et al., "A
     * Statistics-Based Performance Testing Methodology for Cloud Applications", ESEC/FSE 2019.
     */
    static boolean[] divergence(double[] x) {
        boolean[] out = new boolean[x.length];
        int alike = 0;
        for (int end = 2 * ITERATION; end <= x.length; end += ITERATION) {
            alike = similarity(Arrays.copyOf(x, end - ITERATION), Arrays.copyOf(x, end)) > KLD ? alike + 1 : 0;
            hold(out, end, alike >= HISTORY);
        }
        return out;
    }

    /** Until the next iteration ends. */
    private static void hold(boolean[] out, int end, boolean stable) {
        Arrays.fill(out, end - 1, Math.min(out.length, end - 1 + ITERATION), stable);
    }

    /** 1 for equal densities. The range is that of both without outliers, 1.5 quartile ranges out. */
    private static double similarity(double[] before, double[] after) {
        double[] a = range(before);
        double[] b = range(after);
        double low = Math.max(0, Math.min(a[0], b[0]));
        double high = Math.max(a[1], b[1]);
        if (high <= low) {
            return 1;
        }
        double[] p = density(before, low, high);
        double[] q = density(after, low, high);
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            sum += (p[i] - q[i]) * Math.log(p[i] / q[i]) / Math.log(2);
        }
        return Math.pow(2, -sum * (high - low) / (POINTS - 1));
    }

    /** Gaussian kernels, bandwidth by Silverman's rule. */
    private static double[] density(double[] x, double low, double high) {
        double deviation = Math.max(deviation(x, 0, x.length), 1e-3 * (high - low));
        double width = 1.06 * deviation * Math.pow(x.length, -0.2);
        double[] out = new double[POINTS];
        for (int i = 0; i < POINTS; i++) {
            double at = low + (high - low) * i / (POINTS - 1);
            double sum = 1e-12; // a logarithm of none is none
            for (double value : x) {
                double z = (at - value) / width;
                sum += Math.exp(-z * z / 2);
            }
            out[i] = sum / (x.length * width * Math.sqrt(2 * Math.PI));
        }
        return out;
    }

    private static double[] range(double[] x) {
        double[] sorted = x.clone();
        Arrays.sort(sorted);
        double low = sorted[sorted.length / 4];
        double high = sorted[3 * sorted.length / 4];
        return new double[] {low - 1.5 * (high - low), high + 1.5 * (high - low)};
    }

    private static double deviation(double[] x, int from, int to) {
        double mean = Rivals.mean(x, from, to);
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += (x[i] - mean) * (x[i] - mean);
        }
        return Math.sqrt(sum / (to - from - 1));
    }
}
