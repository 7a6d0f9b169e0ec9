package dev.kiln.cli;

import dev.kiln.evidence.RunReader;
import dev.kiln.explain.Validity;
import dev.kiln.explain.study.Precision;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.model.Experiment;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Runs;
import dev.kiln.plan.Schedule;
import dev.kiln.runner.Cancellation;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.runner.Interrupted;
import dev.kiln.runner.Judge;
import dev.kiln.runner.Lab;
import dev.kiln.runner.WorkloadBuilder;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.SeriesAnalysis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Runs an experiment from the first build to the printed result, whatever ends it. */
final class RunSession {
    /** 128 + SIGINT, as shells have it. */
    static final int INTERRUPTED = 130;

    /** The same analysis that judges the finished run. */
    static final Judge JUDGE = new Judge() {
        @Override
        public boolean steady(double[] requestsPerSecond) {
            AnalysisConfig config = AnalysisConfig.defaults();
            return SeriesAnalysis.of(requestsPerSecond, config).level(config);
        }

        @Override
        public boolean starved(double cpu, double waiting) {
            return Thresholds.starved(cpu, waiting);
        }

        @Override
        public List<String> spoiled(Path run) {
            return Validity.spoiled(RunReader.read(run), AnalysisConfig.defaults());
        }
    };

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private final Console console;
    private final Outputs outputs;
    private final Progress progress;
    private final Cancellation cancellation = new Cancellation();
    private final Optional<Settled> settled;
    private final Afterwards afterwards;
    private Optional<Path> recorded = Optional.empty();

    /** Whether what was recorded so far answers the question, so that no further block is run. */
    interface Settled {
        boolean after(Path directory, int blocks);
    }

    /** What is still to be done with the lab as it stands, once all runs are over and before they are reported. */
    interface Afterwards {
        void after(ExperimentRunner runner, Path directory);
    }

    RunSession(Console console, Outputs outputs) {
        this(console, outputs, Optional.empty(), (runner, directory) -> {});
    }

    RunSession(Console console, Outputs outputs, Afterwards afterwards) {
        this(console, outputs, Optional.empty(), afterwards);
    }

    /** With a question of its own in place of the experiment's. */
    RunSession(Console console, Outputs outputs, Settled settled) {
        this(console, outputs, Optional.of(settled), (runner, directory) -> {});
    }

    private RunSession(Console console, Outputs outputs, Optional<Settled> settled, Afterwards afterwards) {
        this.console = console;
        this.outputs = outputs;
        this.settled = settled;
        this.afterwards = afterwards;
        this.progress = new Progress(console);
    }

    /** The folder of what was recorded; empty if it never came to that. */
    Optional<Path> recorded() {
        return recorded;
    }

    int run(Experiment wanted) {
        Thread hook = new Thread(cancellation::cancel, "kiln-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return runToEnd(wanted);
        } finally {
            cancellation.finished();
            Hooks.remove(hook);
        }
    }

    private int runToEnd(Experiment asked) {
        Experiment wanted = new VariantJdks(progress::note).resolve(asked);
        Workloads workloads = new Workloads(Installation.root().resolve("workloads"));
        Experiment experiment = workloads.resolve(wanted);
        Path directory = directory(experiment);
        recorded = Optional.of(directory);
        Settled enough = settled.orElse((folder, block) -> decided(folder, wanted.runs(), block));
        boolean interrupted = false;
        boolean completed = false;
        try (Lab lab = new Lab(Main.Version.text(), Installation.cache(), experiment.cpus(), progress::note)) {
            lab.swept().forEach(progress::note);
            WorkloadBuilder builder = new WorkloadBuilder(Installation.root(), cancellation, progress);
            workloads.used(wanted).forEach(builder::build);
            try (ExperimentRunner runner =
                    new ExperimentRunner(lab, experiment, directory, progress, cancellation, JUDGE)) {
                completed = runner.run(Schedule.of(experiment).runs(), block -> enough.after(directory, block));
                afterwards.after(runner, directory);
            }
        } catch (Interrupted e) {
            interrupted = true;
        } catch (KilnException e) {
            // What is ended under way complains; the reason is the interruption.
            if (!cancellation.isCancelled()) {
                keep(directory).ifPresent(progress::note);
                throw e;
            }
            interrupted = true;
        } finally {
            progress.closeLine();
        }
        return finish(directory, completed, interrupted);
    }

    /** Whether an adaptive experiment has its interval as narrow as asked. */
    private boolean decided(Path directory, Runs runs, int blocks) {
        if (!runs.adaptive() || blocks < runs.atLeast()) {
            return false;
        }
        AnalysisConfig config = AnalysisConfig.defaults();
        OptionalDouble width =
                Precision.width(Experiments.assess(directory, config, console.err()), config.confidence());
        double wanted = runs.width().orElseThrow();
        progress.note(String.format(
                Locale.ROOT,
                "after %d blocks the interval of the peak is %s; wanted: %.1f %%",
                blocks,
                width.isPresent()
                        ? String.format(Locale.ROOT, "%.1f %% wide", 100 * width.getAsDouble())
                        : "not yet known: it takes two valid runs of each variant",
                100 * wanted));
        return width.isPresent() && width.getAsDouble() <= wanted;
    }

    private int finish(Path directory, boolean completed, boolean interrupted) {
        Reporting reporting = new Reporting(console, outputs.json());
        if (interrupted) {
            Optional<String> kept = keep(directory);
            console.err().println("kiln: interrupted; " + kept.orElse("nothing was recorded"));
            if (kept.isPresent()) {
                reporting.report(directory);
            }
            return INTERRUPTED;
        }
        boolean valid = reporting.report(directory);
        return completed && valid ? 0 : Exit.PROBLEM.code();
    }

    /** Says where runs have been recorded; a folder without any is taken away. */
    private static Optional<String> keep(Path directory) {
        if (Reporting.hasRuns(directory)) {
            return Optional.of("what was recorded is in " + directory);
        }
        try {
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // Something of a run that did not begin is in it.
            return Optional.empty();
        }
        return Optional.empty();
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
                    "cannot make " + directory + ": " + IoReason.of(e),
                    "name another folder: --results DIR",
                    e);
        }
    }
}
