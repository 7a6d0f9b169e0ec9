package dev.kiln.results;

import dev.kiln.console.Console;
import dev.kiln.console.NextStep;
import dev.kiln.console.TextFiles;
import dev.kiln.evidence.RunReader;
import dev.kiln.jvm.flight.AsyncProfiler;
import dev.kiln.jvm.flight.StackSamples;
import dev.kiln.jvm.flight.StackSamples.Stacks;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunInfo;
import dev.kiln.report.html.FlameGraph;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln flame} draws where the CPU time of profiled runs went, and what differs between two. */
@Command(
        name = "flame",
        description = "Draws CPU flame graphs of runs with --async-profiler, and the difference of two.",
        mixinStandardHelpOptions = true)
public final class FlameCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "FOLDER", description = "Folder of a run, or of a variant for all its runs.")
    private Path current = Path.of("");

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "BASELINE",
            description = "Folder to draw the difference from.")
    private @Nullable Path baseline;

    @Option(names = "--output", description = "Where to write it (flame.html).")
    private Path output = Path.of("flame.html");

    @Option(names = "--whole", description = "Draw the whole run, not only its last load phase.")
    private boolean whole;

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        Stacks now = stacks(current);
        if (baseline == null) {
            TextFiles.writeNamed(output, FlameGraph.of(title(current), now));
        } else {
            TextFiles.writeNamed(
                    output,
                    FlameGraph.difference(title(current) + " against " + title(baseline), now, stacks(baseline)));
        }
        console.out().println("Flame graph: " + output);
        console.out().flush();
        console.next(NextStep.explain(current));
        return 0;
    }

    private static String title(Path folder) {
        return Optional.ofNullable(folder.toAbsolutePath().normalize().getFileName())
                .map(Path::toString)
                .filter(name -> !name.matches("\\d+"))
                .orElseGet(() -> folder.toString());
    }

    private Stacks stacks(Path folder) {
        List<Path> runs = Files.isRegularFile(folder.resolve("run.json")) ? List.of(folder) : runsOf(folder);
        Stacks all = runs.stream()
                .map(run -> StackSamples.read(run.resolve(AsyncProfiler.RECORDING), from(run)))
                .reduce(new Stacks(Map.of()), Stacks::plus);
        if (all.total() == 0) {
            throw KilnException.problem("the profile of " + folder + " has no sample", "draw the whole run: --whole");
        }
        return all;
    }

    private static List<Path> runsOf(Path folder) {
        try (Stream<Path> children = Files.list(folder)) {
            List<Path> runs = children.filter(run -> Files.isDirectory(run, LinkOption.NOFOLLOW_LINKS)
                            && Files.isRegularFile(run.resolve(AsyncProfiler.RECORDING)))
                    .sorted()
                    .toList();
            if (!runs.isEmpty()) {
                return runs;
            }
        } catch (IOException | UncheckedIOException e) {
            throw none(folder, e);
        }
        throw none(folder, new IOException("no profile"));
    }

    private static KilnException none(Path folder, Exception cause) {
        return KilnException.usage(
                folder + " has no " + AsyncProfiler.RECORDING
                        + ": name the folder of a run or a variant that ran with --async-profiler",
                "kiln run EXPERIMENT.yaml --async-profiler records one in results/EXPERIMENT-TIME/VARIANT/RUN",
                cause);
    }

    /** Returns where a run's samples begin: with its last load, or at the launch for the whole run. */
    private Instant from(Path run) {
        RunInfo info = RunReader.info(run);
        long nanos = whole
                ? 0
                : info.phases().stream()
                        .filter(PhaseTime::load)
                        .mapToLong(PhaseTime::startNanos)
                        .max()
                        .orElse(0);
        return Instant.ofEpochMilli(info.launchEpochMillis()).plusNanos(nanos);
    }
}
