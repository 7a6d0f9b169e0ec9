package dev.kiln.runner;

import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunWriter;
import dev.kiln.evidence.StudyFile;
import dev.kiln.launch.Lab;
import dev.kiln.load.LoadDriver;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.SweepLevel;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.postgres.Postgres;
import dev.kiln.runner.Cancellation.Interrupted;
import dev.kiln.runner.RunControl.RunListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * An ExperimentRunner runs an experiment. In order: checks, the user's own preparation, PostgreSQL, a first read of the target's files, a rehearsal
 * of the recorder, AOT caches, the claims; then one run after the other, each by a {@link RunFrame}, or the two of a
 * block at once, by a {@link Duet}. A run that fails does not end the experiment.
 */
public final class ExperimentRunner implements AutoCloseable {
    private final Lab lab;
    private final Experiment experiment;
    private final Path directory;
    private final RunControl control;
    private final RunListener listener;
    private final Cancellation cancellation;
    private Optional<Postgres> database = Optional.empty();
    private final Map<String, AotMaking.Made> caches = new HashMap<>();

    /** The peaks that were searched for and found, by variant: one round of a later run is enough where it agrees with them. */
    private final Map<String, List<Double>> peaks = new HashMap<>();

    private final HotDriver driver;
    private final boolean ownDriver;
    private boolean checked;
    private final HookRunner hooks;

    /** What runs the two variants of a block at once; empty where runs follow one another. */
    private Optional<Duet> duet = Optional.empty();

    /** @param directory of the experiment; each run gets {@code <variant>/<run>} in it */
    public ExperimentRunner(Lab lab, Experiment experiment, Path directory, RunControl control) {
        this(
                lab,
                experiment,
                directory,
                control,
                new HotDriver(lab, experiment.load(), control.listener(), control.cancellation()),
                true);
    }

    private ExperimentRunner(
            Lab lab, Experiment experiment, Path directory, RunControl control, HotDriver driver, boolean ownDriver) {
        this.lab = lab;
        this.experiment = experiment;
        this.directory = directory;
        this.control = control;
        listener = control.listener();
        cancellation = control.cancellation();
        this.driver = driver;
        this.ownDriver = ownDriver;
        hooks = new HookRunner(lab.registry(), lab.allCpus(), directory, control);
    }

    /** Makes a runner with a driver that is not its own, and stays warm after it. */
    public static ExperimentRunner with(
            HotDriver driver, Lab lab, Experiment experiment, Path directory, RunControl control) {
        return new ExperimentRunner(lab, experiment, directory, control, driver, false);
    }

    /** Checks, once, that this machine can do what the experiment asks for, or throws; a run does so first. */
    public void check() {
        if (!checked) {
            duet = experiment.isDuet() ? Optional.of(new Duet(lab, experiment, control, hooks)) : Optional.empty();
            Preflight.check(duet.map(Duet::half).orElse(lab), experiment, listener);
            checked = true;
        }
    }

    /**
     * Runs these runs one after the other, or those of a block at once, and returns false if any failed. An
     * {@link Interrupted} or {@link KilnException} keeps what was recorded.
     *
     * @param enough called with the number of each block that has been run; its answer true ends the experiment
     */
    public boolean run(List<PlannedRun> runs, IntPredicate enough) {
        check();
        lab.stepAside();
        hooks.prepare(experiment);
        duet.ifPresentOrElse(Duet::open, () -> database = RunContext.database(lab, experiment, listener));
        runs.stream().map(run -> run.variant().target()).distinct().forEach(TargetFiles::read);
        driver.rehearse();
        caches.putAll(AotMaking.all(
                experiment.variants(),
                () -> duet.map(Duet::trains).orElseGet(() -> context(driver.get())),
                directory.resolve("aot")));
        StudyFile.CLAIMS.write(directory, experiment.claims());
        return runAll(new Tries(runs, experiment.runs().repeat()), enough);
    }

    private boolean runAll(Tries tries, IntPredicate enough) {
        boolean allCompleted = true;
        int position = 0;
        int block = 0;
        for (Optional<PlannedRun> next = tries.next(block); next.isPresent(); next = tries.next(block)) {
            PlannedRun planned = next.get();
            if (position > 0 && block != planned.block() && enough.test(block)) {
                break;
            }
            block = planned.block();
            cancellation.check();
            position++;
            allCompleted &=
                    duet.isPresent() ? both(duet.get(), planned, position, tries) : one(planned, position, tries);
        }
        return allCompleted;
    }

