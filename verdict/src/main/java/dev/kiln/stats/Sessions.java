package dev.kiln.stats;

import java.util.List;
import java.util.Optional;

/**
 * Sessions are the level above runs: one experiment on one machine in one go, such as a night. Runs of two sessions
 * differ by what the sessions differ by, too (Kalibera and Jones 2013). These are the cases of a comparison: both sides
 * of one session, or of two, whose variance is known from earlier ones or is not.
 */
public sealed interface Sessions {
    /** Both sides ran in one session. */
    Sessions ONE = new One();

    /** The sides ran in two sessions, and nothing shows how much sessions differ. */
    Sessions UNKNOWN = new Unknown();

    /** Returns the difference of means y - x with the standard error that holds for more sessions than these two. */
    Student difference(double[] x, double[] y);

    /** Returns the difference as it would be with so many runs a side that differ as these do. */
    Student withRuns(double[] x, double[] y, int runs);

    /** The difference is that of the runs alone: Welch's. */
    record One() implements Sessions {
        @Override
        public Student difference(double[] x, double[] y) {
            return Student.welch(x, y);
        }

        @Override
        public Student withRuns(double[] x, double[] y, int runs) {
            Runs both = Runs.of(x, y);
            return new Student(both.estimate, Math.sqrt(both.variance * 2 / runs), 2.0 * runs - 2);
        }
    }

    /** Unknown makes an allowance for sessions that nobody has measured, for a gate: it is no estimate. */
    record Unknown() implements Sessions {
        /**
         * The standard deviation of sessions is allowed to be this multiple of that of the runs of a session: the upper
         * end of what nights of one machine showed: 1 to 3 % between nights where runs of a night differed by 1 %.
         */
        public static final double TIMES_RUNS = 3;

        /** The allowance is at least this much, on logarithms: the upper end of the same nights. */
        public static final double LEAST = 0.03;

        /** Returns the standard deviation of sessions that is allowed for, on logarithms. */
        public static double allowance(double[] x, double[] y) {
            return Math.max(LEAST, TIMES_RUNS * Math.sqrt(Runs.of(x, y).variance));
        }

        @Override
        public Student difference(double[] x, double[] y) {
            Runs both = Runs.of(x, y);
            return both.with(both.variance * (1.0 / x.length + 1.0 / y.length), both.df);
        }

        @Override
        public Student withRuns(double[] x, double[] y, int runs) {
            Runs both = Runs.of(x, y);
            return both.with(both.variance * 2 / runs, 2.0 * runs - 2);
        }
    }

    /**
     * Known is the case of two sessions for which earlier ones of the same configuration show how much sessions differ.
     *
     * @param variance of the means of earlier sessions, runs included
     * @param df of the variance: sessions less one for each configuration
     * @param sessions how many
     * @param runs harmonic mean of their runs
     * @param within variance of runs of one session
     * @param withinDf of it; 0 where each has one run
     */
    record Known(double variance, double df, int sessions, double runs, double within, double withinDf)
            implements Sessions {
        /** The variance needs at least this many sessions: fewer leave t with less than two degrees of freedom. */
        public static final int FEWEST = 3;

        /** Estimates the variance from each configuration's earlier sessions; empty for too few of them. */
        public static Optional<Sessions> of(List<List<double[]>> configurations) {
            double squares = 0;
            double df = 0;
            double within = 0;
            double withinDf = 0;
            double inverse = 0;
            int sessions = 0;
            for (List<double[]> all : configurations) {
                double[] means = all.stream().mapToDouble(Descriptive::mean).toArray();
                if (means.length < 2) {
                    continue;
                }
                squares += Descriptive.sampleVariance(means) * (means.length - 1);
                df += means.length - 1;
                sessions += means.length;
                for (double[] runs : all) {
                    inverse += 1.0 / runs.length;
                    within += runs.length == 1 ? 0 : Descriptive.sampleVariance(runs) * (runs.length - 1);
                    withinDf += runs.length - 1;
                }
            }
            return df < FEWEST - 1
                    ? Optional.empty()
                    : Optional.of(new Known(
                            squares / df,
                            df,
                            sessions,
                            sessions / inverse,
                            withinDf == 0 ? 0 : within / withinDf,
                            withinDf));
        }

        /** Returns the standard deviation between sessions alone, without what their runs explain. */
        public double sd() {
            return Math.sqrt(Math.max(0, variance - within / runs));
        }

        @Override
        public Student difference(double[] x, double[] y) {
            Student byRuns = Student.welch(x, y);
            return combined(byRuns, Runs.of(x, y), 1.0 / x.length + 1.0 / y.length);
        }

        @Override
        public Student withRuns(double[] x, double[] y, int n) {
            return combined(ONE.withRuns(x, y, n), Runs.of(x, y), 2.0 / n);
        }

        /**
         * Returns the difference with the variance of two means of so many runs as earlier sessions had, more or less
         * what fewer or more runs bring, with degrees of freedom by Satterthwaite (1946). Never less than that of the
         * runs alone.
         *
         * @param share 1 / n + 1 / m of the runs now
         */
        private Student combined(Student byRuns, Runs now, double share) {
            double pooledDf = withinDf + now.df;
            double pooled = (within * withinDf + now.variance * now.df) / pooledDf;
            double ofSessions = 2 * variance;
            double ofRuns = (share - 2 / runs) * pooled;
            double v = ofSessions + ofRuns;
            if (v <= byRuns.se() * byRuns.se()) {
                return byRuns;
            }
            double freedom = v * v / (ofSessions * ofSessions / df + ofRuns * ofRuns / pooledDf);
            return new Student(byRuns.estimate(), Math.sqrt(v), freedom);
        }
    }

    /** Runs sums up the runs of two sessions: their difference, and the variance of a run within its session. */
    record Runs(double estimate, double variance, double df) {
        static Runs of(double[] x, double[] y) {
            double df = x.length + y.length - 2.0;
            double squares =
                    Descriptive.sampleVariance(x) * (x.length - 1) + Descriptive.sampleVariance(y) * (y.length - 1);
            return new Runs(Descriptive.mean(y) - Descriptive.mean(x), squares / df, df);
        }

        /** Returns the difference with two sessions' allowance; a multiple of runs' variance has their df. */
        private Student with(double ofRuns, double runsDf) {
            double multiple = 2 * Unknown.TIMES_RUNS * Unknown.TIMES_RUNS * variance;
            double least = 2 * Unknown.LEAST * Unknown.LEAST;
            if (multiple >= least) {
                return new Student(estimate, Math.sqrt(ofRuns + multiple), df);
            }
            double v = ofRuns + least;
            double freedom = ofRuns == 0 ? MOST_DF : Math.min(MOST_DF, v * v / (ofRuns * ofRuns / runsDf));
            return new Student(estimate, Math.sqrt(v), freedom);
        }

        /** A variance with this many degrees of freedom is as good as known. */
        private static final double MOST_DF = 1e6;
    }
}
