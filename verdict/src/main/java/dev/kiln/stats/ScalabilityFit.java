package dev.kiln.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/** A ScalabilityFit is what throughputs at several numbers of connections say of the universal scalability law. */
public sealed interface ScalabilityFit {

    /** There are too few levels with throughput to give three coefficients with their uncertainty. */
    record TooFewLevels(int levels, int needed, String why) implements ScalabilityFit {}

    /**
     * UniversalScalability is the universal scalability law (Gunther, "Guerrilla Capacity Planning", 2007), fitted by
     * least squares on throughput with no coefficient below 0: X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)).
     *
     * @param residualSd of the points about the curve, in requests per second
     * @param data what it was fitted to
     * @param peak empty where the fitted curve has none
     * @param peakRange connections at which the peak may be
     * @param plateau fits as well as the curve; empty where it does not
     */
    record UniversalScalability(
            Coefficients coefficients,
            double residualSd,
            FittedData data,
            Optional<CurvePeak> peak,
            Range peakRange,
            Optional<Plateau> plateau,
            double confidence)
            implements ScalabilityFit {
        /** A fit needs at least this many levels, one more than it has coefficients, to have an uncertainty. */
        public static final int LEAST_LEVELS = 4;

        private static final int FREE = 3;

        /**
         * Coefficients are those of the law.
         *
         * @param lambda throughput of one connection, in requests per second
         * @param sigma contention: the share that is serial
         * @param kappa crosstalk: what it costs to keep each pair consistent; 0 where throughput never falls again
         */
        public record Coefficients(Coefficient lambda, Coefficient sigma, Coefficient kappa) {}

        /** FittedData count what the law was fitted to: runs, levels, and the most connections of a level. */
        public record FittedData(int points, int levels, double most) {}

        /** A Coefficient has Wald's interval, by the Jacobian and Student's t, cut at 0 (as R's nls), unless held. */
        public record Coefficient(double value, double lo, double hi, boolean held) {}

        /** A CurvePeak is the curve's highest point. */
        public record CurvePeak(double connections, double throughput) {}

        /**
         * A Range holds the connections at which the peak may be, by the profile of the sum of squares (Bates and Watts
         * 1988, ch. 6), as a peak far out has no symmetric interval.
         *
         * @param hi empty where a curve without a peak fits as well
         */
        public record Range(double lo, OptionalDouble hi) {}

        /** A Plateau is constant throughput from so many connections, told if only rising fits clearly worse. */
        public record Plateau(double connections, double throughput, boolean told) {}

        /** Fits the law to runs, each of 1 or more connections and so many requests per second, above 0. */
        public static ScalabilityFit fit(double[] connections, double[] throughput, double confidence) {
            Series.requirePositive(throughput);
            if (connections.length != throughput.length
                    || Arrays.stream(connections).anyMatch(n -> !(n >= 1) || Double.isInfinite(n))) {
                throw new IllegalArgumentException("a throughput wants its number of connections, at least 1");
            }
            Checks.share("confidence", confidence);
            int levels = (int) Arrays.stream(connections).distinct().count();
            if (levels < LEAST_LEVELS) {
                return new TooFewLevels(
                        levels,
                        LEAST_LEVELS,
                        "needs " + LEAST_LEVELS + " different numbers of connections with a valid run, and has "
                                + levels);
            }
            ScalabilityPoints points = new ScalabilityPoints(connections, throughput);
            ScalabilityPoints.Curve best = points.best();
            int df = points.size() - FREE;
            double variance = best.squares() / df;
            double t = Student.quantile(0.5 + confidence / 2, df);
            Range range = new ScalabilityProfile(points, best, best.squares() + t * t * variance).peak();
            return new UniversalScalability(
                    coefficients(best, t, points.standardErrors(best, variance)),
                    Math.sqrt(variance),
                    new FittedData(
                            points.size(),
                            levels,
                            Arrays.stream(connections).max().orElse(1)),
                    best.peak().stream()
                            .mapToObj(n -> new CurvePeak(n, best.at(n)))
                            .findFirst(),
                    range,
                    ScalabilityPlateau.nearest(connections, throughput)
                            .filter(found -> found.fitsAsWellAs(best, points.size()))
                            .map(found -> new Plateau(
                                    found.from(),
                                    found.throughput(),
                                    found.fitsBetterThan(points.rising(true), points.size()))),
                    confidence);
        }

        private static Coefficients coefficients(ScalabilityPoints.Curve best, double t, double[] se) {
            return new Coefficients(
                    coefficient(best.lambda(), t * se[0]),
                    coefficient(best.sigma(), t * se[1]),
                    coefficient(best.kappa(), t * se[2]));
        }

        private static Coefficient coefficient(double value, double reach) {
            return new Coefficient(value, Math.max(0, value - reach), value + reach, reach == 0 && value == 0);
        }

        /** Returns the degrees of freedom of the residuals. */
        public int df() {
            return data.points() - FREE;
        }

        /** Returns the curve's throughput with so many connections, in requests per second. */
        public double at(double connections) {
            return new ScalabilityPoints.Curve(
                            coefficients.lambda().value(),
                            coefficients.sigma().value(),
                            coefficients.kappa().value(),
                            0)
                    .at(connections);
        }

        /** Tells whether the fitted peak lies among the levels that were measured: beyond them it is a guess. */
        public boolean peakMeasured() {
            return peak.filter(p -> p.connections() <= data.most()).isPresent();
        }

        /** Tells whether the data distinguish the curve from a plateau and from one that rises for ever. */
        public boolean peakTold() {
            return peak.isPresent() && peakRange.hi().isPresent() && plateau.isEmpty();
        }

        /** Returns the plateau where the data distinguish it from a curve that only rises. */
        public Optional<Plateau> plateauTold() {
            return plateau.filter(Plateau::told);
        }

        /**
         * A ScalabilityProfile finds where the peak may be: all numbers of connections for which some curve that peaks
         * there has a sum of squares below a threshold. With the peak at m, kappa is (1 - sigma) / m^2, so that one
         * coefficient is left to be chosen.
         */
        private record ScalabilityProfile(ScalabilityPoints points, ScalabilityPoints.Curve best, double threshold) {
            /** A curve whose peak is beyond this many connections counts as one without a peak. */
            private static final double FARTHEST = 1e9;

            private static final double NEAREST = 1;
            private static final int GRID = 64;
            private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

            Range peak() {
                double middle = best.peak().orElse(FARTHEST);
                boolean open = squares(FARTHEST) <= threshold;
                double lo = squares(NEAREST) <= threshold ? NEAREST : edge(middle, NEAREST);
                return new Range(lo, open ? OptionalDouble.empty() : OptionalDouble.of(edge(middle, FARTHEST)));
            }

            /** Returns the edge between a peak that is allowed and one that is not, by bisection on the logarithm. */
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
    }
}
