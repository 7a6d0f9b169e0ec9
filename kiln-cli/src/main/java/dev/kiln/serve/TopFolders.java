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

/** The folders right below that of a library: their names and their order, and nothing of what is in them. */
final class TopFolders {
    /** {@code NAME-20260131-235959}, and what sets two of one second apart. */
    private static final Pattern BEGUN = Pattern.compile("-(\\d{8}-\\d{6})(-\\d+)?$");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private TopFolders() {}

    /** What is right below the root, the last begun first. Of each, no more is looked at than that it is a folder. */
    static List<Path> of(Path root) {
        record Begun(Path folder, String time) {}
        try (Stream<Path> all = Files.list(root)) {
            return all.filter(folder -> !folder.getFileName().toString().startsWith("."))
                    .flatMap(folder -> time(folder).map(time -> new Begun(folder, time)).stream())
                    .sorted(Comparator.comparing(Begun::time).reversed().thenComparing(Begun::folder))
                    .map(Begun::folder)
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /** As experiments have it in their name; of another folder, its last change; of a file, none. */
    private static Optional<String> time(Path folder) {
        Matcher named = BEGUN.matcher(folder.getFileName().toString());
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        return Optional.of(
                named.find() ? named.group(1) : TIME.format(Instant.ofEpochMilli(ItemReader.modified(folder))));
    }
}
