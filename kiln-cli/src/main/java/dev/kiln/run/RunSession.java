package dev.kiln.run;

import dev.kiln.console.NextStep;
import dev.kiln.console.OpenOption;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.Precision;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.plan.DuetRules;
import dev.kiln.plan.PlanText;
import dev.kiln.plan.Schedule;
import dev.kiln.plan.TimeLeft;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.results.Reporting;
import dev.kiln.run.LabSession.WorkEnding;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.serve.LiveServer;
import dev.kiln.serve.Pages;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.study.Experiments;
import dev.kiln.text.Show;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** A RunSession runs an experiment from the first build to the printed result, whatever ends it. */
public final class RunSession {
    private final ResultConsole console;
    private final Outputs outputs;
    private final LabSession lab;
    private final Optional<StopRule> settled;
    private final Afterwards afterwards;
    private final Optional<String> live;
    private Optional<Path> recorded = Optional.empty();

    /** A StopRule tells after each block whether the runs so far answer the question. */
    public interface StopRule {
        boolean after(Path directory, int blocks);
    }

    /** Afterwards is work that still needs the lab, done after the last run and before the report. */
    public interface Afterwards {
        void after(ExperimentRunner runner, Path directory);
    }

    /** @param live where to serve a page of it while it goes; empty for no page */
    public RunSession(ResultConsole console, Outputs outputs, Optional<String> live) {
        this(console, outputs, Optional.empty(), (runner, directory) -> {}, live);
    }

    public RunSession(ResultConsole console, Outputs outputs, Optional<String> live, Afterwards afterwards) {
        this(console, outputs, Optional.empty(), afterwards, live);
    }

    /** Runs until this question is settled, in place of the experiment's own condition. */
    public RunSession(ResultConsole console, Outputs outputs, StopRule settled) {
        this(console, outputs, Optional.of(settled), (runner, directory) -> {}, Optional.empty());
    }

    private RunSession(
            ResultConsole console,
            Outputs outputs,
            Optional<StopRule> settled,
            Afterwards afterwards,
            Optional<String> live) {
        this.live = live;
        this.console = console;
        this.outputs = outputs;
        this.settled = settled;
        this.afterwards = afterwards;
        this.lab = new LabSession(console, outputs.secrets());
    }

    /** Returns the folder of what was recorded; empty if nothing was. */
    public Optional<Path> recorded() {
        return recorded;
    }

    /** Returns the exit code of what the runs show, as {@link LabSession#exit} has it. */
    public int exit(int found) {
        return lab.exit(found);
    }

    /** Opens the page of what was recorded, if that was asked for, and says what may follow. */
    public void end(OpenOption page) {
        recorded.filter(Reporting::hasRuns).ifPresent(folder -> {
            page.open(folder.resolve(HtmlReport.FILE), console);
            console.next(NextStep.ofReport(folder));
        });
    }

    public int run(Experiment wanted) {
        return lab.run(() -> runToEnd(wanted));
    }

    private int runToEnd(Experiment wanted) {
        Experiment resolved = lab.resolved(wanted);
        DuetRules.require(resolved);
        Experiment experiment = resolved.with(
                Precision.runs(resolved.runs(), resolved.variants().size()));
        Path directory = outputs.fresh(experiment.name());
        recorded = Optional.of(directory);
        String id = String.valueOf(directory.getFileName());
        Optional<LiveServer> page =
                live.map(address -> LiveServer.start(outputs.results(), address, "", console.err()));
        try {
            page.ifPresent(server -> lab.note("live: " + server.url(Pages.watch(id))));
            int exit = runToEnd(experiment, directory);
            page.filter(server -> exit != LabSession.INTERRUPTED).ifPresent(server -> server.awaitViewers(id));
            return exit;
        } finally {
            page.ifPresent(LiveServer::close);
        }
    }

    private int runToEnd(Experiment experiment, Path directory) {
        Schedule schedule = Schedule.of(experiment);
        lab.expect(new TimeLeft(experiment, schedule));
        StopRule enough = settled.orElse((folder, block) -> decided(folder, experiment.runs(), block));
        try {
            WorkEnding ending = lab.work(() -> lab.withRunner(experiment, directory, runner -> {
                // What cannot be run has one message, and no length.
                runner.check();
                lab.note(experiment.name() + ": " + PlanText.extent(experiment, schedule) + "; results go to "
                        + directory);
                boolean completed = runner.run(schedule.runs(), block -> enough.after(directory, block));
                afterwards.after(runner, directory);
                return completed;
            }));
            return finish(directory, ending);
        } catch (KilnException e) {
            keep(directory).ifPresent(lab::note);
            throw e;
        }
    }

    /** Tells whether an adaptive experiment has reached the width of the interval that it asks for. */
    private boolean decided(Path directory, Runs runs, int blocks) {
        if (!runs.adaptive() || blocks < runs.atLeast()) {
            return false;
        }
        AnalysisConfig config = AnalysisConfig.defaults();
        ExperimentResult result = Experiments.assess(directory, config, console.leftOut());
        OptionalDouble width = Precision.width(result, config.confidence());
        double wanted = runs.width().orElseThrow();
        lab.note(String.format(
                Locale.ROOT,
                "after %d blocks the %s %% interval of %s is %s; wanted: %.1f %%",
                blocks,
                Show.trimmed(100 * Precision.confidence(config.confidence(), true), 2),
                Runs.subject(result.variants().size()),
                width.isPresent()
                        ? String.format(Locale.ROOT, "%.1f %% wide", 100 * width.getAsDouble())
                        : "not yet known: it takes two valid runs of each variant",
                100 * wanted));
        return width.isPresent() && width.getAsDouble() <= wanted;
    }

    private int finish(Path directory, WorkEnding ending) {
        Reporting reporting = new Reporting(console);
        if (ending == WorkEnding.INTERRUPTED) {
            Optional<String> kept = keep(directory);
            lab.interrupted("; " + kept.orElse("nothing was recorded"));
            if (kept.isEmpty()) {
                return LabSession.INTERRUPTED;
            }
        }
        return ending.exit(Exit.ofRun(reporting.report(directory).valid()));
    }

    /** Returns where runs have been recorded; a folder without any is deleted. */
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
}
