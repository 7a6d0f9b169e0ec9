package dev.kiln.evidence;

import dev.kiln.files.InputFile;
import dev.kiln.model.Controls;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.RunInfo;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** An ExperimentReader finds all runs of an experiment, which lie in {@code <results>/<variant>/<run>/}. */
public final class ExperimentReader {
    /** A run lies two levels below its experiment's folder; a folder of several has one level more. */
    private static final int DEPTH = 3;

    private ExperimentReader() {}

    /** ExperimentRuns are the folders of runs in the order of launches, and why others are unreadable. */
    public record ExperimentRuns(List<Path> directories, List<String> unreadable) {
        public ExperimentRuns {
            directories = List.copyOf(directories);
            unreadable = List.copyOf(unreadable);
        }
    }

    /** Finds the runs below a folder, and fails where there is none at all. */
    public static ExperimentRuns find(Path results) {
        record Found(Path directory, RunInfo info) {}
        List<Found> found = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (Path directory : directoriesWithRunJson(results)) {
            try {
                found.add(new Found(directory, RunReader.info(directory)));
            } catch (KilnException e) {
                unreadable.add(e.getMessage());
            }
        }
        if (found.isEmpty()) {
            String why = unreadable.isEmpty() ? "" : ": " + String.join("; ", unreadable);
            throw KilnException.usage(
                    "no run that can be read in " + results + why, "name a folder that kiln run wrote");
        }
        found.sort(Comparator.comparingLong((Found f) -> f.info().launchEpochMillis())
                .thenComparing(f -> f.info().variant())
                .thenComparingInt(f -> f.info().run()));
        return new ExperimentRuns(found.stream().map(Found::directory).toList(), unreadable);
    }

    /**
     * Returns the folder of a run of an experiment. The names in a {@code run.json} that somebody else wrote may lead anywhere: only
     * what {@link #find} would find is a run.
     */
    public static Path directory(Path results, String variant, int run) {
        String wanted = variant + "/" + run;
        return directoriesWithRunJson(results).stream()
                .filter(found -> results.relativize(found).toString().equals(wanted))
                .findFirst()
                .orElseThrow(() -> KilnException.usage(
                        "no run " + wanted + " in " + results,
                        "the folders of runs must be named as Kiln named them: restore them, or their run.json"));
    }

    /** A folder that is a link is none of the experiment's: it may lead to what somebody else recorded. */
    private static List<Path> directoriesWithRunJson(Path results) {
        try (Stream<Path> tree = Files.walk(results, DEPTH)) {
            return tree.filter(d ->
                            d.equals(results) ? Files.isDirectory(d) : Files.isDirectory(d, LinkOption.NOFOLLOW_LINKS))
                    .filter(d -> Files.exists(d.resolve("run.json")))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw KilnException.usage("cannot read " + results + ": " + e.getMessage(), "name a folder of results", e);
        }
    }

    /** Labels are keys and values that a job puts beside its results, in {@code labels.properties}. */
    public static final class Labels {
        private static final String NAME = "labels.properties";

        private Labels() {}

        /** Reads the labels in the folder of an experiment; there are none if there is no file. */
        public static SortedMap<String, String> of(Path experiment) {
            SortedMap<String, String> all = new TreeMap<>();
            Path file = experiment.resolve(NAME);
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                Properties properties = new Properties();
                try {
                    properties.load(new StringReader(InputFile.text(file, InputFile.DOCUMENT)));
                } catch (IOException e) {
                    throw KilnException.usage(e, "cannot read " + file, "remove it");
                } catch (IllegalArgumentException e) {
                    throw KilnException.usage(file + ": " + e.getMessage(), "write one key=value on each line", e);
                }
                properties
                        .stringPropertyNames()
                        .forEach(key -> all.put(Controls.line(key), Controls.line(properties.getProperty(key))));
            }
            return all;
        }
    }
}
