package dev.kiln.compare;

import dev.kiln.explain.ExperimentResult;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.Phase;
import dev.kiln.model.PhaseLatency;
import dev.kiln.stats.Peak;
import dev.kiln.stats.TimeToPeak;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A variant of an experiment as a configuration: the metrics of its valid runs. */
public final class VariantRuns {
    private final ExperimentResult experiment;
    private final VariantResult variant;
    private final List<RunResult> valid;

    private VariantRuns(ExperimentResult experiment, VariantResult variant) {
        this.experiment = experiment;
        this.variant = variant;
        this.valid = variant.runs().stream().filter(RunResult::valid).toList();
    }

    /**
     * The configuration of a variant.
     *
     * @param place of the experiment: runs of one place were interleaved
     */
    public static Configuration of(ExperimentResult experiment, VariantResult variant, String place) {
        return new VariantRuns(experiment, variant).configuration(place);
    }

    private Configuration configuration(String place) {
        List<Measured> metrics = new ArrayList<>();
        Optional<String> lowerBound = variant.referencePeak()
                .filter(Peak::lowerBound)
                .map(peak -> "its reference peak is at least " + String.format(Locale.ROOT, "%,.0f", peak.value())
                        + " req/s: " + peak.why());
        add(metrics, Metric.PEAK, VariantRuns::peak, lowerBound);
        times(metrics, lowerBound);
        add(
                metrics,
                Metric.DEFICIT,
                run -> of(
                        run.series().deficit().map(deficit -> deficit.seconds().value())),
                lowerBound);
        add(metrics, Metric.THROUGHPUT, VariantRuns::throughput);
        if (!untilSteady()) {
            add(metrics, Metric.REQUESTS, run -> OptionalDouble.of(run.series().requests()));
        }
        add(metrics, Metric.STARTUP, RunResult::startSeconds);
        add(metrics, Metric.FIRST_RESPONSE, RunResult::firstResponseSeconds);
        add(metrics, Metric.P50, run -> latency(run, PhaseLatency::p50Nanos));
        add(metrics, Metric.P75, run -> more(run, PhaseLatency.More::p75Nanos));
        add(metrics, Metric.P95, run -> more(run, PhaseLatency.More::p95Nanos));
        add(metrics, Metric.P99, run -> latency(run, PhaseLatency::p99Nanos));
        add(metrics, Metric.MEAN, run -> more(run, PhaseLatency.More::meanNanos));
        add(metrics, Metric.MAX, run -> latency(run, PhaseLatency::maxNanos));
        add(metrics, Metric.CPU_PER_REQUEST, RunResult::cpuPerRequestMicros);
        add(metrics, Metric.RSS, run -> whole(run.observed().maxRssBytes(), 1.0 / (1 << 20)));
        add(metrics, Metric.C2_WAIT, run -> scaled(run.observed().c2WaitShare(), 100));
        add(metrics, Metric.COMPILATIONS, run -> whole(run.observed().compilations(), 1));
        return new Configuration(
                variant.name(),
                Optional.of(place),
                experiment.how().map(Circumstances::of).orElse(Map.of()),
                metrics,
                experiment.how().filter(info -> info.runs().adaptive()).isPresent(),
                notes());
    }

    /** A warm-up that ends when steady serves the more requests the longer it takes. */
    private boolean untilSteady() {
        return experiment.protocol().phases().stream()
                .anyMatch(phase -> phase instanceof Phase.Load load
                        && load.untilSteadyFrom().isPresent());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (untilSteady()) {
            notes.add("its warm-ups ended when they were steady, so requests served are not compared");
        }
        for (RunResult run : variant.runs()) {
            if (!run.valid()) {
                notes.add("run " + run.run() + " is left out: " + String.join("; ", run.invalidReasons()));
            }
        }
        variant.referencePeak()
                .ifPresent(peak -> notes.add(String.format(
                        Locale.ROOT,
                        "T90 and deficit are against its own reference peak, %s%,.0f req/s%s",
                        peak.lowerBound() ? "at least " : "",
                        peak.value(),
                        peak.lowerBound() ? ": " + peak.why() : "")));
        return notes;
    }

    /** After the last pause. */
    private static OptionalDouble peak(RunResult run) {
        return of(run.series().measured().map(Peak::value));
    }

    private void times(List<Measured> metrics, Optional<String> lowerBound) {
        List<Measured.Observation> out = new ArrayList<>();
        double horizon =
                valid.stream().mapToDouble(run -> run.series().seconds()).min().orElse(0);
        for (RunResult run : valid) {
            run.series()
                    .time(TimeToPeak.HEADLINE)
                    .ifPresent(time -> out.add(new Measured.Observation(
                            run.block(),
                            Math.min(horizon, time.seconds().orElse(horizon)),
                            time.seconds().orElse(horizon) >= horizon)));
        }
        if (!out.isEmpty() && horizon > 0) {
            double bin = experiment.config().binSeconds();
            metrics.add(new Measured(Metric.T90, out, OptionalDouble.of(horizon), bin, lowerBound));
        }
    }

    private void add(List<Measured> metrics, Metric metric, Function<RunResult, OptionalDouble> value) {
        add(metrics, metric, value, Optional.empty());
    }

    private void add(
            List<Measured> metrics,
            Metric metric,
            Function<RunResult, OptionalDouble> value,
            Optional<String> lowerBound) {
        List<Measured.Observation> out = new ArrayList<>();
        for (RunResult run : valid) {
            OptionalDouble found = value.apply(run);
            if (found.isPresent() && Double.isFinite(found.getAsDouble())) {
                out.add(new Measured.Observation(run.block(), found.getAsDouble(), false));
            }
        }
        if (!out.isEmpty()) {
            metrics.add(new Measured(metric, out, OptionalDouble.empty(), 0, lowerBound));
        }
    }

    /** The last phase under load, the measuring phase where there is one. */
    private static Optional<RunResult.PhaseSummary> last(RunResult run) {
        return run.phases().stream().filter(RunResult.PhaseSummary::load).reduce((first, second) -> second);
    }

    private static OptionalDouble throughput(RunResult run) {
        return of(last(run).map(RunResult.PhaseSummary::throughput));
    }

    private static OptionalDouble latency(RunResult run, ToLongFunction<PhaseLatency> nanos) {
        return of(last(run).flatMap(RunResult.PhaseSummary::latency).map(latency -> nanos.applyAsLong(latency) / 1e6));
    }

    private static OptionalDouble more(RunResult run, ToDoubleFunction<PhaseLatency.More> nanos) {
        return of(last(run)
                .flatMap(RunResult.PhaseSummary::latency)
                .flatMap(PhaseLatency::more)
                .map(more -> nanos.applyAsDouble(more) / 1e6));
    }

    private static OptionalDouble of(Optional<Double> value) {
        return value.map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    private static OptionalDouble scaled(OptionalDouble value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsDouble() * factor) : value;
    }

    private static OptionalDouble whole(OptionalLong value, double factor) {
        return value.isPresent() ? OptionalDouble.of(value.getAsLong() * factor) : OptionalDouble.empty();
    }
}
