package dev.kiln.cli.results;

import dev.kiln.cli.console.Installation;
import dev.kiln.cli.console.ResultConsole;
import dev.kiln.cli.console.TextFiles;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.Summaries;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Summary;
import dev.kiln.report.ClaimWords;
import dev.kiln.report.SweepReport;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.report.json.ResultJson;
import dev.kiln.report.terminal.TerminalReport;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** From an experiment's folder to everything a person or a script reads. */
public final class Reporting {
    private final ResultConsole console;

    public Reporting(ResultConsole console) {
        this.console = console;
    }

    public static boolean hasRuns(Path directory) {
        try (Stream<Path> tree = Files.walk(directory, 3)) {
            return tree.anyMatch(file -> file.endsWith("run.json"));
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs that the machine spoiled and that were made again: no problem of the experiment. */
    private static Set<String> repeated(ExperimentReader.Runs runs) {
        return runs.directories().stream()
                .map(RunReader::info)
                .filter(info -> !info.repeatedFor().isEmpty())
                .map(info -> info.variant() + "/" + info.run())
                .collect(Collectors.toSet());
    }

    /**
     * What was reported.
     *
     * @param valid whether every run that counts is
     * @param whole false where a run could not be read, and was left out
     */
    public record Report(ExperimentResult result, boolean valid, boolean whole) {
        public Report {
            valid = valid && whole;
        }

        /** Of a command that renders what was recorded before: an invalid run is in it, and told. */
        public int exit() {
            return whole ? 0 : Exit.PROBLEM.code();
        }
    }

    /** Writes {@code report.html} and {@code result.json} beside the evidence, and prints the result. */
    public Report report(Path directory) {
        Path experiment = Experiments.newest(directory);
        ExperimentResult result = write(experiment);
        console.print(
                () -> ResultJson.render(result),
                () -> result.sweep()
                                .map(sweep -> SweepReport.terminal(result, sweep, console.style()))
                                .orElseGet(() -> TerminalReport.render(result, console.style()))
                        + "Report: " + experiment.resolve("report.html") + "\n");
        ExperimentReader.Runs runs = ExperimentReader.find(experiment);
        Set<String> repeated = repeated(runs);
        boolean valid = result.variants().stream()
                .flatMap(variant -> variant.runs().stream())
                .filter(run -> !repeated.contains(run.variant() + "/" + run.run()))
                .allMatch(RunResult::valid);
        return new Report(result, valid, runs.unreadable().isEmpty());
    }

    /** A summary that cannot be read is written anew. */
    private static void summarize(ExperimentResult result, Path experiment) {
        Optional<Summary> before;
        try {
            before = StudyFile.SUMMARY.find(experiment);
        } catch (KilnException e) {
            before = Optional.empty();
        }
        List<RunInfo> infos = ExperimentReader.find(experiment).directories().stream()
                .map(RunReader::info)
                .toList();
        StudyFile.SUMMARY.write(experiment, Summaries.of(result, infos, before, Installation.version()));
    }

    /** The same without a word. */
    public ExperimentResult write(Path experiment) {
        ExperimentResult result = Experiments.assess(experiment, AnalysisConfig.defaults(), console.err());
        try {
            HtmlReport.write(result, experiment.resolve("report.html"));
            ResultJson.write(result, experiment.resolve("result.json"));
            summarize(result, experiment);
            if (!result.claims().isEmpty()) {
                TextFiles.write(experiment.resolve("claims.md"), ClaimWords.markdown(result));
            }
            result.sweep().ifPresent(sweep -> {
                TextFiles.write(experiment.resolve("sweep.csv"), SweepReport.csv(sweep));
                TextFiles.write(experiment.resolve("sweep.md"), SweepReport.markdown(result, sweep));
            });
        } catch (UncheckedIOException e) {
            throw KilnException.machine(
                    "cannot write the report: " + IoReason.of(e.getCause()),
                    "check the folder and its disk's space",
                    e);
        }
        return result;
    }
}
