package dev.kiln.runner;

import dev.kiln.load.LoadDriver;
import dev.kiln.load.NettyDriver;
import dev.kiln.model.DatabaseSpec;
import dev.kiln.model.Experiment;
import dev.kiln.model.KilnException;
import dev.kiln.model.PlannedRun;
import dev.kiln.model.RunInfo.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs an experiment's runs one after the other; a run that fails does not end the experiment. */
public final class ExperimentRunner implements AutoCloseable {
    private final Lab lab;
    private final Experiment experiment;
    private final Path directory;
    private final RunListener listener;
    private final Cancellation cancellation;
    private Optional<Postgres> database = Optional.empty();
    private @Nullable LoadDriver driver;

    /** @param directory of the experiment; each run gets {@code <variant>/<run>} in it */
    public ExperimentRunner(
            Lab lab, Experiment experiment, Path directory, RunListener listener, Cancellation cancellation) {
        this.lab = lab;
        this.experiment = experiment;
        this.directory = directory;
        this.listener = listener;
        this.cancellation = cancellation;
    }

    /** Returns false if any run failed. An {@link Interrupted} or {@link KilnException} keeps what was recorded. */
    public boolean run(List<PlannedRun> runs) {
        lab.stepAside();
        if (experiment.database() instanceof DatabaseSpec.Managed managed) {
            listener.stage("preparing PostgreSQL");
            database = Optional.of(new Postgres(
                    lab.launcher(), lab.registry(), lab.pinTo(lab.cpus().database()), lab.cache(), managed.script()));
        }
        boolean allCompleted = true;
        int position = 0;
        for (PlannedRun planned : runs) {
            cancellation.check();
            LoadDriver hot = hotDriver();
            cancellation.check();
            listener.runStarted(planned.variant().name(), ++position, runs.size());
            Path runDirectory = directory.resolve(planned.variant().name()).resolve(Integer.toString(planned.run()));
            RunExecution execution =
                    new RunExecution(lab, experiment, planned, runDirectory, hot, database, listener, cancellation);
            allCompleted &= execution.run() == Outcome.COMPLETED;
        }
        return allCompleted;
    }

    /** The driver that is there, or a new one in place of one that died: made hot before a target starts. */
    private LoadDriver hotDriver() {
        LoadDriver existing = driver;
        if (existing != null && alive(existing)) {
            return existing;
        }
        listener.stage("warming up the load driver");
        LoadDriver started =
                new NettyDriver(lab.launcher().prefix(lab.pinTo(lab.cpus().load())));
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

    private LoadDriver.WarmUp warmUp(LoadDriver started) {
        try {
            return started.warmUp();
        } catch (KilnException e) {
            // A driver that an interruption has ended is no failure.
            cancellation.check();
            throw e;
        }
    }

    private static boolean alive(LoadDriver driver) {
        return ProcessHandle.of(driver.pid()).map(ProcessHandle::isAlive).orElse(false);
    }

    @Override
    public void close() {
        try {
            if (driver != null) {
                driver.close();
            }
        } finally {
            database.ifPresent(Postgres::close);
        }
    }
}
