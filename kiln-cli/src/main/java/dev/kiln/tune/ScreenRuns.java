package dev.kiln.tune;

import dev.kiln.explain.Validity;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.Outcome;
import dev.kiln.model.run.RunInfo.PhaseTime;
import dev.kiln.runner.Judge;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.tune.Screening.Screened;
import dev.kiln.tune.Trials.Results;
import dev.kiln.tune.Trials.Screens;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * ScreenRuns are the short runs of a stage that screens candidates.
 *
 * @param before stage with whole runs of the baseline
 * @param baseline name of the variant that all are compared with
 * @param load seconds of the first load of a whole run
 */
record ScreenRuns(TuneStage stage, TuneStage before, String baseline, int load) {
    /** Returns the protocol of these runs: the first seconds of the load, or fewer. */
    static Protocol protocol(Experiment experiment) {
        String name = experiment.protocol().phases().getFirst().name();
        // Not every generator can be ended.
        Optional<Duration> from = experiment.load().engine().equals(LoadEngine.KILN)
                ? Optional.of(Duration.ofSeconds(Screening.FIRST))
                : Optional.empty();
        return new Protocol(
                "screen", List.of(new Phase.Load(name, Duration.ofSeconds(Screening.SECONDS), from, Optional.empty())));
    }

    /** Returns what they served against the baseline. */
    Screens screens(Results results, List<Candidate> candidates) {
        Map<String, double[]> series = new LinkedHashMap<>();
        for (Candidate candidate : candidates) {
            if (results.of(candidate.name()).isPresent() && !results.failed().containsKey(candidate.name())) {
                ended(stage, candidate.name()).forEach(run -> series.put(candidate.name(), run));
            }
        }
        Optional<double[]> base = ofTheBaseline();
        Map<String, Screened> served = new LinkedHashMap<>();
        if (base.isPresent()) {
            Screening screening = screening();
            // What has lost may have ended sooner. The others are ranked by the same seconds.
            int seconds = series.values().stream()
                    .filter(run -> !screening.look(base.get(), run, run.length).isLost())
                    .mapToInt(run -> run.length)
                    .min()
                    .orElse(Screening.SECONDS);
            series.forEach((name, run) -> served.put(name, screening.look(base.get(), run, seconds)));
        }
        return new Screens(served, results.failed(), results.untried());
    }

    private Screening screening() {
        List<double[]> runs = new ArrayList<>(ended(before, baseline));
        runs.addAll(ended(stage, baseline));
        return Screening.of(load, runs);
    }

    /** Returns the latest run of the baseline: a short one, if there is one, or else the last whole one. */
    private Optional<double[]> ofTheBaseline() {
        return Stream.concat(ended(before, baseline).stream(), ended(stage, baseline).stream())
                .reduce((earlier, later) -> later);
    }

    /** Returns the requests of each second of the first load, of the runs of a variant that have ended, the last one last. */
    private static List<double[]> ended(TuneStage stage, String variant) {
        return stage.infos().stream()
                .filter(info -> info.variant().equals(variant) && info.outcome() == Outcome.COMPLETED)
                .filter(info -> info.repeatedFor().isEmpty())
                .sorted(Comparator.comparingInt(RunInfo::run))
                .map(stage::evidence)
                .filter(run -> Validity.spoiled(run, AnalysisConfig.defaults()).isEmpty())
                .flatMap(run -> seconds(run).stream())
                .toList();
    }

    private static Optional<double[]> seconds(RunEvidence run) {
        return run.info().phases().stream()
                .filter(PhaseTime::load)
                .findFirst()
                .map(load -> LoadSeries.of(load.name(), run.load()).completed());
    }

    /**
     * Returns a judge that ends a run as soon as it has surely gained or lost against that of the baseline.
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
                if (ofTheBaseline && !another) {
                    return false;
                }
                ofTheBaseline = false;
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
            public boolean starved(double cpu, double waiting) {
                return usual.starved(cpu, waiting);
            }

            @Override
            public int change(List<LoadBin> load) {
                return usual.change(load);
            }

            @Override
            public List<String> spoiled(Path run) {
                return usual.spoiled(run);
            }
        };
    }
}
