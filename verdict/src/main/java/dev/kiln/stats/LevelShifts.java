package dev.kiln.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * LevelShifts are the changes of level in a series of sessions, as they would have been reported after each session.
 *
 * <p>The analysis after a session asks of each session since the last change whether the sessions from there on have
 * another level than those before: t on the difference of the two means, whose standard error holds for sessions that
 * are alike their neighbours. The clearest one is reported if it is beyond a level so strict that it holds over all
 * places and sessions. A change that later sessions no longer show is withdrawn. Positive series are analysed by their
 * logarithms, so that changes are ratios.
 *
 * @param logarithmic false where a value is 0 or less: then the values are taken as they are
 * @param noise standard deviation of a session, of logarithms or values
 * @param correlation of neighbouring sessions, as the standard errors assume it
 * @param told every change that was reported, in that order
 */
public record LevelShifts(boolean logarithmic, double noise, double correlation, List<Told> told) {
    /** A series has at least this many sessions: two levels of {@link #MIN_SEGMENT} each. */
    public static final int MIN_POINTS = 6;

    /** A level has at least this many sessions: one odd night is no change, nor are two. */
    public static final int MIN_SEGMENT = 3;

    /** A change is searched among this many last sessions; one that takes longer to show is not found. */
    public static final int MOST_AFTER = 60;

    /**
     * The test of one place after one session has this level, two-sided. With SessionNoise.ASSUMED it leaves an alarm
     * in at most 5 of 100 series of 100 sessions that did not change (bench/sessions has the simulation).
     */
    public static final double ALPHA = 1e-4;

    /** The interval that is printed has this confidence; a change whose interval includes no change is withdrawn. */
    public static final double CONFIDENCE = 0.95;

    /** The noise is at least this share of the level: smaller changes are of no interest. */
    public static final double LEAST_NOISE = 0.005;

    /** A change that was reported moves by at most this many sessions as others come. */
    private static final int MOVES = 2;

    /**
     * A Shift is a change of level.
     *
     * @param index of the first session of the new level
     * @param before geometric mean of the level before it; arithmetic where not logarithmic
     * @param after of the level that begins with it
     * @param lo of its interval: of after over before where logarithmic, else of after less before
     */
    public record Shift(int index, double before, double after, double lo, double hi) {}

    /**
     * A Told is a change, and since when it is reported.
     *
     * @param shift as the last session leaves it; as it was reported where it was withdrawn
     * @param since the last session that was known when it was first reported
     * @param withdrawn the last session that was known when it was reported no more; empty while it holds
     */
    public record Told(Shift shift, int since, OptionalInt withdrawn) {
        public boolean holds() {
            return withdrawn.isEmpty();
        }
    }

    public LevelShifts {
        told = List.copyOf(told);
    }

    /** Returns the changes that hold, in their order. */
    public List<Shift> shifts() {
        return told.stream().filter(Told::holds).map(Told::shift).toList();
    }

    /** Finds the changes in values that are known exactly. */
    public static LevelShifts of(double[] series) {
        return of(series, 0);
    }

    /** Finds changes in {@link #MIN_POINTS} or more sessions; intervals widen by a value's resolution. */
    public static LevelShifts of(double[] series, double resolution) {
        Series.requireFinite(series);
        Checks.atLeast("sessions", series.length, MIN_POINTS);
        boolean logarithmic = Arrays.stream(series).allMatch(value -> value > 0);
        double[] y = logarithmic ? Series.logs(series) : series.clone();
        double size = logarithmic ? 1 : Arrays.stream(y).map(Math::abs).max().orElse(1);
        return new Looks(y, logarithmic, LEAST_NOISE * size, resolution).all();
    }

    /** Looks repeats the analysis after each session, with what was known then. */
    private static final class Looks {
        private final double[] y;
        private final boolean logarithmic;
        private final double least;
        private final double resolution;
        private static final double USUAL = normal(1 - CONFIDENCE);

        private final double strict = normal(ALPHA);

        /** The sums over the sessions before each, of values here, of squares and of products of neighbours below. */
        private final double[] sums;

        private final double[] squares;
        private final double[] products;

        /** The index of the session at which each level begins. */
        private final List<Integer> starts = new ArrayList<>(List.of(0));

        private final List<Told> told = new ArrayList<>();

        Looks(double[] y, boolean logarithmic, double least, double resolution) {
            this.y = y;
            this.logarithmic = logarithmic;
            this.least = least;
            this.resolution = resolution;
            sums = new double[y.length + 1];
            squares = new double[y.length + 1];
            products = new double[y.length + 1];
            for (int i = 0; i < y.length; i++) {
                // From the first session: values near one another, so that squares do not cancel.
                double v = y[i] - y[0];
                sums[i + 1] = sums[i] + v;
                squares[i + 1] = squares[i] + v * v;
                products[i + 1] = products[i] + (i == 0 ? 0 : v * (y[i - 1] - y[0]));
            }
        }

        private static double normal(double alpha) {
            return NormalDistribution.of(0, 1).inverseCumulativeProbability(1 - alpha / 2);
        }

