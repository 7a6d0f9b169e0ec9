package dev.kiln.cli;

import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.Assessment;
import dev.kiln.explain.ExperimentResult;
import dev.kiln.explain.RunResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.report.HtmlReport;
import dev.kiln.report.ResultJson;
import dev.kiln.report.TerminalReport;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** From an experiment's folder to everything a person or a script reads. */
final class Reporting {
    private final Console console;
    private final Optional<Path> json;

    Reporting(Console console, Optional<Path> json) {
        this.console = console;
        this.json = json;
    }

    static boolean hasRuns(Path directory) {
        try (Stream<Path> tree = Files.walk(directory, 3)) {
            return tree.anyMatch(file -> file.endsWith("run.json"));
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes {@code report.html} and {@code result.json} beside the evidence; returns whether every run is valid. */
    boolean report(Path directory) {
        Path experiment = newestExperiment(directory);
        ExperimentResult result = assess(experiment);
        boolean toStandardOutput = json.isPresent() && json.get().toString().equals("-");
        try {
            HtmlReport.write(result, experiment.resolve("report.html"));
            ResultJson.write(result, experiment.resolve("result.json"));
            if (json.isPresent() && !toStandardOutput) {
                ResultJson.write(result, json.get());
            }
        } catch (UncheckedIOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot write the report: " + e.getCause(),
                    "check the folder and its disk's space",
                    e);
        }
        if (toStandardOutput) {
            console.out().print(ResultJson.render(result));
        } else {
            console.out().print(TerminalReport.render(result, console.style()));
            console.out().println("Report: " + experiment.resolve("report.html"));
        }
        console.out().flush();
        return result.variants().stream()
                .flatMap(variant -> variant.runs().stream())
                .allMatch(RunResult::valid);
    }

    /** Evidence is read run by run: only its digest is kept. */
    ExperimentResult assess(Path experiment) {
        ExperimentReader.Runs runs = ExperimentReader.find(experiment);
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        runs.unreadable().forEach(why -> console.err().println("kiln: left out: " + why));
        String name = "";
        for (Path run : runs.directories()) {
            var evidence = RunReader.read(run);
            name = evidence.info().experiment();
            assessment.add(evidence);
        }
        return assessment.result(name);
    }

    /** The folder itself, or the newest experiment in it. */
    private static Path newestExperiment(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new KilnException(
                    Exit.USAGE,
                    "no such folder: " + directory,
                    "name an experiment's folder, such as results/demo-20260102-030405");
        }
        List<Path> runs = ExperimentReader.find(directory).directories();
        return runs.stream()
                .map(run -> run.toAbsolutePath().resolve("../..").normalize())
                .distinct()
                .max(Comparator.comparing(Reporting::modified))
                .filter(parent -> parent.startsWith(directory.toAbsolutePath().normalize()))
                .map(parent ->
                        directory.resolve(directory.toAbsolutePath().normalize().relativize(parent)))
                .orElse(directory);
    }

    private static java.nio.file.attribute.FileTime modified(Path directory) {
        try {
            return Files.getLastModifiedTime(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
