package dev.kiln.load.driver;

import static java.util.stream.Collectors.joining;

import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A DriverCache is the AOT cache of the driver's JVM: the classes that a warm-up loaded and the profiles of its methods. With
 * it the JIT compilers know from the start what is hot. The JVM ignores one of other classes or of another JDK. Made once, by
 * training; an empty file says that training failed, which costs only time.
 *
 * @param file where it is, or will be
 */
record DriverCache(Path file) {
    /**
     * The script {@code kiln} sets this property. Without it, as in tests that run from folders of classes, there is no cache.
     */
    private static final String PROPERTY = "kiln.driver.aot";

    /** Returns the cache for this kind of load: profiles of what a load does not do would have the wrong code compiled. */
    static Optional<DriverCache> configured(Set<Trait> traits) {
        String kind = traits.stream()
                .sorted()
                .map(trait -> "-" + trait.name().toLowerCase(Locale.ROOT))
                .collect(joining());
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .map(file -> new DriverCache(Path.of(file.replaceFirst("\\.aot$", kind + ".aot"))))
                .filter(cache -> !cache.isMissing()
                        || Files.isWritable(cache.file.toAbsolutePath().getParent()));
    }

    boolean isMissing() {
        return !Files.exists(file);
    }

    /** Returns the flags of a JVM that uses this cache; none if training failed. */
    List<String> flags() {
        try {
            return Files.size(file) > 0 ? List.of("-XX:AOTCache=" + file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns the flags of a JVM that writes a cache when it ends. */
    static List<String> training(Path made) {
        return List.of("-XX:AOTCacheOutput=" + made);
    }

    /** Moves the cache that training has made to its place, whole or not at all. */
    void take(Path made) {
        try {
            if (Files.exists(made)) {
                OutputFile.replace(file, cache -> {
                    try (InputStream in = InputFile.stream(made)) {
                        in.transferTo(cache);
                    }
                });
                Files.delete(made);
            } else {
                Files.createFile(file);
            }
        } catch (IOException e) {
            // A full disk, or a second Kiln that trained meanwhile: the next driver warms up for longer.
            return;
        }
    }
}
