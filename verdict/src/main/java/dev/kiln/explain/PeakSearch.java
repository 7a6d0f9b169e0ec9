package dev.kiln.explain;

import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowStatisticsBuilder;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.Another;
import dev.kiln.model.experiment.FoundReference.C2Left;
import dev.kiln.model.experiment.FoundReference.End;
import dev.kiln.model.experiment.FoundReference.LastRound;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Noise;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A PeakSearch is what a search for the reference peak has come to after its last round, by all that was recorded of the run so
 * far. The same rules can be asked of a recorded run that is cut short. {@link FoundReference} has them, and
 * docs/reference/protocols.md says them in words.
 *
 * @param level requests per second of the last round
 * @param end why the search ended; empty where another round follows
 * @param why why the last round does not show the peak by itself; empty where it does
 */
public record PeakSearch(double level, Optional<End> end, Optional<Another> why) {
    /** The end of a load is this long, in seconds: there, a load of a minute is at the level to which its warm-up has brought it. */
    private static final int TAIL = 10;

    /**
     * A round agrees with earlier runs down to this share below their mean: half of what counts as a rise. With 5 % a service whose
     * rounds rise in small steps was taken for one at its peak too early (bench/truth/RESULTS.md).
     */
    private static final double MOST_BELOW = FoundReference.RISE / 2;

    /**
     * Judges the rounds so far.
     *
     * @param soFar the run's evidence up to the end of its last round, of which there is one at least
     * @param earlier the peaks that earlier runs of the variant found
     */
    public static PeakSearch after(RunEvidence soFar, List<Double> earlier, AnalysisConfig config) {
        List<LoadSeries> loads = soFar.info().phases().stream()
                .filter(PhaseTime::load)
                .map(phase -> LoadSeries.of(phase.name(), soFar.load()))
                .toList();
        int first = loads.size() - soFar.info().referenceRounds().size();
        List<LoadSeries> before = loads.subList(0, first);
        List<LoadSeries> rounds = loads.subList(first, loads.size());
        ThreadTimes threads = ThreadTimes.of(soFar);
        Loads read = new Loads(
                LoadSeries.concatenated(before),
                tail(before),
                rounds.stream().map(LoadSeries::completed).toList());
        return read.after(ofAll(soFar, threads, rounds), disturbed(soFar, threads, rounds), earlier, config);
    }

    /** Returns how many of the rounds other programs disturbed; 0 if they did not disturb the last. */
    private static int disturbed(RunEvidence run, ThreadTimes threads, List<LoadSeries> rounds) {
        Predicate<LoadSeries> disturbed = round -> round.bins() > 0
                && !Validity.disturbed(run, threads, window(round)).isEmpty();
        return disturbed.test(rounds.getLast())
                ? (int) rounds.stream().filter(disturbed).count()
                : 0;
    }

    private static Window window(LoadSeries round) {
        return new Window(round.startNanos(), round.endNanos());
    }

    /**
     * Loads are the seconds of a run whose peak is searched for.
     *
     * @param first requests per second of the loads before the first round
     * @param before requests per second at their end
     * @param rounds requests per second of each round
     */
    public record Loads(double[] first, double before, List<double[]> rounds) {
        /** Makes the loads of a run with one before its rounds. */
        public Loads(double[] first, List<double[]> rounds) {
            this(first, mean(Arrays.copyOfRange(first, Math.max(0, first.length - TAIL), first.length)), rounds);
        }

        /**
         * Judges these rounds, with what else was seen of the last of them.
         *
         * @param disturbed as a {@link LastRound} has it
         */
        public PeakSearch after(C2Left c2, int disturbed, List<Double> earlier, AnalysisConfig config) {
            double[] levels = rounds.stream()
                    .mapToDouble(round -> mean(Peak.restarted(round, config)))
                    .toArray();
            double level = levels[levels.length - 1];
            if (rounds.getLast().length == 0) {
                boolean less = Arrays.stream(levels).anyMatch(one -> one > level);
                return judged(levels, new LastRound(0, less, c2, true, false, disturbed), false);
            }
            SeriesAnalysis series =
                    SeriesAnalyser.analyse(first, MeasuredLoad.atPeak(rounds, config), Optional.empty(), config);
            LastRound seen = new LastRound(
                    change(series),
                    series.fell(),
                    c2,
                    c2 == C2Left.NONE || agreesWithEnd(series, config),
                    agrees(level, rounds.getLast().length, earlier, series.noise(), config),
                    disturbed);
            return judged(levels, seen, series.servedLess());
        }

        /** @param less whether the load before them shows that what the rounds served is no peak */
        private PeakSearch judged(double[] levels, LastRound seen, boolean less) {
            return new PeakSearch(
                    levels[levels.length - 1],
                    FoundReference.after(before, levels, seen).map(end -> end.shownBy(seen.fell(), less)),
                    FoundReference.another(before, levels, seen));
        }
    }

    /** Returns whether throughput goes up (1) or down (-1) within the last round, as the finished run is judged. */
    private static int change(SeriesAnalysis series) {
        boolean climbing = !series.fell()
                && series.measured().stream().anyMatch(peak -> peak.bounds().contains(Peak.PeakBound.CLIMBING));
        return climbing ? 1 : series.shape().afterPause().declined() ? -1 : 0;
    }

