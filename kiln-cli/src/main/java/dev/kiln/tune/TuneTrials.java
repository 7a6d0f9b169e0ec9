package dev.kiln.tune;

import dev.kiln.console.Console;
import dev.kiln.evidence.RunReader;
import dev.kiln.launch.Lab;
import dev.kiln.launch.LaunchCheck;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.plan.Schedule;
import dev.kiln.run.LabSession;
import dev.kiln.runner.CacheFailure;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.runner.HotDriver;
import dev.kiln.runner.RunControl.Judge;
import dev.kiln.runner.ServiceAsBefore;
import dev.kiln.text.Show;
import dev.kiln.tune.AsWritten.MadeRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** TuneTrials makes the runs of a search; each stage is an experiment in a folder of its own. */
final class TuneTrials implements Trials, AutoCloseable {
    private static final String BASELINE = "1-baseline";

    private final LabSession session;
    private final Console console;
    private final Lab lab;
    private final HotDriver driver;
    private final Experiment experiment;
    private final Path directory;
    private final TuneBudget budget;
    private final Wanted wanted;
    private TunePlan plan;
    private final ServiceAsBefore service;
    private final Map<String, String> untrained = new HashMap<>();

    private final Set<String> looks;

    /** Stages of screens whose runs are of this process. */
    private final Set<String> begun = new HashSet<>();

    /** Requests of the baseline itself failed. */
    private boolean failing;

    private Map<Candidate, SearchRecord> known = Map.of();

    /**
     * A Wanted is the names of candidates that the user chose or excluded.
     *
     * @param only of those that may be tried; none for all
     * @param not of those that may not
     */
    record Wanted(List<String> only, List<String> not) {
        /** @param names such as {@code xbatch,aot-traffic} or {@code -xbatch} */
        static Wanted of(Optional<String> names) {
            List<String> given =
                    names.map(some -> List.of(some.split("\\s*,\\s*", -1))).orElse(List.of());
            return new Wanted(
                    given.stream().filter(name -> !name.startsWith("-")).toList(),
                    given.stream()
                            .filter(name -> name.startsWith("-"))
                            .map(name -> name.substring(1))
                            .toList());
        }

