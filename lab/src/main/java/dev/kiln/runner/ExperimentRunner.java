package dev.kiln.runner;

import dev.kiln.engines.Engine;
import dev.kiln.engines.Engines;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunWriter;
import dev.kiln.evidence.StudyFile;
import dev.kiln.host.Trees;
import dev.kiln.launch.Lab;
import dev.kiln.load.LoadDriver;
import dev.kiln.model.DatabaseSpec;
import dev.kiln.model.DensityStudy;
import dev.kiln.model.Experiment;
import dev.kiln.model.Experiment.PlannedRun;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.RunInfo.Outcome;
import dev.kiln.model.SweepLevel;
import dev.kiln.model.Variant;
import dev.kiln.postgres.Postgres;
import dev.kiln.recorder.Recorder;
import dev.kiln.runner.Cancellation.Interrupted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Runs an experiment's runs one after the other; a run that fails does not end the experiment. */
public final class ExperimentRunner implements AutoCloseable {
    private final Lab lab;
    private final Experiment experiment;
    private final Path directory;
    private final RunListener listener;
    private final Cancellation cancellation;
    private final Judge judge;
    private Optional<Postgres> database = Optional.empty();
    private final Map<String, AotMaking.Made> caches = new HashMap<>();
    private Optional<Path> scratch = Optional.empty();
    private @Nullable LoadDriver driver;

    /**
     * Runs nothing yet.
     *
     * @param directory of the experiment; each run gets {@code <variant>/<run>} in it
     * @param judge what the analysis says of what was recorded so far
     */
    public ExperimentRunner(
            Lab lab,
            Experiment experiment,
            Path directory,
            RunListener listener,
            Cancellation cancellation,
            Judge judge) {
        this.lab = lab;
        this.experiment = experiment;
        this.directory = directory;
        this.listener = listener;
        this.cancellation = cancellation;
        this.judge = judge;
    }

