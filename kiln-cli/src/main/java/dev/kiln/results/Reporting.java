package dev.kiln.results;

import dev.kiln.console.Installation;
import dev.kiln.console.NextStep;
import dev.kiln.console.OpenOption;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.TextFiles;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.Summaries;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Summary;
import dev.kiln.report.ClaimWords;
import dev.kiln.report.Section;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.report.json.ResultJson;
import dev.kiln.report.terminal.TerminalReport;
import dev.kiln.runner.Instruments;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.study.Experiments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Reporting turns an experiment's folder into all that is read of it: the report, the JSON, and the text. */
public record Reporting(ResultConsole console) {
    public static boolean hasRuns(Path directory) {
        try (Stream<Path> tree = Files.walk(directory, 3)) {
            return tree.anyMatch(file -> file.endsWith("run.json"));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /**
     * A Report is the result of an experiment, together with what is missing from it.
     *
     * @param folder of the experiment
     * @param leftOut runs that are in no figure because they are not valid, and why
     * @param whole false where a run could not be read, and was left out too
     */
    public record Report(Path folder, ExperimentResult result, List<String> leftOut, boolean whole) {
        /** Tells whether every run that counts is in the figures. */
        public boolean valid() {
            return whole && leftOut.isEmpty();
        }

        public Path page() {
            return folder.resolve(HtmlReport.FILE);
        }
    }

    /** Renders what was recorded before, and says what may follow; returns the exit code. */
    public int again(Path directory, OpenOption page) {
        return end(report(directory), page);
    }

    /** Ends a command that rendered this; returns the exit code, the same as when the runs were recorded. */
    int end(Report report, OpenOption page) {
        report.leftOut().forEach(console.leftOut());
        page.open(report.page(), console);
        console.next(NextStep.ofReport(report.folder()));
        return Exit.ofRun(report.valid());
    }

    /** Writes {@code report.html} and {@code result.json} beside the evidence, and prints the result. */
    public Report report(Path directory) {
        Path experiment = Experiments.newest(directory);
        ExperimentResult result = write(experiment);
        console.print(
                () -> ResultJson.render(result),
                () -> Section.of(result).stream()
                                .flatMap(section -> section.terminal(result, console.style()).stream())
                                .findFirst()
                                .orElseGet(() -> TerminalReport.render(result, console.style()))
                        + HtmlReport.where(experiment));
        ExperimentReader.ExperimentRuns runs = ExperimentReader.find(experiment);
        return new Report(
                experiment,
                result,
                Experiments.leftOut(runs.directories(), result.variants()),
                runs.unreadable().isEmpty());
    }

    /** Writes the summary of an experiment; one that cannot be read is replaced. */
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

    /** Writes the report and the JSON like {@link #report}, but prints nothing. */
    public ExperimentResult write(Path experiment) {
        Recordings.complete(experiment);
        ExperimentResult result = Experiments.assess(experiment, AnalysisConfig.defaults(), console.leftOut());
        try {
            HtmlReport.write(result, experiment.resolve(HtmlReport.FILE));
            ResultJson.write(result, experiment.resolve("result.json"));
            summarize(result, experiment);
            if (!result.claims().isEmpty()) {
                TextFiles.write(experiment.resolve("claims.md"), ClaimWords.markdown(result));
            }
            Section.of(result)
                    .forEach(section -> section.files(result)
                            .forEach((name, text) -> TextFiles.write(experiment.resolve(name), text)));
        } catch (UncheckedIOException e) {
            throw KilnException.machine(
                    "cannot write the report in " + experiment + ": "
                            + IoReason.of(Objects.requireNonNull(e.getCause())),
                    "check that folder and its disk's space",
                    e);
        }
        return result;
    }

    /** Recordings are flight recordings of runs whose Kiln was killed before it could digest them. */
    public static final class Recordings {
        private Recordings() {}

        /** Digests what was left: the one thing that a command adds to evidence before it reads it. */
        public static void complete(Path experiment) {
            try {
                complete(ExperimentReader.find(experiment).directories());
            } catch (KilnException e) {
                // Whoever reads the experiment says what is wrong with it.
                return;
            }
        }

        public static void complete(List<Path> runs) {
            for (Path run : runs) {
                try {
                    Instruments.digestLate(run);
                } catch (KilnException ignored) {
                    // The same holds of a run.
                }
            }
        }
    }
}
