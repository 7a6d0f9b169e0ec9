package dev.kiln.stats.series;

import dev.kiln.stats.Descriptive;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A Noise says how throughput varies from second to second around its level: autoregressive of order one, as seconds
 * are not independent. All figures are relative to the level.
 *
 * @param cv standard deviation of a bin
 * @param rho correlation of a bin with the next
 * @param longRun square root of the long-run variance: the standard error of a mean of n bins is near longRun / sqrt(n)
 * @param bins that it was estimated from
 * @param effective number of independent bins that are worth as much
 */
public record Noise(double cv, double rho, double longRun, int bins, double effective) {
    private static final double RHO_STEP = 0.05;
    private static final int RHO_STEPS = 19;

    /** Noise is estimated from at least this many bins: fewer say nothing about it. */
    private static final int LEAST_BINS = 6;

    /** This noise stands in where none is known; it is that of a starved service (lag-1 of 0.6 measured). */
    private static final Noise UNKNOWN = new Noise(0.15, 0.6, 0.3, 0, 3);

    /** This is the noise of a series that is known exactly. */
    public static final Noise NONE = new Noise(0, 0, 0, 0, Double.POSITIVE_INFINITY);

    /**
     * A usual mean has this many bins. Whether one batch more falls into it matters at its two ends alone, and not in
     * each bin, so the variance of batches falls with the square of the bins.
     */
    private static final double BATCHES_OF_A_MEAN = 12;

    /** Requests of a closed loop vary less than independent ones: about half as much as Poisson's. */
    private static final double COUNTING = 0.5;

    /**
     * Estimates noise by restricted maximum likelihood over stretches that are level up to a line: each is divided by
     * its mean, its line removed, and the long-run variance averaged over the likelihood of rho, so that what is not
     * known of rho widens it. Restricted likelihood corrects the bias of n (Patterson and Thompson 1971; AR(1) as in
     * Cheang and Reinsel 2000).
     *
     * @param stretches requests per second
     * @param binSeconds for the floor from counting; infinite where bins were timed and not counted
     * @param grain most variance that whole batches or ticks give a bin, relative; 0 where there are none
     */
    public static Noise of(List<double[]> stretches, double binSeconds, double grain) {
        List<double[]> relative = new ArrayList<>();
        int bins = 0;
        double floor = 0;
        for (double[] stretch : stretches) {
            double mean = stretch.length < LEAST_BINS ? 0 : Descriptive.mean(stretch);
            if (mean > 0) {
                relative.add(Arrays.stream(stretch).map(x -> x / mean).toArray());
                bins += stretch.length;
                double requests = mean * binSeconds;
                floor += stretch.length * (COUNTING / requests + 1 / (12 * requests * requests));
            }
        }
        int left = bins - 2 * relative.size();
        return left < LEAST_BINS - 2
                ? UNKNOWN
                : averaged(relative, bins, left, Math.max(grain / BATCHES_OF_A_MEAN, floor / bins), grain / 2);
    }

    /** Estimates the noise of a series without batches. */
    public static Noise of(List<double[]> stretches, double binSeconds) {
        return of(stretches, binSeconds, 0);
    }

    private static Noise averaged(List<double[]> stretches, int bins, int left, double floor, double grain) {
        double[] variances = new double[RHO_STEPS];
        double[] logs = new double[RHO_STEPS];
        double most = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < RHO_STEPS; k++) {
            double rho = k * RHO_STEP;
            double squares = 0;
            double determinant = 0;
            for (double[] stretch : stretches) {
                Fit fit = Fit.of(stretch, rho);
                squares += fit.squares;
                determinant += fit.logDeterminant;
            }
            variances[k] = Math.max(squares / left, 1e-12);
            logs[k] = -0.5 * (left * Math.log(variances[k]) + determinant);
            most = Math.max(most, logs[k]);
        }
        double weights = 0;
        double longRun = 0;
        double rho = 0;
        double variance = 0;
        for (int k = 0; k < RHO_STEPS; k++) {
            double r = k * RHO_STEP;
            double weight = Math.exp(logs[k] - most);
            weights += weight;
            rho += weight * r;
            variance += weight * variances[k] / (1 - r * r);
            longRun += weight * variances[k] / ((1 - r) * (1 - r));
        }
        rho /= weights;
        return new Noise(
                Math.sqrt(Math.max(variance / weights - grain, floor)),
                rho,
                Math.sqrt(Math.max(longRun / weights - grain, floor)),
                bins,
                left * (1 - rho) / (1 + rho));
    }

    /** A Fit is a line fitted by generalised least squares to bins in a row that correlate by rho. */
    private record Fit(double squares, double logDeterminant) {
        static Fit of(double[] y, double rho) {
            int n = y.length;
            double first = Math.sqrt(1 - rho * rho);
            double oo = 0;
            double ot = 0;
            double tt = 0;
            double oy = 0;
            double ty = 0;
            double yy = 0;
            for (int i = 0; i < n; i++) {
                double at = i - (n - 1) / 2.0;
                double one = i == 0 ? first : 1 - rho;
                double time = i == 0 ? first * at : at - rho * (at - 1);
                double value = i == 0 ? first * y[0] : y[i] - rho * y[i - 1];
                oo += one * one;
                ot += one * time;
                tt += time * time;
                oy += one * value;
                ty += time * value;
                yy += value * value;
            }
            double determinant = oo * tt - ot * ot;
            double level = (tt * oy - ot * ty) / determinant;
            double slope = (oo * ty - ot * oy) / determinant;
            return new Fit(Math.max(0, yy - level * oy - slope * ty), Math.log(determinant) - Math.log(1 - rho * rho));
        }
    }

    /** Returns the relative standard error of n bins' mean, exactly; below longRun / sqrt(n) for few. */
    public double ofMean(int n) {
        double bin = longRun * longRun * (1 - rho) / (1 + rho);
        double together = (1 + rho) / (1 - rho) - 2 * rho * (1 - Math.pow(rho, n)) / (n * (1 - rho) * (1 - rho));
        return Math.sqrt(bin / n * together);
    }

    /** Returns the standard error of the relative slope, per bin, of a line through n bins. */
    public double ofSlope(int n) {
        return longRun * Math.sqrt(12.0 / (n * ((double) n * n - 1)));
    }

    /** Returns z standard errors, and Student's t for noise of few effective bins (first order). */
    public double reach(double z) {
        return z * (1 + (z * z + 1) / (4 * Math.max(effective, 3)));
    }
}
