package dev.kiln.stats;

import dev.kiln.stats.ExactTest.RankSums;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.apache.commons.statistics.distribution.NormalDistribution;

/** Power says what so many runs can show with 80 % power, by the rule that decides: both tests, or t alone. */
public final class Power {
    /** A difference is shown with this chance, the usual convention (Cohen 1988). */
    public static final double POWER = 0.8;

    public static final int MOST_RUNS = 10_000;

    /** A rule that t alone decides, as a gate, needs at least this many runs a side: one has no standard error. */
    public static final int FEWEST_BY_T = 2;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private Power() {}

    /** A Design says how runs are compared, and with that which two tests decide. */
    public enum Design {
        /** Welch's t and Mann and Whitney's test decide. */
        GROUPS(20, 60, 1.04),
        /** Paired t and the permutation within blocks decide. */
        BLOCKS(9, 20, 1.01);

        /** Both tests are simulated up to this many runs a side. */
        private final int simulated;

        /** There is no exact test beyond this many runs a side. */
        private final int exact;

        /**
         * Between the two numbers, both tests show a difference that is this multiple of what t alone shows: about the
         * square root of the exact test's efficiency, measured where both are simulated.
         */
        private final double both;

        Design(int simulated, int exact, double both) {
            this.simulated = simulated;
            this.exact = exact;
            this.both = both;
        }

        private double df(int runs) {
            return this == GROUPS ? 2.0 * runs - 2 : runs - 1.0;
        }

        /** Returns the standard error over the standard deviation, of a run or of a pair's difference. */
        private double unit(int runs) {
            return Math.sqrt((this == GROUPS ? 2.0 : 1.0) / runs);
        }
    }

    /** The cache has the simulated differences; they are few, and each takes some milliseconds. */
    private static final Map<PowerCase, Double> SIMULATED = new ConcurrentHashMap<>();

    private record PowerCase(Design design, int runs, double alpha) {}

    /** Returns what t, two-sided at alpha, shows with 80 % power, in standard errors: t's noncentrality. */
    public static double byT(double alpha, double df) {
        return byT(alpha, df, POWER);
    }

    /** Returns the least difference that t shows with another power, in standard errors. */
    public static double byT(double alpha, double df, double power) {
        double quantile = Student.quantile(1 - alpha / 2, df);
        double z = NORMAL.inverseCumulativeProbability(power);
        // Abramowitz and Stegun 26.7.10: right to a thousandth from 20 degrees of freedom on.
        double near = quantile * (1 - 1 / (4 * df)) + z * Math.sqrt(1 + quantile * quantile / (2 * df));
        return df >= 20 ? near : exactly(quantile, df, power, near);
    }

    /** Finds the exact shift by secants from one that is near. */
    private static double exactly(double quantile, double df, double power, double near) {
        Scales scales = Scales.of(df);
        double before = near * 0.95;
        double missing = scales.shown(before, quantile) - power;
        double now = near;
        for (int i = 0; i < 20; i++) {
            double left = scales.shown(now, quantile) - power;
            if (Math.abs(left) < 1e-7 || left == missing) {
                break;
            }
            double next = now - left * (now - before) / (left - missing);
            before = now;
            missing = left;
            now = Math.clamp(next, now / 2, now * 2);
        }
        return now;
    }

    /** Scales is the distribution of S in T = (Z + shift) / S, chi over the root of its df, in steps. */
    private record Scales(double step, double[] density) {
        private static final int STEPS = 120;

        static Scales of(double df) {
            double step = (1 + 6 / Math.sqrt(df)) / STEPS;
            double[] density = new double[STEPS];
            double sum = 0;
            for (int i = 0; i < STEPS; i++) {
                double s = (i + 0.5) * step;
                density[i] = Math.exp((df - 1) * Math.log(s) - df * (s * s - 1) / 2);
                sum += density[i];
            }
            for (int i = 0; i < STEPS; i++) {
                density[i] /= sum;
            }
            return new Scales(step, density);
        }

        /** Returns P(T > quantile) for a shift. */
        double shown(double shift, double quantile) {
            double sum = 0;
            for (int i = 0; i < STEPS; i++) {
                sum += density[i] * NORMAL.survivalProbability(quantile * (i + 0.5) * step - shift);
            }
            return sum;
        }
    }

    /**
     * Returns the fewest runs a side that can show any difference: the one answer to how many runs a comparison takes
     * at least. A gate takes {@link #FEWEST_BY_T}.
     *
     * @param alpha of one comparison; of several each has a share
     */
    public static int fewest(Design design, double alpha) {
        return switch (design) {
            case GROUPS -> ExactTest.runsNeeded(alpha);
            case BLOCKS -> ExactTest.pairsNeeded(alpha);
        };
    }

