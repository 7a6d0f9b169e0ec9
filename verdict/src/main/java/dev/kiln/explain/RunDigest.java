package dev.kiln.explain;

import dev.kiln.explain.CallResult.CallLoad;
import dev.kiln.explain.CallResult.CallReader;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.RunResult.Caveats;
import dev.kiln.explain.RunResult.Observation;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.cause.Causes;
import dev.kiln.explain.window.BinPolicy;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.experiment.Claim.Stretch;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.End;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Bins;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** A RunDigest is what can be said of a run before its variant's reference peak is known. */
public record RunDigest(
        RunInfo info,
        Loads loads,
        Caveats caveats,
        ServedLoad served,
        Observation observation,
        Diagnosis diagnosis,
        Map<Stretch, RunPart> parts) {
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

    /** A Diagnosis is what held the run back, with forecasts of C2 in order of time. */
    public record Diagnosis(List<Finding> findings, CompilerTail compilers, List<Forecast> forecasts) {}

    public static RunDigest of(RunEvidence evidence, AnalysisConfig general) {
        return of(evidence, general, Set.of());
    }

    /** Digests the evidence, with the parts of the run that claims ask for. */
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
                : phases.size() > 1 && phases.size() == info.protocol().loads().size();
        List<LoadSeries> warmup = phases.subList(0, phases.size() - (measured ? Math.max(1, rounds) : 0));
        List<LoadSeries> measuring = phases.subList(warmup.size(), phases.size());
        RunWindows windows = new RunWindows(evidence, ThreadTimes.of(evidence), phases, warmup.size());
        long zero = windows.zeroNanos();
        Curves curves = Curves.of(evidence, phases, windows.threads(), zero);
        List<RunWindows> processes = windows.ofAll(config);
        List<WindowEvidence> late =
                processes.stream().map(RunWindows::lateWarmup).toList();
        WindowEvidence window = late.getFirst();
        Budgets budgets = windows.budgets(window);
        return new RunDigest(
                info,
                new Loads(
                        config,
                        BinPolicy.beforePause(info, warmup, config),
                        measuring.stream().map(LoadSeries::completed).toList(),
                        new CallReader(warmup, measuring, zero).read(evidence),
                        measured && processes.stream().anyMatch(RunWindows::starvedLast),
                        LoadSeries.validity(warmup, config)),
                caveats(evidence, Validity.reasons(evidence, phases, window.observed(), config)),
                ServedLoad.of(evidence, ResponseTimes.of(evidence, warmup, measuring, config)),
                new Observation(window.observed(), curves, budgets, Replica.each(processes, late)),
                new Diagnosis(
                        Causes.judge(late, budgets), CompilerTail.of(late), forecasts(evidence, curves, zero, warmup)),
                parts(evidence, parts));
    }

    private static Caveats caveats(RunEvidence evidence, List<String> invalid) {
        RunInfo info = evidence.info();
        return new Caveats(invalid, RunNotes.of(evidence), info.provenance(), info.imported(), info.attached());
    }

    private static List<Forecast> forecasts(RunEvidence evidence, Curves curves, long zero, List<LoadSeries> warmup) {
        // What is left for one of several C2 does not say when the service is warm.
        return warmup.isEmpty() || evidence.sent().shared()
                ? List.of()
                : Forecaster.of(evidence, curves.jit(), zero, (warmup.getFirst().endNanos() - zero) / 1e9);
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

    /** Analyses the warm-up against the peak of the measuring phase, or a better one of the variant's runs. */
    public SeriesAnalysis series(Optional<Peak> better) {
        return BinPolicy.known(info, analysed(loads.warmup, loads.afterPause, better));
    }

    /**
     * Returns the peak that this run's search found, where two rounds stood at it, or one that agreed with earlier runs; empty for
     * a run that is not valid, and where no peak was shown so well.
     */
    public OptionalDouble foundPeak() {
        boolean seen = FoundReference.atPeak(Peak.levels(loads.afterPause, loads.config)) > 1;
        boolean found = info.course()
                .referenceEnd()
                .filter(end -> end == End.CONFIRMED || (end == End.FOUND && seen))
                .isPresent();
        if (!found || !invalidReasons().isEmpty()) {
            return OptionalDouble.empty();
        }
        SeriesAnalysis series = series(Optional.empty());
        return series.measured()
                .filter(peak -> series.absence().isEmpty() && !series.servedLess() && !peak.lowerBound())
                .map(peak -> OptionalDouble.of(peak.value()))
                .orElse(OptionalDouble.empty());
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

    /** Returns how long after the first request its throughput came to the headline's share of the peak; empty without one. */
    Optional<TimeToPeak> fromFirstRequest() {
        return whole(loads.warmup, loads.afterPause, Optional.empty()).time(TimeToPeak.HEADLINE);
    }

    private SeriesAnalysis analysed(double[] load, List<double[]> after, Optional<Peak> better) {
        SeriesAnalysis series = whole(load, after, better);
        return info.attached().isPresent() ? series.withoutWarmup() : series;
    }

    private SeriesAnalysis whole(double[] load, List<double[]> after, Optional<Peak> better) {
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

    /** Returns what loads after the pause measured, whole or of a call; nothing where all offered was served. */
    private MeasuredLoad measured(List<double[]> after) {
        if (loads.afterPause.isEmpty() || served.all().isPresent()) {
            return MeasuredLoad.NONE;
        }
        double[] levels = Peak.levels(loads.afterPause, loads.config);
        int first = FoundReference.firstAtPeak(levels);
        return new MeasuredLoad(after.getFirst(), first, after.subList(first, levels.length), bounds());
    }

    /** Returns the throughput of the last load after a pause; the array is empty without one. */
    public double[] measure() {
        return loads.afterPause.isEmpty() ? new double[0] : loads.afterPause.getLast();
    }

    /** Tells whether the run ended and was what its variant says, so that it has figures without a peak. */
    public boolean asMeant() {
        return info.outcome() == Course.Outcome.COMPLETED
                && info.repeatedFor().isEmpty()
                && info.treatment().aot().flatMap(AotUse::failure).isEmpty();
    }

    /**
     * A CompilerTail is what the JIT compilers did at the end of the load.
     *
     * @param observed false where nothing recorded what C2 did
     * @param starved how C2 was starved; empty where it was not
     */
    public record CompilerTail(boolean observed, Optional<String> starved) {
        /** Returns that of processes that serve together: C2 was starved if that of one of them was. */
        static CompilerTail of(List<WindowEvidence> processes) {
            if (processes.size() == 1) {
                return of(processes.getFirst());
            }
            String starved = processes.stream()
                    .flatMap(late -> of(late).starved.stream()
                            .map(words -> "in " + late.evidence().place() + ", " + words))
                    .collect(Collectors.joining(", and "));
            return new CompilerTail(
                    processes.stream().allMatch(late -> of(late).observed),
                    starved.isEmpty() ? Optional.empty() : Optional.of(starved));
        }

        static CompilerTail of(WindowEvidence s) {
            // Whoever takes the CPU, be it a limit: a compiler that waits has not done its work.
            Optional<String> starved =
                    s.starvedC2().map(use -> use.words("C2") + " " + s.ending()).or(() -> byEfficiency(s));
            boolean waits = s.c2().isPresent() && s.waitsRecorded();
            return new CompilerTail(waits || s.c2Queue().isPresent() || withoutC2(s.evidence(), s.threads()), starved);
        }

        private static Optional<String> byEfficiency(WindowEvidence s) {
            return s.starvedEfficiency().stream()
                    .mapToObj(share -> String.format(
                            Locale.ROOT,
                            "the compilers had a CPU for %.0f %% of the time their compilations took %s",
                            100 * share,
                            s.ending()))
                    .findFirst();
        }

        /** Tells whether the JVM was watched and has no C2, such as one with C1 only: nothing is left to compile. */
        private static boolean withoutC2(RunEvidence evidence, ThreadTimes threads) {
            return threads.has(ThreadRole.C1)
                    && !threads.has(ThreadRole.C2)
                    && !evidence.compiler().isEmpty();
        }
    }
}
