package dev.kiln.explain;

import dev.kiln.explain.CallResult.CallLoad;
import dev.kiln.explain.RunResult.Caveats;
import dev.kiln.explain.RunResult.Observation;
import dev.kiln.explain.budget.BudgetCurve;
import dev.kiln.explain.budget.BudgetReader;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.cause.Causes;
import dev.kiln.explain.window.BinPolicy;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowEvidence.OtherWindows;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Stretch;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.PhaseTime;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Bins;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A RunDigest is what is kept of a run's evidence once it has been read: all that can be said of the run before its
 * variant's reference peak is known.
 *
 * @param parts of the run that claims ask for
 */
public record RunDigest(
        RunInfo info,
        Loads loads,
        Caveats caveats,
        ServedLoad served,
        Observation observation,
        Diagnosis diagnosis,
        Map<Stretch, RunPart> parts) {
    /** The beginning of a load is its first ten seconds, as in the response times. */
    private static final long BEGINNING_NANOS = 10_000_000_000L;

    /**
     * Loads are the throughput of a run, before and after its pause.
     *
     * @param config constants of the analysis that fit the length of its bins
     * @param warmup requests per second before the measuring phase
     * @param afterPause likewise, after it: one load, or all rounds
     * @param calls of a mix, each by itself
     * @param starvedLast whether C2 was starved in the last of them, so that what it served is no peak
     * @param warmupBins which bins of the warm-up can be trusted
     */
    public record Loads(
            AnalysisConfig config,
            double[] warmup,
            List<double[]> afterPause,
            List<CallLoad> calls,
            boolean starvedLast,
            Bins.Validity warmupBins) {}

    /**
     * A Diagnosis is what held the run back.
     *
     * @param forecasts of C2, in order of time
     */
    public record Diagnosis(List<Finding> findings, CompilerTail compilers, List<Forecast> forecasts) {}

    public static RunDigest of(RunEvidence evidence, AnalysisConfig general) {
        return of(evidence, general, Set.of());
    }

    /**
     * Digests the evidence, with the parts of the run that claims ask for.
     *
     * @param parts that claims ask for
     */
    public static RunDigest of(RunEvidence evidence, AnalysisConfig general, Set<Stretch> parts) {
        RunInfo info = evidence.info();
        AnalysisConfig config = BinPolicy.config(evidence, general);
        List<LoadSeries> phases = info.phases().stream()
                .filter(PhaseTime::load)
                .map(phase -> BinPolicy.series(phase.name(), evidence, config))
                .toList();
        int rounds = info.referenceRounds().size();
        boolean measured = info.protocol().reference().isPresent()
                ? rounds > 0
                : phases.size() > 1 && phases.size() == info.protocol().loads();
        List<LoadSeries> warmup = phases.subList(0, phases.size() - (measured ? Math.max(1, rounds) : 0));
        List<LoadSeries> measuring = phases.subList(warmup.size(), phases.size());
        boolean loaded = phases.stream().anyMatch(phase -> phase.bins() > 0);
        Window watched = watched(evidence);
        long zero = phases.isEmpty() ? 0 : loaded ? phases.getFirst().startNanos() : watched.fromNanos();
        Window lateWarmup = loaded ? secondHalf(warmup) : watched;
        ThreadTimes threads = new ThreadTimes(evidence.threads());
        Curves curves = Curves.of(evidence, phases, threads, zero);
        OtherWindows others = new OtherWindows(
                before(warmup, lateWarmup)
                        .map(earlier -> WindowEvidence.in(evidence, threads, earlier, zero, OtherWindows.NONE)),
                reference(measuring)
                        .map(later -> WindowEvidence.in(evidence, threads, later, zero, OtherWindows.NONE)));
        WindowEvidence window = WindowEvidence.in(evidence, threads, lateWarmup, zero, others);
        WindowStatistics observed = window.observed();
        Budgets budgets = budgets(evidence, threads, warmup, measuring, window);
        return new RunDigest(
                info,
                new Loads(
                        config,
                        BinPolicy.beforePause(info, warmup, config),
                        measuring.stream().map(LoadSeries::completed).toList(),
                        new CallReader(warmup, measuring, zero).read(evidence),
                        measured && starved(threads, phases.getLast(), info),
                        LoadSeries.validity(warmup, config)),
                new Caveats(
                        Validity.reasons(info, phases, observed, config),
                        RunNotes.of(evidence),
                        info.provenance(),
                        info.imported()),
                ServedLoad.of(evidence, ResponseTimes.of(evidence, warmup, measuring, config)),
                new Observation(observed, curves, budgets),
                new Diagnosis(
                        Causes.judge(window, budgets),
                        CompilerTail.of(window),
                        warmup.isEmpty()
                                ? List.of()
                                : Forecaster.of(
                                        evidence,
                                        curves.jit(),
                                        zero,
                                        (warmup.getFirst().endNanos() - zero) / 1e9)),
                parts(evidence, parts));
    }

    /** Reads the budgets of the first seconds of the load, of its end, and of the last load after it. */
    private static Budgets budgets(
            RunEvidence evidence,
            ThreadTimes threads,
            List<LoadSeries> warmup,
            List<LoadSeries> measuring,
            WindowEvidence window) {
        if (warmup.isEmpty() || warmup.getFirst().bins() == 0) {
            return Budgets.NONE;
        }
        BudgetReader reader = new BudgetReader(evidence, threads);
        LoadSeries first = warmup.getFirst();
        return new Budgets(
                reader.of(new Window(
                        first.startNanos(), Math.min(first.endNanos(), first.startNanos() + BEGINNING_NANOS))),
                reader.of(window.end()),
                measuring.isEmpty()
                        ? Optional.empty()
                        : reader.of(new Window(
                                measuring.getLast().startNanos(),
                                measuring.getLast().endNanos())),
                BudgetCurve.of(evidence, reader, window.zeroNanos()));
    }

    /** Tells whether C2 was starved in a load: steady as it may be, what a starved compiler leaves is no peak. */
    private static boolean starved(ThreadTimes threads, LoadSeries load, RunInfo info) {
        return threads.starvedC2(new Window(load.startNanos(), load.endNanos()), info.provenance())
                .isPresent();
    }

    public AnalysisConfig config() {
        return loads.config;
    }

    public double[] warmup() {
        return loads.warmup;
    }

    public List<String> invalidReasons() {
        return caveats.invalidReasons();
    }

    public WindowStatistics observed() {
        return observation.observed();
    }

    public Curves curves() {
        return observation.curves();
    }

    public List<Finding> findings() {
        return diagnosis.findings;
    }

    private static Map<Stretch, RunPart> parts(RunEvidence evidence, Set<Stretch> asked) {
        Map<Stretch, RunPart> parts = new HashMap<>();
        asked.forEach(stretch -> RunPart.of(evidence, stretch).ifPresent(part -> parts.put(stretch, part)));
        return parts;
    }

    /**
     * Analyses the warm-up against the peak of the measuring phase.
     *
     * @param better a peak that other runs of the variant found, in place of a lower bound
     */
    public SeriesAnalysis series(Optional<Peak> better) {
        return BinPolicy.known(info, analysed(loads.warmup, loads.afterPause, better));
    }

    /** Analyses each call of a mix against its own peak, by the same loads as the whole. */
    public List<CallResult> callResults() {
        return loads.calls.stream()
                .map(call -> {
                    SeriesAnalysis series = analysed(call.warmup(), call.loadsAfterPause(), Optional.empty());
                    return new CallResult(
                            call,
                            series,
                            series.peak().isPresent() ? Optional.empty() : Optional.of(whyNoPeak(series)));
                })
                .toList();
    }

    private SeriesAnalysis analysed(double[] load, List<double[]> after, Optional<Peak> better) {
        SeriesAnalysis series = SeriesAnalyser.analyse(load, measured(after), better, loads.config);
        return info.protocol().paused() ? series : series.withoutPause();
    }

    private String whyNoPeak(SeriesAnalysis series) {
        return served.all().map(ResponseTimes::whyNoPeak).orElseGet(series::whyNoPeak);
    }

    private List<Peak.PeakBound> bounds() {
        List<Peak.PeakBound> bounds = new ArrayList<>();
        if (loads.starvedLast) {
            bounds.add(Peak.PeakBound.STARVED);
        }
        if (info.referenceMayRise()) {
            bounds.add(Peak.PeakBound.RISING);
        }
        if (bounds.isEmpty()
                && served.responses()
                        .filter(times -> times.offering().served() == ResponseTimes.OfferServed.AFTER_PAUSE)
                        .isPresent()) {
            bounds.add(Peak.PeakBound.OFFERED);
        }
        return bounds;
    }

    /**
     * Returns what the loads after the pause measured; it is nothing without one, and where all that was offered was
     * served.
     *
     * @param after of the whole, or of one call in it
     */
    private MeasuredLoad measured(List<double[]> after) {
        if (loads.afterPause.isEmpty() || served.all().isPresent()) {
            return MeasuredLoad.NONE;
        }
        double[] levels = Peak.levels(loads.afterPause, loads.config);
        return new MeasuredLoad(
                after.getFirst(), after.subList(FoundReference.firstAtPeak(levels), levels.length), bounds());
    }

    /** Returns the throughput of the last load after a pause; the array is empty without one. */
    public double[] measure() {
        return loads.afterPause.isEmpty() ? new double[0] : loads.afterPause.getLast();
    }

    /**
     * Tells whether the run came to its end and was what its variant says: figures that need no peak can be read from
     * it.
     */
    public boolean asMeant() {
        return info.outcome() == RunInfo.Outcome.COMPLETED
                && info.repeatedFor().isEmpty()
                && info.treatment().aot().flatMap(AotUse::failure).isEmpty();
    }

    /**
     * Returns the second half of the warm-up, or its last phase alone if that is shorter: in a pause nothing is busy,
     * whatever was the limit.
     */
    private static Window secondHalf(List<LoadSeries> warmup) {
        List<LoadSeries> loaded =
                warmup.stream().filter(phase -> phase.bins() > 0).toList();
        if (loaded.isEmpty()) {
            return new Window(0, 0);
        }
        long begin = loaded.getFirst().startNanos();
        LoadSeries last = loaded.getLast();
        long end = last.endNanos();
        return new Window(Math.max(begin + (end - begin) / 2, last.startNanos()), end);
    }

    /** Returns the load before the second half of the warm-up; empty if that begins with it. */
    private static Optional<Window> before(List<LoadSeries> warmup, Window lateWarmup) {
        return warmup.stream()
                .filter(phase -> phase.bins() > 0)
                .findFirst()
                .map(phase -> new Window(phase.startNanos(), lateWarmup.fromNanos()))
                .filter(window -> window.seconds() >= Thresholds.WINDOW_SECONDS);
    }

    /** Returns the last of the loads after the pause: what the service takes at its peak. */
    private static Optional<Window> reference(List<LoadSeries> measuring) {
        return measuring.isEmpty()
                ? Optional.empty()
                : Optional.of(measuring.getLast())
                        .map(load -> new Window(load.startNanos(), load.endNanos()))
                        .filter(window -> window.seconds() >= Thresholds.WINDOW_SECONDS);
    }

    /**
     * Returns the window of a run whose load was not Kiln's: the whole time from its beginning, as a live process has
     * no warm-up to be halved.
     */
    private static Window watched(RunEvidence evidence) {
        long end =
                evidence.threads().isEmpty() ? 0 : evidence.threads().getLast().timeNanos();
        return evidence.info().phases().stream()
                .filter(PhaseTime::load)
                .findFirst()
                .map(phase -> new Window(phase.startNanos(), Math.max(phase.startNanos(), end)))
                .orElse(new Window(0, 0));
    }

    /**
     * A CompilerTail is what the JIT compilers did at the end of the load.
     *
     * @param observed false where nothing recorded what C2 did
     * @param starved how C2 was starved; empty where it was not
     */
    public record CompilerTail(boolean observed, Optional<String> starved) {
        public static CompilerTail of(WindowEvidence s) {
            // Whoever takes the CPU, be it a limit: a compiler that waits has not done its work.
            Optional<String> starved = s.starvedC2().map(use -> use.words("C2") + " " + s.ending());
            boolean waits = s.c2().isPresent() && s.waitsRecorded();
            return new CompilerTail(waits || s.c2Queue().isPresent() || withoutC2(s.evidence(), s.threads()), starved);
        }

        /** Tells whether the JVM was watched and has no C2, such as one with C1 only: nothing is left to compile. */
        private static boolean withoutC2(RunEvidence evidence, ThreadTimes threads) {
            return threads.has(ThreadRole.C1)
                    && !threads.has(ThreadRole.C2)
                    && !evidence.compiler().isEmpty();
        }
    }
}
