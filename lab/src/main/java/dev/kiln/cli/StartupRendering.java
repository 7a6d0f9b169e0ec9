package dev.kiln.cli;

import dev.kiln.evidence.StartTableReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.explain.study.StartupAssessment;
import dev.kiln.explain.study.StartupResult;
import dev.kiln.report.StartupReport;
import dev.kiln.report.json.StartupJson;
import dev.kiln.stats.AnalysisConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Prints a start-up comparison in the form asked for. */
record StartupRendering(Console console, Optional<Path> json, boolean csv, boolean markdown, double effect) {
    private StartupAssessment assessment() {
        return new StartupAssessment(AnalysisConfig.defaults(), effect);
    }

    /** Of a CSV, or of a folder that an earlier comparison wrote. */
    void table(Path path, OptionalInt discard) {
        print(
                Files.isDirectory(path)
                        ? assessment().of(StudyFile.STARTUP.read(path))
                        : assessment().of(StartTableReader.read(path), discard.orElse(0)));
    }

    /** Also keeps the table beside the evidence. */
    void recorded(Path directory) {
        StartupResult result = assessment().of(StudyFile.STARTUP.read(directory));
        TextFiles.write(directory.resolve("startup.csv"), StartupReport.csv(result));
        print(result);
    }

    private void print(StartupResult result) {
        boolean jsonOnly = json.filter(TextFiles::isStandardOutput).isPresent();
        if (json.isPresent() && !jsonOnly) {
            TextFiles.write(json.get(), StartupJson.render(result));
        }
        String text = jsonOnly
                ? StartupJson.render(result)
                : csv
                        ? StartupReport.csv(result)
                        : markdown ? StartupReport.markdown(result) : StartupReport.terminal(result, console.style());
        console.out().print(text);
        console.out().flush();
    }
}
