package dev.kiln.cli;

import dev.kiln.model.Experiment;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.plan.PlanText;
import dev.kiln.plan.Schedule;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kiln plan}: what would run, and runs nothing. */
@Command(
        name = "plan",
        description = "Prints what an experiment file would run, in which order and for how long; runs nothing.",
        mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
    @Parameters(paramLabel = "EXPERIMENT.yaml", description = "The experiment file.")
    private Path file = Path.of("");

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        Experiment experiment = ExperimentFile.read(file);
        console.out().print(PlanText.render(experiment, Schedule.of(experiment)));
        return 0;
    }
}
