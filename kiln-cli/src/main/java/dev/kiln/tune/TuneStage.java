package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.VariantRuns;
import dev.kiln.console.Console;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.Inside.InsideClosing;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.Validity;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.host.process.LogTail;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment.ClosingLoad;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.study.Experiments;
import dev.kiln.tune.Trials.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A TuneStage reads the folder of one stage of a search: which runs are missing, and what the recorded ones show. */
record TuneStage(Path folder) {
    /** The share of all requests that may fail by chance. */
    private static final double FAILING = 0.001;

    /** What HotSpot says of a flag that it does not know, not with this value, or not without another. */
    private static final Pattern REFUSED_FLAG = Pattern.compile(
            "(?m)^.{0,200}(?:Unrecognized (?:VM )?option|Improperly specified VM option|must be enabled via).{0,200}$");

    /**
     * Returns the planned runs that are missing, numbered after the recorded ones. If a block was cut short, all of its
     * runs are missing: runs that are hours apart are no pair.
     */
    List<PlannedRun> missing(List<PlannedRun> planned) {
        Set<String> done = infos().stream()
                .filter(TuneStage::counts)
                .map(info -> info.variant() + "/" + info.which().block())
                .collect(Collectors.toSet());
        Set<Integer> open = planned.stream()
                .filter(run -> !done.contains(run.variant().name() + "/" + run.block()))
                .map(PlannedRun::block)
                .collect(Collectors.toSet());
        return numbered(
                planned.stream().filter(run -> open.contains(run.block())).toList());
    }

    /** Returns these runs numbered after the recorded ones. */
    List<PlannedRun> numbered(List<PlannedRun> runs) {
        Map<String, Integer> numbers =
                infos().stream().collect(Collectors.toMap(RunInfo::variant, RunInfo::run, Math::max));
        return runs.stream()
                .map(run -> new PlannedRun(
                        run.block(), numbers.getOrDefault(run.variant().name(), 0) + 1, run.variant()))
                .toList();
    }

    /** Tells whether a run ended by itself, and was not made again. */
    private static boolean counts(RunInfo info) {
        boolean ended = info.outcome() == Outcome.COMPLETED || info.outcome() == Outcome.TARGET_FAILED;
        return ended && info.repeatedFor().isEmpty();
    }

    /** Returns what was recorded of the last run of a variant that counts; empty without one. */
    Optional<RunEvidence> last(String variant) {
        return infos().stream()
                .filter(info -> info.variant().equals(variant) && counts(info))
                .max(Comparator.comparingInt(RunInfo::run))
                .map(this::evidence);
    }

    /** Returns the requests of each second of the first load, of the runs of a variant that have ended, the last one last. */
    List<double[]> served(String variant) {
        return infos().stream()
                .filter(info -> info.variant().equals(variant) && info.outcome() == Outcome.COMPLETED)
                .filter(info -> info.repeatedFor().isEmpty())
                .sorted(Comparator.comparingInt(RunInfo::run))
                .map(this::evidence)
                .filter(run -> Validity.spoiled(run, AnalysisConfig.defaults()).isEmpty())
                .flatMap(run -> seconds(run).stream())
                .toList();
    }

    /** Returns the requests of each second of the first load of a run, from its first request on. */
    static Optional<double[]> seconds(RunEvidence run) {
        return run.info().phases().stream()
                .filter(PhaseTime::load)
                .findFirst()
                .map(load -> LoadSeries.of(load.name(), run.load()).completed());
    }

    RunEvidence evidence(RunInfo info) {
        return RunReader.read(ExperimentReader.directory(folder, info.variant(), info.run()));
    }

    /** Tells whether a request of a run of this variant failed. */
    boolean hasErrors(String variant) {
        return infos().stream()
                .filter(info -> info.variant().equals(variant) && counts(info))
                .flatMap(info -> evidence(info).load().stream())
                .anyMatch(bin -> bin.errors().total() > 0);
    }

    /** Returns about how long the closing recordings of these runs took, in seconds: only a first run of the baseline has one. */
    double closings(List<PlannedRun> runs) {
        return ClosingLoad.TAKES.toSeconds()
                * (double) runs.stream()
                        .filter(run -> Files.exists(folder.resolve(run.variant().name())
                                .resolve(Integer.toString(run.run()))
                                .resolve(InsideClosing.FILE)))
                        .count();
    }

