package dev.kiln.jvm;

import dev.kiln.jvm.FlightChunks.Chunk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The folder where a JVM keeps a recording's chunks while it goes on; what it leaves there when it is killed. */
public final class FlightRepository {
    private FlightRepository() {}

    /** Chunks left, oldest first; none after an orderly end. */
    public static List<Path> chunks(Path repository) throws IOException {
        if (!Files.isDirectory(repository)) {
            return List.of();
        }
        try (Stream<Path> tree = Files.walk(repository, 2)) {
            return tree.filter(file -> file.toString().endsWith(".jfr"))
                    .sorted()
                    .toList();
        }
    }

    /** Makes one recording of the chunks in a folder, that every tool can read; the folder stays as it is. */
    public static void assemble(Path repository, Path recording) throws IOException {
        try (FileChannel to = FileChannel.open(
                recording, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (Path file : chunks(repository)) {
                FlightChunks found = FlightChunks.scan(file);
                for (Chunk chunk : found.chunks()) {
                    found.copy(chunk, to);
                }
            }
        }
    }
}
