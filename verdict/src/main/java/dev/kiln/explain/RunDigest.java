package dev.kiln.explain;

import dev.kiln.explain.CallResult.CallLoad;
import dev.kiln.explain.cause.Causes;
import dev.kiln.explain.window.BinPolicy;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.explain.window.Recorded;
import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.explain.window.WindowStatisticsBuilder;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Stretch;
import dev.kiln.model.load.LoadBin;
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
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A RunDigest is what is kept of a run's evidence once it has been read: all that can be said of the run before its
 * variant's reference peak is known.
 */
public record RunDigest(
        RunInfo info,
        AnalysisConfig config,
        double[] warmup,
        List<double[]> loadsAfterPause,
        boolean starvedWhileMeasured,
        Bins.Validity warmupBins,
        List<String> invalidReasons,
        List<RunResult.PhaseSummary> phases,
        Optional<ResponseTimes> responses,
        List<CallLoad> calls,
        long requests,
        LoadBin.Errors errors,
        WindowStatistics observed,
        Map<Stretch, RunPart> parts,
        Curves curves,
        List<Finding> findings,
        CompilerTail compilers,
        List<Forecast> forecasts,
        List<String> notes) {
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
        ThreadTimes threads = new ThreadTimes(evidence.threads());
        boolean loaded = phases.stream().anyMatch(phase -> phase.bins() > 0);
        Window watched = watched(evidence);
        long zero = phases.isEmpty() ? 0 : loaded ? phases.getFirst().startNanos() : watched.fromNanos();
        Window lateWarmup = loaded ? secondHalf(warmup) : watched;
        RunEvidence seen = Recorded.in(evidence, lateWarmup);
        ThreadTimes seenThreads = new ThreadTimes(seen.threads());
        WindowStatistics observed = new WindowStatisticsBuilder(seen, seenThreads, lateWarmup).build();
        Curves curves = Curves.of(evidence, phases, threads, zero);
        WindowEvidence window = new WindowEvidence(seen, observed, seenThreads, lateWarmup, zero);
        List<Finding> findings = Causes.judge(window);
        return new RunDigest(
                info,
                config,
                BinPolicy.beforePause(info, warmup, config),
                phases.subList(warmup.size(), phases.size()).stream()
                        .map(LoadSeries::completed)
                        .toList(),
                // Steady as it may be, what a starved compiler leaves is no peak.
                measured
                        && threads.starvedC2(
                                        new Window(
                                                phases.getLast().startNanos(),
                                                phases.getLast().endNanos()),
                                        info.provenance())
                                .isPresent(),
                LoadSeries.validity(warmup, config),
                Validity.reasons(info, phases, observed, config),
                summaries(evidence),
                ResponseTimes.of(evidence, warmup, phases.subList(warmup.size(), phases.size()), config),
                new CallReader(warmup, phases.subList(warmup.size(), phases.size()), zero).read(evidence),
                evidence.load().stream().mapToLong(LoadBin::completed).sum(),
                evidence.load().stream().map(LoadBin::errors).reduce(LoadBin.Errors.NONE, LoadBin.Errors::plus),
                observed,
                parts(evidence, parts),
                curves,
                findings,
                CompilerTail.of(window),
                warmup.isEmpty()
                        ? List.of()
                        : Forecaster.of(
                                evidence, curves.jit(), zero, (warmup.getFirst().endNanos() - zero) / 1e9),
                RunNotes.of(evidence));
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
        return BinPolicy.known(info, analysed(warmup, loadsAfterPause, better));
    }

    /** Analyses each call of a mix against its own peak, by the same loads as the whole. */
    public List<CallResult> callResults() {
        return calls.stream()
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
        SeriesAnalysis series = SeriesAnalyser.analyse(load, measured(after), better, config);
        return info.protocol().paused() ? series : series.withoutPause();
    }

    private String whyNoPeak(SeriesAnalysis series) {
        return responses
                .filter(ResponseTimes::allServed)
                .map(ResponseTimes::whyNoPeak)
                .orElseGet(series::whyNoPeak);
    }

    private List<Peak.PeakBound> bounds() {
        List<Peak.PeakBound> bounds = new ArrayList<>();
        if (starvedWhileMeasured) {
            bounds.add(Peak.PeakBound.STARVED);
        }
        if (info.referenceMayRise()) {
            bounds.add(Peak.PeakBound.RISING);
        }
        if (bounds.isEmpty()
                && responses.filter(ResponseTimes::servedAfterPause).isPresent()) {
            bounds.add(Peak.PeakBound.OFFERED);
        }
        return bounds;
    }

    /**
     * Returns what the loads after the pause measured; it is nothing without one, and where all that was offered was
     * served.
     *
     * @param loads of the whole, or of one call in it
     */
    private MeasuredLoad measured(List<double[]> loads) {
        // Of a rate that is served, no load shows a peak.
        if (loadsAfterPause.isEmpty()
                || responses.filter(ResponseTimes::allServed).isPresent()) {
            return MeasuredLoad.NONE;
        }
        double[] levels = Peak.levels(loadsAfterPause, config);
        return new MeasuredLoad(
                loads.getFirst(), loads.subList(FoundReference.firstAtPeak(levels), levels.length), bounds());
    }

    /** Returns the throughput of the last load after a pause; the array is empty without one. */
    public double[] measure() {
        return loadsAfterPause.isEmpty() ? new double[0] : loadsAfterPause.getLast();
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

    private static List<RunResult.PhaseSummary> summaries(RunEvidence evidence) {
        List<RunResult.PhaseSummary> result = new ArrayList<>();
        TargetCpu cpu = TargetCpu.of(evidence);
        for (PhaseTime phase : evidence.info().phases()) {
            List<LoadBin> bins = evidence.load().stream()
                    .filter(bin -> bin.phase().equals(phase.name()))
                    .toList();
            long recordedEnd =
                    bins.isEmpty() ? phase.startNanos() : bins.getLast().endNanos();
            double seconds = (phase.endNanos().orElse(recordedEnd) - phase.startNanos()) / 1e9;
            long requests = bins.stream().mapToLong(LoadBin::completed).sum();
            result.add(new RunResult.PhaseSummary(
                    phase.name(),
                    phase.load(),
                    phase.startNanos() / 1e9,
                    seconds,
                    requests,
                    seconds > 0 ? requests / seconds : 0,
                    evidence.latency().phases().stream()
                            .filter(latency -> latency.phase().equals(phase.name()))
                            .findFirst(),
                    phase.load() ? cpu.perRequestMicros(phase.name()) : OptionalDouble.empty(),
                    phase.load() ? cpu.allocationPerRequest(phase.name()) : OptionalDouble.empty(),
                    phase.loops().orElse(List.of())));
        }
        return result;
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
