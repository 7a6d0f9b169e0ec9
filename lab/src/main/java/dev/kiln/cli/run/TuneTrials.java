package dev.kiln.cli.run;

import dev.kiln.cli.console.Console;
import dev.kiln.cli.results.Experiments;
import dev.kiln.compare.Configuration;
import dev.kiln.compare.VariantRuns;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.cause.Causes;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.launch.Lab;
import dev.kiln.launch.LaunchCheck;
import dev.kiln.model.Experiment;
import dev.kiln.model.Experiment.PlannedRun;
import dev.kiln.model.Experiment.Runs;
import dev.kiln.model.Finding;
import dev.kiln.model.KilnException;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.RunInfo;
import dev.kiln.model.RunInfo.Outcome;
import dev.kiln.model.RunInfo.PhaseTime;
import dev.kiln.model.TunePlan;
import dev.kiln.model.Variant;
import dev.kiln.plan.Schedule;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.tune.Candidate;
import dev.kiln.tune.Candidates;
import dev.kiln.tune.Trials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;

/** The runs of a search, each stage an experiment in a folder of its own. */
final class TuneTrials implements Trials {
    /** A slope is seen at its end; a peak that is never reached, at the end of the load. */
    private static final int WARMED_PERCENT = 95;

    private final LabSession session;
    private final Console console;
    private final Lab lab;
    private final Experiment experiment;
    private final Path directory;
    private final Duration budget;
    private final Predicate<String> wanted;
    private final TunePlan plan;
    private final long beganNanos = System.nanoTime();
    private double secondsOfARun;

    /**
     * @param experiment resolved and built; its first variant is the baseline, the others are candidates of the user's
     * @param wanted names of candidates that may be tried
     * @param plan of the search so far
     */
    TuneTrials(
            LabSession session,
            Console console,
            Lab lab,
            Experiment experiment,
            Path directory,
            Duration budget,
            Predicate<String> wanted,
            TunePlan plan) {
        this.session = session;
        this.console = console;
        this.lab = lab;
        this.experiment = experiment;
        this.directory = directory;
        this.budget = budget;
        this.wanted = wanted;
        this.plan = plan;
        secondsOfARun = secondsOfARun(experiment);
    }

    /** Before anything was measured. */
    static double secondsOfARun(Experiment experiment) {
        Experiment one = experiment.with(experiment.variants().subList(0, 1)).with(Runs.fixed(1));
        return Schedule.of(one).estimate().toMillis() / 1e3;
    }

    private double spent() {
        return plan.spentSeconds() + (System.nanoTime() - beganNanos) / 1e9;
    }

    @Override
    public boolean affords(int runs) {
        return spent() + runs * secondsOfARun <= budget.toMillis() / 1e3;
    }

    @Override
    public void tell(String text) {
        session.note(text);
    }

    private Variant baseline() {
        return experiment.variants().getFirst();
    }

    @Override
    public Map<String, Configuration> run(String stage, List<Candidate> candidates, int blocks) {
        List<Variant> variants = new ArrayList<>(List.of(baseline()));
        candidates.forEach(candidate -> variants.add(candidate.variant()));
        Experiment asked = experiment
                .with(variants)
                .with(Runs.fixed(blocks).withRepeats(experiment.runs().repeat()));
        Path folder = directory.resolve(stage);
        List<PlannedRun> missing = missing(Schedule.of(asked).runs(), folder);
        if (!missing.isEmpty()) {
            tell(stage + ": " + missing.size() + " runs");
            long begin = System.nanoTime();
            try (ExperimentRunner runner = session.runner(lab, asked, folder)) {
                runner.run(missing, block -> !affords(variants.size()));
            } finally {
                StudyFile.TUNE.write(directory, new TunePlan(TunePlan.SCHEMA_VERSION, plan.question(), spent()));
            }
            // What a stage takes beyond its runs, such as the training of caches, is part of what they cost.
            double each = (System.nanoTime() - begin) / 1e9 / missing.size();
            secondsOfARun = Math.max(each, secondsOfARun / 2);
        }
        return measured(folder);
    }

