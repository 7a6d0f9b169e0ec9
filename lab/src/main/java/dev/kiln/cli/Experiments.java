package dev.kiln.cli;

import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.Assessment;
import dev.kiln.explain.ExperimentResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.runner.Instruments;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;

/** Recorded experiments, found and assessed. */
final class Experiments {
    private Experiments() {}

    /** Evidence is read run by run: only its digest is kept. */
    static ExperimentResult assess(Path experiment, AnalysisConfig config, PrintWriter err) {
        ExperimentReader.Runs runs = ExperimentReader.find(experiment);
        Assessment assessment = new Assessment(config);
        runs.unreadable().forEach(why -> err.println("kiln: left out: " + why));
        String name = "";
        for (Path run : runs.directories()) {
            Instruments.digestLate(run);
            var evidence = RunReader.read(run);
            name = evidence.info().experiment();
            assessment.add(evidence);
        }
        return assessment.result(name);
    }

    /** The folder itself, or the newest experiment in it. */
    static Path newest(Path directory) {
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
                .max(Comparator.comparing(Experiments::modified))
                .filter(parent -> parent.startsWith(directory.toAbsolutePath().normalize()))
                .map(parent ->
                        directory.resolve(directory.toAbsolutePath().normalize().relativize(parent)))
                .orElse(directory);
    }

    private static FileTime modified(Path directory) {
        try {
            return Files.getLastModifiedTime(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
