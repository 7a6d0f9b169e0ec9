package dev.kiln.cli;

import dev.kiln.cli.LabSession.Ending;
import dev.kiln.evidence.SoakFile;
import dev.kiln.evidence.SoakReader;
import dev.kiln.explain.SoakAssessment;
import dev.kiln.explain.SoakResult;
import dev.kiln.model.Experiment;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Phase;
import dev.kiln.model.PlannedRun;
import dev.kiln.model.Protocol;
import dev.kiln.model.Runs;
import dev.kiln.model.SoakPlan;
import dev.kiln.model.SoakSegment;
import dev.kiln.report.HtmlSoak;
import dev.kiln.report.SoakJson;
import dev.kiln.report.SoakReport;
import dev.kiln.stats.AnalysisConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A soak from its first segment, or the next one, to the printed result, whatever ends it. */
final class SoakSession {

    /** Less than a window is no soak: nothing could be told of it. */
    private static final double LEAST_SECONDS = 1;

    private final Console console;
    private final Outputs outputs;
    private final LabSession lab;

    SoakSession(Console console, Outputs outputs) {
        this.console = console;
        this.outputs = outputs;
        this.lab = new LabSession(console);
    }

    int start(Experiment wanted, SoakPlan plan) {
        Path folder = outputs.folder(wanted.name() + "-soak");
        Outputs.make(folder);
        SoakFile.write(folder, plan);
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
        return lab.run(() -> {
            Ending ending = lab.work(() -> segment(wanted, folder, seconds, segment));
            if (ending == Ending.INTERRUPTED) {
                console.err().println("kiln: interrupted; go on with: kiln soak --resume " + folder);
            }
            int exit = report(wanted, plan, folder);
            return switch (ending) {
                case INTERRUPTED -> LabSession.INTERRUPTED;
                case COMPLETED -> exit;
                case FAILED -> Exit.PROBLEM.code();
            };
        });
    }

    private boolean segment(Experiment wanted, Path folder, double seconds, int number) {
        Phase soak = new Phase.Load("soak", Duration.ofMillis(Math.round(seconds * 1000)));
        Experiment experiment = lab.resolved(wanted)
                .with(new Protocol("soak", List.of(soak)))
                .with(Runs.fixed(1).withRepeats(false));
        PlannedRun run = new PlannedRun(number, number, experiment.variants().getFirst());
        return lab.withRunner(experiment, folder, runner -> runner.run(List.of(run), block -> false));
    }

    private int report(Experiment wanted, SoakPlan plan, Path folder) {
        SoakResult result = new SoakAssessment(AnalysisConfig.defaults())
                .of(wanted.name(), plan, SoakReader.read(folder, plan.windowSeconds()));
        TextFiles.write(folder.resolve("report.html"), HtmlSoak.render(result));
        TextFiles.write(folder.resolve("soak-result.json"), SoakJson.render(result));
        TextFiles.write(folder.resolve("soak.md"), SoakReport.markdown(result));
        console.answerAndKeep(
                outputs.json(),
                () -> SoakJson.render(result),
                () -> SoakReport.terminal(result, console.style()) + "Report: " + folder.resolve("report.html")
                        + System.lineSeparator());
        return result.problems().isEmpty() ? 0 : Exit.PROBLEM.code();
    }
}