    /** What was not run yet, numbered after what was. */
    private static List<PlannedRun> missing(List<PlannedRun> planned, Path folder) {
        if (!Files.isDirectory(folder)) {
            return planned;
        }
        Set<String> done = new HashSet<>();
        Map<String, Integer> numbers = new HashMap<>();
        for (RunInfo info : infos(folder)) {
            numbers.merge(info.variant(), info.run(), Math::max);
            boolean ended = info.outcome() == Outcome.COMPLETED || info.outcome() == Outcome.TARGET_FAILED;
            if (ended && info.repeatedFor().isEmpty()) {
                done.add(info.variant() + "/" + info.block());
            }
        }
        return planned.stream()
                .filter(run -> !done.contains(run.variant().name() + "/" + run.block()))
                .map(run -> new PlannedRun(
                        run.block(), numbers.getOrDefault(run.variant().name(), 0) + 1, run.variant()))
                .toList();
    }

    private static List<RunInfo> infos(Path folder) {
        try {
            return ExperimentReader.find(folder).directories().stream()
                    .map(RunReader::info)
                    .toList();
        } catch (KilnException e) {
            // The search was ended before its first run.
            return List.of();
        }
    }

    private Map<String, Configuration> measured(Path folder) {
        ExperimentResult result = Experiments.assess(folder, AnalysisConfig.defaults(), console.err());
        Map<String, Configuration> measured = new LinkedHashMap<>();
        for (VariantResult variant : result.variants()) {
            if (!variant.valid().isEmpty()) {
                measured.put(variant.name(), VariantRuns.of(result, variant, folder.toString()));
            }
        }
        return measured;
    }

    @Override
    public List<Candidate> candidates() {
        List<Candidate> all = new ArrayList<>();
        experiment.variants().stream()
                .skip(1)
                .map(variant -> new Candidate(variant, Optional.empty(), List.of(), Optional.empty()))
                .forEach(all::add);
        Candidates.of(baseline(), findings(), (name, why) -> tell("left out: " + name + ": " + why)).stream()
                .filter(candidate -> all.stream().noneMatch(one -> same(one.variant(), candidate.variant())))
                .forEach(all::add);
        return all.stream()
                .filter(candidate -> wanted.test(candidate.name()))
                .filter(candidate -> canLaunch(candidate.variant()))
                .toList();
    }

    private static boolean same(Variant a, Variant b) {
        return a.name().equals(b.name())
                || (a.target().program().equals(b.target().program())
                        && a.target().jvm().equals(b.target().jvm())
                        && a.target().modifiers().equals(b.target().modifiers()));
    }

    private boolean canLaunch(Variant variant) {
        try {
            new LaunchCheck(lab, variant).check();
            return true;
        } catch (KilnException e) {
            tell("left out: " + e.getMessage());
            return false;
        }
    }

    /** Causes that held at the end of the warm-up, and those that held until throughput came to its peak. */
    private List<Finding> findings() {
        Path folder = directory.resolve("1-baseline");
        List<Finding> findings = new ArrayList<>();
        ExperimentResult result = Experiments.assess(folder, AnalysisConfig.defaults(), console.err());
        for (VariantResult variant : result.variants()) {
            for (RunResult run : variant.valid()) {
                findings.addAll(run.explanation().findings());
                RunEvidence evidence =
                        RunReader.read(folder.resolve(variant.name()).resolve(Integer.toString(run.run())));
                evidence.info().phases().stream()
                        .filter(PhaseTime::load)
                        .findFirst()
                        .ifPresent(load -> {
                            long end = load.startNanos()
                                    + Math.round(1e9
                                            * run.series()
                                                    .time(WARMED_PERCENT)
                                                    .map(TimeToPeak::seconds)
                                                    .orElse(OptionalDouble.empty())
                                                    .orElse(run.series().seconds()));
                            findings.addAll(Causes.judge(WindowEvidence.of(evidence, load.startNanos(), end)));
                        });
            }
        }
        return findings;
    }
}
