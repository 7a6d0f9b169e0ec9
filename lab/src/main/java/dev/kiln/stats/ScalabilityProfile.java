package dev.kiln.stats;

import java.util.OptionalDouble;

/**
 * Where the peak may be: all numbers of connections for which some curve that peaks there has a sum of squares below a
 * threshold. With the peak at m, kappa is (1 - sigma) / m^2, so that one coefficient is left to be chosen.
 */
record ScalabilityProfile(ScalabilityPoints points, ScalabilityPoints.Curve best, double threshold) {
    /** A peak beyond this is none. */
    private static final double FARTHEST = 1e9;

    private static final double NEAREST = 1;
    private static final int GRID = 64;
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    UniversalScalability.Range peak() {
        double middle = best.peak().map(UniversalScalability.Peak::connections).orElse(FARTHEST);
        boolean open = squares(FARTHEST) <= threshold;
        double lo = squares(NEAREST) <= threshold ? NEAREST : edge(middle, NEAREST);
        return new UniversalScalability.Range(
                lo, open ? OptionalDouble.empty() : OptionalDouble.of(edge(middle, FARTHEST)));
    }

    /** Between one that is allowed and one that is not, by bisection on the logarithm. */
    private double edge(double allowed, double refused) {
        double in = Math.log(allowed);
        double out = Math.log(refused);
        for (int i = 0; i < 60; i++) {
            double half = (in + out) / 2;
            if (squares(Math.exp(half)) <= threshold) {
                in = half;
            } else {
                out = half;
            }
        }
        return Math.exp(in);
    }

    private double squares(double m) {
        int least = 0;
        for (int i = 1; i <= GRID; i++) {
            if (squares(m, i / (double) GRID) < squares(m, least / (double) GRID)) {
                least = i;
            }
        }
        double lo = Math.max(0, least - 1) / (double) GRID;
        double hi = Math.min(GRID, least + 1) / (double) GRID;
        while (hi - lo > 1e-11) {
            double left = hi - GOLDEN * (hi - lo);
            double right = lo + GOLDEN * (hi - lo);
            if (squares(m, left) < squares(m, right)) {
                hi = right;
            } else {
                lo = left;
            }
        }
        return Math.min(squares(m, (lo + hi) / 2), squares(m, least / (double) GRID));
    }

    private double squares(double m, double sigma) {
        return points.curve(sigma, (1 - sigma) / (m * m)).squares();
    }
}
