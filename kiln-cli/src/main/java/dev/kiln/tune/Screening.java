package dev.kiln.tune;

import dev.kiln.stats.Student;
import java.util.Arrays;
import java.util.List;

/**
 * A Screening compares what a candidate serves in the first seconds of a load with what the baseline served in a load beside
 * it. Both count since the first second of their load, because a service that warms up sooner has served more by then. One
 * run shows little of another: the spread of single runs is a prior with what the runs of the baseline show.
 *
 * @param spread standard deviation of the logarithm of the requests that a run has served by then
 * @param degrees of freedom of the spread
 */
record Screening(double spread, double degrees) {
    /** A screen ends then at the latest. Half of a starved service's gain shows by then, and a full run takes three times as long. */
    static final int SECONDS = 30;

    /** A loss is looked for from this second on. */
    static final int FIRST = 10;

    /** A gain ends a screen from this second on: those that gain are ranked by what they have served by then. */
    static final int GAINED_FROM = 20;

    private static final int STEP = 5;
    private static final int LOOKS = (SECONDS - FIRST) / STEP + 1;

    /** All looks at a candidate together are wrong this often. */
    private static final double ERROR = 0.05;

    /** Equal runs on a shared machine differ about so much in the requests of their first 30 s. A choice. */
    private static final double PRIOR_SPREAD = 0.05;

    /** The prior counts as much as five runs of the baseline. A choice. */
    private static final double PRIOR_DEGREES = 4;

    /**
     * A Screened is what a candidate served, as a share of what the baseline served in the same seconds, less one.
     *
     * @param gain 0.2 for a fifth more requests
     * @param lo lower end of its interval, which holds at whichever second the screen ended
     * @param seconds from the first second of the load
     */
    record Screened(double gain, double lo, double hi, int seconds) {
        boolean isLost() {
            return hi < 0;
        }
    }

    /** @param runs of the baseline so far, requests of each second from the first of the load on */
    static Screening of(List<double[]> runs) {
        int seconds = runs.stream().mapToInt(run -> run.length).min().orElse(0);
        double[] logs = runs.stream()
                .filter(run -> seconds >= FIRST && served(run, Math.min(seconds, SECONDS)) > 0)
                .mapToDouble(run -> Math.log(served(run, Math.min(seconds, SECONDS))))
                .toArray();
        double mean = Arrays.stream(logs).average().orElse(0);
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        double degrees = PRIOR_DEGREES + Math.max(0, logs.length - 1);
        return new Screening(Math.sqrt((PRIOR_DEGREES * PRIOR_SPREAD * PRIOR_SPREAD + squares) / degrees), degrees);
    }

    private static double served(double[] run, int seconds) {
        return Arrays.stream(run, 0, seconds).sum();
    }

    /**
     * Returns what the seconds so far show.
     *
     * @param most seconds that count
     */
    Screened look(double[] baseline, double[] candidate, int most) {
        int seconds = Math.min(Math.min(baseline.length, candidate.length), most);
        double log = Math.log(Math.max(1, served(candidate, seconds)) / Math.max(1, served(baseline, seconds)));
        double reach = Student.quantile(1 - ERROR / LOOKS / 2, degrees) * spread * Math.sqrt(2);
        return new Screened(Math.exp(log) - 1, Math.exp(log - reach) - 1, Math.exp(log + reach) - 1, seconds);
    }

    /** Tells whether a candidate has surely lost or gained by now, so that more seconds would change nothing. */
    boolean isDecided(double[] baseline, double[] candidate) {
        int seconds = candidate.length;
        if (seconds < FIRST || (seconds - FIRST) % STEP != 0 || baseline.length < seconds) {
            return false;
        }
        Screened now = look(baseline, candidate, seconds);
        return now.isLost() || (seconds >= GAINED_FROM && now.lo() > 0);
    }
}