    /**
     * Returns false if any run failed. An {@link Interrupted} or {@link KilnException} keeps what was recorded.
     *
     * @param enough told the number of each block that has been run; ends the experiment when it says so
     */
    public boolean run(List<PlannedRun> runs, IntPredicate enough) {
        Preflight.check(lab, experiment, listener);
        lab.stepAside();
        if (experiment.database() instanceof DatabaseSpec.Managed managed) {
            listener.stage("preparing PostgreSQL");
            database = Optional.of(new Postgres(
                    lab.launcher(), lab.registry(), lab.pinTo(lab.cpus().database()), lab.cache(), managed.script()));
        }
        runs.stream().map(run -> run.variant().target()).distinct().forEach(TargetFiles::read);
        Recorder.rehearse(scratch.orElseGet(this::makeScratch).resolve("rehearsal"));
        caches();
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
            LoadDriver hot = hotDriver();
            cancellation.check();
            listener.runStarted(planned.variant().name(), ++position, tries.total());
            Outcome outcome = run(planned, hot);
            allCompleted &= repeated(planned, outcome, tries) || outcome == Outcome.COMPLETED;
        }
        return allCompleted;
    }

    private RunContext context(LoadDriver hot) {
        return new RunContext(lab, experiment, hot, database, listener, cancellation, judge);
    }

    private Path folder(PlannedRun planned) {
        return directory.resolve(planned.variant().name()).resolve(Integer.toString(planned.run()));
    }

    private Outcome run(PlannedRun planned, LoadDriver hot) {
        return new RunExecution(context(hot), planned, folder(planned), cache(planned)).run();
    }

    /** Whether the run is made again, which its own {@code run.json} then says. What is the target's fault is a result. */
    private boolean repeated(PlannedRun planned, Outcome outcome, Tries tries) {
        boolean ours = outcome == Outcome.COMPLETED || outcome == Outcome.LAB_FAILED;
        if (!ours || !tries.left(planned.variant().name())) {
            return false;
        }
        List<String> why = judge.spoiled(folder(planned));
        if (why.isEmpty()) {
            return false;
        }
        RunWriter.replace(folder(planned), RunReader.info(folder(planned)).repeatedFor(why));
        tries.repeat(planned);
        listener.note(planned.variant().name() + " run " + planned.run() + " is made again: " + String.join("; ", why));
        return true;
    }

    /**
     * After {@link #run}: starts so many processes of a level's variant and measures them under load together. Empty, and
     * told, where they did not all come up or stay up.
     */
    public Optional<DensityStudy.Measured> together(SweepLevel level, int processes) {
        Variant variant = experiment.variants().stream()
                .filter(one -> one.name().equals(level.variant()))
                .findFirst()
                .orElseThrow();
        cancellation.check();
        listener.runStarted(level.variant() + " x " + processes, 1, 1);
        Together together = new Together(
                context(hotDriver()),
                variant,
                directory.resolve("density").resolve(level.configuration()),
                Optional.ofNullable(caches.get(variant.name())));
        try {
            return Optional.of(together.run(level, processes));
        } catch (RunFailure e) {
            cancellation.check();
            listener.note(processes + " processes of " + level.configuration() + " together: " + e.getMessage()
                    + (e.said().isBlank() ? "" : "\n  " + e.said().replace("\n", "\n  ")));
            return Optional.empty();
        }
    }

    /** The AOT caches that variants want, before the first run that is measured; one for all levels of a sweep. */
    private void caches() {
        Map<List<Object>, AotMaking.Made> made = new HashMap<>();
        for (Variant variant : experiment.variants()) {
            variant.target().aot().ifPresent(aot -> {
                cancellation.check();
                AotMaking making = new AotMaking(
                        context(hotDriver()),
                        directory.resolve("aot"),
                        variant.observe().flightRecorder());
                caches.put(
                        variant.name(),
                        made.computeIfAbsent(
                                List.of(variant.target(), variant.observe().flightRecorder()),
                                same -> making.make(variant, aot)));
            });
        }
    }

    private Optional<AotMaking.Made> cache(PlannedRun planned) {
        return Optional.ofNullable(caches.get(planned.variant().name()));
    }

    /** The driver that is there, or a new one in place of one that died: made hot before a target starts. */
    private LoadDriver hotDriver() {
        LoadDriver existing = driver;
        if (existing != null && RunContext.isAlive(existing)) {
            return existing;
        }
        LoadDriver started =
                newDriver(lab.launcher().prefix(lab.pinTo(lab.cpus().load())), scratch.orElseGet(this::makeScratch));
        driver = started;
        cancellation.onCancel(started::close);
        LoadDriver.WarmUp warmUp = warmUp(started);
        if (!warmUp.quiet()) {
            listener.note(String.format(
                    Locale.ROOT,
                    "the load driver's compilers were still busy after %d s (%.1f %% of its CPU time)",
                    warmUp.duration().toSeconds(),
                    100 * warmUp.jitShare()));
        }
        return started;
    }

    private LoadDriver newDriver(List<String> prefix, Path temporary) {
        Engine engine = Engines.of(experiment.load());
        engine.preparation().ifPresent(listener::stage);
        return engine.driver(prefix, temporary);
    }

    /** Where the driver puts what it needs for a moment; written down, so that the next start clears it away if need be. */
    private Path makeScratch() {
        try {
            Path made = Files.createTempDirectory("kiln-driver-");
            lab.registry().directory(made);
            scratch = Optional.of(made);
            return made;
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot make a folder in " + System.getProperty("java.io.tmpdir") + ": " + IoReason.of(e),
                    "make room there, or name another folder: JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR",
                    e);
        }
    }

    private LoadDriver.WarmUp warmUp(LoadDriver started) {
        try {
            return started.warmUp();
        } catch (KilnException e) {
            // A driver that an interruption has ended is no failure.
            cancellation.check();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            if (driver != null) {
                driver.close();
            }
        } finally {
            database.ifPresent(Postgres::close);
            scratch.ifPresent(this::deleteScratch);
        }
    }

    private void deleteScratch(Path made) {
        try {
            Trees.delete(made);
            lab.registry().removed(made);
        } catch (IOException e) {
            listener.note("could not delete " + made + ": " + IoReason.of(e));
        }
    }
}
