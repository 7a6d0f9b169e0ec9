package dev.kiln.cli.run;

import dev.kiln.cli.console.Installation;
import dev.kiln.cli.console.Outputs;
import dev.kiln.cli.console.ResultConsole;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.ExperimentFile;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kiln demo}: the main job, on the services that come with Kiln. */
@Command(
        name = "demo",
        description = "Spring Boot on platform threads against virtual threads, with a real PostgreSQL (7 minutes).",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    @Option(names = "--no-repeat", description = CourseOptions.NO_REPEAT)
    private boolean noRepeat;

    @Mixin
    private final LiveOption live = new LiveOption();

    @Mixin
    private final Outputs outputs = new Outputs();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        Experiment demo = ExperimentFile.read(Installation.root().resolve("experiments/demo.yaml"));
        return new RunSession(console, outputs, live.address())
                .run(demo.with(demo.runs().withRepeats(!noRepeat)));
    }
}
