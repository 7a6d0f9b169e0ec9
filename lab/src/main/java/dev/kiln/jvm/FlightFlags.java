package dev.kiln.jvm;

import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The flags of a launch with a flight recording, all of them. They bring the module {@code jdk.jfr} in: an AOT cache is
 * only taken by a JVM that has the modules it was trained with, so training needs {@code --add-modules jdk.jfr} too.
 */
public final class FlightFlags {
    /** In the run's folder: the finished recording. */
    public static final String RECORDING = "recording.jfr";

    /** In the run's folder: chunks of the recording while it goes on, flushed each second. Gone once it is finished. */
    public static final String REPOSITORY = "flight";

    /** In the run's folder: what was asked to be recorded. */
    public static final String SETTINGS = "flight.jfc";

    /** Above it the oldest chunk goes. The settings record some 100 kB a second of the busiest warm-up. */
    private static final String MAX_SIZE = "1g";

    private FlightFlags() {}

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
        try (InputStream settings = Optional.ofNullable(FlightFlags.class.getResourceAsStream("flight.jfc"))
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
}
