package dev.kiln.host;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds and runs small programs of the system. */
final class Commands {
    /** Where the system keeps tools that a user's PATH may leave out. */
    private static final String SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private Commands() {}

    /** What a program answered. */
    record Answer(int exit, String output) {}

    static Optional<Path> onPath(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + ":" + SYSTEM_PATH;
        return Stream.of(path.split(":", -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    static String utilLinux(String name) {
        return onPath(name)
                .map(Path::toString)
                .orElseThrow(() -> new KilnException(
                        Exit.MACHINE,
                        "the program '" + name + "' of util-linux is missing",
                        "install it: apt-get install util-linux, or dnf install util-linux"));
    }

    /** Runs a program whose children stay, and must not hold the stream that is read: what it says goes through a file. */
    static Answer run(List<String> command, Path said) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(said.toFile())
                    .start();
            int exit = process.waitFor();
            return new Answer(exit, Files.readString(said).strip());
        } catch (IOException e) {
            return new Answer(127, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(130, "interrupted");
        }
    }

    /** Runs a program that ends by itself, and returns what it said on both streams. */
    static Answer run(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(process.waitFor(), output.strip());
        } catch (IOException e) {
            return new Answer(127, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(130, "interrupted");
        }
    }
}
