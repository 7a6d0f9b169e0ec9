package dev.kiln.cli;

import dev.kiln.plan.ExperimentFile;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kiln demo}: the main job, on the services that come with Kiln. */
@Command(
        name = "demo",
        description = "Spring Boot on platform threads against virtual threads, with a real PostgreSQL (4 minutes).",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    @Mixin
    private final Outputs outputs = new Outputs();

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        return new RunSession(console, outputs)
                .run(ExperimentFile.read(Installation.root().resolve("experiments/demo.yaml")));
    }
}
