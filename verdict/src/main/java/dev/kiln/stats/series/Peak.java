package dev.kiln.stats.series;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Series;
import dev.kiln.stats.Student;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A Peak is the level that a service can sustain: the mean of the load after the pause; of several runs the geometric
 * mean.
 *
 * @param throughput requests per second
 * @param confidence two-sided, of its interval
 * @param error relative standard error
 * @param level what the end of the first load is compared with: the same with dips cut; of a phase that still climbed the
 *     level of its second half
 * @param levelError its relative standard error
 * @param bounds why the true peak may be higher; empty for a peak that was found
 * @param runs that it is the mean of
 */
public record Peak(
        Estimate throughput,
        double confidence,
        double error,
        double level,
        double levelError,
        List<PeakBound> bounds,
        int runs) {
    /** A load has settled when it has come to this share of its level. */
    private static final double SETTLED = 0.9;

    /** The bins left out as settling lie below the level by at least this many standard errors. */
    private static final double SETTLE_Z = 2.5;

    /** Rounds of one service differ by as much where neighbours come and go: 1,506 and 1,350 req/s were measured, and 1,583 and 1,437. */
    private static final double ROUNDS_DIFFER = 0.2;

    /** A PeakBound is the reason why a peak is only a lower bound. */
    public enum PeakBound {
        CLIMBING("throughput was still climbing in the load after the pause"),
        STARVED("C2 still waited for a CPU in the load after the pause"),
        OFFERED("all that was offered was served in the load after the pause"),
        RISING("the search for the peak ended before a round was at a level");

        private final String text;

        PeakBound(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** An Absence is the reason why a series has no peak. */
    public enum Absence {
        NO_PAUSE("this protocol has no pause; add one, and a load after it, which shows the peak"),
        NOT_MEASURED("no load after a pause served requests, so the peak is not known"),
        DECLINES("throughput declined in the load after the pause, so it does not show the peak"),
        SERVED_LESS("the load after the pause served less than the end of the load before it, so the peak is unknown"),
        FELL("the last round of the search served over a fifth less than an earlier one, so the peak is unknown");

        private final String text;

        Absence(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        /** Tells whether there was a load after a pause, and it is no reference. */
        public boolean judged() {
            return this != NO_PAUSE && this != NOT_MEASURED;
        }
    }

    /**
     * An AfterPause says for what reasons the last load after a pause does not show the peak, whatever else does.
     *
     * @param slower the end of the first load still had a held level, for all that is known; the load after the pause had not
     * @param declined throughput went down within it
     * @param fell it surely served less than a load before it that had followed a pause too, by over a fifth
     */
    public record AfterPause(boolean slower, boolean declined, boolean fell) {}

    public Peak {
        bounds = List.copyOf(bounds);
    }

    public double value() {
        return throughput.value();
    }

    /** Returns the peak in words: {@code 3,400 req/s}, or {@code at least 3,400 req/s} for a lower bound. */
    public String words() {
        return String.format(Locale.ROOT, "%s%,.0f req/s", lowerBound() ? "at least " : "", value());
    }

    /** Tells whether the true peak may be higher: it is printed with "at least" then. */
    public boolean lowerBound() {
        return !bounds.isEmpty();
    }

    /** Returns the first reason why the true peak may be higher, in words; empty unless it is a lower bound. */
    public String why() {
        return bounds.isEmpty() ? "" : bounds.getFirst().text();
    }

    /** Returns the measuring phase without the first bins, the connections' restart, where it has more. */
    public static double[] restarted(double[] measure, AnalysisConfig config) {
        int skip = measure.length > config.jump().jumpSkipBins() + 1
                ? config.jump().jumpSkipBins()
                : 0;
        return Arrays.copyOfRange(measure, skip, measure.length);
    }

    /** Returns a load without what it took to settle, at most half of it; nothing of one that climbs on. */
    static double[] settled(double[] load, Noise noise, AnalysisConfig config) {
        int n = load.length;
        double level = n < 8 ? 0 : Series.mean(load, n / 2, n);
        if (level <= 0) {
            return load;
        }
        int at = 0;
        double sum = 0;
        double least = 0;
        double limit = 1 - SETTLED;
        for (int i = 0; i < n; i++) {
            sum += Math.clamp(load[i] / level - SETTLED, -limit, limit);
            if (sum < least) {
                least = sum;
                at = i + 1;
            }
        }
        if (at == 0 || (at > n / 2 && change(load, noise, config) > 0)) {
            return load;
        }
        int cut = Math.min(at, n / 2);
        double below = 1 - Series.mean(load, 0, cut) / Series.mean(load, cut, n);
        double error = Math.hypot(noise.ofMean(cut), noise.ofMean(n - cut));
        boolean settles = below > Math.max(config.delta(), noise.reach(SETTLE_Z) * error);
        double[] rest = Arrays.copyOfRange(load, cut, n);
        return settles && change(rest, noise, config) <= 0 ? rest : load;
    }

    /** Returns the loads after a pause that show the level: all but those that fell. */
    static List<double[]> notFallen(List<double[]> loads, Noise noise, AnalysisConfig config) {
        return loads.stream().filter(load -> !fell(load, loads, noise, config)).toList();
    }

    /**
     * Tells whether a load after a pause surely served over a fifth less than another one: rounds mostly differ by less. Then
     * something broke in it, and it does not show the level.
     */
    private static boolean fell(double[] load, List<double[]> loads, Noise noise, AnalysisConfig config) {
        double mean = Descriptive.mean(load);
        return loads.stream().anyMatch(other -> {
            double level = Descriptive.mean(other);
            double error = Math.hypot(noise.ofMean(load.length), noise.ofMean(other.length));
            double reach = noise.reach(config.shape().heldZ()) * error;
            return level > 0 && Estimate.ofRelative(mean / level, reach).below(1 - ROUNDS_DIFFER);
        });
    }

    /** Returns the mean of each load, without the restart. */
    public static double[] levels(List<double[]> loads, AnalysisConfig config) {
        return loads.stream()
                .mapToDouble(load -> Descriptive.mean(restarted(load, config)))
                .toArray();
    }

    /**
     * Finds the peak of one run.
     *
     * @param loads after pauses, without the restart; of several rounds those that stood at the peak. At least one, and
     *     something was served in the last
     * @param known bounds that are known from something else than the curve
     */
    public static Peak of(List<double[]> loads, List<PeakBound> known, Noise noise, AnalysisConfig config) {
        double[] bins = loads.getLast();
        double[] tamed = Series.tamed(bins, config.noise().cutSds());
        if (change(bins, noise, config) <= 0) {
            return standing(loads, known, noise, config);
        }
        double error = noise.ofMean(bins.length);
        double level = Descriptive.mean(tamed);
        Estimate throughput = Estimate.ofRelative(Descriptive.mean(bins), noise.reach(config.intervalZ()) * error);
        // Of a line three quarters along: sqrt(1 + 3/4) times the error of the mean.
        double late = level + Series.slope(tamed) * (bins.length - 1) / 4;
        List<PeakBound> bounds = new ArrayList<>(known);
        bounds.add(PeakBound.CLIMBING);
        return new Peak(throughput, config.confidence(), error, late, Math.sqrt(1.75) * error, bounds, 1);
    }

    /** Returns the mean of the rounds, with at least the error between them, which no round shows. */
    private static Peak standing(List<double[]> loads, List<PeakBound> known, Noise noise, AnalysisConfig config) {
        double[] means = loads.stream().mapToDouble(Descriptive::mean).toArray();
        double mean = Descriptive.mean(means);
        double within =
                noise.ofMean(loads.stream().mapToInt(load -> load.length).sum());
        double between = means.length < 2 ? 0 : Student.oneSample(means).se() / mean;
        double error = Math.max(within, between);
        double level = loads.stream()
                .mapToDouble(load ->
                        Descriptive.mean(Series.tamed(load, config.noise().cutSds())))
                .average()
                .orElseThrow();
        return new Peak(
                Estimate.ofRelative(mean, noise.reach(config.intervalZ()) * error),
                config.confidence(),
                error,
                level,
                error,
                known,
                1);
    }

    /** Makes the peak of a level that was held before the pause, and not after. */
    static Peak of(HeldLevel held, Noise noise, AnalysisConfig config) {
        return held(held.level(), held.error(), noise, config);
    }

    /** Makes the peak of a held level with its relative standard error. */
    static Peak held(double level, double error, Noise noise, AnalysisConfig config) {
        double reach = noise.reach(config.intervalZ()) * error;
        return new Peak(Estimate.ofRelative(level, reach), config.confidence(), error, level, error, List.of(), 1);
    }

    /** Tells whether throughput goes up (1) or down (-1) by more than delta; 0 where neither is shown. */
    public static int change(double[] bins, Noise noise, AnalysisConfig config) {
        if (bins.length < 3) {
            return 0;
        }
        double[] tamed = Series.tamed(bins, config.noise().cutSds());
        double slope = Series.slope(tamed) / Descriptive.mean(tamed);
        // A starved warm-up is noisier than what follows it: the phase's own noise may show a slope that both do not.
        Noise own = Noise.of(List.of(tamed), config.countedSeconds());
        double z = config.end().slopeZ();
        double reach = Math.min(own.reach(z) * own.ofSlope(bins.length), noise.reach(z) * noise.ofSlope(bins.length));
        boolean counts = Math.abs(slope) * bins.length > config.delta();
        return counts && Math.abs(slope) > reach ? (int) Math.signum(slope) : 0;
    }

    /** Returns several runs' peak: geometric mean, t between runs; lower bounds only if no run found its own. */
    public static Peak ofRuns(List<Peak> all, double confidence) {
        List<Peak> found = all.stream().filter(peak -> !peak.lowerBound()).toList();
        List<Peak> used = found.isEmpty() ? all : found;
        if (used.size() == 1) {
            return used.getFirst();
        }
        double[] logs =
                used.stream().mapToDouble(peak -> Math.log(peak.value())).toArray();
        Student between = Student.oneSample(logs);
        double within = Math.sqrt(used.stream()
                        .mapToDouble(peak -> peak.error * peak.error)
                        .sum())
                / used.size();
        double error = Math.max(between.se(), within);
        List<PeakBound> bounds =
                used.stream().flatMap(peak -> peak.bounds.stream()).distinct().toList();
        double level = Math.exp(used.stream()
                .mapToDouble(peak -> Math.log(peak.level))
                .average()
                .orElseThrow());
        Estimate throughput = new Estimate(
                Math.exp(between.estimate()), Math.exp(between.lo(confidence)), Math.exp(between.hi(confidence)));
        return new Peak(throughput, confidence, error, level, error, bounds, used.size());
    }

    /**
     * A PeakReference is what times and shares refer to.
     *
     * @param measured what the load after the pause itself says of the peak; empty without one
     * @param own what the series itself says of its peak, whatever other runs found; empty where that is nothing
     * @param peak its own, that of other runs where its own is a lower bound, or that of another variant where it is held
     *     against it; empty where there is none
     * @param absence why there is no peak; empty where there is one, and where that of other runs stands in for it
     */
    public record PeakReference(
            Optional<Peak> measured, Optional<Peak> own, Optional<Peak> peak, Optional<Peak.Absence> absence) {}
}
