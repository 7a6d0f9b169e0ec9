package dev.kiln.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * TopFolders lists the folders directly below a library's root: their names and their order, and nothing of their
 * content.
 */
final class TopFolders {
    /**
     * The pattern matches {@code NAME-20260131-235959}, and the number behind it that distinguishes two folders of one
     * second.
     */
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
                    .sorted(Comparator.comparing(BegunFolder::time).reversed().thenComparing(BegunFolder::folder))
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