    /** Makes one run; returns false if it failed and is not made again. */
    private boolean one(PlannedRun planned, int position, Tries tries) {
        LoadDriver hot = driver.get();
        cancellation.check();
        listener.runStarted(planned.variant().name(), position, tries.total());
        Outcome outcome = run(planned, hot);
        boolean again = repeated(List.of(planned), List.of(outcome), tries);
        if (outcome == Outcome.COMPLETED && !again) {
            keepPeak(planned);
        }
        return again || outcome == Outcome.COMPLETED;
    }

    /** Makes both runs of a block at once; returns false if one failed and they are not made again. */
    private boolean both(Duet two, PlannedRun first, int position, Tries tries) {
        List<PlannedRun> block = List.of(first, tries.next(first.block()).orElseThrow());
        two.warm();
        cancellation.check();
        listener.runStarted(experiment.duetName(), position, tries.total() / block.size());
        List<Outcome> outcomes = two.run(block, this::folder, this::cache);
        return repeated(block, outcomes, tries) || outcomes.stream().allMatch(Outcome.COMPLETED::equals);
    }

    /** Keeps the peak that a run found for the later runs of its variant. */
    private void keepPeak(PlannedRun planned) {
        if (experiment.protocol().reference().isPresent() && experiment.runs().atMost() > 1) {
            control.judge()
                    .foundPeak(folder(planned))
                    .ifPresent(peak -> peaks.computeIfAbsent(planned.variant().name(), name -> new ArrayList<>())
                            .add(peak));
        }
    }

    private RunContext context(LoadDriver hot) {
        return new RunContext(lab, experiment, hot, database, Optional.empty(), control, hooks);
    }

    private Path folder(PlannedRun planned) {
        return directory.resolve(planned.variant().name()).resolve(Integer.toString(planned.run()));
    }

    private Outcome run(PlannedRun planned, LoadDriver hot) {
        Path folder = folder(planned);
        List<Double> earlier = peaks.getOrDefault(planned.variant().name(), List.of());
        return context(hot)
                .withBackend(
                        planned.variant().target(),
                        folder,
                        context -> new RunFrame(context, planned, folder, cache(planned), earlier).run());
    }

    /**
     * Returns whether Kiln repeats a run, or the runs that were made at once, as their {@code run.json} then say. A target
     * that failed is a result.
     */
    private boolean repeated(List<PlannedRun> made, List<Outcome> outcomes, Tries tries) {
        boolean ours = List.of(Outcome.COMPLETED, Outcome.LAB_FAILED).containsAll(outcomes);
        if (!ours || !made.stream().allMatch(run -> tries.left(run.variant().name()))) {
            return false;
        }
        List<List<String>> why =
                made.stream().map(run -> control.judge().spoiled(folder(run))).toList();
        if (why.stream().allMatch(List::isEmpty)) {
            return false;
        }
        for (int i = 0; i < made.size(); i++) {
            List<String> own = why.get(i);
            repeat(made.get(i), own.isEmpty() ? List.of("the run beside it was disturbed") : own, tries);
        }
        return true;
    }

    private void repeat(PlannedRun run, List<String> why, Tries tries) {
        RunWriter.replace(folder(run), RunReader.info(folder(run)).repeatedFor(why));
        tries.repeat(run);
        listener.note("Kiln repeats " + run.variant().name() + " run " + run.run() + ": " + String.join("; ", why));
    }

    /**
     * Starts so many processes of a level's variant, after {@link #run}, and measures them under load together. Empty,
     * with a note, where they did not all come up or stay up.
     */
    public Optional<DensityStudy.MeasuredProcess> together(SweepLevel level, int processes) {
        Variant variant = experiment.variants().stream()
                .filter(one -> one.name().equals(level.variant()))
                .findFirst()
                .orElseThrow();
        cancellation.check();
        listener.runStarted(level.variant() + " x " + processes, 1, 1);
        Path folder = directory.resolve("density").resolve(level.configuration());
        Optional<AotMaking.Made> cache = Optional.ofNullable(caches.get(variant.name()));
        try {
            return Optional.of(context(driver.get())
                    .withBackend(
                            variant.target(),
                            folder,
                            context -> new Together(context, variant, folder, cache).run(level, processes)));
        } catch (RunFailure e) {
            cancellation.check();
            String what = processes + " processes of " + level.configuration() + " together: " + e.getMessage();
            listener.note(RunFailure.with(what, e.said()));
            return Optional.empty();
        }
    }

    private Optional<AotMaking.Made> cache(PlannedRun planned) {
        return Optional.ofNullable(caches.get(planned.variant().name()));
    }

    /** Tells whether a command of the user's failed that no run says so of, such as a cleanup; all is known after {@link #close}. */
    public boolean hookFailed() {
        return hooks.failed();
    }

    @Override
    public void close() {
        try (hooks) {
            if (ownDriver) {
                driver.close();
            }
        } finally {
            database.ifPresent(Postgres::close);
            duet.ifPresent(Duet::close);
        }
    }
}
