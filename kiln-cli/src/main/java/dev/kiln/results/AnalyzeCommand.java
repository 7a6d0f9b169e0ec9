package dev.kiln.results;

import dev.kiln.console.ConstantOptions;
import dev.kiln.console.Installation;
import dev.kiln.console.NextStep;
import dev.kiln.console.ResultConsole;
import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.importer.SeriesImport;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.report.json.SeriesJson;
import dev.kiln.report.terminal.AnalysisText;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln analyze} imports any load series into memory, and gives the same answers. */
@Command(
        name = "analyze",
        description =
                "Says how high the peak of a load series is, when it was reached, and whether the load ended at it.",
        mixinStandardHelpOptions = true)
public final class AnalyzeCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE|-",
            arity = "1..*",
            description =
                    "CSV with a column requests, and phase, errors, time and rate if there are any; or one number on each"
                            + " line. - reads the standard input. Each file is a series.")
    private List<String> files = List.of();

    @Option(names = "--bin-seconds", description = "Length of a row, in seconds (what times say; without any, 1).")
    private @Nullable Double rowSeconds;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Requests per second that were offered, in place of a column rate: where the end served"
                    + " them, the verdict is served.")
    private @Nullable Double offered;

    @Mixin
    private final ConstantOptions constants = new ConstantOptions();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        AnalysisConfig config = constants.config();
        OptionalDouble rows = rowSeconds == null ? OptionalDouble.empty() : OptionalDouble.of(rowSeconds);
        rows.ifPresent(seconds -> checkRows(seconds, config));
        OptionalDouble rate = offered == null ? OptionalDouble.empty() : OptionalDouble.of(offered);
        rate.ifPresent(AnalyzeCommand::checkRate);
        List<ExperimentResult> results = new ArrayList<>();
        for (String file : files) {
            RunEvidence evidence = read(file, rows, rate);
            Assessment assessment = new Assessment(config);
            assessment.add(evidence);
            results.add(assessment.result(evidence.info().variant()));
        }
        console.print(
                () -> SeriesJson.render(results),
                () -> results.stream()
                        .map(result -> AnalysisText.render(result, console.style()))
                        .collect(Collectors.joining()));
        next();
        return 0;
    }

    /** One file can be read again as it is: with the options of an analysis, or of several files, a report would tell something else. */
    private void next() {
        Path file = Path.of(files.getFirst());
        if (files.size() == 1
                && rowSeconds == null
                && offered == null
                && !constants.changed()
                && Files.isRegularFile(file)) {
            console.next(NextStep.series(file));
        }
    }

    /** Names the program that wrote a file which is no series: an error about its first line would be hard to understand. */
    private static RunEvidence read(String file, OptionalDouble rows, OptionalDouble rate) {
        try {
            return SeriesImport.read(Source.read(file), rows, rate, Installation.version());
        } catch (KilnException e) {
            Path path = Path.of(file);
            Optional<String> program = Files.isRegularFile(path) ? SeriesImport.writtenBy(path) : Optional.empty();
            Optional<String> other = Files.isRegularFile(path) ? SeriesImport.otherForm(path) : Optional.empty();
            if (program.isEmpty() && other.isPresent()) {
                throw KilnException.usage(
                        file + " " + other.get(), "a series is a CSV with a column requests, or one number a line");
            }
            if (program.isEmpty()) {
                throw e;
            }
            throw KilnException.usage(
                    file + ": not a series, but " + program.get(),
                    "kiln import reads it; name it there, or the folder of its run");
        }
    }

    private static void checkRate(double rate) {
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw KilnException.usage("--rate: found " + rate, "give requests per second, a number above 0");
        }
    }

    /** Shorter rows are joined to bins; longer ones are the bins. */
    private static void checkRows(double rowSeconds, AnalysisConfig config) {
        if (!(rowSeconds > 0) || Double.isInfinite(rowSeconds)) {
            throw KilnException.usage("--bin-seconds: found " + rowSeconds, "give a number above 0");
        }
        double per = config.binSeconds() / rowSeconds;
        if (per >= 1 && Math.abs(per - Math.rint(per)) > 1e-9) {
            throw KilnException.usage(
                    "--bin-seconds " + rowSeconds + ": rows do not fit into bins of " + config.binSeconds() + " s",
                    "join them to rows of 1 s, or of whole bins, first");
        }
    }
}
