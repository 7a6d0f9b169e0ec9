package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Figures;
import dev.kiln.stats.Series;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A TimeToPeak is the time to a percentage of a level, in seconds from the first bin.
 *
 * <p>With x the throughput of a bin and P the level, u = x / P - p is clipped to +-(1 - p), or to two standard deviations of a
 * bin where that is more, as noise that is not even has another median than mean. C(t) is its sum over the bins before t. The
 * time is the t at which C is least: before it throughput lay below p P on balance, after it above. It needs no smoothing, is
 * exact for a step, a staircase and an exponential, and an outage after the peak moves it only where it lasts longer than the
 * peak had held before. The interval holds every t at which noise does not distinguish C from its least value.
 *
 * @param percent of the level
 * @param seconds empty where the level was not reached within the series
 * @param lo lower end of the interval; empty where even that is beyond the series
 * @param hi upper end; empty where it is beyond the series
 */
public record TimeToPeak(int percent, OptionalDouble seconds, OptionalDouble lo, OptionalDouble hi) {
    /** The times to the peak are those to these percentages of it. */
    public static final List<Integer> PERCENTAGES = List.of(50, 90, 95, 99);

    /** Reports show the time to this percentage first. */
    public static final int HEADLINE = 90;

    /** These words stand for a time whose interval lies beyond the series. */
    public static final String NEVER = "not reached";

    /** Noise is read around a running median of this many bins. */
    private static final int SMOOTH = 15;

    private static final double STRONG_NOISE = 0.1;

    /** However strong noise is, one bin moves the sum by less than this. */
    private static final double MOST_CLIP = 0.5;

    private static final double MOST_RHO = 0.8;

    /** A running median of 15 bins lowers the correlation so much; set on simulated series (bench/truth). */
    private static final double MEDIAN_TAKES = 0.05;

    /** Finds the time to a level in requests per second; the series' noise is a floor for that near it. */
    public static TimeToPeak of(
            double[] bins, double level, double levelError, int percent, Noise noise, AnalysisConfig config) {
        int n = bins.length;
        double p = percent / 100.0;
        double clip = clip(percent, noise, config);
        double[] u = clipped(bins, level, percent, clip);
        double[] sums = sums(u);
        int at = least(sums);
        int span = config.time().timeSpan();
        double floor = config.time().timeFloor() * Math.min(noise.longRun(), STRONG_NOISE);
        double before = noise(Arrays.copyOfRange(u, Math.max(0, at - span), at), floor);
        double after = noise(Arrays.copyOfRange(u, at, Math.min(n, at + span)), floor);
        double left = Double.isNaN(before) ? Double.isNaN(after) ? floor : after : before;
        double right = Double.isNaN(after) ? left : after;
        int[] open = open(u, clip);
        int lo = at;
        int hi = at;
        for (int t = 0; t <= n; t++) {
            double w = t < at ? left : right;
            // Another level moves the bins that are not clipped, all by as much.
            double moved = p * levelError * Math.abs(open[t] - open[at]);
            double reach = Math.sqrt(w * w * Math.abs(t - at) + moved * moved);
            if (sums[t] - sums[at] <= noise.reach(config.time().timeZ()) * reach) {
                lo = Math.min(lo, t);
                hi = Math.max(hi, t);
            }
        }
        double w = config.binSeconds();
        return new TimeToPeak(percent, within(at, n, w), within(lo, n, w), within(hi, n, w));
    }

    /** Returns the same time no earlier than a lower percentage's: a series at 99 % is at 95 %. */
    TimeToPeak notBefore(TimeToPeak lower) {
        return new TimeToPeak(percent, later(seconds, lower.seconds), later(lo, lower.lo), later(hi, lower.hi));
    }

    /** Returns the same as not reached: no single bin near the end decides that the level was. */
    TimeToPeak notReached() {
        return new TimeToPeak(percent, OptionalDouble.empty(), lo, OptionalDouble.empty());
    }

