package dev.kiln.importer;

import dev.kiln.importer.LabFolder.FolderFiles;
import dev.kiln.importer.RunGroups.Failure;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** An Importer turns result files of other programs into the evidence of an experiment. */
public final class Importer {
    private final String kilnVersion;
    private final ImportOptions options;
    private final Consumer<String> progress;

    /** @param progress gets a line for each imported run, and for all that is left out */
    public Importer(String kilnVersion, ImportOptions options, Consumer<String> progress) {
        this.kilnVersion = kilnVersion;
        this.options = options;
        this.progress = progress;
    }

    /** An Imported is what became evidence, of every run or of some. */
    public record Imported(Path directory, boolean whole) {}

    /**
     * Imports all that is found.
     *
     * @param folder makes the folder of the experiment, which is this import's alone: runs go to {@code <variant>/<run>}
     *     in it. It is asked only if there is a run
     * @throws KilnException when nothing was recognised, or no run could be imported: then there is no folder
     */
    public Imported run(List<Path> paths, String experiment, Supplier<Path> folder) {
        FolderFiles findings = LabFolder.find(paths, options.mapping());
        RunGroups groups = new RunGroups(options);
        List<ImportedRun> runs = groups.of(findings.found(), fallback(paths));
        List<KilnException> failures =
                new ArrayList<>(groups.failures().stream().map(Failure::why).toList());
        if (runs.isEmpty()) {
            throw failures.isEmpty() ? noRun(findings) : failures.getFirst();
        }
        Stream.of(
                        findings.missed().stream(),
                        findings.remarks().stream(),
                        groups.leftOut().stream(),
                        groups.failures().stream().map(Failure::words))
                .flatMap(reasons -> reasons)
                .forEach(why -> progress.accept("left out: " + why));
        groups.doubts().forEach(progress);
        unique(runs);
        List<String> variants =
                runs.stream().map(ImportedRun::variant).distinct().toList();
        int most = (int) variants.stream()
                .mapToLong(variant -> runs.stream()
                        .filter(run -> run.variant().equals(variant))
                        .count())
                .max()
                .orElse(1);
        RunImport.ImportedExperiment facts = new RunImport.ImportedExperiment(kilnVersion, experiment, variants, most);
        int imported = 0;
        Path directory = folder.get();
        for (ImportedRun run : runs) {
            Path target = directory.resolve(run.variant()).resolve(Integer.toString(run.run()));
            try {
                new RunImport(run, options).write(target, facts);
                imported++;
                progress.accept("imported " + run.variant() + " " + run.run()
                        + (run.loads().size() > 1 ? ": " + run.loads().size() + " loads, one after the other" : ""));
            } catch (KilnException e) {
                if (e.exit() == Exit.MACHINE) {
                    // A part of the runs would pass for all of them.
                    delete(directory);
                    throw e;
                }
                delete(target);
                failures.add(e);
                progress.accept("left out: " + run.variant() + " " + run.run() + ": " + e.getMessage());
            }
        }
        if (imported == 0) {
            delete(directory);
            throw failures.getFirst();
        }
        return new Imported(directory, findings.missed().isEmpty() && failures.isEmpty());
    }

    private static KilnException noRun(FolderFiles findings) {
        return KilnException.usage(
                "there is no run in the " + findings.found().size() + " files recognised",
                "a run needs a load, a log of its threads or a flight recording");
    }

    private static String fallback(List<Path> paths) {
        Path first = paths.getFirst().toAbsolutePath().normalize();
        String name =
                Optional.ofNullable(first.getFileName()).map(Path::toString).orElse("");
        String stem = Files.isDirectory(first) ? name : LoadSource.stem(name);
        return stem.isEmpty() || stem.equals(".") || stem.equals("..") ? "imported" : stem;
    }

    private static void unique(List<ImportedRun> runs) {
        Set<String> seen = new HashSet<>();
        for (ImportedRun run : runs) {
            if (!seen.add(run.variant() + "/" + run.run())) {
                throw KilnException.usage(
                        "two of these are run " + run.run() + " of variant " + run.variant(),
                        "import them one by one, each with its own --variant");
            }
        }
    }

    /** Deletes what was written of a run, because half a run must not look like a whole one. */
    private static void delete(Path directory) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot delete the unfinished " + directory, "delete it by hand");
        }
    }
}
