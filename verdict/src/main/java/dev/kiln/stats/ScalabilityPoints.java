package dev.kiln.stats;

import java.util.OptionalDouble;

/** ScalabilityPoints are throughputs by connections; they find the law's curves that come nearest. */
final class ScalabilityPoints {
    private static final int MOST_STEPS = 500;
    private static final double SMALLEST_STEP = 1e-13;
    private static final double MOST_DAMPING = 1e12;

    private final double[] n;
    private final double[] x;

    /** A Curve is one choice of the law's coefficients, with the sum of its squared residuals. */
    record Curve(double lambda, double sigma, double kappa, double squares) {
        double at(double n) {
            return lambda * shape(n, sigma, kappa);
        }

        /** Returns the connections at the highest point, 1 beyond sigma = 1; empty where it never falls. */
        OptionalDouble peak() {
            if (kappa == 0 && sigma <= 1) {
                return OptionalDouble.empty();
            }
            return OptionalDouble.of(sigma >= 1 ? 1 : Math.max(1, Math.sqrt((1 - sigma) / kappa)));
        }
    }

    ScalabilityPoints(double[] connections, double[] throughput) {
        n = connections.clone();
        x = throughput.clone();
    }

    int size() {
        return n.length;
    }

    /** Returns the law's throughput in units of one connection's. */
    static double shape(double n, double sigma, double kappa) {
        return n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
    }

    /** Returns the curve with the best lambda for this sigma and kappa, which is linear. */
    Curve curve(double sigma, double kappa) {
        double fx = 0;
        double ff = 0;
        for (int i = 0; i < n.length; i++) {
            double f = shape(n[i], sigma, kappa);
            fx += f * x[i];
            ff += f * f;
        }
        double lambda = fx / ff;
        double squares = 0;
        for (int i = 0; i < n.length; i++) {
            double r = x[i] - lambda * shape(n[i], sigma, kappa);
            squares += r * r;
        }
        return new Curve(lambda, sigma, kappa, squares);
    }

    /**
     * Returns the curve of least squares with no coefficient below 0: the minimum is inside, or on a face where sigma,
     * kappa or both are 0, so each face's own minimum is searched, and the least of those that are allowed is the
     * result.
     */
    Curve best() {
        Curve best = curve(0, 0);
        for (int face = 1; face <= 3; face++) {
            Curve found = descend((face & 1) != 0, (face & 2) != 0);
            boolean allowed = found.sigma() >= 0 && found.kappa() >= 0 && found.lambda() > 0;
            if (allowed && found.squares() < best.squares()) {
                best = found;
            }
        }
        return best;
    }

    /** Returns the curve of least squares among those that never fall. */
    Curve rising(boolean sigmaFree) {
        Curve linear = curve(0, 0);
        Curve found = sigmaFree ? descend(true, false) : linear;
        return found.sigma() >= 0 && found.lambda() > 0 && found.squares() < linear.squares() ? found : linear;
    }

    /** Descends by Levenberg and Marquardt in sigma, kappa or both; lambda follows, as in Golub and Pereyra (1973). */
    private Curve descend(boolean sigmaFree, boolean kappaFree) {
        Curve at = start(sigmaFree, kappaFree);
        double damping = 1e-3;
        for (int step = 0; step < MOST_STEPS && damping < MOST_DAMPING; step++) {
            double[] move = move(at, sigmaFree, kappaFree, damping);
            double sigma = at.sigma() + move[0];
            double kappa = at.kappa() + move[1];
            Curve next = positive(sigma, kappa) ? curve(sigma, kappa) : at;
            if (next.squares() < at.squares()) {
                boolean still = Math.abs(move[0]) <= SMALLEST_STEP * (Math.abs(sigma) + SMALLEST_STEP)
                        && Math.abs(move[1]) <= SMALLEST_STEP * (Math.abs(kappa) + SMALLEST_STEP);
                at = next;
                damping = Math.max(1e-15, damping / 10);
                if (still) {
                    break;
                }
            } else {
                damping *= 10;
            }
        }
        return at;
    }

    /** Starts from Gunther's own way: N / X is linear in sigma and kappa. */
    private Curve start(boolean sigmaFree, boolean kappaFree) {
        double first = x[0] / n[0];
        for (int i = 1; i < n.length; i++) {
            first = n[i] < n[0] ? x[i] / n[i] : Math.max(first, x[i] / n[i]);
        }
        double sigma = 0;
        double kappa = 0;
        int counted = 0;
        for (int i = 0; i < n.length; i++) {
            if (n[i] > 1) {
                double excess = Math.max(0, first * n[i] / x[i] - 1) / (n[i] - 1);
                sigma += excess;
                kappa += excess / n[i];
                counted++;
            }
        }
        double share = sigmaFree && kappaFree ? 0.5 : 1;
        return curve(sigmaFree ? share * sigma / counted : 0, kappaFree ? share * kappa / counted : 0);
    }

