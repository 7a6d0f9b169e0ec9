package dev.kiln.tune;

import dev.kiln.engines.Engines;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.runner.RunControl.Judge;
import dev.kiln.tune.Screening.Screened;
import dev.kiln.tune.Trials.Results;
import dev.kiln.tune.Trials.Screens;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * ScreenRuns are the short runs of a stage that screens candidates.
 *
 * @param before stage with whole runs of the baseline
 * @param baseline name of the variant that all are compared with
 * @param load seconds of the first load of a whole run
 */
record ScreenRuns(TuneStage stage, TuneStage before, String baseline, int load) {
    /** Returns the protocol of these runs: the first seconds of the load, or fewer where the seconds of the load are told at once. */
    static Protocol protocol(Experiment experiment) {
        Phase first = experiment.protocol().phases().getFirst();
        boolean ends = Engines.of(experiment.load()).blind().isEmpty();
        // A script of the user's may begin a load by its length, so that one that is shorter from its start on does not
        // compare.
        boolean whole = ends && !experiment.load().engine().equals(LoadEngine.KILN);
        return new Protocol(
                "screen",
                List.of(new Phase.Load(
                        first.name(),
                        whole ? first.duration() : Duration.ofSeconds(Screening.SECONDS),
                        ends ? Optional.of(Duration.ofSeconds(Screening.FIRST)) : Optional.empty(),
                        Optional.empty(),
                        Optional.empty())));
    }

    /** Returns what they served against the baseline. */
    Screens screens(Results results, List<Candidate> candidates) {
        Map<String, double[]> series = new LinkedHashMap<>();
        for (Candidate candidate : candidates) {
            if (results.of(candidate.name()).isPresent() && !results.failed().containsKey(candidate.name())) {
                stage.served(candidate.name()).forEach(run -> series.put(candidate.name(), run));
            }
        }
        Optional<double[]> base = ofTheBaseline();
        Map<String, Screened> served = new LinkedHashMap<>();
        if (base.isPresent()) {
            Screening screening = screening();
            // What has lost may have ended sooner. The others are ranked by the same seconds.
            int seconds = series.values().stream()
                    .filter(run ->
                            !screening.look(base.get(), run, Screening.SECONDS).isLost())
                    .mapToInt(run -> Math.min(run.length, Screening.SECONDS))
                    .min()
                    .orElse(Screening.SECONDS);
            series.forEach((name, run) -> served.put(name, screening.look(base.get(), run, seconds)));
        }
        return new Screens(served, results);
    }

    private Screening screening() {
        List<double[]> runs = new ArrayList<>(before.served(baseline));
        runs.addAll(stage.served(baseline));
        return Screening.of(load, runs);
    }

    /** Returns the latest run of the baseline: a short one, if there is one, or else the last whole one. */
    private Optional<double[]> ofTheBaseline() {
        return Stream.concat(before.served(baseline).stream(), stage.served(baseline).stream())
                .reduce((earlier, later) -> later);
    }

    /**
     * Returns a judge that ends a run as soon as it has surely gained or lost against that of the baseline, or has served long
     * enough to be compared.
     *
     * @param baselineFirst the first run is that of the baseline, which is compared with nothing
     */
    Judge judge(Judge usual, boolean baselineFirst) {
        return new Judge() {
            private boolean ofTheBaseline = baselineFirst;
            private int last;
            private Optional<double[]> base = Optional.empty();
            private Screening screening = Screening.of(load, List.of());

            @Override
            public boolean steady(double[] requestsPerSecond) {
                boolean another = requestsPerSecond.length <= last;
                last = requestsPerSecond.length;
                ofTheBaseline &= !another;
                if (last >= Screening.SECONDS || ofTheBaseline) {
                    return last >= Screening.SECONDS;
                }
                if (base.isEmpty()) {
                    base = ofTheBaseline();
                    screening = screening();
                }
                return base.filter(served -> screening.isDecided(served, requestsPerSecond))
                        .isPresent();
            }

            @Override
            public Known known(KnownRule rule, List<WatchedSecond> seconds) {
                return usual.known(rule, seconds);
            }

            @Override
            public Searched searched(Path run, List<Double> earlier) {
                return usual.searched(run, earlier);
            }

            @Override
            public OptionalDouble foundPeak(Path run) {
                return usual.foundPeak(run);
            }

            @Override
            public List<String> spoiled(Path run) {
                return usual.spoiled(run);
            }
        };
    }
}
