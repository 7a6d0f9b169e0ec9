package dev.kiln.compare;

import dev.kiln.compare.Measured.Observation;
import dev.kiln.explain.CallResult;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricKind;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.series.Peak;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** VariantRuns make a configuration of a variant of an experiment: the metrics of its valid runs. */
public final class VariantRuns {
    private final ExperimentResult experiment;
    private final VariantResult variant;
    private final List<RunResult> valid;

    private VariantRuns(ExperimentResult experiment, VariantResult variant) {
        this.experiment = experiment;
        this.variant = variant;
        this.valid = variant.valid();
    }

    /** Returns the configuration of a variant. Runs of experiments of one place were interleaved. */
    public static Configuration of(ExperimentResult experiment, VariantResult variant, String place) {
        return new VariantRuns(experiment, variant).configuration(place);
    }

    private Configuration configuration(String place) {
        return new Configuration(
                variant.name(),
                new Configuration.Origin(Optional.of(place), session(place), variant.name()),
                experiment.how().map(Circumstance::of).orElse(List.of()),
                measured(MetricUse.COMPARED),
                Stream.concat(measured(MetricUse.ASKED).stream(), ofCalls().stream())
                        .toList(),
                experiment.how().filter(info -> info.plan().runs().adaptive()).isPresent(),
                notes());
    }

    /** Returns the session's name: the time of its first launch, which a copy has too; else the place. */
    private String session(String place) {
        return experiment
                .how()
                .filter(first -> first.launchEpochMillis() > 0)
                .map(first -> "launched at " + Instant.ofEpochMilli(first.launchEpochMillis()))
                .orElse(place);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (experiment.protocol().endsEarly()) {
            notes.add("its warm-ups ended when they were "
                    + (experiment.protocol().untilKnown().isEmpty() ? "steady" : "known")
                    + ", so what grows with their length is not compared: the warm-up's requests and cost,"
                    + " errors, compilations");
        }
        if (experiment.how().flatMap(RunInfo::duet).isPresent()) {
            notes.add(
                    "its runs went on beside those of the other variant (duet): kiln report has their ratio in the same"
                            + " seconds");
        }
        for (RunResult run : variant.runs()) {
            if (!run.valid()) {
                notes.add("run " + run.run() + " is left out: " + String.join("; ", run.invalidReasons()));
            }
        }
        if (variant.held().referencePeak().isEmpty()) {
            valid.stream()
                    .flatMap(run -> run.series().absence().stream())
                    .filter(Peak.Absence::judged)
                    .map(absence -> "it shows no peak: " + absence.text())
                    .distinct()
                    .forEach(notes::add);
        }
        variant.held()
                .referencePeak()
                .ifPresent(peak -> notes.add("T90 and warm-up cost are against "
                        + variant.higher()
                                .map(higher -> "the highest peak, " + higher.words())
                                .orElse("its own peak, " + peak.words())
                        + (peak.lowerBound() ? ": " + peak.why() : "")));
        return notes;
    }

    /** Tells whether the metric may be compared: warm-ups that end before their time differ in length. */
    private boolean isComparable(Metric metric) {
        return !metric.growsWithTheLoad() || !experiment.protocol().endsEarly();
    }

    private List<Measured> measured(MetricUse use) {
        return Metric.all(use).stream()
                .filter(this::isComparable)
                .flatMap(metric -> measured(metric).stream())
                .toList();
    }

    private Optional<Measured> measured(Metric metric) {
        boolean shared = metric == Metric.T90 || metric == Metric.WARMUP_COST;
        VariantResult told = shared ? variant.held() : variant;
        return measured(
                metric,
                Quantity.of(metric),
                run -> RunFigures.of(metric, told.runs().get(variant.runs().indexOf(run))),
                run -> run.series().binSeconds(),
                told.referencePeak().stream());
    }

    /** Returns the metrics of each call, in the order of the load. */
    private List<Measured> ofCalls() {
        return valid.stream()
                .flatMap(run -> run.calls().stream())
                .map(CallResult::name)
                .distinct()
                .flatMap(call -> Metric.all(MetricUse.OF_CALLS).stream()
                        .filter(this::isComparable)
                        .flatMap(metric -> measured(metric, call).stream()))
                .toList();
    }

    /** Returns a metric of one call, read against the call's own peak, which each run has one of. */
    private Optional<Measured> measured(Metric metric, String call) {
        return measured(
                metric,
                Quantity.of(metric, call),
                run -> run.call(call).map(known -> RunFigures.of(metric, known)).orElse(OptionalDouble.empty()),
                run -> run.call(call).map(known -> known.series().binSeconds()).orElse(0.0),
                valid.stream()
                        .flatMap(run -> run.call(call).stream())
                        .flatMap(known -> known.series().peak().stream()));
    }

    /**
     * Collects the metric's values of valid runs; a time not reached is censored at the shortest load.
     *
     * @param bin to which a run knows its times, in seconds: where few requests were served, bins were joined
     */
    private Optional<Measured> measured(
            Metric metric,
            Quantity quantity,
            Function<RunResult, OptionalDouble> of,
            ToDoubleFunction<RunResult> bin,
            Stream<Peak> peaks) {
        boolean time = metric.kind() == MetricKind.TIME;
        double horizon = time ? horizon(metric, of) : Double.MAX_VALUE;
        List<Observation> observations = new ArrayList<>();
        double known = 0;
        for (RunResult run : valid) {
            OptionalDouble value = of.apply(run);
            if (value.isPresent() && (time || Double.isFinite(value.getAsDouble()))) {
                observations.add(new Observation(
                        run.block(), Math.min(horizon, value.getAsDouble()), value.getAsDouble() >= horizon));
                known = Math.max(known, bin.applyAsDouble(run));
            }
        }
        if (observations.isEmpty() || horizon <= 0) {
            return Optional.empty();
        }
        return Optional.of(new Measured(
                quantity,
                observations,
                time ? OptionalDouble.of(horizon) : OptionalDouble.empty(),
                time ? known : 0,
                metric.againstPeak() ? lowerBound(peaks) : Optional.empty()));
    }

    /**
     * Returns the length of the shortest load that did not come to a time; what the protocol gives to a load where all
     * did. A load that ended early, its time known, does not hide the later time of another.
     */
    private double horizon(Metric metric, Function<RunResult, OptionalDouble> of) {
        double planned = experiment.protocol().endsEarly()
                ? experiment.protocol().phases().stream()
                        .dropWhile(phase -> !(phase instanceof Phase.Load))
                        .takeWhile(Phase.Load.class::isInstance)
                        .mapToDouble(phase -> phase.duration().toNanos() / 1e9)
                        .sum()
                : 0;
        return valid.stream()
                .filter(run -> planned == 0 || of.apply(run).orElse(0) >= RunFigures.horizon(metric, run))
                .mapToDouble(run -> RunFigures.horizon(metric, run))
                .min()
                .orElseGet(() -> Math.max(planned, longest(metric)));
    }

    private double longest(Metric metric) {
        return valid.stream()
                .mapToDouble(run -> RunFigures.horizon(metric, run))
                .max()
                .orElse(0);
    }

    private static Optional<String> lowerBound(Stream<Peak> peaks) {
        return peaks.filter(Peak::lowerBound)
                .findFirst()
                .map(peak -> "its peak is " + peak.words() + ": " + peak.why());
    }
}
