package dev.kiln.explain.study;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.ServedLoad;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.explain.study.SweepResult.SweepPoint.PointMemory;
import dev.kiln.explain.study.SweepResult.SweepPoint.PointRuns;
import dev.kiln.explain.study.SweepResult.SweepPoint.PointSteadiness;
import dev.kiln.explain.study.SweepResult.SweepPoint.PointThroughput;
import dev.kiln.model.experiment.Variant.SweepLevel;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;

/** A SweepAssessment turns runs under several numbers of connections into figures by connections. */
final class SweepAssessment {
    private static final String COORDINATED_OMISSION =
            "closed loop: a connection sends its next request when it has its answer. So a stall delays one"
                    + " request of each connection, and the requests that would have followed are never"
                    + " sent. Response times leave those out (coordinated omission); kiln run --rate"
                    + " counts them";

    /** A Run is a run of a sweep, with its level and what is known of it. */
    private record Run(RunDigest digest, RunResult result, SweepLevel level) {}

    private SweepAssessment() {}

    /** Assesses a sweep; empty where the runs are none. */
    static Optional<SweepResult> of(
            Map<String, List<RunDigest>> digests,
            List<VariantResult> variants,
            Optional<DensityStudy> study,
            AnalysisConfig config) {
        Map<String, List<Run>> swept = new LinkedHashMap<>();
        for (VariantResult variant : variants) {
            List<RunDigest> of = digests.getOrDefault(variant.name(), List.of());
            for (int i = 0; i < of.size(); i++) {
                RunDigest digest = of.get(i);
                RunResult result = variant.runs().get(i);
                SweepLevel.of(variant.name(), digest.info().load().connections())
                        .ifPresent(level -> swept.computeIfAbsent(level.configuration(), name -> new ArrayList<>())
                                .add(new Run(digest, result, level)));
            }
        }
        List<SweepConfiguration> configurations = swept.entrySet().stream()
                .map(entry -> configuration(entry.getKey(), entry.getValue(), config))
                .toList();
        return configurations.isEmpty()
                ? Optional.empty()
                : Optional.of(new SweepResult(
                        configurations,
                        study.map(asked -> Density.of(configurations, asked)),
                        notes(
                                configurations,
                                swept.values().stream().flatMap(List::stream).toList(),
                                study)));
    }

    private static SweepConfiguration configuration(String name, List<Run> runs, AnalysisConfig config) {
        List<SweepPoint> points = runs.stream()
                .map(run -> run.level().connections())
                .distinct()
                .sorted()
                .map(level -> point(
                        level,
                        runs.stream()
                                .filter(run -> run.level().connections() == level)
                                .toList()))
                .toList();
        List<double[]> pairs = points.stream()
                .filter(point -> point.valid() && !point.throughput().lowerBound())
                .flatMap(point -> Arrays.stream(point.throughput().perRun())
                        .filter(throughput -> throughput > 0)
                        .mapToObj(throughput -> new double[] {point.connections(), throughput}))
                .toList();
        return new SweepConfiguration(
                name,
                points,
                UniversalScalability.fit(
                        pairs.stream().mapToDouble(pair -> pair[0]).toArray(),
                        pairs.stream().mapToDouble(pair -> pair[1]).toArray(),
                        config.confidence()));
    }

    private static SweepPoint point(int connections, List<Run> all) {
        List<Run> valid = all.stream().filter(run -> run.result().valid()).toList();
        List<Run> runs = valid.isEmpty() ? all : valid;
        List<Run> found = runs.stream().filter(run -> !isLowerBound(run)).toList();
        double[] perRun = (found.isEmpty() ? runs : found)
                .stream().mapToDouble(SweepAssessment::throughput).toArray();
        return new SweepPoint(
                connections,
                new PointRuns(
                        all.size(),
                        valid.size(),
                        all.stream()
                                .flatMap(run -> run.result().errors().stream())
                                .mapToLong(LoadBin.Errors::total)
                                .sum()),
                new PointThroughput(
                        Arrays.stream(perRun).average().orElse(0),
                        perRun,
                        found.isEmpty(),
                        runs.stream()
                                .flatMapToDouble(run -> Arrays.stream(measured(run)))
                                .max()),
                response(runs),
                Descriptive.median(runs.stream().flatMapToDouble(run -> run.result().since().ready().stream())),
                new PointMemory(
                        all.stream()
                                .flatMapToLong(run -> run.result().observed().maxRssBytes().stream())
                                .max(),
                        all.stream()
                                .flatMapToLong(run -> run.result().observed().totals().maxPssBytes().stream())
                                .max()),
                new PointSteadiness(
                        Descriptive.median(runs.stream().flatMapToDouble(run -> steadySeconds(run).stream())),
                        (int) runs.stream()
                                .filter(run -> steadySeconds(run).isPresent() || isFound(run))
                                .count()));
    }

    /** Returns the requests per second of each second: after the pause, or of the only load where there is no pause. */
    private static double[] measured(Run run) {
        return run.digest().measure().length > 0
                ? run.digest().measure()
                : run.digest().warmup();
    }

