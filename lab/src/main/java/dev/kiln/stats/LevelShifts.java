package dev.kiln.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the level of a short series of runs changed: between runs, not within one.
 *
 * <p>Candidates come from the exact segmentation of the series by squared deviations, in units of the noise of neighbours,
 * so that a step does not count as noise. Those stay whose two sides differ by the interval of Welch's t over their
 * runs. Positive series are taken by their logarithms, so that shifts are ratios.
 *
 * @param logarithmic false where a value is 0 or less: then the values themselves are segmented
 * @param noise standard deviation of neighbouring runs, of logarithms or values
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

    /** A change's interval, by Welch's t between the segments before and after it, leaves this much outside. */
    public static final double ALPHA = 0.01;

    /** Least noise, as a share of the level: smaller shifts are of no interest, and runs of one host may agree closer. */
    public static final double LEAST_NOISE = 0.005;

    /**
     * A change of level.
     *
     * @param index of the first run of the new level
     * @param before geometric mean of the segment before it; arithmetic where not logarithmic
     * @param after of the segment that begins with it
     * @param lo of its interval: of after over before where logarithmic, else of after less before
     * @param p Welch's, two-sided
     */
    public record Shift(int index, double before, double after, double lo, double hi, double p) {}

    /** Difference of two levels with what it could be by the runs' noise, and by how exactly a value is known. */
    private record Step(Student difference, double unsure) {
        double reach() {
            return difference.reach(1 - ALPHA) + unsure;
        }

        /** Above 1 the interval leaves out 0. */
        double strength() {
            return Math.abs(difference.estimate()) / reach();
        }
    }

    public LevelShifts {
        shifts = List.copyOf(shifts);
    }

    /** Of values that are known exactly. */
    public static LevelShifts of(double[] series) {
        return of(series, 0);
    }

    /**
     * Of at least {@link #MIN_POINTS} runs, in their order.
     *
     * @param resolution that a value is known to, as a bin that a time is read off: intervals are wider by it
     */
    public static LevelShifts of(double[] series, double resolution) {
        Series.requireFinite(series);
        Checks.atLeast("runs", series.length, MIN_POINTS);
        boolean logarithmic = Arrays.stream(series).allMatch(value -> value > 0);
        double[] y = logarithmic ? Series.logs(series) : series.clone();
        double size = logarithmic ? 1 : Arrays.stream(y).map(Math::abs).max().orElse(1);
        double least = LEAST_NOISE * size;
        double noise = Math.max(neighbourNoise(y), least);
        if (noise == 0) {
            return new LevelShifts(logarithmic, 0, List.of());
        }
        double[] scaled = Arrays.stream(y).map(value -> value / noise).toArray();
        List<Integer> changes = candidates(scaled, PENALTY * Math.log(y.length));
        List<Step> steps = steps(y, changes, least, logarithmic, resolution);
        // The least clear change goes first: its two segments then are one.
        while (steps.stream().anyMatch(step -> step.strength() <= 1)) {
            double weakest = steps.stream().mapToDouble(Step::strength).min().orElseThrow();
            int index = steps.stream().map(Step::strength).toList().indexOf(weakest);
            changes.subList(index, index + 1).clear();
            steps = steps(y, changes, least, logarithmic, resolution);
        }
        List<Shift> shifts = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            Student s = steps.get(i).difference();
            double reach = steps.get(i).reach();
            shifts.add(new Shift(
                    changes.get(i),
                    level(before(y, changes, i), logarithmic),
                    level(after(y, changes, i), logarithmic),
                    logarithmic ? Math.exp(s.estimate() - reach) : s.estimate() - reach,
                    logarithmic ? Math.exp(s.estimate() + reach) : s.estimate() + reach,
                    s.p()));
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

    private static List<Step> steps(
            double[] y, List<Integer> changes, double least, boolean logarithmic, double resolution) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            double[] before = before(y, changes, i);
            double[] after = after(y, changes, i);
            Student welch = Student.welch(before, after);
            // Runs that agree to the last digit are no proof that the next will.
            double se = Math.max(welch.se(), least * Math.sqrt(1.0 / before.length + 1.0 / after.length));
            double unsure = logarithmic ? resolution / Math.min(level(before, true), level(after, true)) : resolution;
            steps.add(new Step(new Student(welch.estimate(), se, welch.df()), unsure));
        }
        return steps;
    }

    /** Half the variance of differences of neighbours is that of the noise, whatever steps there are. */
    private static double neighbourNoise(double[] y) {
        double[] differences = new double[y.length - 1];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = Math.abs(y[i + 1] - y[i]);
        }
        return Descriptive.robustSd(differences) / Math.sqrt(2);
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