    private static OptionalDouble later(OptionalDouble one, OptionalDouble other) {
        return one.isEmpty() || other.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(one.getAsDouble(), other.getAsDouble()));
    }

    private static double clip(int percent, Noise noise, AnalysisConfig config) {
        return Math.max(1 - percent / 100.0, Math.min(MOST_CLIP, config.time().clipSds() * noise.cv()));
    }

    /** Returns C(0) to C(n) of a series whose noise is known. */
    public static double[] sums(double[] bins, double level, int percent, Noise noise, AnalysisConfig config) {
        return sums(clipped(bins, level, percent, clip(percent, noise, config)));
    }

    /** Returns C(0) to C(n), in bins of the level: the curve whose lowest point is the time. */
    public static double[] sums(double[] bins, double level, int percent) {
        return sums(clipped(bins, level, percent, 1 - percent / 100.0));
    }

    private static double[] sums(double[] u) {
        double[] sums = new double[u.length + 1];
        for (int i = 0; i < u.length; i++) {
            sums[i + 1] = sums[i] + u[i];
        }
        return sums;
    }

    /** Returns how many of the bins before each are not clipped. */
    private static int[] open(double[] u, double clip) {
        int[] open = new int[u.length + 1];
        for (int i = 0; i < u.length; i++) {
            open[i + 1] = open[i] + (Math.abs(u[i]) < clip ? 1 : 0);
        }
        return open;
    }

    /** Returns the first index of the least sum; differences by rounding are ignored. */
    public static int least(double[] sums) {
        int at = 0;
        for (int t = 1; t < sums.length; t++) {
            if (sums[t] < sums[at] - 1e-12) {
                at = t;
            }
        }
        return at;
    }

    private static double[] clipped(double[] bins, double level, int percent, double clip) {
        double p = percent / 100.0;
        double[] u = new double[bins.length];
        for (int i = 0; i < u.length; i++) {
            u[i] = Math.clamp(bins[i] / level - p, -clip, clip);
        }
        return u;
    }

    /** Returns the long-run deviation around the running median, by lag one (Kendall 1954); NaN for few bins. */
    private static double noise(double[] u, double floor) {
        int n = u.length;
        if (n < 6) {
            return Double.NaN;
        }
        double[] middle = Series.centredMedian(u, SMOOTH);
        double[] away = new double[n];
        Arrays.setAll(away, i -> u[i] - middle[i]);
        double variance = Series.product(away, away, 0);
        if (variance <= 0) {
            return floor;
        }
        double lag = Series.lagOne(away);
        double rho = Math.clamp(lag + (1 + 3 * lag) / n + MEDIAN_TAKES, 0, MOST_RHO);
        return Math.max(floor, Math.sqrt(variance / n * Series.inflation(rho)));
    }

    private static OptionalDouble within(int bin, int bins, double binSeconds) {
        return bin >= bins ? OptionalDouble.empty() : OptionalDouble.of(bin * binSeconds);
    }

    /** Returns the time as printed: {@code 38 s (36-41)}, {@code not reached in 60 s} of the series. */
    public String words(double horizon) {
        if (never()) {
            return NEVER + " " + within(horizon);
        }
        String from = text(lo, horizon);
        String to = text(hi, horizon);
        return text(seconds, horizon) + " s"
                + (from.equals(to) ? "" : " (" + from + (hi.isPresent() ? "-" : " to ") + to + ")");
    }

    /** Returns the length of the series, behind {@link #NEVER}. */
    public static String within(double horizon) {
        return "in " + Figures.number(horizon) + " s";
    }

    /** Writes a time or an end of its interval; {@code > 60} where it is only known to lie beyond the series. */
    public static String text(OptionalDouble seconds, double horizon) {
        return seconds.isPresent() ? Figures.number(seconds.getAsDouble()) : "> " + Figures.number(horizon);
    }

    /** Returns what is known of the time, as a verb: {@code reached}, or less than that. */
    public String reached() {
        return never() ? "did not reach" : seconds.isEmpty() ? "cannot be shown to have reached" : "reached";
    }

    /** Tells whether the level was not reached within the series, by its interval. */
    public boolean never() {
        return lo.isEmpty();
    }
}
