package dev.kiln.runner;

import dev.kiln.files.InputFile;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * TargetFiles reads what a target will read when it starts, so that the first run of an experiment does not pay for a
 * cold disk alone: a first start after boot took twice as long as those after it.
 */
final class TargetFiles {
    private static final long MOST_BYTES = 1L << 30;

    /** Folders are searched so deep below a jar's own, where its libraries are. */
    private static final int LIBRARIES = 3;

    /** A folder of JBoss Modules is searched deeper: a jar is where its name says, as in org/jboss/as/server/main. */
    private static final int MODULES = 12;

    private static final Set<String> MODULE_PATH = Set.of("-mp", "-modulepath");

    private TargetFiles() {}

    /** Reads the files of the JDK and those that the command names, with the libraries beside them, if it can. */
    static void read(Target target) {
        boolean filesHere = switch (target.where()) {
            case Where.Here here -> true;
            // Nothing is known of the files of an image.
            case Where.ContainerPlace container -> target.workload().isPresent();
            case Where.HostPlace host -> false;
            // It has read them.
            case Where.Running running -> false;
        };
        if (!filesHere) {
            return;
        }
        long left = MOST_BYTES;
        for (Path file : files(target)) {
            left -= readOne(file, left);
        }
    }

    static Set<Path> files(Target target) {
        Set<Path> files = new TreeSet<>();
        JdkFinder.launching(target)
                .map(jdk -> jdk.home().resolve("lib"))
                .ifPresent(lib -> files.addAll(List.of(lib.resolve("modules"), lib.resolve("server/libjvm.so"))));
        Path directory = target.workingDirectory().orElse(Path.of(""));
        List<String> command = target.command();
        for (int i = 0; i < command.size(); i++) {
            String word = command.get(i);
            if (i > 0 && MODULE_PATH.contains(command.get(i - 1))) {
                for (String folder : word.split(File.pathSeparator, -1)) {
                    addJarsBelow(directory.resolve(folder), MODULES, files);
                }
            }
            if (word.endsWith(".jar")) {
                Path jar = directory.resolve(word);
                files.add(jar);
                Optional.ofNullable(jar.getParent()).ifPresent(folder -> addJarsBelow(folder, LIBRARIES, files));
            }
        }
        return files;
    }

    private static void addJarsBelow(Path folder, int depth, Set<Path> files) {
        try (Stream<Path> below = Files.walk(folder, depth)) {
            below.filter(file -> file.toString().endsWith(".jar")).limit(2000).forEach(files::add);
        } catch (IOException | UncheckedIOException e) {
            // Only a courtesy: the target itself says what it cannot read.
            return;
        }
    }

    private static long readOne(Path file, long atMost) {
        try (InputStream in = InputFile.followed(file)) {
            return Files.size(file) > atMost ? 0 : in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException notReadable) {
            return 0;
        }
    }
}
