package dev.kiln.importer;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what can be imported below the paths given, and which run each file belongs to by the names on its path. */
final class LabFolder {
    /** A lab's folders are not deeper; a disk's root is no lab. */
    private static final int DEPTH = 10;

    private static final int MOST_FILES = 100_000;

    /** {@code <variant>-<n>}. */
    private static final Pattern RUN = Pattern.compile("(.*[^-])-(\\d{1,4})");

    private LabFolder() {}

    /**
     * One file.
     *
     * @param place its path from the folder it was found below, with that folder's own name
     */
    record Found(Path file, Format format, List<String> place) {
        Found {
            place = List.copyOf(place);
        }
    }

    /** The name of a run. */
    record RunName(String variant, int number) {
        static Optional<RunName> of(String name) {
            Matcher form = RUN.matcher(name);
            return form.matches()
                    ? Optional.of(new RunName(form.group(1), Integer.parseInt(form.group(2))))
                    : Optional.empty();
        }
    }

    static List<Found> find(List<Path> paths, Optional<CsvMapping> mapping) {
        List<Found> found = new ArrayList<>();
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw new KilnException(Exit.USAGE, "no such file or folder: " + path, "name result files or folders");
            }
            Path root = path.toAbsolutePath().normalize();
            for (Path file : files(root)) {
                Format.of(file, mapping).ifPresent(format -> found.add(new Found(file, format, place(root, file))));
            }
        }
        if (found.isEmpty()) {
            throw new KilnException(
                    Exit.USAGE,
                    "nothing to import in " + paths.stream().map(Path::toString).collect(Collectors.joining(", ")),
                    "expected one of: "
                            + Arrays.stream(Format.values()).map(Format::words).collect(Collectors.joining("; ")));
        }
        return found;
    }

    private static List<Path> files(Path root) {
        if (!Files.isDirectory(root)) {
            return List.of(root);
        }
        try (Stream<Path> tree = Files.walk(root, DEPTH, FileVisitOption.FOLLOW_LINKS)) {
            List<Path> files = tree.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .limit(MOST_FILES)
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
            return files;
        } catch (IOException e) {
            throw Lines.unreadable(root.toString(), e);
        } catch (UncheckedIOException e) {
            throw new KilnException(
                    Exit.USAGE,
                    "cannot read all of " + root + ": " + e.getMessage(),
                    "name the files or folders that can be read",
                    e);
        }
    }

    private static List<String> place(Path root, Path file) {
        List<String> place = new ArrayList<>();
        Path name = root.getFileName();
        if (name != null) {
            place.add(name.toString());
        }
        if (!root.equals(file)) {
            root.relativize(file).forEach(part -> place.add(part.toString()));
        }
        return place;
    }

    /** The run that a load's place names: by the deepest folder that does, or by the file where that names no phase. */
    static Optional<String> runOf(Found load) {
        List<String> place = load.place();
        int last = place.size() - 1;
        if (load.format() != Format.HYPERFOIL_SERIES && load.format() != Format.HYPERFOIL_TOTALS) {
            String stem = stem(place.get(last));
            if (RunName.of(stem).isPresent()) {
                return Optional.of(stem);
            }
        }
        for (int i = last - 1; i >= 0; i--) {
            if (RunName.of(place.get(i)).isPresent()) {
                return Optional.of(place.get(i));
            }
        }
        return Optional.empty();
    }

    /** The longest of these runs' names that stands on the place of a file as words of their own. */
    static Optional<String> belongsTo(Found file, Set<String> runs) {
        return runs.stream()
                .filter(run -> file.place().stream().anyMatch(part -> names(part, run)))
                .max(Comparator.comparingInt(String::length));
    }

    private static boolean names(String part, String run) {
        return Pattern.compile("(?<![A-Za-z0-9])" + Pattern.quote(run) + "(?![A-Za-z0-9])")
                .matcher(part)
                .find();
    }

    static String stem(String file) {
        int dot = file.indexOf('.');
        return dot <= 0 ? file : file.substring(0, dot);
    }
}
