package dev.kiln.tune;

import dev.kiln.stats.Student;
import java.util.Arrays;
import java.util.List;

/**
 * A Screening compares a candidate's first seconds of a load with the baseline's in a load beside it: the requests that each will
 * have served at the end of its load, if it goes on as in its last ten seconds. What was served so far alone would say the wrong
 * thing of a cure that pays first: compilers that get the CPU leave less of it for requests until their work is done. One run
 * shows little of another: the spread of single runs is a prior with what the runs of the baseline show.
 *
 * @param load seconds of the first load of a whole run
 * @param spread standard deviation of the logarithm of the requests that a run is on the way to
 * @param degrees of freedom of the spread
 */
record Screening(int load, double spread, double degrees) {
    /** A screen ends then at the latest. Half of a starved service's gain shows by then, and a full run takes three times as long. */
    static final int SECONDS = 30;

    /** The first look. Until then compilers that were favoured may still be at work. */
    static final int FIRST = 20;

    /** The seconds that show how a run goes on. */
    private static final int LATEST = 10;

    private static final int STEP = 5;
    private static final int LOOKS = (SECONDS - FIRST) / STEP + 1;

    /** All looks at a candidate together are wrong this often. */
    private static final double ERROR = 0.05;

    /** Five equal runs of a diagram server on a shared machine differed by 0.11, at second 20 as at second 30. */
    private static final double PRIOR_SPREAD = 0.11;

    /** The prior counts as much as five runs of the baseline. A choice. */
    private static final double PRIOR_DEGREES = 4;

    /**
     * A Screened is what a candidate is on the way to serve in its load, as a share of what the baseline is, less one.
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

    /**
     * @param load seconds of the first load of a whole run
     * @param runs of the baseline so far, requests of each second from the first of the load on
     */
    static Screening of(int load, List<double[]> runs) {
        int seconds = Math.min(
                SECONDS, runs.stream().mapToInt(run -> run.length).min().orElse(0));
        double[] logs = runs.stream()
                .filter(run -> seconds >= LATEST && expected(run, seconds, load) > 0)
                .mapToDouble(run -> Math.log(expected(run, seconds, load)))
                .toArray();
        double mean = Arrays.stream(logs).average().orElse(0);
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        double degrees = PRIOR_DEGREES + Math.max(0, logs.length - 1);
        return new Screening(
                load, Math.sqrt((PRIOR_DEGREES * PRIOR_SPREAD * PRIOR_SPREAD + squares) / degrees), degrees);
    }

    /** Returns the requests of the whole load, if it goes on as in its last seconds. */
    private static double expected(double[] run, int seconds, int load) {
        int latest = Math.min(LATEST, seconds);
        double rate = latest == 0 ? 0 : served(run, seconds - latest, seconds) / latest;
        return served(run, 0, seconds) + rate * Math.max(0, load - seconds);
    }

    private static double served(double[] run, int from, int to) {
        return Arrays.stream(run, from, to).sum();
    }

    /**
     * Returns what the seconds so far show.
     *
     * @param most seconds that count
     */
    Screened look(double[] baseline, double[] candidate, int most) {
        int seconds = Math.min(Math.min(baseline.length, candidate.length), most);
        double log = Math.log(
                Math.max(1, expected(candidate, seconds, load)) / Math.max(1, expected(baseline, seconds, load)));
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
        return now.isLost() || now.lo() > 0;
    }
}
