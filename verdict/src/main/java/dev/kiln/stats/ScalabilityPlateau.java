package dev.kiln.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A ScalabilityPlateau describes a service that scales until something is full, and then serves as much with any more
 * connections: X(N) = min(lambda N / (1 + sigma (N - 1)), cap). It has as many coefficients as the universal
 * scalability law, and no peak.
 *
 * @param from connections from which the throughput is constant
 * @param throughput of the plateau, in requests per second
 * @param squares sum of the squared residuals
 */
record ScalabilityPlateau(double from, double throughput, double squares) {
    /**
     * A model within 2 of the best one in Akaike's criterion has substantial support (Burnham and Anderson, "Model Selection
     * and Multimodel Inference", 2002, section 2.6).
     */
    private static final double SUPPORTED = 2;

    /** Akaike's criterion charges this much for each coefficient. */
    private static final double PER_COEFFICIENT = 2;

    /** Returns the plateau that comes nearest to the data; empty where throughput only rises. */
    static Optional<ScalabilityPlateau> nearest(double[] connections, double[] throughput) {
        double[] levels = Arrays.stream(connections).distinct().sorted().toArray();
        Optional<ScalabilityPlateau> best = Optional.empty();
        for (int rising = 0; rising <= levels.length - 2; rising++) {
            Optional<ScalabilityPlateau> found = after(levels, rising, connections, throughput);
            if (found.isPresent() && (best.isEmpty() || found.get().squares < best.get().squares)) {
                best = found;
            }
        }
        return best;
    }

    /** Tells whether the plateau fits as well as the law by n ln(squares): both have three coefficients. */
    boolean fitsAsWellAs(ScalabilityPoints.Curve law, int points) {
        return points * Math.log(squares / law.squares()) < SUPPORTED;
    }

    /** Tells whether the plateau fits better than a curve that only rises, which has one coefficient less. */
    boolean fitsBetterThan(ScalabilityPoints.Curve rising, int points) {
        return points * Math.log(rising.squares() / squares) >= SUPPORTED + PER_COEFFICIENT;
    }

    /** Fits a plateau behind so many rising levels; empty where the rise would then be above it. */
    private static Optional<ScalabilityPlateau> after(double[] levels, int rising, double[] n, double[] x) {
        double last = rising == 0 ? 0 : levels[rising - 1];
        int[] on = IntStream.range(0, n.length).filter(i -> n[i] <= last).toArray();
        double[] rest = IntStream.range(0, n.length)
                .filter(i -> n[i] > last)
                .mapToDouble(i -> x[i])
                .toArray();
        double cap = Arrays.stream(rest).average().orElseThrow();
        double squares = Arrays.stream(rest).map(v -> (v - cap) * (v - cap)).sum();
        if (rising == 0) {
            return Optional.of(new ScalabilityPlateau(levels[0], cap, squares));
        }
        ScalabilityPoints.Curve rise = new ScalabilityPoints(
                        Arrays.stream(on).mapToDouble(i -> n[i]).toArray(),
                        Arrays.stream(on).mapToDouble(i -> x[i]).toArray())
                .rising(rising >= 2);
        if (rise.at(last) > cap) {
            return Optional.empty();
        }
        double left = rise.lambda() - rise.sigma() * cap;
        double meet = left > 0 ? cap * (1 - rise.sigma()) / left : levels[rising];
        return Optional.of(
                new ScalabilityPlateau(Math.clamp(meet, last, levels[rising]), cap, squares + rise.squares()));
    }
}
