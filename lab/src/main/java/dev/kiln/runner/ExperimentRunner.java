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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * An ExperimentRunner runs an experiment. In order: checks, the user's own preparation, PostgreSQL, a first read of the target's files, a rehearsal
 * of the recorder, AOT caches, the claims; then one run after the other, each by a {@link RunFrame}. A run that
 * fails does not end the experiment.
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
            Preflight.check(lab, experiment, listener);
            checked = true;
        }
    }

    /**
     * Runs these runs one after the other, and returns false if any failed. An {@link Interrupted} or
     * {@link KilnException} keeps what was recorded.
     *
     * @param enough called with the number of each block that has been run; its answer true ends the experiment
     */
    public boolean run(List<PlannedRun> runs, IntPredicate enough) {
        check();
        lab.stepAside();
        hooks.prepare(experiment);
        database = RunContext.database(lab, experiment, listener);
        runs.stream().map(run -> run.variant().target()).distinct().forEach(TargetFiles::read);
        driver.rehearse();
        caches.putAll(AotMaking.all(experiment.variants(), () -> context(driver.get()), directory.resolve("aot")));
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
            LoadDriver hot = driver.get();
            cancellation.check();
            listener.runStarted(planned.variant().name(), ++position, tries.total());
            Outcome outcome = run(planned, hot);
            boolean again = repeated(planned, outcome, tries);
            if (outcome == Outcome.COMPLETED && !again) {
                keepPeak(planned);
            }
            allCompleted &= again || outcome == Outcome.COMPLETED;
        }
        return allCompleted;
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

    /** Returns whether Kiln repeats the run, as {@code run.json} then says. A target that failed is a result. */
    private boolean repeated(PlannedRun planned, Outcome outcome, Tries tries) {
        boolean ours = outcome == Outcome.COMPLETED || outcome == Outcome.LAB_FAILED;
        if (!ours || !tries.left(planned.variant().name())) {
            return false;
        }
        List<String> why = control.judge().spoiled(folder(planned));
        if (why.isEmpty()) {
            return false;
        }
        RunWriter.replace(folder(planned), RunReader.info(folder(planned)).repeatedFor(why));
        tries.repeat(planned);
        listener.note(
                "Kiln repeats " + planned.variant().name() + " run " + planned.run() + ": " + String.join("; ", why));
        return true;
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
        }
    }

    /**
     * A Tries says which run is next. Kiln repeats a run that the machine disturbed at the end of its block, so that
     * the variants stay interleaved. A variant has at most twice as many tries as runs, so that a crowded machine costs
     * a bounded time.
     */
    static final class Tries {
        private final Deque<PlannedRun> planned;
        private final Deque<PlannedRun> again = new ArrayDeque<>();
        private final Map<String, Integer> made = new HashMap<>();
        private final Map<String, Integer> spare = new HashMap<>();
        private int total;

        Tries(List<PlannedRun> runs, boolean repeat) {
            planned = new ArrayDeque<>(runs);
            total = runs.size();
            runs.forEach(run -> {
                // A soak goes on with the number after its last.
                made.merge(run.variant().name(), run.run() - 1, Math::min);
                spare.merge(run.variant().name(), repeat ? 1 : 0, Integer::sum);
            });
        }

        /** Returns the number of all tries, with the repeats that are known so far. */
        int total() {
            return total;
        }

        /** Returns the next run; empty when all are made. A repeat gets the next number of its variant. */
        Optional<PlannedRun> next(int block) {
            boolean blockOver = planned.isEmpty() || planned.getFirst().block() != block;
            Optional<PlannedRun> next = blockOver && !again.isEmpty()
                    ? Optional.of(again.removeFirst())
                    : Optional.ofNullable(planned.pollFirst());
            return next.map(run ->
                    new PlannedRun(run.block(), made.merge(run.variant().name(), 1, Integer::sum), run.variant()));
        }

        /** Tells whether a run of the variant may be made again. */
        boolean left(String variant) {
            return spare.getOrDefault(variant, 0) > 0;
        }

        /** Has the run made again at the end of its block. */
        void repeat(PlannedRun spoiled) {
            spare.merge(spoiled.variant().name(), -1, Integer::sum);
            again.addLast(spoiled);
            total++;
        }
    }
}
