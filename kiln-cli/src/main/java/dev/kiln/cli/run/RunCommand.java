package dev.kiln.cli.run;

import dev.kiln.cli.console.ResultConsole;
import dev.kiln.compare.Gates;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.GateSpec;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.plan.ObserverEffect;
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
            "       kiln run --url URL [OPTIONS] -- COMMAND ARGS..."
        })
public final class RunCommand implements Callable<Integer> {
    @Mixin
    private final ExperimentOptions options = new ExperimentOptions();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        Experiment asked = options.asked();
        Optional<GateSpec> gate = options.file().flatMap(file -> ExperimentFile.gate(file, asked.variants()));
        gate.ifPresent(found -> {
            Gates.requireKnown(found.tolerances());
            Gates.requireCalls(found.tolerances(), asked.load().callNames());
        });
        RunSession session = new RunSession(console, options.outputs(), options.live());
        int exit = run(session, options.observed(asked), console);
        if (session.recorded().isEmpty() || exit == LabSession.INTERRUPTED) {
            return exit;
        }
        boolean failed = gate.isPresent()
                && new GatesOfRun(gate.get(), console.after(), console.err(), console.style())
                        .print(session.recorded().get());
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
