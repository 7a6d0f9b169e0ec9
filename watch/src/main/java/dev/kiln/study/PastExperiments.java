package dev.kiln.study;

import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.ExperimentReader.Labels;
import dev.kiln.evidence.RunReader;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.PastRun;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.PathText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** PastExperiments finds many experiments and reads them as {@code kiln report} does: from their evidence. */
public final class PastExperiments {
    /** A folder of results by date or branch holds experiments, those variants, those runs. */
    private static final int DEPTH = 6;

    private final Consumer<String> leftOut;
    private final SortedMap<String, String> labels;
    private final Map<String, Path> places = new HashMap<>();

    /** Makes a reader; leftOut gets a sentence on what cannot be read, and every run gets the labels. */
    public PastExperiments(Consumer<String> leftOut, SortedMap<String, String> labels) {
        this.leftOut = leftOut;
        this.labels = labels;
    }

    public List<PastRun> read(List<Path> roots) {
        TreeSet<Path> folders = new TreeSet<>();
        roots.forEach(root -> folders.addAll(experiments(root)));
        Map<String, Long> named =
                folders.stream().collect(Collectors.groupingBy(PastExperiments::name, Collectors.counting()));
        List<PastRun> runs = new ArrayList<>();
        for (Path folder : folders) {
            String name = name(folder);
            Path parent = folder.getParent();
            // Nights of one name in folders of their own are sessions of their own.
            boolean shared = named.getOrDefault(name, 1L) > 1;
            try {
                runs.addAll(runs(folder, shared && parent != null ? name(parent) + "/" + name : name));
            } catch (KilnException e) {
                leftOut.accept(e.getMessage());
            }
        }
        if (runs.isEmpty()) {
            throw KilnException.usage(
                    "no readable experiment in "
                            + roots.stream().map(Path::toString).collect(Collectors.joining(", ")),
                    "name folders that kiln run wrote, or a folder that contains them, such as results");
        }
        return runs;
    }

    /** Returns the report of an experiment that was read, as a link from a page; empty where it has none. */
    public Optional<String> report(String folder, Path page) {
        Path from = page.toAbsolutePath().normalize().getParent();
        return Optional.ofNullable(places.get(folder))
                .map(place -> place.resolve("report.html"))
                .filter(Files::exists)
                .map(report -> from == null ? report : from.relativize(report))
                .map(report -> PathText.inUrl(report.toString()));
    }

    /** Returns the folders of all experiments in a folder. */
    public static List<Path> experiments(Path root) {
        if (!Files.isDirectory(root)) {
            throw KilnException.usage("no such folder: " + root, "name a folder of results");
        }
        try (Stream<Path> tree = Files.walk(root.toAbsolutePath().normalize(), DEPTH)) {
            return tree.filter(file -> file.endsWith("run.json"))
                    .flatMap(file ->
                            Stream.ofNullable(file.resolve("../..").normalize().getParent()))
                    .distinct()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw KilnException.usage("cannot read " + root + ": " + e.getMessage(), "name a folder of results", e);
        }
    }

    private static String name(Path folder) {
        return String.valueOf(folder.getFileName());
    }

    private List<PastRun> runs(Path folder, String name) {
        SortedMap<String, String> given = labels(folder);
        places.put(name, folder);
        ExperimentResult result = Experiments.assess(folder, AnalysisConfig.defaults(), leftOut);
        List<PastRun> runs = new ArrayList<>();
        for (Path directory : ExperimentReader.find(folder).directories()) {
            RunInfo info = RunReader.info(directory);
            for (VariantResult variant : result.variants()) {
                variant.runs().stream()
                        .filter(run -> info.variant().equals(run.variant()) && info.run() == run.run())
                        .map(run -> PastRun.of(info, variant, run, name, given))
                        .forEach(runs::add);
            }
        }
        return runs;
    }

    private SortedMap<String, String> labels(Path folder) {
        SortedMap<String, String> all = Labels.of(folder);
        all.putAll(labels);
        return all;
    }
}
