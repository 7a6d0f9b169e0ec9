package dev.kiln.run;

import dev.kiln.console.OpenOption;
import dev.kiln.console.ResultConsole;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.ObserverEffect;
import dev.kiln.run.FollowUp.AfterRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kiln run} runs an experiment from a file, or from flags and a command. */
@Command(
        name = "run",
        description = "Runs an experiment: from a file, or of any service from options and its command.",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln run EXPERIMENT.yaml [--runs N] [--protocol P] [OPTIONS]",
            "       kiln run --url URL [OPTIONS] -- COMMAND ARGS...",
            "       kiln run --attach WHAT --url URL [OPTIONS]"
        })
public final class RunCommand implements Callable<Integer> {
    @Mixin
    private final ExperimentOptions options = new ExperimentOptions();

    @Mixin
    private final OpenOption page = new OpenOption();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        Experiment asked = options.asked();
        List<AfterRun> after =
                options.file().map(file -> FollowUp.all(file, asked)).orElse(List.of());
        RunSession session = new RunSession(console, options.outputs(), options.live());
        int exit = run(session, options.observed(asked), console);
        Optional<Path> recorded = session.recorded().filter(folder -> exit != LabSession.INTERRUPTED);
        boolean failed = false;
        for (AfterRun work : after) {
            failed |= recorded.isPresent() && work.failed(recorded.get(), console);
        }
        session.end(page);
        return failed ? Math.max(exit, Exit.PROBLEM.code()) : exit;
    }

    /** Runs the experiment, and prints what observing it cost if that was asked for; returns the exit code. */
    static int run(RunSession session, Experiment wanted, ResultConsole console) {
        int exit = session.run(wanted);
        if (ObserverEffect.is(wanted) && exit != LabSession.INTERRUPTED) {
            session.recorded().ifPresent(new ObserverCost(console)::print);
        }
        return exit;
    }
}