    /** Tells whether end and round are within delta of each other, by the interval of their ratio; true where there is no end. */
    private static boolean agreesWithEnd(SeriesAnalysis series, AnalysisConfig config) {
        return series.ending()
                .flatMap(end -> series.measured().map(peak -> end.over(peak, series.noise(), config)))
                .map(share -> share.within(1 - config.delta(), 1 + config.delta()))
                .orElse(true);
    }

    /**
     * Tells whether a round is within delta of the mean of earlier runs' peaks, by the interval of their ratio, and hardly below
     * it. The interval has the round's own noise, and how far this run's peak may lie from their mean: as far as theirs lie apart.
     */
    private static boolean agrees(double level, int seconds, List<Double> earlier, Noise noise, AnalysisConfig config) {
        if (earlier.isEmpty() || level <= 0) {
            return false;
        }
        double[] logs = earlier.stream().mapToDouble(Math::log).toArray();
        double own = noise.ofMean(seconds);
        double between = logs.length < 2
                ? own
                : Math.max(own, Math.sqrt(Descriptive.sampleVariance(logs) * (1 + 1.0 / logs.length)));
        double reach = noise.reach(config.end().endZ()) * Math.hypot(own, between);
        Estimate ratio = Estimate.ofRelative(level / Math.exp(Descriptive.mean(logs)), reach);
        return ratio.value() > 1 - MOST_BELOW && ratio.within(1 - config.delta(), 1 + config.delta());
    }

    /**
     * Returns what C2 had to do in the last round. Of several processes the one decides in which it had most, or was not seen; first
     * one in which another round may see it.
     */
    private static C2Left ofAll(RunEvidence run, ThreadTimes threads, List<LoadSeries> rounds) {
        List<Window> windows = rounds.stream().map(PeakSearch::window).toList();
        List<C2Left> all = new ArrayList<>(List.of(c2Left(run, threads, windows)));
        for (RunEvidence replica : run.replicas()) {
            long ahead = run.ahead(replica);
            all.add(c2Left(
                    replica,
                    ThreadTimes.of(replica),
                    windows.stream().map(window -> window.later(ahead)).toList()));
        }
        C2Left most = Collections.max(all);
        return most == C2Left.NOTHING || most == C2Left.BLIND
                ? all.stream()
                        .filter(left -> left == C2Left.UNSEEN || left == C2Left.BLIND)
                        .min(Comparator.naturalOrder())
                        .orElse(most)
                : most;
    }

    private static C2Left c2Left(RunEvidence run, ThreadTimes threads, List<Window> rounds) {
        C2Left last = c2Left(run, threads, rounds.getLast());
        boolean again = last == C2Left.UNSEEN
                && rounds.subList(0, rounds.size() - 1).stream()
                        .anyMatch(round -> c2Left(run, threads, round) == C2Left.UNSEEN);
        return again ? C2Left.BLIND : last;
    }

    private static C2Left c2Left(RunEvidence run, ThreadTimes threads, Window round) {
        Optional<CpuUse> use = round.seconds() > 0
                ? threads.use(ThreadRole.C2, round, run.info().provenance())
                : Optional.empty();
        if (use.isEmpty()) {
            return C2Left.UNSEEN;
        }
        if (!threads.has(ThreadRole.C2)) {
            return run.threads().stream().anyMatch(PeakSearch::compilesElsewhere) ? C2Left.UNSEEN : C2Left.NONE;
        }
        CpuUse c2 = use.get();
        if (c2.starved()) {
            return C2Left.STARVED;
        }
        OptionalInt queue = round.of(run.jit(), JitSample::timeNanos).stream()
                .flatMapToInt(sample -> sample.c2Queue().stream())
                .reduce((earlier, later) -> later);
        if (queue.isPresent() && queue.getAsInt() >= Thresholds.BACKLOG) {
            return C2Left.BEHIND;
        }
        double much = FoundReference.C2_AT_PEAK * cpus(run);
        if (c2.cpu() > much || c2.demand() >= Math.max(Thresholds.QUIET_DEMAND, much)) {
            return queue.isPresent() ? C2Left.BUSY : C2Left.UNTOLD;
        }
        // A C2 that asks for little has no queue. What it asks for is known only where a kernel counts waits.
        boolean waits = run.threads().stream().anyMatch(thread -> thread.waitNanos() > 0);
        return waits || queue.isPresent() ? C2Left.NOTHING : C2Left.UNSEEN;
    }

    /** Tells whether a thread is one of OpenJ9's compilers, which Kiln does not tell apart. */
    private static boolean compilesElsewhere(ThreadSample thread) {
        return thread.name().startsWith("JIT Comp");
    }

    /** Returns the number of CPUs that the target may use: a quota may be less than one of them. */
    private static double cpus(RunEvidence run) {
        RunInfo info = run.info();
        int given = info.cpus().pinned()
                ? WindowStatisticsBuilder.targetCpus(run).size()
                : info.host().cpus();
        OptionalDouble quota = info.treatment().limits().cpus();
        return quota.isPresent() ? Math.min(quota.getAsDouble(), Math.max(1, given)) : Math.max(1, given);
    }

    private static double tail(List<LoadSeries> before) {
        double[] last = before.isEmpty() ? new double[0] : before.getLast().completed();
        return mean(Arrays.copyOfRange(last, Math.max(0, last.length - TAIL), last.length));
    }

    private static double mean(double[] bins) {
        return bins.length == 0 ? 0 : Descriptive.mean(bins);
    }
}
