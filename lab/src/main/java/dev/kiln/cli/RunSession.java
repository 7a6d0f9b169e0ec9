package dev.kiln.cli;

import dev.kiln.model.Experiment;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.plan.Schedule;
import dev.kiln.runner.Cancellation;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.runner.Interrupted;
import dev.kiln.runner.Lab;
import dev.kiln.runner.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Runs an experiment from the first build to the printed result, whatever ends it. */
final class RunSession {
    /** 128 + SIGINT, as shells have it. */
    private static final int INTERRUPTED = 130;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private final Console console;
    private final Outputs outputs;
    private final Progress progress;
    private final Cancellation cancellation = new Cancellation();

    RunSession(Console console, Outputs outputs) {
        this.console = console;
        this.outputs = outputs;
        this.progress = new Progress(console);
    }

    int run(Experiment wanted) {
        Thread hook = new Thread(cancellation::cancel, "kiln-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return runToEnd(wanted);
        } finally {
            cancellation.finished();
            forget(hook);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // It runs, or is about to.
            return;
        }
    }

    private int runToEnd(Experiment wanted) {
        Workloads workloads = new Workloads(Installation.root().resolve("workloads"));
        Experiment experiment = workloads.resolve(wanted);
        Path directory = directory(experiment);
        boolean interrupted = false;
        boolean completed = false;
        try (Lab lab = new Lab(Main.Version.text(), Installation.cache(), experiment.cpus())) {
            lab.swept().forEach(progress::note);
            WorkloadBuilder builder = new WorkloadBuilder(Installation.root(), cancellation, progress);
            workloads.used(wanted).forEach(builder::build);
            try (ExperimentRunner runner = new ExperimentRunner(lab, experiment, directory, progress, cancellation)) {
                completed = runner.run(Schedule.of(experiment).runs());
            }
        } catch (Interrupted e) {
            interrupted = true;
        } finally {
            progress.closeLine();
        }
        return finish(directory, completed, interrupted);
    }

    private int finish(Path directory, boolean completed, boolean interrupted) {
        Reporting reporting = new Reporting(console, outputs.json());
        if (interrupted) {
            console.err().println("kiln: interrupted; what was recorded is in " + directory);
            if (Reporting.hasRuns(directory)) {
                reporting.report(directory);
            }
            return INTERRUPTED;
        }
        boolean valid = reporting.report(directory);
        return completed && valid ? 0 : Exit.PROBLEM.code();
    }

    private Path directory(Experiment experiment) {
        Path directory = outputs.results()
                .resolve(experiment.name() + "-"
                        + LocalDateTime.now(ZoneId.systemDefault()).format(TIME));
        try {
            Files.createDirectories(directory);
            return directory;
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot make " + directory + ": " + e.getMessage(),
                    "name another folder: --results DIR",
                    e);
        }
    }
}
