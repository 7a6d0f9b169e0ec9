package dev.kiln.run;

import dev.kiln.console.Installation;
import dev.kiln.console.OpenOption;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.run.ExperimentOptions.LiveOption;
import dev.kiln.run.ExperimentOptions.ObserveOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kiln demo} does the main job, on the services that come with Kiln. */
@Command(
        name = "demo",
        description = {
            "Spring Boot on platform threads against virtual threads, with a real PostgreSQL (7 minutes).",
            "",
            "The same as kiln run experiments/demo.yaml, with the options that may stand beside a file."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
    @ArgGroup(validate = false, heading = "%nHow it runs, where experiments/demo.yaml is not to decide:%n")
    private CourseOptions course = new CourseOptions();

    @ArgGroup(validate = false, heading = "%nWhat observes the services:%n")
    private ObserveOptions observe = new ObserveOptions();

    @Mixin
    private final LiveOption live = new LiveOption();

    @Mixin
    private final OpenOption page = new OpenOption();

    @Mixin
    private final Outputs outputs = new Outputs();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        Path demo = Installation.root().resolve("experiments/demo.yaml");
        RunSession session = new RunSession(console, outputs, live.address());
        int exit = RunCommand.run(session, observe.on(course.on(course.read(demo))), console);
        session.end(page);
        return exit;
    }
}
