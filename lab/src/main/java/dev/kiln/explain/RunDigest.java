package dev.kiln.explain;

import dev.kiln.model.Finding;
import dev.kiln.model.Forecast;
import dev.kiln.model.FoundReference;
import dev.kiln.model.LoadBin;
import dev.kiln.model.Phase;
import dev.kiln.model.Provenance;
import dev.kiln.model.RemoteHost;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.RunInfo;
import dev.kiln.model.RunInfo.PhaseTime;
import dev.kiln.model.ThreadRole;
import dev.kiln.model.Treatment.AotUse;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Bins;
import dev.kiln.stats.Peak;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.SeriesAnalysis.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What is kept of a run's evidence once it has been read: all that can be said of the run before its variant's
 * reference peak is known.
 */
record RunDigest(
        RunInfo info,
        AnalysisConfig config,
        double[] warmup,
        List<double[]> loadsAfterPause,
        boolean starvedWhileMeasured,
        Bins.Validity warmupBins,
        List<String> invalidReasons,
        List<RunResult.PhaseSummary> phases,
        long requests,
        LoadBin.Errors errors,
        Observed observed,
        Curves curves,
        List<Finding> findings,
        CompilerTail compilers,
        List<Forecast> forecasts,
        JitFigures jit,
        List<String> notes) {
    static RunDigest of(RunEvidence evidence, AnalysisConfig general) {
        RunInfo info = evidence.info();
        AnalysisConfig config = ForeignBins.config(evidence, general);
        List<LoadSeries> phases = info.phases().stream()
                .filter(PhaseTime::load)
                .map(phase -> ForeignBins.series(phase.name(), evidence, config))
                .toList();
        int rounds = info.referenceRounds().size();
        boolean measured = info.protocol().reference().isPresent()
                ? rounds > 0
                : phases.size() > 1 && phases.size() == plannedLoads(info);
        List<LoadSeries> warmup = phases.subList(0, phases.size() - (measured ? Math.max(1, rounds) : 0));
        ThreadCounters threads = new ThreadCounters(evidence.threads());
        boolean loaded = phases.stream().anyMatch(phase -> phase.bins() > 0);
        Window watched = watched(evidence);
        long zero = phases.isEmpty() ? 0 : loaded ? phases.getFirst().startNanos() : watched.fromNanos();
        Window lateWarmup = loaded ? secondHalf(warmup) : watched;
        RunEvidence seen = ForeignBins.seen(evidence, lateWarmup);
        ThreadCounters seenThreads = new ThreadCounters(seen.threads());
        Observed observed = new ObservedBuilder(seen, seenThreads, lateWarmup).build();
        Curves curves = CurvesBuilder.build(evidence, phases, threads, zero);
        Situation situation = new Situation(seen, observed, seenThreads, lateWarmup, zero);
        List<Finding> findings = Causes.judge(situation);
        return new RunDigest(
                info,
                config,
                LoadSeries.concatenated(warmup),
                phases.subList(warmup.size(), phases.size()).stream()
                        .map(LoadSeries::completed)
                        .toList(),
                measured && starved(threads, phases.getLast(), info.provenance()),
                LoadSeries.validity(warmup, Thresholds.LATE_NANOS, config),
                Validity.reasons(info, phases, observed, config),
                summaries(evidence),
                evidence.load().stream().mapToLong(LoadBin::completed).sum(),
                evidence.load().stream().map(LoadBin::errors).reduce(LoadBin.Errors.NONE, LoadBin.Errors::plus),
                observed,
                curves,
                findings,
                CompilerTail.of(situation),
                warmup.isEmpty()
                        ? List.of()
                        : Forecasts.of(
                                evidence, curves.jit(), zero, (warmup.getFirst().endNanos() - zero) / 1e9),
                JitFigures.of(evidence, lateWarmup),
                notes(evidence));
    }

    /**
     * The warm-up against the peak of the measuring phase.
     *
     * @param better a peak that other runs of the variant found, in place of a lower bound
     */
    SeriesAnalysis series(Optional<Peak> better) {
        List<Peak.Bound> bounds = new ArrayList<>();
        if (starvedWhileMeasured) {
            bounds.add(Peak.Bound.STARVED);
        } else if (info.referenceMayRise()) {
            bounds.add(Peak.Bound.RISING);
        }
        return SeriesAnalysis.of(warmup, measured(bounds), better, config);
    }

    private Measured measured(List<Peak.Bound> bounds) {
        if (loadsAfterPause.isEmpty()) {
            return Measured.NONE;
        }
        double[] levels = Peak.levels(loadsAfterPause, config);
        return new Measured(
                loadsAfterPause.getFirst(),
                loadsAfterPause.subList(FoundReference.firstAtPeak(levels), levels.length),
                bounds);
    }

    /** The last load after a pause; empty without one. */
    double[] measure() {
        return loadsAfterPause.isEmpty() ? new double[0] : loadsAfterPause.getLast();
    }

    /** Whether the run came to its end and was what its variant says: figures that need no peak can be read from it. */
    boolean asMeant() {
        return info.outcome() == RunInfo.Outcome.COMPLETED
                && info.treatment().aot().flatMap(AotUse::rejection).isEmpty();
    }

    /** Steady as it may be, what a starved compiler leaves is no peak. */
    private static boolean starved(ThreadCounters threads, LoadSeries phase, Optional<Provenance> foreign) {
        Window window = new Window(phase.startNanos(), phase.endNanos());
        if (window.seconds() <= 0) {
            return false;
        }
        return threads.use(ThreadRole.C2, window, foreign).starved();
    }

    private static long plannedLoads(RunInfo info) {
        return info.protocol().phases().stream()
                .filter(Phase.Load.class::isInstance)
                .count();
    }

    /** Of the last phase alone if that is shorter than half of all: in a pause nothing is busy, whatever was the limit. */
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

    /** Where the load was not Kiln's: the whole time from its beginning, as a live process has no warm-up to be halved. */
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
                    evidence.phaseLatency().stream()
                            .filter(latency -> latency.phase().equals(phase.name()))
                            .findFirst(),
                    phase.load() ? cpu.perRequestMicros(phase.name()) : OptionalDouble.empty()));
        }
        return result;
    }

    private static List<String> notes(RunEvidence evidence) {
        List<String> notes = new ArrayList<>(TreatmentNotes.of(evidence.info().treatment()));
        notes.addAll(evidence.info().cpus().notes());
        evidence.info()
                .notRecorded()
                .forEach(missing -> notes.add("not recorded: " + missing.what() + ": " + missing.why()));
        notes.addAll(ForeignBins.notes(evidence.info()));
        evidence.info().remote().ifPresent(remote -> notes.add(note(remote)));
        notes.addAll(evidence.info().notes());
        notes.addAll(evidence.gaps());
        return notes;
    }

    private static String note(RemoteHost remote) {
        String drift = remote.driftNanos().isPresent()
                ? String.format(
                        Locale.ROOT,
                        "; the clocks moved %.3f ms against each other",
                        Math.abs(remote.driftNanos().getAsLong()) / 1e6)
                : "";
        return String.format(
                Locale.ROOT,
                "the target ran on %s: the times of what was recorded there are right within %.3f ms%s",
                remote.name(),
                remote.uncertaintyNanos() / 1e6,
                drift);
    }
}
