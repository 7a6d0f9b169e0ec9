package dev.kiln.cli;

import dev.kiln.evidence.SoakReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.explain.study.SoakAssessment;
import dev.kiln.explain.study.SoakResult;
import dev.kiln.model.Experiment;
import dev.kiln.model.Experiment.PlannedRun;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Phase;
import dev.kiln.model.Protocol;
import dev.kiln.model.Runs;
import dev.kiln.model.SoakPlan;
import dev.kiln.model.SoakPlan.SoakSegment;
import dev.kiln.report.SoakReport;
import dev.kiln.report.html.HtmlSoak;
import dev.kiln.report.json.SoakJson;
import dev.kiln.runner.Cancellation;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.runner.Interrupted;
import dev.kiln.runner.Lab;
import dev.kiln.runner.WorkloadBuilder;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A soak from its first segment, or the next one, to the printed result, whatever ends it. */
final class SoakSession {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    /** Less than a window is no soak: nothing could be told of it. */
    private static final double LEAST_SECONDS = 1;

    private final Console console;
    private final Outputs outputs;
    private final Progress progress;
    private final Cancellation cancellation = new Cancellation();

    SoakSession(Console console, Outputs outputs) {
        this.console = console;
        this.outputs = outputs;
        this.progress = new Progress(console);
    }

    int start(Experiment wanted, SoakPlan plan) {
        Path folder = outputs.results()
                .resolve(wanted.name() + "-soak-"
                        + LocalDateTime.now(ZoneId.systemDefault()).format(TIME));
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot make " + folder + ": " + IoReason.of(e),
                    "name another folder: --results DIR",
                    e);
        }
        StudyFile.SOAK.write(folder, plan);
        return run(wanted, plan, folder, plan.durationSeconds(), 1);
    }

    /** Goes on for what is left; renders again where nothing is. */
    int resume(Experiment wanted, SoakPlan plan, Path folder) {
        List<SoakSegment> before = SoakReader.read(folder, plan.windowSeconds());
        double left = plan.durationSeconds() - SoakReader.seconds(before);
        return left < Math.max(LEAST_SECONDS, plan.windowSeconds())
                ? report(wanted, plan, folder)
                : run(wanted, plan, folder, left, SoakReader.next(before));
    }

    private int run(Experiment wanted, SoakPlan plan, Path folder, double seconds, int segment) {
        Thread hook = new Thread(cancellation::cancel, "kiln-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        boolean interrupted = false;
        boolean completed = false;
        try {
            completed = segment(wanted, folder, seconds, segment);
        } catch (Interrupted e) {
            interrupted = true;
        } catch (KilnException e) {
            // What is ended under way complains; the reason is the interruption.
            if (!cancellation.isCancelled()) {
                throw e;
            }
            interrupted = true;
        } finally {
            progress.closeLine();
            cancellation.finished();
            Hooks.remove(hook);
        }
        if (interrupted) {
            console.err().println("kiln: interrupted; go on with: kiln soak --resume " + folder);
        }
        int exit = report(wanted, plan, folder);
        return interrupted ? RunSession.INTERRUPTED : completed ? exit : Exit.PROBLEM.code();
    }

    private boolean segment(Experiment wanted, Path folder, double seconds, int number) {
        Workloads workloads = new Workloads(Installation.root().resolve("workloads"));
        Phase soak = new Phase.Load("soak", Duration.ofMillis(Math.round(seconds * 1000)));
        Experiment experiment = workloads
                .resolve(new VariantJdks(progress::note).resolve(wanted))
                .with(new Protocol("soak", List.of(soak)))
                .with(Runs.fixed(1).withRepeats(false));
        PlannedRun run = new PlannedRun(number, number, experiment.variants().getFirst());
        try (Lab lab = new Lab(Main.Version.text(), Installation.cache(), experiment.cpus(), progress::note)) {
            lab.swept().forEach(progress::note);
            WorkloadBuilder builder = new WorkloadBuilder(Installation.root(), cancellation, progress);
            workloads.used(wanted).forEach(builder::build);
            try (ExperimentRunner runner =
                    new ExperimentRunner(lab, experiment, folder, progress, cancellation, RunSession.JUDGE)) {
                return runner.run(List.of(run), block -> false);
            }
        }
    }

    private int report(Experiment wanted, SoakPlan plan, Path folder) {
        SoakResult result = new SoakAssessment(AnalysisConfig.defaults())
                .of(wanted.name(), plan, SoakReader.read(folder, plan.windowSeconds()));
        TextFiles.write(folder.resolve("report.html"), HtmlSoak.render(result));
        TextFiles.write(folder.resolve("soak-result.json"), SoakJson.render(result));
        TextFiles.write(folder.resolve("soak.md"), SoakReport.markdown(result));
        Optional<Path> json = outputs.json();
        boolean standard = json.filter(TextFiles::isStandardOutput).isPresent();
        json.filter(file -> !standard).ifPresent(file -> TextFiles.write(file, SoakJson.render(result)));
        if (standard) {
            console.out().print(SoakJson.render(result));
        } else {
            console.out().print(SoakReport.terminal(result, console.style()));
            console.out().println("Report: " + folder.resolve("report.html"));
        }
        console.out().flush();
        return result.problems().isEmpty() ? 0 : Exit.PROBLEM.code();
    }
}
