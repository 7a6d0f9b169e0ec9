package dev.kiln.stats;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * CensoredTimes sum up the times to an event that not every run reached before a common horizon.
 *
 * @param reached k of the n runs
 * @param horizon seconds
 * @param median seconds; empty, that is beyond the horizon, if half the runs or more are censored
 * @param restrictedMean mean of min(T, horizon), in seconds (Irwin 1949)
 */
public record CensoredTimes(int runs, int reached, double horizon, OptionalDouble median, double restrictedMean) {
    /** Sums up times in seconds, of which those at or beyond the horizon are censored. */
    public static CensoredTimes of(double[] times, double horizon) {
        double[] cut = cut(times, horizon);
        int reached = (int) Arrays.stream(cut).filter(t -> t < horizon).count();
        OptionalDouble median = 2 * (cut.length - reached) >= cut.length
                ? OptionalDouble.empty()
                : OptionalDouble.of(Descriptive.median(cut));
        return new CensoredTimes(cut.length, reached, horizon, median, Descriptive.mean(cut));
    }

    /** Sums up times, of which the empty ones are censored. */
    public static CensoredTimes of(List<OptionalDouble> times, double horizon) {
        return of(times.stream().mapToDouble(t -> t.orElse(horizon)).toArray(), horizon);
    }

    /** A CensoredDifference is the difference of two configurations' times in seconds, b minus a. */
    public record CensoredDifference(
            CensoredTimes a, CensoredTimes b, double restrictedMeanDifference, List<String> warnings) {
        public CensoredDifference {
            warnings = List.copyOf(warnings);
        }
    }

    /** Compares times under one horizon. */
    public static CensoredDifference compare(double[] a, double[] b, double horizon) {
        CensoredTimes first = of(a, horizon);
        CensoredTimes second = of(b, horizon);
        int censored = first.runs() + second.runs() - first.reached() - second.reached();
        List<String> warnings = censored == 0
                ? List.of()
                : List.of(censored + " of " + (first.runs() + second.runs()) + " runs did not get there within "
                        + Figures.number(horizon) + " s: means are restricted to it");
        return new CensoredDifference(first, second, second.restrictedMean() - first.restrictedMean(), warnings);
    }

    /** Returns the times with each that lies beyond the horizon replaced by the horizon. */
    public static double[] cut(double[] times, double horizon) {
        Checks.positive("horizon", horizon);
        Checks.atLeast("runs", times.length, 1);
        Series.requireRates(times);
        return Arrays.stream(times).map(t -> Math.min(t, horizon)).toArray();
    }
}
