package dev.kiln.cli.results;

import dev.kiln.cli.console.Console;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.History.PastRun;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds many experiments and reads them as {@code kiln report} does: from their evidence. */
final class PastExperiments {
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
                    "no readable experiment in " + roots,
                    "name folders that kiln run wrote, or a folder that contains them, such as results");
        }
        return runs;
    }

    private static List<Path> experiments(Path root) {
        if (!Files.isDirectory(root)) {
            throw new KilnException(Exit.USAGE, "no such folder: " + root, "name a folder of results");
        }
        try (Stream<Path> tree = Files.walk(root.toAbsolutePath().normalize(), DEPTH)) {
            return tree.filter(file -> file.endsWith("run.json"))
                    .flatMap(file ->
                            Stream.ofNullable(file.resolve("../..").normalize().getParent()))
                    .distinct()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw new KilnException(
                    Exit.USAGE, "cannot read " + root + ": " + e.getMessage(), "name a folder of results", e);
        }
    }

    private List<PastRun> runs(Path folder) {
        SortedMap<String, String> given = labels(folder);
        ExperimentResult result = Experiments.assess(folder, AnalysisConfig.defaults(), console.err());
        List<PastRun> runs = new ArrayList<>();
        for (Path directory : ExperimentReader.find(folder).directories()) {
            RunInfo info = RunReader.info(directory);
            for (VariantResult variant : result.variants()) {
                variant.runs().stream()
                        .filter(run -> info.variant().equals(run.variant()) && info.run() == run.run())
                        .map(run -> PastRun.of(info, variant, run, String.valueOf(folder.getFileName()), given))
                        .forEach(runs::add);
            }
        }
        return runs;
    }

    private SortedMap<String, String> labels(Path folder) {
        SortedMap<String, String> all = new TreeMap<>();
        Path file = folder.resolve(LABELS);
        if (Files.exists(file)) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IOException e) {
                throw new KilnException(Exit.USAGE, "cannot read " + file + ": " + IoReason.of(e), "remove it", e);
            } catch (IllegalArgumentException e) {
                throw new KilnException(
                        Exit.USAGE, file + ": " + e.getMessage(), "write one key=value on each line", e);
            }
            properties.stringPropertyNames().forEach(key -> all.put(key, properties.getProperty(key)));
        }
        all.putAll(labels);
        return all;
    }
}