    private static boolean level(Run run) {
        return run.result().series().level(run.digest().config());
    }

    private static Optional<Peak> peak(Run run) {
        return run.result().series().reference().own();
    }

    /** Tells whether the peak is a lower bound, also where the load after the pause declined: no reference. */
    private static boolean isLowerBound(Run run) {
        return peak(run).map(Peak::lowerBound).orElse(run.digest().measure().length > 0);
    }

    private static boolean isFound(Run run) {
        return isSearched(run) && !isLowerBound(run);
    }

    private static boolean isSearched(Run run) {
        return run.digest().info().protocol().reference().isPresent();
    }

    /** Returns a level's throughput: the peak, else the end of a load that became level, else its mean. */
    private static double throughput(Run run) {
        if (peak(run).isPresent()) {
            return peak(run).get().value();
        }
        boolean warming = run.digest().measure().length == 0;
        return warming && level(run)
                ? run.result().endOfWarmup().orElseThrow()
                : Arrays.stream(measured(run)).average().orElse(0);
    }

    /** Returns when the warm-up came to 95 % of the level of its own end; empty where it was not level there. */
    private static OptionalDouble steadySeconds(Run run) {
        return run.result().series().ownTimes().stream()
                .filter(time -> time.percent() == 95 && level(run))
                .map(TimeToPeak::seconds)
                .findFirst()
                .orElse(OptionalDouble.empty());
    }

    private static Optional<SweepPoint.Response> response(List<Run> runs) {
        List<PhaseLatency> latencies = runs.stream()
                .flatMap(run -> run.result().served().lastLoad().flatMap(ServedLoad.PhaseSummary::latency).stream())
                .filter(latency -> latency.count() > 0)
                .toList();
        if (latencies.isEmpty()) {
            return Optional.empty();
        }
        List<PhaseLatency.More> more =
                latencies.stream().flatMap(latency -> latency.more().stream()).toList();
        return Optional.of(new SweepPoint.Response(
                millis(more.stream().mapToDouble(PhaseLatency.More::meanNanos).average()),
                middle(latencies, PhaseLatency::p50Nanos).orElseThrow(),
                middle(more, PhaseLatency.More::p90Nanos),
                middle(latencies, PhaseLatency::p99Nanos).orElseThrow(),
                middle(more, PhaseLatency.More::p999Nanos),
                latencies.stream().mapToLong(PhaseLatency::maxNanos).max().orElseThrow() / 1e6));
    }

    private static <T> OptionalDouble middle(List<T> of, Function<T, Long> nanos) {
        return millis(Descriptive.median(of.stream().mapToDouble(nanos::apply)));
    }

    private static OptionalDouble millis(OptionalDouble nanos) {
        return nanos.isPresent() ? OptionalDouble.of(nanos.getAsDouble() / 1e6) : nanos;
    }

    private static List<String> notes(
            List<SweepConfiguration> configurations, List<Run> runs, Optional<DensityStudy> study) {
        List<String> notes = new ArrayList<>();
        notes.add(COORDINATED_OMISSION);
        boolean searched = runs.stream().allMatch(SweepAssessment::isSearched);
        notes.add(
                searched
                        ? "each level is a separate process, whose peak was searched for; response times are those of"
                                + " the last round"
                        : runs.stream().allMatch(run -> run.digest().measure().length > 0)
                                ? "each level is a separate process, warmed up under its own load; throughput and"
                                        + " response times are those of its measuring phase"
                                : "each level is a separate process; without a measuring phase, throughput is that of the"
                                        + " end of the load if it became steady, and response times include the"
                                        + " warm-up");
        names(configurations, point -> point.valid() && point.throughput().lowerBound())
                .ifPresent(where ->
                        notes.add("at least that much (\u2265), and left out of the fit, because no run found the"
                                + " peak: " + where));
        names(
                        configurations,
                        point -> !searched
                                && point.steady().runs()
                                        < Math.max(1, point.runs().valid()))
                .ifPresent(where -> notes.add("not shown to be steady when their warm-up ended: " + where
                        + "; their figures may still be rising"));
        names(configurations, point -> !point.valid())
                .ifPresent(where -> notes.add("no valid run, and left out of the fit: " + where));
        if (study.isPresent()) {
            notes.add("how many processes fit is theory: the memory divided by the most that one process took;"
                    + " their throughput is that of one process alone, times their number"
                    + (study.get().measured().isEmpty()
                            ? "; --verify-density starts them and measures"
                            : "; verified means they were started together, on the same CPUs as one"));
        }
        return notes;
    }

    private static Optional<String> names(List<SweepConfiguration> configurations, Predicate<SweepPoint> wanted) {
        return configurations.stream()
                .flatMap(one -> one.points().stream()
                        .filter(wanted)
                        .sorted(Comparator.comparingInt(SweepPoint::connections))
                        .map(point -> new SweepLevel(one.name(), point.connections()).variant()))
                .reduce((a, b) -> a + ", " + b);
    }
}
