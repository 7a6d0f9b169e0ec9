package dev.kiln.results;

import dev.kiln.console.NextStep;
import dev.kiln.console.ResultConsole;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.report.json.ExplanationJson;
import dev.kiln.report.terminal.ExplanationText;
import dev.kiln.results.Reporting.Recordings;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.study.Experiments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kiln explain} says why a recorded run is as it is. */
@Command(
        name = "explain",
        description = "Shows verdict and findings of a recorded run, with their evidence and remedies.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "RUN_DIR",
            arity = "0..1",
            description =
                    "A run's folder, such as results/demo-20260102-030405/platform/1, or an experiment's: all its runs (the"
                            + " newest experiment in results).")
    private Optional<Path> named = Optional.empty();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        Path directory = NewestResults.orNamed(named, console);
        boolean one = Files.exists(directory.resolve("run.json"));
        if (one) {
            Recordings.complete(Experiments.siblings(directory));
        } else {
            Recordings.complete(Experiments.newest(directory));
        }
        ExperimentResult result = one
                ? Experiments.assessBesideSiblings(directory, AnalysisConfig.defaults(), console.leftOut())
                : Experiments.assess(Experiments.newest(directory), AnalysisConfig.defaults(), console.leftOut());
        List<RunResult> runs = result.variants().stream()
                .flatMap(variant -> variant.runs().stream())
                .filter(run -> !one || Experiments.is(run, directory))
                .toList();
        console.print(
                () -> one ? ExplanationJson.render(runs.getFirst()) : ExplanationJson.render(result),
                () -> runs.stream()
                        .map(run -> ExplanationText.render(run, console.style()))
                        .collect(Collectors.joining("\n")));
        console.next(next(directory, one, result));
        return Exit.ofRun(one || Experiments.whole(directory));
    }

    /** The page shows the same in pictures; a cause that was found in a run of Kiln's own may have a cure. */
    private static NextStep[] next(Path directory, boolean one, ExperimentResult result) {
        List<NextStep> steps = new ArrayList<>();
        Path above = directory.resolve("../..").normalize();
        if (!one) {
            steps.add(NextStep.page(Experiments.newest(directory)));
        } else if (Files.exists(above.resolve(HtmlReport.FILE))) {
            steps.add(NextStep.page(above));
        }
        boolean held = result.variants().stream()
                .flatMap(variant -> variant.runs().stream())
                .anyMatch(run ->
                        !run.caveats().imported() && !run.explanation().causes().isEmpty());
        if (held) {
            steps.add(new NextStep("kiln tune EXPERIMENT.yaml", "searches for a cure, and proves it"));
        }
        return steps.toArray(NextStep[]::new);
    }
}
