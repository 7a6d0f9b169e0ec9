package dev.kiln.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the level of a short series of runs changed: between runs, not within one.
 *
 * <p>Candidates come from the exact segmentation of the series by squared deviations, in units of the noise of neighbours,
 * so that a step does not count as noise. Those stay whose two sides differ by Welch's t. Positive series are taken
 * by their logarithms, so that shifts are ratios.
 *
 * @param logarithmic false where a value is 0 or less: then the values themselves are segmented
 * @param noise standard deviation that neighbouring runs tell of, of logarithms or values
 */
public record LevelShifts(boolean logarithmic, double noise, List<Shift> shifts) {
    /** Two segments. */
    public static final int MIN_POINTS = 6;

    /** As many runs as an experiment has by default: one odd run is no change. */
    public static final int MIN_SEGMENT = 3;

    /**
     * Penalty of a change = this * ln(points), in units of the noise's variance. With ALPHA it leaves false alarms in at
     * most 3 % of series of 6 to 100 runs of white noise (docs/reference/history.md has the simulation).
     */
    public static final double PENALTY = 4;

    /** Level of Welch's test between the segments beside a change. */
    public static final double ALPHA = 0.01;

    /** Least noise, as a share of the level: smaller shifts are of no interest, and runs of one host may agree closer. */
    public static final double LEAST_NOISE = 0.005;

    /** Median absolute deviation to standard deviation, of normal values. */
    private static final double MAD_TO_SD = 1.4826;

    /**
     * A change of level.
     *
     * @param index of the first run of the new level
     * @param before geometric mean of the segment before it; arithmetic where not logarithmic
     * @param after of the segment that begins with it
     * @param p Welch's, two-sided
     */
    public record Shift(int index, double before, double after, double p) {}

    public LevelShifts {
        shifts = List.copyOf(shifts);
    }

    /** Of at least {@link #MIN_POINTS} runs, in their order. */
    public static LevelShifts of(double[] series) {
        Series.requireFinite(series);
        Checks.atLeast("runs", series.length, MIN_POINTS);
        boolean logarithmic = Arrays.stream(series).allMatch(value -> value > 0);
        double[] y = logarithmic ? Series.logs(series) : series.clone();
        double size = logarithmic ? 1 : Arrays.stream(y).map(Math::abs).max().orElse(1);
        double noise = Math.max(neighbourNoise(y), LEAST_NOISE * size);
        if (noise == 0) {
            return new LevelShifts(logarithmic, 0, List.of());
        }
        double[] scaled = Arrays.stream(y).map(value -> value / noise).toArray();
        List<Integer> changes = significant(scaled, candidates(scaled, PENALTY * Math.log(y.length)));
        List<Shift> shifts = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            double[] before = before(y, changes, i);
            double[] after = after(y, changes, i);
            double p = difference(before(scaled, changes, i), after(scaled, changes, i));
            shifts.add(new Shift(changes.get(i), level(before, logarithmic), level(after, logarithmic), p));
        }
        return new LevelShifts(logarithmic, noise, shifts);
    }

    /**
     * Exact optimal partitioning by squared deviations with a shortest segment (Jackson et al. 2005, IEEE Signal Processing
     * Letters 12): best[t] = min over s of best[s] + deviation of s..t + penalty.
     */
    private static List<Integer> candidates(double[] y, double penalty) {
        int n = y.length;
        double[] best = new double[n + 1];
        int[] previous = new int[n + 1];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[0] = -penalty;
        for (int t = MIN_SEGMENT; t <= n; t++) {
            double sum = 0;
            double squares = 0;
            for (int s = t - 1; s >= 0; s--) {
                // From the newest run back: values near one another, so that squares do not cancel.
                double v = y[s] - y[t - 1];
                sum += v;
                squares += v * v;
                double cost = best[s] + squares - sum * sum / (t - s) + penalty;
                if (t - s >= MIN_SEGMENT && cost < best[t]) {
                    best[t] = cost;
                    previous[t] = s;
                }
            }
        }
        List<Integer> changes = new ArrayList<>();
        for (int t = previous[n]; t > 0; t = previous[t]) {
            changes.addFirst(t);
        }
        return changes;
    }

    /** Drops the least significant change until all are: its segments then are one. */
    private static List<Integer> significant(double[] y, List<Integer> candidates) {
        List<Integer> changes = new ArrayList<>(candidates);
        while (true) {
            int weakest = -1;
            double largest = ALPHA;
            for (int i = 0; i < changes.size(); i++) {
                double p = difference(before(y, changes, i), after(y, changes, i));
                if (p >= largest) {
                    weakest = i;
                    largest = p;
                }
            }
            if (weakest < 0) {
                return changes;
            }
            changes.subList(weakest, weakest + 1).clear();
        }
    }

    /** Half the variance of differences of neighbours is that of the noise, whatever steps there are. */
    private static double neighbourNoise(double[] y) {
        double[] differences = new double[y.length - 1];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = Math.abs(y[i + 1] - y[i]);
        }
        return MAD_TO_SD * Descriptive.median(differences) / Math.sqrt(2);
    }

    private static double difference(double[] before, double[] after) {
        return Student.welch(before, after).p();
    }

    private static double[] before(double[] y, List<Integer> changes, int i) {
        return Arrays.copyOfRange(y, i == 0 ? 0 : changes.get(i - 1), changes.get(i));
    }

    private static double[] after(double[] y, List<Integer> changes, int i) {
        return Arrays.copyOfRange(y, changes.get(i), i + 1 == changes.size() ? y.length : changes.get(i + 1));
    }

    private static double level(double[] values, boolean logarithmic) {
        double mean = Descriptive.mean(values);
        return logarithmic ? Math.exp(mean) : mean;
    }
}