    /** Returns what both tests show with 80 % power, in standard deviations of a run or pair; may be infinite. */
    public static double byBoth(Design design, int runs, double alpha) {
        Checks.atLeast("runs", runs, 2);
        Checks.share("alpha", alpha);
        if (runs < fewest(design, alpha)) {
            return Double.POSITIVE_INFINITY;
        }
        return runs <= design.simulated
                ? SIMULATED.computeIfAbsent(new PowerCase(design, runs, alpha), Simulation::leastShown)
                : byT(alpha, design.df(runs)) * design.unit(runs) * (runs <= design.exact ? design.both : 1);
    }

    /** Returns the fewest runs a side with which both tests show a difference of runs with 80 % power. */
    public static RunsNeeded runs(Design design, double sd, double difference, double alpha) {
        require(sd);
        if (difference <= 0) {
            return new RunsNeeded.NoNumber(RunsNeeded.Why.RESOLUTION);
        }
        return fewest(fewest(design, alpha), runs -> byBoth(design, runs, alpha) * sd <= difference);
    }

    /** Returns the fewest runs a side for t, from the standard error and df that withRuns gives for each. */
    public static RunsNeeded runs(IntFunction<Student> withRuns, double difference, double alpha, double power) {
        if (difference <= 0) {
            return new RunsNeeded.NoNumber(RunsNeeded.Why.RESOLUTION);
        }
        return fewest(FEWEST_BY_T, runs -> {
            Student then = withRuns.apply(runs);
            return byT(alpha, then.df(), power) * then.se() <= difference;
        });
    }

    /** Returns the fewest runs a side with an interval that reaches no further than this. */
    public static RunsNeeded runsForReach(IntFunction<Student> withRuns, double reach, double confidence) {
        return reach <= 0
                ? new RunsNeeded.NoNumber(RunsNeeded.Why.RESOLUTION)
                : fewest(FEWEST_BY_T, runs -> withRuns.apply(runs).reach(confidence) <= reach);
    }

    private static void require(double sd) {
        if (!(sd >= 0) || Double.isInfinite(sd)) {
            throw new IllegalArgumentException("sd must be finite and not negative: " + sd);
        }
    }

    /** Searches by halving for the fewest runs that are enough: the condition gets easier with every run. */
    private static RunsNeeded fewest(int from, IntPredicate enough) {
        if (enough.test(from)) {
            return new RunsNeeded.Runs(from);
        }
        int low = from;
        int high = from;
        while (!enough.test(high)) {
            if (high == MOST_RUNS) {
                return new RunsNeeded.NoNumber(RunsNeeded.Why.TOO_MANY);
            }
            low = high;
            high = Math.min(MOST_RUNS, 2 * high);
        }
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (enough.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return new RunsNeeded.Runs(high);
    }

    /**
     * A Simulation applies both tests to normal runs, drawn once: each draw has a least shift from which on both
     * reject, and the 80th percentile of these is shown with 80 % power.
     */
    private static final class Simulation {
        /** This many draws leave the power uncertain by 0.9 percentage points. */
        private static final int DRAWS = 2000;

        private static final int SEED = 1;

        private Simulation() {}

        static double leastShown(PowerCase of) {
            Random random = new Random(SEED);
            double[] least = new double[DRAWS];
            for (int i = 0; i < DRAWS; i++) {
                least[i] = of.design == Design.GROUPS
                        ? groups(normal(random, of.runs), normal(random, of.runs), of.alpha)
                        : blocks(normal(random, of.runs), of.alpha);
            }
            return Descriptive.quantile(least, POWER);
        }

        private static double[] normal(Random random, int count) {
            double[] out = new double[count];
            Arrays.setAll(out, i -> random.nextGaussian());
            return out;
        }

        /**
         * Returns the least shift of two groups that both tests show. U is the number of differences below it, so it
         * exceeds all but as many as U may lack.
         */
        private static double groups(double[] x, double[] y, double alpha) {
            double[] differences = new double[x.length * y.length];
            for (int i = 0; i < differences.length; i++) {
                differences[i] = x[i / y.length] - y[i % y.length];
            }
            Arrays.sort(differences);
            int lacking = RankSums.most(x.length, y.length, alpha);
            double byRanks = differences[differences.length - 1 - lacking];
            Student t = Student.welch(x, y);
            return Math.max(byRanks, t.reach(1 - alpha) - t.estimate());
        }

        /**
         * Returns the least shift of pairs that both tests show. A change of signs is as extreme if those that it turns
         * have a mean of at most 0.
         */
        private static double blocks(double[] d, double alpha) {
            double[] means = new double[1 << d.length];
            for (int set = 1; set < means.length; set++) {
                double sum = 0;
                for (int i = 0; i < d.length; i++) {
                    sum += (set >> i & 1) * d[i];
                }
                means[set] = sum / Integer.bitCount(set);
            }
            means[0] = Double.POSITIVE_INFINITY;
            Arrays.sort(means);
            // Of all changes in one tail, alpha / 2 of them less one may be: one of these changes nothing.
            int tail = (int) Math.ceil(alpha * means.length / 2) - 1;
            Student t = Student.oneSample(d);
            return Math.max(-means[tail - 1], t.reach(1 - alpha) - t.estimate());
        }
    }
}
