package dev.kiln.jvm;

import dev.kiln.files.InputFile;
import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.Scratch;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An AotQuestion asks a JVM of the AOT cache that a command names. The JVM is started with {@code --dry-run}, which
 * ends it before the program's own code runs (agents do run). It verifies the checksums of the cache, which it does not
 * do otherwise, and writes nothing that a running one may own.
 *
 * @param log what the JVM logged
 * @param printed what it wrote to its standard output and error
 */
record AotQuestion(String log, String printed, int exit) {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Options with which a JVM writes files that a running one may own. */
    private static final String WRITING = "-Xlog(?:gc)?:|-XX:(?:AOTCacheOutput|AOTConfiguration|ArchiveClassesAtExit"
            + "|[+]AutoCreateSharedArchive|DumpLoadedClassList|LogFile|ErrorFile|OnError|OnOutOfMemoryError|[+]CreateCoredumpOnCrash|FlightRecorderOptions)";

    private static final Pattern WRITING_WORD = Pattern.compile("(?:" + WRITING + ").*");

    private static final Pattern WRITING_OPTION = Pattern.compile("(?:" + WRITING + ")\\S*");

    private static final Pattern RECORDING = Pattern.compile("-XX:StartFlightRecording\\S*");

    /** A port that the running JVM has. */
    private static final Pattern PORT =
            Pattern.compile("(-Dcom\\.sun\\.management\\.jmxremote(?:\\.rmi)?\\.port)=\\d+");

    static AotQuestion ask(Jdk jdk, List<String> command, Path folder, Map<String, String> environment)
            throws IOException {
        try (Scratch scratch = Scratch.make("aot")) {
            return ask(jdk, command, folder, environment, scratch);
        }
    }

    private static AotQuestion ask(
            Jdk jdk, List<String> command, Path folder, Map<String, String> environment, Scratch place)
            throws IOException {
        Path scratch = place.folder();
        Path log = scratch.resolve("log");
        Path printed = scratch.resolve("printed");
        List<String> words = new ArrayList<>(List.of(
                jdk.java().toString(),
                "--dry-run",
                "-XshowSettings:properties",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:+VerifySharedSpaces",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + scratch.resolve("crash"),
                "-XX:+AOTPrintTrainingInfo",
                "-Xlog:aot=info,cds=info,class+path=info,aot+codecache+init=debug,aot+load=info:file=" + log
                        + ":level,tags:filecount=0"));
        command.stream()
                .skip(1)
                .filter(word -> !WRITING_WORD.matcher(word).matches())
                .map(word -> harmless(word, scratch))
                .forEach(words::add);
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(printed.toFile());
        builder.environment().clear();
        environment.forEach((name, value) -> builder.environment()
                .put(
                        name,
                        Launcher.JVM_OPTIONS.contains(name)
                                ? harmless(WRITING_OPTION.matcher(value).replaceAll(""), scratch)
                                : value));
        Process process = place.start(builder);
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw KilnException.problem(
                        "the JVM did not end within " + LIMIT.toMinutes()
                                + " min: an agent keeps it, or the machine is busy",
                        "leave the agent out, and ask again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly().onExit().join();
        }
        return new AotQuestion(text(log), text(printed), process.isAlive() ? -1 : process.exitValue());
    }

    private static String harmless(String options, Path scratch) {
        String recording = "-XX:StartFlightRecording:filename=" + scratch.resolve("recording.jfr");
        String elsewhere = RECORDING.matcher(options).replaceAll(Matcher.quoteReplacement(recording));
        return PORT.matcher(elsewhere).replaceAll("$1=0");
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? InputFile.text(file, InputFile.DOCUMENT) : "";
    }
}