    /** Returns the runs that were begun. */
    List<RunInfo> infos() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try {
            return ExperimentReader.find(folder).directories().stream()
                    .map(RunReader::info)
                    .toList();
        } catch (KilnException e) {
            // The search was ended before its first run.
            return List.of();
        }
    }

    /**
     * Returns what the runs of this stage show.
     *
     * @param baseline name of the variant that all are compared with
     * @param candidates of the stage
     * @param untrained why variants could not be launched, by name
     * @param err where Kiln warns of evidence that it cannot read
     */
    Results results(String baseline, List<Candidate> candidates, Map<String, String> untrained, PrintWriter err) {
        Map<String, Configuration> measured = new LinkedHashMap<>();
        Map<String, String> failed = new LinkedHashMap<>(untrained);
        Map<String, String> invalid = new LinkedHashMap<>();
        List<RunInfo> counting =
                infos().stream().filter(info -> info.repeatedFor().isEmpty()).toList();
        if (!infos().isEmpty()) {
            ExperimentResult result = Experiments.assess(folder, AnalysisConfig.defaults(), Console.leftOut(err));
            for (VariantResult variant : result.variants()) {
                if (!variant.valid().isEmpty()) {
                    measured.put(variant.name(), VariantRuns.of(result, variant.alone(), folder.toString()));
                } else {
                    invalid.put(variant.name(), reasons(variant));
                }
            }
            failed.putAll(withoutEffect(candidates, counting));
            failed.putAll(breaking(result, baseline, counting));
            failed.putAll(dead(baseline, counting));
        }
        return new Results(measured, failed, untrained.keySet(), invalid);
    }

    /** Returns why the last run does not count: those before it have much the same reasons. */
    private static String reasons(VariantResult variant) {
        return variant.runs().isEmpty()
                ? ""
                : String.join("; ", variant.runs().getLast().invalidReasons());
    }

    /** Returns the variants whose change did nothing to the service, with the reason: what they gained is noise. */
    private Map<String, String> withoutEffect(List<Candidate> candidates, List<RunInfo> counting) {
        Map<String, String> without = new LinkedHashMap<>();
        for (Candidate candidate : candidates) {
            counting.stream()
                    .filter(info -> info.variant().equals(candidate.name()) && info.outcome() == Outcome.COMPLETED)
                    .findFirst()
                    .map(this::evidence)
                    .flatMap(run -> candidate
                            .change()
                            .flatMap(change -> Applicability.withoutEffect(
                                    change, candidate.variant().target(), run)))
                    .ifPresent(why -> without.put(candidate.name(), why));
        }
        return without;
    }

    /**
     * Returns the variants that failed more requests than the baseline, with the reason; with the baseline itself, if
     * it failed any.
     */
    private static Map<String, String> breaking(ExperimentResult result, String baseline, List<RunInfo> counting) {
        Map<String, String> breaking = new LinkedHashMap<>();
        double usual = failing(result, baseline, counting);
        for (VariantResult variant : result.variants()) {
            double share = failing(result, variant.name(), counting);
            double bearable = variant.name().equals(baseline) ? FAILING : FAILING + usual;
            if (share > bearable) {
                breaking.put(
                        variant.name(),
                        String.format(Locale.ROOT, "%.2f %% of the requests of a run failed", 100 * share));
            }
        }
        return breaking;
    }

    /**
     * Returns the variants whose process died, with the reason; only the baseline if that died too, for then the
     * service is at fault and no variant.
     */
    private Map<String, String> dead(String baseline, List<RunInfo> counting) {
        Map<String, String> dead = new LinkedHashMap<>();
        counting.stream()
                .filter(info -> info.outcome() == Outcome.TARGET_FAILED)
                .forEach(info -> dead.put(
                        info.variant(), info.course().outcomeDetail().orElse("the target failed") + refusedFlag(info)));
        if (dead.containsKey(baseline)) {
            dead.keySet().retainAll(Set.of(baseline));
        }
        return dead;
    }

    /** Returns what the JVM of a run said of a flag that it does not take, to follow how it ended; blank where it said nothing. */
    private String refusedFlag(RunInfo info) {
        Matcher refused = REFUSED_FLAG.matcher(LogTail.ends(
                ExperimentReader.directory(folder, info.variant(), info.run()).resolve("target.log")));
        return refused.find()
                ? "; its JVM said: " + Secrets.HIDDEN.text(refused.group().strip())
                : "";
    }

    /** Returns the greatest share of the requests of a run that were not served well. */
    private static double failing(ExperimentResult result, String variant, List<RunInfo> counting) {
        return result.variants().stream()
                .filter(one -> one.name().equals(variant))
                .flatMap(one -> one.runs().stream())
                .filter(run ->
                        counting.stream().anyMatch(info -> info.variant().equals(variant) && info.run() == run.run()))
                .mapToDouble(TuneStage::failing)
                .max()
                .orElse(0);
    }

    private static double failing(RunResult run) {
        long errors = run.errors().map(LoadBin.Errors::total).orElse(0L);
        return errors / Math.max(1.0, errors + run.requests());
    }

    /** Returns the seconds of recorded runs in all stages of a search. */
    static double recordedSeconds(Path directory) {
        try (Stream<Path> stages = Files.list(directory)) {
            return stages.filter(Files::isDirectory)
                    .flatMap(stage -> new TuneStage(stage).infos().stream())
                    .flatMap(info -> info.phases().stream()
                            .map(phase -> phase.endNanos().orElse(phase.startNanos()))
                            .max(Comparator.naturalOrder())
                            .stream())
                    .mapToDouble(nanos -> nanos / 1e9)
                    .sum();
        } catch (IOException e) {
            throw KilnException.machine(
                    e, "cannot list " + directory, "make it readable, or name another folder: --results DIR");
        }
    }
}