    /** Tells whether the law's denominator is above 0 at all points; elsewhere the law means nothing. */
    private boolean positive(double sigma, double kappa) {
        for (double m : n) {
            if (!(1 + sigma * (m - 1) + kappa * m * (m - 1) > 0)) {
                return false;
            }
        }
        return true;
    }

    private double[] move(Curve at, boolean sigmaFree, boolean kappaFree, double damping) {
        double[][] normal = new double[3][3];
        double[] gradient = new double[3];
        boolean[] free = {true, sigmaFree, kappaFree};
        for (int i = 0; i < n.length; i++) {
            double[] slopes = slopes(at, n[i]);
            double r = x[i] - at.at(n[i]);
            for (int a = 0; a < 3; a++) {
                gradient[a] += slopes[a] * r;
                for (int b = 0; b < 3; b++) {
                    normal[a][b] += slopes[a] * slopes[b];
                }
            }
        }
        for (int a = 0; a < 3; a++) {
            normal[a][a] *= 1 + damping;
        }
        double[] step = SmallSystem.solve(normal, gradient, free);
        return new double[] {step[1], step[2]};
    }

    /** Returns the derivatives of the throughput by lambda, sigma and kappa. */
    private static double[] slopes(Curve at, double m) {
        double f = shape(m, at.sigma(), at.kappa());
        double g = -at.lambda() * f * f * (m - 1);
        return new double[] {f, g / m, g};
    }

    /** Returns the standard errors of lambda, sigma and kappa; 0 for one that the constraint holds at 0. */
    double[] standardErrors(Curve best, double variance) {
        double[][] normal = new double[3][3];
        for (double m : n) {
            double[] slopes = slopes(best, m);
            for (int a = 0; a < 3; a++) {
                for (int b = 0; b < 3; b++) {
                    normal[a][b] += slopes[a] * slopes[b];
                }
            }
        }
        boolean[] free = {true, best.sigma() > 0, best.kappa() > 0};
        double[] se = new double[3];
        for (int a = 0; a < 3; a++) {
            if (free[a]) {
                double[] unit = new double[3];
                unit[a] = 1;
                se[a] = Math.sqrt(Math.max(0, variance * SmallSystem.solve(normal, unit, free)[a]));
            }
        }
        return se;
    }

    /** A SmallSystem solves a few linear equations, by elimination with pivots. */
    private static final class SmallSystem {
        private SmallSystem() {}

        /**
         * Returns the unknowns of {@code matrix * unknowns = right}; 0 for those that are not free, whose rows and
         * columns are left out. Rows are scaled by the diagonal first: the coefficients of a fit differ by many orders
         * of magnitude.
         */
        static double[] solve(double[][] matrix, double[] right, boolean[] free) {
            int size = right.length;
            double[] scale = new double[size];
            double[][] a = new double[size][size + 1];
            for (int i = 0; i < size; i++) {
                scale[i] = free[i] && matrix[i][i] > 0 ? 1 / Math.sqrt(matrix[i][i]) : 1;
            }
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    a[i][j] = free[i] && free[j] ? matrix[i][j] * scale[i] * scale[j] : i == j ? 1 : 0;
                }
                a[i][size] = free[i] ? right[i] * scale[i] : 0;
            }
            eliminate(a);
            double[] solved = new double[size];
            for (int i = size - 1; i >= 0; i--) {
                double sum = a[i][size];
                for (int j = i + 1; j < size; j++) {
                    sum -= a[i][j] * solved[j];
                }
                solved[i] = sum / a[i][i];
            }
            for (int i = 0; i < size; i++) {
                solved[i] *= scale[i];
            }
            return solved;
        }

        private static void eliminate(double[][] a) {
            for (int column = 0; column < a.length; column++) {
                int pivot = column;
                for (int row = column + 1; row < a.length; row++) {
                    pivot = Math.abs(a[row][column]) > Math.abs(a[pivot][column]) ? row : pivot;
                }
                double[] swapped = a[column];
                a[column] = a[pivot];
                a[pivot] = swapped;
                for (int row = column + 1; row < a.length; row++) {
                    double factor = a[row][column] / a[column][column];
                    for (int j = column; j <= a.length; j++) {
                        a[row][j] -= factor * a[column][j];
                    }
                }
            }
        }
    }
}
