package dev.kiln.explain;

import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.ServedLoad.PhaseSummary;
import dev.kiln.explain.TargetCpu.CpuPoint;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.series.Ending;
import dev.kiln.stats.series.Fall;
import dev.kiln.stats.series.HeldLevel;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalysis;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A RunResult is what the evidence of one run says. */
public record RunResult(
        RunId id,
        Caveats caveats,
        Throughput throughput,
        SinceLaunch since,
        ServedLoad served,
        Observation observation,
        Explanation explanation) {
    private static final int END_SECONDS = 10;

    /** A RunId names a run of an experiment. */
    public record RunId(String variant, int run, int block) {}

    /**
     * Caveats are what a reader must know before the figures of a run.
     *
     * @param invalidReasons why no peak may be read from this run; empty for a valid one
     * @param imported whether they recorded all of it; they may have sent the load of a run that Kiln launched
     * @param attached how long the target had run before, where Kiln attached to it
     */
    public record Caveats(
            List<String> invalidReasons,
            List<String> notes,
            Optional<Provenance> provenance,
            boolean imported,
            Optional<Attached> attached) {
        /** These caveats are those of a valid run that Kiln recorded, and of which nothing is to be said. */
        public static final Caveats NONE = new Caveats(List.of(), List.of(), Optional.empty(), false, Optional.empty());

        public Caveats {
            invalidReasons = List.copyOf(invalidReasons);
            notes = List.copyOf(notes);
        }
    }

    /**
     * A Throughput is the curve of a run, analysed.
     *
     * @param series the load phases before the measuring phase, one after the other, against the peak of the measuring
     *     phase
     * @param calls each call of a mix by itself; empty where a load has one call, or its calls were not told apart
     */
    public record Throughput(SeriesAnalysis series, List<CallResult> calls) {
        public Throughput {
            calls = List.copyOf(calls);
        }
    }

    /**
     * An Observation is what the machine did, in the second half of the warm-up and in curves of the run.
     *
     * @param replicas each process of a service that is several, the first one too; none for any other
     */
    public record Observation(WindowStatistics observed, Curves curves, Budgets budgets, List<Replica> replicas) {}

    /**
     * SinceLaunch are seconds since the launch; a time is empty where the event did not happen.
     *
     * @param ready when it said that it was ready
     * @param firstResponse the first successful response
     * @param boostEnd when its CPU limit went down
     * @param phases what the JVM logged of its own start
     */
    public record SinceLaunch(
            OptionalDouble ready, OptionalDouble firstResponse, OptionalDouble boostEnd, List<StartPhase> phases) {
        public static final SinceLaunch NOTHING =
                new SinceLaunch(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), List.of());

        public SinceLaunch {
            phases = List.copyOf(phases);
        }
    }

    /** Returns the same run under another name of its variant. */
    public RunResult of(String name) {
        return new RunResult(
                new RunId(name, id.run, id.block), caveats, throughput, since, served, observation, explanation);
    }

    /** Returns the same run with its times and its cost against another peak. */
    RunResult with(SeriesAnalysis against) {
        return new RunResult(id, caveats, new Throughput(against, calls()), since, served, observation, explanation);
    }

    public String variant() {
        return id.variant;
    }

    public int run() {
        return id.run;
    }

    public int block() {
        return id.block;
    }

    public List<String> invalidReasons() {
        return caveats.invalidReasons;
    }

    public SeriesAnalysis series() {
        return throughput.series;
    }

    public List<CallResult> calls() {
        return throughput.calls;
    }

    public WindowStatistics observed() {
        return observation.observed;
    }

    public Curves curves() {
        return observation.curves;
    }

    public Budgets budgets() {
        return observation.budgets;
    }

    /** Returns each process of a service that is several; none for any other. */
    public List<Replica> replicas() {
        return observation.replicas;
    }

    public long requests() {
        return served.requests();
    }

    /** Returns the failed requests of all load phases; empty where they were not counted. */
    public Optional<LoadBin.Errors> errors() {
        return served.errors();
    }

    public List<PhaseSummary> phases() {
        return served.phases();
    }

    public Optional<ResponseTimes> responses() {
        return served.responses();
    }

    public List<String> notes() {
        return caveats.notes;
    }

    public Optional<CallResult> call(String name) {
        return calls().stream().filter(call -> call.name().equals(name)).findFirst();
    }

    public boolean valid() {
        return invalidReasons().isEmpty();
    }

    /** Returns requests per second at the end of the warm-up; empty if it was too short to have an end. */
    public OptionalDouble endOfWarmup() {
        return series().ending()
                .map(Ending::level)
                .map(level -> OptionalDouble.of(level.value()))
                .orElse(OptionalDouble.empty());
    }

    /** Returns the response times of a run that served all that it was offered, and so shows no peak. */
    public Optional<ResponseTimes> allServed() {
        return served.all();
    }

    /** Returns in words why a run has no peak. */
    public String whyNoPeak() {
        return allServed()
                .map(ResponseTimes::whyNoPeak)
                .orElseGet(() -> series().peak().isPresent() && series().times().isEmpty()
                        ? whyNoWarmup().orElse(RunNotes.ONLY_TOTALS)
                        : series().whyNoPeak() + pause());
    }

    /** Returns how a protocol of Kiln's gets the pause that it lacks; blank where that is not what is missing. */
    private String pause() {
        boolean missing =
                series().absence().filter(Peak.Absence.NO_PAUSE::equals).isPresent();
        return missing && !caveats.imported
                ? ": --protocol load=60s,pause=15s,load=20s, or protocol: load=60s,pause=15s,load=20s in a file"
                : "";
    }

    /** Returns in words why nothing is said of the warm-up of a service that had run before; empty for any other. */
    public Optional<String> whyNoWarmup() {
        return caveats.attached.map(before -> "it had run for " + before.ran()
                + " when Kiln attached to it, so its warm-up was not seen: there is no time to its peak");
    }

    /** Returns the target's CPU per response in us: in the measuring phase, else in the last ten seconds. */
    public OptionalDouble cpuPerRequestMicros() {
        if (series().measured().isPresent()) {
            return served.lastLoad()
                    .map(phase -> phase.cost().cpuPerRequestMicros())
                    .orElse(OptionalDouble.empty());
        }
        List<CpuPoint> points = curves().cpu();
        List<CpuPoint> end = points.subList(Math.max(0, points.size() - END_SECONDS), points.size());
        double requests = end.stream().mapToDouble(CpuPoint::requests).sum();
        double used = end.stream().mapToDouble(CpuPoint::used).sum();
        return requests > 0 && end.size() == END_SECONDS
                ? OptionalDouble.of(1e6 * used / requests)
                : OptionalDouble.empty();
    }

    /**
     * Returns why the end of the warm-up served less than the level held before, or than the load after the pause, or
     * why that load served less than it: by requests per CPU-second of the target. It is empty where none of this
     * happened, or where CPU was not recorded.
     */
    public Optional<Fall> fall() {
        Optional<Ending> ending = series().ending();
        boolean oneLoad = !phases().isEmpty() && phases().getFirst().durationSeconds() >= series().seconds() - 1;
        if (ending.isEmpty() || !oneLoad) {
            return Optional.empty();
        }
        // What is printed as the end is the mean of these bins; a climb before them is not its cause.
        double from = series().seconds() - ending.get().bins() * series().binSeconds();
        Optional<HeldLevel> held =
                series().shape().held().filter(level -> series().shape().slowing());
        if (held.isPresent()) {
            double begin = held.get().fromSeconds();
            return curves().fall(begin, begin + held.get().seconds(), from, series().seconds(), series().binSeconds());
        }
        List<CpuPoint> points = curves().cpu();
        if (points.isEmpty() || series().measured().isEmpty()) {
            return Optional.empty();
        }
        String last = points.getLast().phase();
        double begin = points.stream()
                .filter(point -> point.phase().equals(last))
                .mapToDouble(CpuPoint::second)
                .min()
                .orElse(0);
        double end = points.getLast().second() + series().binSeconds();
        return series().shape().afterPause().slower()
                ? curves().fall(from, series().seconds(), begin + 1, end, series().binSeconds())
                : curves().fall(begin + 1, end, from, series().seconds(), series().binSeconds());
    }

    /** An Explanation is why a run is as it is: confirmed findings first, forecasts in order of time. */
    public record Explanation(Verdict verdict, List<Finding> findings, List<Forecast> forecasts) {
        public Explanation {
            findings = List.copyOf(findings);
            forecasts = List.copyOf(forecasts);
        }

        /**
         * Returns the findings that can have caused what the verdict says. They are of the first load, so a load after
         * it that served less has none. What can only have ended a level is no cause where none ended.
         */
        public List<Finding> causes() {
            boolean later = verdict instanceof Verdict.Slowing slowing && slowing.afterPause();
            boolean fell = verdict instanceof Verdict.Slowing
                    || verdict instanceof Verdict.Cycling
                    || verdict instanceof Verdict.StoppedServing;
            return findings.stream()
                    .filter(finding -> !later && !finding.explains().isEmpty())
                    .filter(finding -> fell || finding.explains().contains(Finding.Effect.BELOW_PEAK))
                    .toList();
        }

        public List<Finding> findings(Finding.FindingState state) {
            return findings.stream().filter(finding -> finding.state() == state).toList();
        }
    }
}
