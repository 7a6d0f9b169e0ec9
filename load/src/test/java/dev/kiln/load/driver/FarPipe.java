package dev.kiln.load.driver;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A FarPipe begins with these words, behind which stands a JVM. */
record FarPipe(Path temporary, String... prefix) implements DriverPlace {
    @Override
    public String name() {
        return "the far end of a pipe";
    }

    @Override
    public List<String> command(List<String> words) {
        return Stream.of(
                        Stream.of(prefix),
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Djava.io.tmpdir=" + temporary,
                                "-cp",
                                System.getProperty("java.class.path")),
                        words.stream())
                .flatMap(some -> some)
                .toList();
    }

    @Override
    public String lost() {
        return "the connection to " + name() + " was lost";
    }
}