        private boolean test(String name) {
            return !not.contains(name) && (only.isEmpty() || only.contains(name));
        }
    }

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
            Duration limit,
            Wanted wanted,
            TunePlan plan) {
        this.session = session;
        this.console = console;
        this.lab = lab;
        driver = session.driver(lab, experiment.load());
        this.experiment = experiment;
        this.directory = directory;
        this.wanted = wanted;
        this.plan = plan;
        service = session.asBefore(lab, experiment.variants().getFirst().target(), directory.resolve("as-before"));
        looks = new LinkedHashSet<>(plan.looks().orElse(List.of()));
        // Killed, it had no time to tell what its last runs took.
        budget = new TuneBudget(limit, Math.max(plan.spentSeconds(), TuneStage.recordedSeconds(directory)), experiment);
    }

    @Override
    public boolean affordsScreens(String stage, List<Candidate> candidates, int reserve) {
        int missing = missingScreens(stage, candidates).size();
        long caches = candidates.stream()
                .filter(one -> one.variant().target().aot().isPresent())
                .filter(one -> !Files.isDirectory(directory.resolve(stage).resolve(one.name())))
                .count();
        // The training of a cache takes about as long as a run.
        return missing == 0 || budget.affords(missing, caches + reserve);
    }

    /**
     * Returns the runs that a stage of screens misses. They are compared with the baseline's whole runs just before; where these
     * are hours old, or failed requests, the baseline runs again.
     */
    private List<PlannedRun> missingScreens(String stage, List<Candidate> candidates) {
        List<PlannedRun> planned = new ArrayList<>();
        candidates.stream()
                .filter(one -> !untrained.containsKey(one.name()))
                .forEach(one -> planned.add(
                        new PlannedRun(planned.size() + 2, 1, one.variant().withoutClosing())));
        List<PlannedRun> missing = stage(stage).missing(planned);
        if (missing.isEmpty() || begun.contains(stage)) {
            return missing;
        }
        if (budget.wentOn() || failing) {
            planned.addFirst(new PlannedRun(1, 1, baseline().withoutClosing()));
        }
        return stage(stage).numbered(planned);
    }

    @Override
    public Screens screen(String stage, List<Candidate> candidates) {
        List<PlannedRun> missing = missingScreens(stage, candidates);
        if (!missing.isEmpty()) {
            tell(told(stage, "short run", missing));
            begun.add(stage);
            Experiment shorter = asked(candidates, 1).with(ScreenRuns.protocol(experiment));
            try (ExperimentRunner runner = runner(
                    stage,
                    shorter,
                    usual -> screens(stage).judge(usual, missing.getFirst().block() == 1))) {
                runner.run(missing, block -> {
                    remember();
                    return false;
                });
            } catch (CacheFailure e) {
                leaveOut(e);
                // It came before the first run.
                begun.remove(stage);
                return screen(stage, candidates);
            } finally {
                remember();
            }
        }
        Results results = stage(stage).results(baseline().name(), candidates, untrained, console.err());
        return screens(stage).screens(results, candidates);
    }

    private ScreenRuns screens(String stage) {
        int load = (int) experiment.protocol().phases().getFirst().duration().toSeconds();
        return new ScreenRuns(stage(stage), stage(BASELINE), baseline().name(), load);
    }

    private TuneStage stage(String name) {
        return new TuneStage(directory.resolve(name));
    }

    @Override
    public boolean affords(String stage, List<Candidate> candidates, int blocks, int reserve) {
        List<PlannedRun> missing = stage(stage).missing(planned(candidates, blocks));
        // What has run costs nothing: a search that goes on decides as it did.
        return missing.isEmpty() || budget.affords(0, missing.size() + reserve);
    }

    private Experiment asked(List<Candidate> candidates, int blocks) {
        // What holds it back is asked of the baseline alone, and once.
        List<Variant> variants = new ArrayList<>(
                List.of(candidates.isEmpty() ? baseline() : baseline().withoutClosing()));
        candidates.forEach(candidate -> variants.add(candidate.variant().withoutClosing()));
        return experiment
                .with(variants)
                .with(Runs.fixed(blocks).withRepeats(experiment.runs().repeat()));
    }

    private List<PlannedRun> planned(List<Candidate> candidates, int blocks) {
        return Schedule.of(asked(candidates, blocks)).runs();
    }

    private static String told(String stage, String kind, List<PlannedRun> runs) {
        return runs.stream()
                .map(run -> run.variant().name())
                .distinct()
                .collect(Collectors.joining(", ", stage + ": " + Show.plural(runs.size(), kind) + " of ", ""));
    }

    @Override
    public void tell(String text) {
        session.note(text);
        remember();
    }

    @Override
    public void shows(Map<Candidate, SearchRecord> records) {
        known = records;
    }

    private Variant baseline() {
        return experiment.variants().getFirst();
    }

    @Override
    public Results run(String stage, List<Candidate> candidates, int blocks) {
        List<Candidate> launchable = candidates.stream()
                .filter(candidate -> !untrained.containsKey(candidate.name()))
                .toList();
        List<PlannedRun> missing = stage(stage).missing(planned(launchable, blocks));
        if (!missing.isEmpty() && (candidates.isEmpty() || !launchable.isEmpty())) {
            tell(told(stage, "run", missing));
            try {
                run(stage, launchable, blocks, missing);
            } catch (CacheFailure e) {
                leaveOut(e);
                return run(stage, candidates, blocks);
            }
        }
        Results results = stage(stage).results(baseline().name(), launchable, untrained, console.err());
        failing |= stage.equals(BASELINE) && stage(stage).hasErrors(baseline().name());
        return results;
    }

    /** Leaves out a candidate whose cache cannot be made. */
    private void leaveOut(CacheFailure failure) {
        if (failure.variant().equals(baseline().name())) {
            throw failure;
        }
        untrained.put(failure.variant(), String.valueOf(failure.getMessage()));
        tell("not tried any further: " + failure.getMessage());
    }

    /** Makes a runner of a stage: from then on the service of others is not as it was. */
    private ExperimentRunner runner(String stage, Experiment of, UnaryOperator<Judge> judging) {
        service.changes();
        return session.runner(lab, of, directory.resolve(stage), driver, judging);
    }

    private void run(String stage, List<Candidate> candidates, int blocks, List<PlannedRun> missing) {
        // The driver is warmed up once, which tells nothing of the length of a run.
        long begin = System.nanoTime() - driver.warmed().toNanos();
        try (ExperimentRunner runner = runner(stage, asked(candidates, blocks), UnaryOperator.identity())) {
            runner.run(missing, block -> {
                remember();
                return !budget.affords(0, 1 + candidates.size());
            });
        } finally {
            remember();
        }
        // What a stage takes beyond its runs, such as the training of caches, is part of what they cost.
        double took = (System.nanoTime() - driver.warmed().toNanos() - begin) / 1e9;
        budget.learn((took - stage(stage).closings(missing)) / missing.size());
    }

    /** Returns one run of a variant alone, which is no pair: of its first seconds if time is short; empty if there is none left. */
    Optional<MadeRun> once(String stage, Variant variant) {
        // What it shows of the flags needs no quiet machine, so a busy one is no reason to make it again.
        Experiment alone = experiment
                .with(List.of(variant.withoutClosing()))
                .with(Runs.fixed(1).withRepeats(false));
        List<PlannedRun> missing = stage(stage).missing(Schedule.of(alone).runs());
        if (!missing.isEmpty()) {
            if (!budget.isLeft()) {
                return Optional.empty();
            }
            Protocol shortest = AsWritten.shortest(alone);
            boolean whole = budget.affordsWhole() || shortest.equals(alone.protocol());
            make(stage, whole ? "run" : "short run", whole ? alone : alone.with(shortest), missing);
        }
        return Optional.of(MadeRun.of(stage(stage), variant.name(), experiment.protocol(), console.err()));
    }

    /** Returns what a new run of an experiment's only variant showed, however little of the budget is left. */
    RunEvidence glimpse(String stage, Experiment alone) {
        List<PlannedRun> planned = stage(stage).numbered(Schedule.of(alone).runs());
        make(stage, "short run", alone, planned);
        PlannedRun made = planned.getFirst();
        return RunReader.read(
                directory.resolve(stage).resolve(made.variant().name()).resolve(Integer.toString(made.run())));
    }

    private void make(String stage, String kind, Experiment alone, List<PlannedRun> runs) {
        tell(told(stage, kind, runs));
        try (ExperimentRunner runner = runner(stage, alone, UnaryOperator.identity())) {
            runner.run(runs, block -> false);
        } catch (KilnException e) {
            // What an interruption ends under way complains too.
            session.check();
            throw e;
        } finally {
            remember();
        }
    }

    private void remember() {
        TunePlan.FILE.write(
                directory, plan.after(budget.spent(), List.copyOf(looks), known, baseline(), session.secrets()));
    }

    @Override
    public FoundCandidates candidates(Goal goal) {
        new HandedOn(experiment, stage(HandedOn.STAGE)).requireNothingLost(stage(BASELINE));
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        List<String> without = new ArrayList<>();
        List<Candidate> all = new ArrayList<>();
        experiment.variants().stream().skip(1).map(Candidate::of).forEach(all::add);
        BiConsumer<String, String> no = (name, why) ->
                reasons.computeIfAbsent(why, other -> new ArrayList<>()).add(name);
        List<Finding> held = HeldBack.inRuns(directory.resolve(BASELINE), console);
        Optional<JvmInfo> jvm = stage(BASELINE)
                .last(baseline().name())
                .flatMap(run -> run.info().jvm());
        List<String> uncured = Candidates.uncured(held, goal);
        Candidates.of(baseline(), held, goal, no).stream()
                .filter(candidate -> canDoSomething(candidate, jvm, without))
                .flatMap(candidate -> launched(candidate, no).stream())
                .filter(candidate -> all.stream().noneMatch(candidate::isSame))
                .forEach(all::add);
        wanted.only().stream()
                .filter(name -> all.stream().noneMatch(one -> one.name().equals(name)))
                .forEach(
                        name -> no.accept(name, "no confirmed cause has a remedy of this name, and no variant has it"));
        List<String> leftOut = new ArrayList<>();
        reasons.forEach((why, names) -> leftOut.add(String.join(", ", names) + ": " + why));
        uncured.forEach(cause -> tell("nothing is tried against: " + cause));
        without.forEach(why -> tell("can do nothing here, and is not tried: " + why));
        leftOut.forEach(why -> tell("cannot be tried here: " + why));
        List<Candidate> allowed = new ArrayList<>();
        for (Candidate candidate : all) {
            if (wanted.test(candidate.name())) {
                allowed.add(candidate);
            } else {
                leftOut.add(candidate.name() + ": --candidates leaves it out");
            }
        }
        return new FoundCandidates(allowed, leftOut, without, uncured);
    }

    /**
     * @param jvm of the service; empty where nobody saw one
     * @param without told the name and the reason of one that can do nothing to this service
     */
    private boolean canDoSomething(Candidate candidate, Optional<JvmInfo> jvm, List<String> without) {
        if (wanted.only().contains(candidate.name())) {
            return true;
        }
        Target target = baseline().target();
        Optional<TargetLibraries> libraries = TargetLibraries.of(target);
        Optional<String> no = candidate
                .change()
                .flatMap(change ->
                        Applicability.tooOld(change, jvm).or(() -> Applicability.whyNot(change, target, libraries)));
        no.ifPresentOrElse(
                why -> without.add(candidate.name() + ": " + why),
                () -> candidate
                        .change()
                        .flatMap(change -> Applicability.reader(change, target, libraries))
                        .ifPresent(how -> tell(candidate.name() + ": " + how)));
        return no.isEmpty();
    }

    /**
     * Returns the candidate with its command resolved: a workload has a command of its own for virtual threads. Empty
     * if it cannot be launched; the reason is then told.
     */
    private Optional<Candidate> launched(Candidate candidate, BiConsumer<String, String> leftOut) {
        try {
            Variant variant = resolved(candidate.variant());
            new LaunchCheck(lab, variant).check();
            return Optional.of(candidate.with(variant));
        } catch (KilnException e) {
            leftOut.accept(candidate.name(), Candidates.whyNot(candidate.name(), e));
            return Optional.empty();
        }
    }

    private Variant resolved(Variant variant) {
        return session.launchable(experiment.with(List.of(variant))).variants().getFirst();
    }

    /** @throws KilnException if the target cannot have both */
    Candidate together(Candidate a, Candidate b) {
        Candidate both = Candidates.together(baseline(), a, b);
        return both.with(resolved(both.variant()));
    }

    @Override
    public Candidate boosted(Candidate candidate, BoostedStart boost) {
        return Candidates.boosted(candidate, boost);
    }

    @Override
    public boolean mayLook(String id, int most) {
        return looks.contains(id) || looks.size() < most;
    }

    @Override
    public OptionalDouble runSeconds() {
        return OptionalDouble.of(budget.runSeconds());
    }

    @Override
    public BudgetPlan fitting(BudgetPlan planned) {
        // Looks and screens that were made had the pairs of their time.
        BudgetPlan fitting =
                looks.isEmpty() && stage(Screener.STAGE).infos().isEmpty() ? planned.fitting(budget::affords) : planned;
        if (fitting.pairs() < planned.pairs()) {
            plan = plan.with(fitting);
            tell(String.format(
                    Locale.ROOT,
                    "a run takes about %.0f s, and what is left is enough for a proof of %d pairs of runs, not %d",
                    budget.runSeconds(),
                    fitting.pairs(),
                    planned.pairs()));
        }
        return fitting;
    }

    @Override
    public void looks(String id) {
        looks.add(id);
        remember();
    }

    @Override
    public void close() {
        try (service) {
            driver.close();
        }
    }
}
