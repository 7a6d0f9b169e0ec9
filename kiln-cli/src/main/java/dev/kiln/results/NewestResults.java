package dev.kiln.results;

import dev.kiln.console.Console;
import dev.kiln.console.Outputs;
import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.model.KilnException;
import dev.kiln.study.Experiments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** NewestResults are what a command takes where no folder is named: they lie where {@code kiln run} writes by default. */
public final class NewestResults {
    private NewestResults() {}

    /** Returns the folder that was named, or the newest experiment's; then it says which it took. */
    public static Path orNamed(Optional<Path> named, Console console) {
        return named.orElseGet(() -> {
            Path newest = newest(all());
            console.note("kiln: no folder is named, so this is the newest experiment: " + newest + search(newest));
            return newest;
        });
    }

    /** Returns the experiment that was launched last; those of a search lie in a folder of their own. */
    private static Path newest(Path all) {
        try (Stream<Path> folders = Files.list(all)) {
            return Stream.concat(Stream.of(all), folders.filter(StudyFile.SEARCH::exists))
                    .flatMap(place -> newestIn(place).stream())
                    .max(Comparator.comparingLong(NewestResults::launched))
                    .orElseGet(() -> Experiments.newest(all));
        } catch (IOException | UncheckedIOException e) {
            return Experiments.newest(all);
        }
    }

    private static Optional<Path> newestIn(Path place) {
        try {
            return Optional.of(Experiments.newest(place));
        } catch (KilnException e) {
            // It has no run, or not yet.
            return Optional.empty();
        }
    }

    private static long launched(Path experiment) {
        return RunReader.info(ExperimentReader.find(experiment).directories().getLast())
                .launchEpochMillis();
    }

    /** A stage of a search is an experiment too; what became of the search is told elsewhere. */
    private static String search(Path experiment) {
        Path above = experiment.resolveSibling("");
        return StudyFile.SEARCH.exists(above)
                ? ". It is a stage of the search in " + above + "; kiln serve shows all of that"
                : "";
    }

    /** Returns the folder of all results, and says that it took it. */
    public static Path all(Console console) {
        Path all = all();
        console.note("kiln: no folder is named, so these are all experiments in " + all);
        return all;
    }

    private static Path all() {
        if (!Files.isDirectory(Outputs.DEFAULT)) {
            throw KilnException.usage(
                    "no folder is named, and there is no folder " + Outputs.DEFAULT + " here",
                    "name an experiment's folder, such as results/demo-20260102-030405; kiln demo makes a first one");
        }
        return Outputs.DEFAULT;
    }
}
