package dev.kiln.jvm.flight;

import dev.kiln.jvm.flight.FlightChunks.Chunk;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The flags of a launch with a flight recording, all of them. They bring the module {@code jdk.jfr} in: an AOT cache is
 * only taken by a JVM that has the modules it was trained with, so training needs {@code --add-modules jdk.jfr} too.
 */
public final class FlightRecorder {
    /** In the run's folder: the finished recording. */
    public static final String RECORDING = "recording.jfr";

    /** In the run's folder: chunks of the recording while it goes on, flushed each second. Gone once it is finished. */
    public static final String REPOSITORY = "flight";

    /** In the run's folder: what was asked to be recorded. */
    public static final String SETTINGS = "flight.jfc";

    /** Above it the oldest chunk goes. The settings record some 100 kB a second of the busiest warm-up. */
    private static final String MAX_SIZE = "1g";

    private FlightRecorder() {}

    /** Writes the settings into the run's folder, which must be there, and returns the flags that use them. */
    public static List<String> prepare(Path run) {
        Path folder = run.toAbsolutePath();
        writeSettings(folder.resolve(SETTINGS));
        return List.of(
                "-XX:FlightRecorderOptions=repository=" + quoted(folder.resolve(REPOSITORY)),
                "-XX:StartFlightRecording=settings=" + quoted(folder.resolve(SETTINGS)) + ",filename="
                        + quoted(folder.resolve(RECORDING)) + ",dumponexit=true,maxsize=" + MAX_SIZE);
    }

    private static void writeSettings(Path file) {
        try (InputStream settings = Optional.ofNullable(FlightRecorder.class.getResourceAsStream("flight.jfc"))
                .orElseThrow(() -> new IllegalStateException("flight.jfc is not in this build"))) {
            Files.write(file, settings.readAllBytes());
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot write " + file + ": " + IoReason.of(e),
                    "make room or choose another folder for results",
                    e);
        }
    }

    /** The JVM splits these options at commas, but for those in quotes. */
    private static String quoted(Path path) {
        String text = path.toString();
        return text.indexOf(',') < 0 && text.indexOf(' ') < 0 ? text : '"' + text + '"';
    }

    /** The folder where a JVM keeps a recording's chunks while it goes on; what it leaves there when it is killed. */
    public static final class Repository {
        private Repository() {}

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
                    recording,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                for (Path file : chunks(repository)) {
                    FlightChunks found = FlightChunks.scan(file);
                    for (Chunk chunk : found.chunks()) {
                        found.copy(chunk, to);
                    }
                }
            }
        }
    }
}
