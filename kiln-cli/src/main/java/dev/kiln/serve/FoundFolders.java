package dev.kiln.serve;

import dev.kiln.report.Listed.StudyKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * FoundFolders are what a walk through a library finds: folders of runs by their experiment, each with the last change
 * of its {@code run.json}, and folders of other measurements.
 */
final class FoundFolders extends SimpleFileVisitor<Path> {
    final Map<Path, Map<Path, Long>> runs = new LinkedHashMap<>();
    final Map<Path, Long> starts = new LinkedHashMap<>();
    final Set<Path> searches = new LinkedHashSet<>();
    private final Set<Path> top = new TreeSet<>();
    private final Path root;

    /** @param root of the library */
    FoundFolders(Path root) {
        this.root = root;
    }

    /** Tells whether there is a file and no link. */
    static boolean isThere(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        Path name = folder.getFileName();
        if (name != null && name.toString().startsWith(".") && !folder.equals(root)) {
            return FileVisitResult.SKIP_SUBTREE;
        }
        if (root.equals(folder.getParent())) {
            top.add(folder);
        }
        Path startup = folder.resolve(StudyKind.STARTUP.file());
        if (isThere(startup)) {
            starts.put(folder, ItemReader.modified(startup));
            return FileVisitResult.SKIP_SUBTREE;
        }
        if (folder.startsWith(root) && isThere(folder.resolve(StudyKind.SEARCH.file()))) {
            searches.add(folder);
        }
        Path info = folder.resolve("run.json");
        Path variant = folder.getParent();
        Path experiment = variant == null ? null : variant.getParent();
        if (!isThere(info) || experiment == null) {
            return FileVisitResult.CONTINUE;
        }
        if (experiment.startsWith(root)) {
            runs.computeIfAbsent(experiment, e -> new LinkedHashMap<>()).put(folder, ItemReader.modified(info));
        }
        return FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException why) {
        return FileVisitResult.CONTINUE;
    }

    private Set<Path> used() {
        return Stream.of(runs.keySet(), starts.keySet(), searches)
                .flatMap(Set::stream)
                .map(folder -> root.resolve(root.relativize(folder).getName(0)))
                .collect(Collectors.toSet());
    }

    /** Returns folders beside the experiments that hold none; parts of an experiment are not among them. */
    List<Path> others() {
        if (runs.containsKey(root) || starts.containsKey(root) || searches.contains(root)) {
            return List.of();
        }
        Set<Path> used = used();
        return top.stream().filter(folder -> !used.contains(folder)).toList();
    }

    /** TopFolders lists the folders directly below a library's root by their names: nothing of their content. */
    static final class TopFolders {
        /** The pattern matches {@code NAME-20260131-235959}, and a number behind it. */
        private static final Pattern BEGUN = Pattern.compile("-(\\d{8}-\\d{6})(-\\d+)?$");

        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneId.systemDefault());

        private TopFolders() {}

        /** Returns the folders directly below the root, the last begun first; empty if the root cannot be read. */
        static List<Path> of(Path root) {
            record BegunFolder(Path folder, String time) {}
            try (Stream<Path> all = Files.list(root)) {
                return all.filter(folder -> !folder.getFileName().toString().startsWith("."))
                        .flatMap(folder -> time(folder).map(time -> new BegunFolder(folder, time)).stream())
                        .sorted(Comparator.comparing(BegunFolder::time)
                                .reversed()
                                .thenComparing(BegunFolder::folder))
                        .map(BegunFolder::folder)
                        .toList();
            } catch (IOException | UncheckedIOException e) {
                return List.of();
            }
        }

        /** Returns when a folder was begun, by its name or else by its last change; empty for a file. */
        private static Optional<String> time(Path folder) {
            Matcher named = BEGUN.matcher(folder.getFileName().toString());
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            return Optional.of(
                    named.find() ? named.group(1) : TIME.format(Instant.ofEpochMilli(ItemReader.modified(folder))));
        }
    }
}