        LevelShifts all() {
            for (int end = MIN_POINTS; end <= y.length; end++) {
                if (starts.size() > 1) {
                    reconsider(end);
                }
                look(end);
            }
            SessionNoise noise = noise(y.length, starts);
            List<Told> last = new ArrayList<>();
            int held = 0;
            for (Told one : told) {
                last.add(one.holds() ? new Told(shift(++held, y.length), one.since(), one.withdrawn()) : one);
            }
            return new LevelShifts(logarithmic, Math.sqrt(noise.variance()), noise.correlation(), last);
        }

        /** Adds the clearest change since the last one, if it is clear enough. */
        private void look(int end) {
            int start = starts.getLast();
            double clearest = 1;
            int at = -1;
            for (int k = Math.max(start + MIN_SEGMENT, end - MOST_AFTER); k <= end - MIN_SEGMENT; k++) {
                double strength = strength(start, k, end);
                if (strength > clearest) {
                    clearest = strength;
                    at = k;
                }
            }
            if (at > 0) {
                starts.add(at);
                told.add(new Told(shift(starts.size() - 1, end), end - 1, OptionalInt.empty()));
            }
        }

        /** Returns the difference over what chance gives at the strict level: above 1 it is beyond chance. */
        private double strength(int start, int k, int end) {
            List<Integer> then = new ArrayList<>(starts);
            then.add(k);
            SessionNoise noise = noise(end, then);
            double unit = noise.unit(k - start, end - k);
            double difference = Math.abs(mean(k, end) - mean(start, k)) - unsure(start, k, end);
            double se = unit * Math.sqrt(noise.variance());
            if (difference <= strict * Math.max(se, unit * least)) {
                return 0;
            }
            return difference / reach(noise, unit, ALPHA);
        }

        /** Returns the half width of an interval by t, or by the least noise as if known, if that is more. */
        private double reach(SessionNoise noise, double unit, double alpha) {
            double byT = Student.quantile(1 - alpha / 2, noise.df()) * Math.sqrt(noise.variance());
            double known = (alpha == ALPHA ? strict : USUAL) * least;
            return unit * Math.max(byT, known);
        }

        /** Moves the newest change by a session or two as others come, or withdraws it. */
        private void reconsider(int end) {
            int from = starts.get(starts.size() - 2);
            int now = starts.getLast();
            int best = now;
            for (int k = Math.max(from + MIN_SEGMENT, now - MOVES);
                    k <= Math.min(end - MIN_SEGMENT, now + MOVES);
                    k++) {
                best = deviation(from, k, end) < deviation(from, best, end) ? k : best;
            }
            int newest = newest();
            Told as = told.get(newest);
            starts.set(starts.size() - 1, best);
            Shift shift = shift(starts.size() - 1, end);
            boolean holds = logarithmic ? shift.lo() > 1 || shift.hi() < 1 : shift.lo() > 0 || shift.hi() < 0;
            if (!holds) {
                starts.removeLast();
                told.set(newest, new Told(as.shift(), as.since(), OptionalInt.of(end - 1)));
            }
        }

        private int newest() {
            int at = told.size() - 1;
            while (!told.get(at).holds()) {
                at--;
            }
            return at;
        }

        private SessionNoise noise(int end, List<Integer> from) {
            double all = 0;
            double neighbours = 0;
            int[] lengths = new int[from.size()];
            for (int i = 0; i < lengths.length; i++) {
                int to = i + 1 == lengths.length ? end : from.get(i + 1);
                lengths[i] = to - from.get(i);
                all += deviation(from.get(i), to);
                neighbours += products(from.get(i), to);
            }
            return SessionNoise.of(all, neighbours, lengths);
        }

        private Shift shift(int level, int end) {
            int from = starts.get(level - 1);
            int k = starts.get(level);
            int to = level + 1 == starts.size() ? end : starts.get(level + 1);
            SessionNoise noise = noise(end, starts);
            double estimate = mean(k, to) - mean(from, k);
            double reach = reach(noise, noise.unit(k - from, to - k), 1 - CONFIDENCE) + unsure(from, k, to);
            return new Shift(
                    k,
                    level(mean(from, k)),
                    level(mean(k, to)),
                    logarithmic ? Math.exp(estimate - reach) : estimate - reach,
                    logarithmic ? Math.exp(estimate + reach) : estimate + reach);
        }

        /** Returns by how much a difference is uncertain because values are known to their resolution only. */
        private double unsure(int from, int k, int to) {
            return logarithmic ? resolution / Math.exp(Math.min(mean(from, k), mean(k, to))) : resolution;
        }

        private double level(double mean) {
            return logarithmic ? Math.exp(mean) : mean;
        }

        private double mean(int from, int to) {
            return y[0] + (sums[to] - sums[from]) / (to - from);
        }

        /** Returns the sum of squares around the level of each side. */
        private double deviation(int from, int k, int to) {
            return deviation(from, k) + deviation(k, to);
        }

        private double deviation(int from, int to) {
            double sum = sums[to] - sums[from];
            return Math.max(0, squares[to] - squares[from] - sum * sum / (to - from));
        }

        /** Returns the sum of the products of neighbours' deviations from their level. */
        private double products(int from, int to) {
            double mean = (sums[to] - sums[from]) / (to - from);
            double later = sums[to] - sums[from + 1];
            double earlier = sums[to - 1] - sums[from];
            return products[to] - products[from + 1] - mean * (later + earlier) + (to - from - 1) * mean * mean;
        }
    }
}
