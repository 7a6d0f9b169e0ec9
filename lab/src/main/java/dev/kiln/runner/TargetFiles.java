package dev.kiln.runner;

import dev.kiln.model.Target;
import dev.kiln.model.Where;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Reads what a target will read when it starts, so that the first run of an experiment does not pay for a cold disk alone:
 * a first start after boot took twice as long as those after it.
 */
final class TargetFiles {
    private static final long MOST_BYTES = 1L << 30;

    private TargetFiles() {}

    /** Files of the JDK and those the command names, with the libraries beside them; what cannot be read is left out. */
    static void read(Target target) {
        // Nothing is known of the files of an image.
        if (!(target.where() instanceof Where.Here) && target.workload().isEmpty()) {
            return;
        }
        Path jdk = target.jdkHome().orElse(Path.of(System.getProperty("java.home")));
        Set<Path> files = new TreeSet<>(Set.of(jdk.resolve("lib/modules"), jdk.resolve("lib/server/libjvm.so")));
        Path directory = target.workingDirectory().orElse(Path.of(""));
        for (String word : target.command()) {
            if (word.endsWith(".jar")) {
                Path jar = directory.resolve(word);
                files.add(jar);
                Optional.ofNullable(jar.getParent()).ifPresent(folder -> addJarsBelow(folder, files));
            }
        }
        long left = MOST_BYTES;
        for (Path file : files) {
            left -= readOne(file, left);
        }
    }

    private static void addJarsBelow(Path folder, Set<Path> files) {
        try (Stream<Path> below = Files.walk(folder, 3)) {
            below.filter(file -> file.toString().endsWith(".jar")).limit(2000).forEach(files::add);
        } catch (IOException | UncheckedIOException e) {
            // Only a courtesy: the target itself says what it cannot read.
            return;
        }
    }

    private static long readOne(Path file, long atMost) {
        try (InputStream in = Files.newInputStream(file)) {
            return Files.size(file) > atMost ? 0 : in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException notReadable) {
            return 0;
        }
    }
}
