package dev.kiln.jvm.flight;

import dev.kiln.files.OutputFile;
import dev.kiln.jvm.flight.FlightChunks.Chunk;
import dev.kiln.model.KilnException;
import dev.kiln.model.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The FlightRecorder has all flags of a launch with a flight recording. They add the module {@code jdk.jfr}. A JVM uses
 * an AOT cache only if it has the modules of the training run, so training needs {@code --add-modules jdk.jfr} too.
 */
public final class FlightRecorder {
    /** The finished recording has this name in the run's folder. */
    public static final String RECORDING = "recording.jfr";

    /** This folder in the run's has the chunks of a recording while it runs, flushed each second. */
    public static final String REPOSITORY = "flight";

    /** The settings of the recording have this name in the run's folder. */
    public static final String SETTINGS = "flight.jfc";

    /** Above it, the JVM deletes the oldest chunk. The busiest warm-up makes some 100 kB a second. */
    private static final String MAX_SIZE = "1g";

    private FlightRecorder() {}

    /** Writes the settings into the run's folder, which must exist, and returns the flags that use them. */
    public static List<String> prepare(Path run) {
        return flags(run, "flight.jfc", "", "");
    }

    /** Returns the flags likewise with samples by CPU time, which JDK 25 and newer have on Linux. */
    public static List<String> prepareCpuTime(Path run) {
        return flags(run, "flight.jfc", "", "jdk.CPUTimeSample");
    }

    /** Returns the flags likewise with the settings that every JDK has as {@code profile}. */
    public static List<String> prepareProfile(Path run) {
        return flags(run, "profile.jfc", "settings=profile,", "");
    }

    /** Returns the flags, with settings that override the file's, and an event of it turned on, if any. */
    private static List<String> flags(Path run, String file, String before, String on) {
        Path folder = run.toAbsolutePath();
        writeSettings(file, on, true, folder.resolve(SETTINGS));
        return List.of(
                "-XX:FlightRecorderOptions=repository=" + quoted(folder.resolve(REPOSITORY)),
                "-XX:StartFlightRecording=" + before + "settings=" + quoted(folder.resolve(SETTINGS)) + ",filename="
                        + quoted(folder.resolve(RECORDING)) + ",dumponexit=true,maxsize=" + MAX_SIZE);
    }

    /** Writes the settings of an unasked-for recording, without JVM arguments and secrets, and returns the file. */
    static Path settings(Path folder) {
        Path file = folder.toAbsolutePath().resolve(SETTINGS);
        writeSettings("flight.jfc", "jdk.JVMInformation", false, file);
        return file;
    }

    /** @param event that is turned on or off */
    private static void writeSettings(String name, String event, boolean on, Path file) {
        try (InputStream settings = Optional.ofNullable(FlightRecorder.class.getResourceAsStream(name))
                .orElseThrow(() -> new IllegalStateException(name + " is not in this build"))) {
            String text = new String(settings.readAllBytes(), StandardCharsets.UTF_8);
            String setting = "<event name=\"" + event + "\">\n    <setting name=\"enabled\">";
            OutputFile.replace(file, text.replace(setting + !on, setting + on));
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot write " + file, "make room or choose another folder for results");
        }
    }

    /** The JVM splits these options at commas outside quotes. */
    static String quoted(Path path) {
        String text = path.toString();
        return text.indexOf(',') < 0 && text.indexOf(' ') < 0 ? text : '"' + text + '"';
    }

    /** A Repository is where a JVM keeps a recording's chunks while it runs, and after it was killed. */
    public static final class Repository {
        private Repository() {}

        /** Returns the chunks that are left, oldest first. There are none after an orderly end. */
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

        /** Joins the chunks in a folder to one recording that every tool can read. The folder stays as it is. */
        public static void assemble(Path repository, Path recording) throws IOException {
            try (FileChannel to = OutputFile.anew(recording, OwnerOnly.FILE)) {
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
