package dev.kiln.cli;

import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.Assessment;
import dev.kiln.explain.PastRun;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.report.ResultJson;
import dev.kiln.report.ResultReader;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds and reads the results of many experiments: {@code result.json} where there is one, else the evidence itself. */
final class PastExperiments {
    private static final String RESULT = "result.json";

    /** What a job that runs an experiment may put beside its results. */
    private static final String LABELS = "labels.properties";

    /** A folder of results by date or branch holds experiments, those variants, those runs. */
    private static final int DEPTH = 6;

    private final Console console;
    private final SortedMap<String, String> labels;

    /** @param labels given to every run */
    PastExperiments(Console console, SortedMap<String, String> labels) {
        this.console = console;
        this.labels = labels;
    }

    List<PastRun> read(List<Path> roots) {
        TreeSet<Path> folders = new TreeSet<>();
        roots.forEach(root -> folders.addAll(experiments(root)));
        List<PastRun> runs = new ArrayList<>();
        for (Path folder : folders) {
            try {
                runs.addAll(runs(folder));
            } catch (KilnException e) {
                console.err().println("kiln: left out: " + e.getMessage());
            }
        }
        if (runs.isEmpty()) {
            throw new KilnException(
                    Exit.USAGE,
                    "no experiment that can be read in " + roots,
                    "name folders that kiln run wrote, or folders of them, such as results");
        }
        return runs;
    }

    private static List<Path> experiments(Path root) {
        if (!Files.isDirectory(root)) {
            throw new KilnException(Exit.USAGE, "no such folder: " + root, "name a folder of results");
        }
        try (Stream<Path> tree = Files.walk(root.toAbsolutePath().normalize(), DEPTH)) {
            return tree.filter(file -> file.endsWith(RESULT) || file.endsWith("run.json"))
                    .flatMap(file -> Stream.ofNullable((file.endsWith(RESULT)
                                    ? file
                                    : file.resolve("../..").normalize())
                            .getParent()))
                    .distinct()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw new KilnException(
                    Exit.USAGE, "cannot read " + root + ": " + e.getMessage(), "name a folder of results", e);
        }
    }

    private List<PastRun> runs(Path folder) {
        Path result = folder.resolve(RESULT);
        String json = Files.exists(result) ? text(result) : assessed(folder);
        return ResultReader.read(
                json,
                String.valueOf(folder.getFileName()),
                result.toString(),
                (variant, run) -> launched(folder.resolve(variant).resolve(Integer.toString(run))),
                labels(folder));
    }

    private static String assessed(Path folder) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        String name = "";
        for (Path run : ExperimentReader.find(folder).directories()) {
            var evidence = RunReader.read(run);
            name = evidence.info().experiment();
            assessment.add(evidence);
        }
        return ResultJson.render(assessment.result(name));
    }

    private static OptionalLong launched(Path run) {
        try {
            return OptionalLong.of(RunReader.info(run).launchEpochMillis());
        } catch (KilnException e) {
            return OptionalLong.empty();
        }
    }

    private SortedMap<String, String> labels(Path folder) {
        SortedMap<String, String> all = new TreeMap<>();
        Path file = folder.resolve(LABELS);
        if (Files.exists(file)) {
            Properties properties = new Properties();
            try {
                properties.load(new StringReader(text(file)));
            } catch (IOException | IllegalArgumentException e) {
                throw new KilnException(
                        Exit.USAGE, file + ": " + e.getMessage(), "write it as key=value, a line each", e);
            }
            properties.stringPropertyNames().forEach(key -> all.put(key, properties.getProperty(key)));
        }
        all.putAll(labels);
        return all;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new KilnException(Exit.USAGE, "cannot read " + file + ": " + e.getMessage(), "leave it out", e);
        }
    }
}
