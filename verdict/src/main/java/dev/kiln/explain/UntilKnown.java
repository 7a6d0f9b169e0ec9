package dev.kiln.explain;

import dev.kiln.explain.window.Thresholds;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Series;
import dev.kiln.stats.series.Ending;
import dev.kiln.stats.series.Noise;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.Shape;
import dev.kiln.stats.series.TimeToPeak;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An UntilKnown says whether the first load of a run may end before its time, because the rest of it would show nothing
 * else. No curve shows that: a starved compiler makes a plateau too. So the compilers decide first, and where nobody
 * sees them the load takes its whole time. The peak comes after the pause and is not known yet, so the curve is held
 * against its own end. docs/reference/protocols.md has the rule, and bench/truth/RESULTS.md what it costs.
 *
 * @param least seconds that the load takes in any case
 * @param most seconds that the load takes at most
 * @param rarest share of all requests that the rarest call has in one process of the service, on average: each process compiles for
 *     itself
 */
public record UntilKnown(double least, double most, double rarest) {
    /** The compilers are watched for as long as the end of a load lasts at most where a starved C2 is looked for. */
    private static final int WATCHED = (int) Thresholds.END_MOST;

    /** The compilers are quiet up to this share of one CPU, as in the pauses of a search for the peak. */
    private static final double QUIET = 0.05;

    /**
     * What each request calls once is compiled by C2 after 5,000 requests (Tier4InvocationThreshold), and later where
     * its queue was long. Until then no compiler has the work that is to come.
     */
    private static final double REQUESTS = 10_000;

    /** A load takes at least as many times the time to its level: a second rise often comes as late again. */
    private static final int TIMES = 3;

    /** The curve must say the same in as many seconds one after the other: of many looks, one is right by chance. */
    private static final int LOOKS = 3;

    /**
     * Compilers are what C1 and C2 asked for in a second.
     *
     * @param demand share of one CPU that they used or waited for
     * @param counted whether the kernel counts how long they wait
     * @param queue methods that wait for C2, as it was told last; empty where it was not told
     */
    public record Compilers(double demand, boolean counted, OptionalInt queue) {}

    /** A Second of the load has the requests served, and the compilers where somebody sees them. */
    public record Second(double served, Optional<Compilers> compilers) {}

    /** An Answer says whether the load may end, and why, or what is not known yet. */
    public record Answer(boolean known, String why) {}

    /** Answers for a load of these seconds so far. */
    public Answer after(List<Second> seconds, AnalysisConfig config) {
        int n = seconds.size();
        if (n < Math.max(least, WATCHED)) {
            return new Answer(false, "the load was shorter than the least that it takes");
        }
        double[] served = seconds.stream().mapToDouble(Second::served).toArray();
        Optional<String> open = working(seconds.subList(n - WATCHED, n)).or(() -> few(served));
        for (int look = 0; look < LOOKS && open.isEmpty(); look++) {
            open = open(SeriesAnalyser.analyse(Arrays.copyOf(served, n - look), config), config);
        }
        return open.map(why -> new Answer(false, why))
                .orElseGet(() -> new Answer(
                        true,
                        String.format(
                                Locale.ROOT,
                                "C1 and C2 were quiet for %d s, and throughput was level since it had risen",
                                WATCHED)));
    }

    /** Returns why the compilers may still change the curve; empty where they had nothing to do. */
    private static Optional<String> working(List<Second> last) {
        List<Compilers> seen =
                last.stream().flatMap(second -> second.compilers().stream()).toList();
        if (seen.size() < last.size() || !seen.getLast().counted()) {
            return Optional.of("whether C2 has work is not seen");
        }
        double demand = seen.stream().mapToDouble(Compilers::demand).average().orElseThrow();
        if (demand > QUIET) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "C1 and C2 had work: they asked for %.0f %% of a CPU in the last %d s",
                    100 * demand,
                    last.size()));
        }
        OptionalInt queue = seen.getLast().queue();
        if (queue.isEmpty()) {
            return Optional.of("whether methods wait for C2 is not seen");
        }
        return queue.getAsInt() > 0 ? Optional.of(queue.getAsInt() + " methods waited for C2") : Optional.empty();
    }

    private Optional<String> few(double[] served) {
        double calls = rarest * Descriptive.sum(served);
        return calls < REQUESTS
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "%,.0f requests of the rarest call in a process are too few to have all of it compiled",
                        calls))
                : Optional.empty();
    }

    /** Returns what the curve leaves open; empty where it has come to a level, and going on would not change it. */
    private Optional<String> open(SeriesAnalysis series, AnalysisConfig config) {
        Shape shape = series.shape();
        if (series.ending().isEmpty() || shape.stoppedSeconds().isPresent()) {
            return Optional.of("throughput had no level");
        }
        if (shape.cycle().isPresent() || shape.slowing() || shape.slowingDoubt()) {
            return Optional.of("throughput may cycle, or may have been higher before");
        }
        Optional<TimeToPeak> time = series.ownTimes().stream()
                .filter(own -> own.percent() == TimeToPeak.HEADLINE && own.hi().isPresent())
                .findFirst();
        if (time.isEmpty() || TIMES * time.get().hi().orElseThrow() > series.seconds()) {
            return Optional.of("the load was shorter than three times the time to 90 % of its level");
        }
        Ending ending = series.ending().get();
        double reach = series.noise().reach(config.end().endZ()) * Math.sqrt(2) * ending.error();
        if (Math.exp(-reach) <= config.end().peakedAbove()) {
            return Optional.of("the level of the end was not known well enough for a verdict");
        }
        return change(series, time.get().hi().orElseThrow(), config);
    }

    /** Returns how far the line since the rise may lead in the rest of the load, where that is no level. */
    private Optional<String> change(SeriesAnalysis series, double risen, AnalysisConfig config) {
        double[] all = series.served().even();
        int from = (int) Math.ceil(risen / series.binSeconds());
        double[] level = Series.tamed(
                Arrays.copyOfRange(all, from, all.length), config.noise().cutSds());
        Noise noise = series.noise();
        double slope = Math.abs(Series.slope(level)) / Descriptive.mean(level);
        double reach = noise.reach(config.intervalZ()) * noise.ofSlope(level.length);
        double rest = (most - series.seconds()) / series.binSeconds();
        double change = (slope + reach) * rest;
        return change < config.delta()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "throughput could have changed by %.0f %% in the rest, as it went so far",
                        100 * change));
    }
}
