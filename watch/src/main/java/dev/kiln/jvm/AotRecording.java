package dev.kiln.jvm;

import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Launcher;
import dev.kiln.jvm.LaunchCommand.RunningCommand;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import dev.kiln.model.AotSight;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An AotRecording is what a running JVM makes for an AOT cache: started with {@code -XX:AOTCacheOutput}, it records
 * until it ends, or until it is asked to stop with {@code AOT.end_recording} (JDK 26, and 25 from an update on). A
 * child of it then assembles the cache, and the program goes on.
 */
public final class AotRecording implements AutoCloseable {
    private static final String END = "AOT.end_recording";

    /** The assembly of a large cache may take this long: on a starved CPU it takes minutes. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final FileTime NEVER = FileTime.fromMillis(0);
    private static final String OUTPUT = "-XX:AOTCacheOutput=";
    private static final Pattern RECORDING_OPTIONS =
            Pattern.compile("(?<=^|\\s)-XX:(?:AOTCacheOutput=\\S+|AOTMode=record(?=\\s|$))");

    private final ProcFs fs;
    private final long pid;
    private final RunningCommand running;
    private final Path file;
    private final AttachSocket socket;
    private final DiagnosticCommands jvm;

    private AotRecording(ProcFs fs, long pid, RunningCommand running, Path file) {
        this.fs = fs;
        this.pid = pid;
        this.running = running;
        this.file = file;
        this.socket = new AttachSocket(fs, pid, PATIENCE);
        this.jvm = new DiagnosticCommands(socket);
    }

    /** @throws KilnException if the JVM records nothing that it makes a cache of, or does not answer */
    public static AotRecording of(ProcFs fs, long pid) {
        RunningCommand running =
                RunningCommand.of(fs, pid, "end the program in good order: then it writes the cache itself");
        AotRecording recording = output(running)
                .map(name -> new AotRecording(
                        fs, pid, running, running.folder().resolve(name.replace("%p", String.valueOf(pid)))))
                .orElseThrow(() -> KilnException.usage(
                        "process " + pid + " was not started with -XX:AOTCacheOutput=FILE, so it makes no AOT cache",
                        "start it with that option, or have Kiln start it: kiln aot train --out FILE -- java ..."));
        Optional<Refusal> refusal = recording.jvm.raw("help", END).refusal();
        if (refusal.isPresent()) {
            recording.close();
            throw recording.refused(refusal.get());
        }
        return recording;
    }

    /**
     * Returns the value of the option for the cache. Of several the JVM takes the last one: its command comes after {@code
     * JAVA_TOOL_OPTIONS} and {@code JDK_JAVA_OPTIONS}, and {@code _JAVA_OPTIONS} after its command.
     */
    private static Optional<String> output(RunningCommand running) {
        Stream<String> environment = Stream.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
                .flatMap(name -> Arrays.stream(
                        running.environment().getOrDefault(name, "").split("\\s+", 0)));
        return Stream.of(
                        environment,
                        running.command().stream(),
                        Arrays.stream(running.environment()
                                .getOrDefault("_JAVA_OPTIONS", "")
                                .split("\\s+", 0)))
                .flatMap(words -> words)
                .filter(word -> word.startsWith(OUTPUT))
                .map(word -> word.substring(OUTPUT.length()))
                .reduce((first, last) -> last);
    }

    /** Waits, but not for a process that has ended. */
    public void goOn(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        while (System.nanoTime() - deadline < 0
                && fs.stat(pid).filter(stat -> !stat.isDead()).isPresent()) {
            LockSupport.parkNanos(50_000_000);
        }
    }

    /** Has the JVM end the recording and assemble the cache at a place, waits, and fails if it does not. */
    public void end(Path out) {
        FileTime before = made();
        Reply<String> reply = jvm.raw(END);
        Optional<Refusal> refusal = reply.refusal();
        // A JVM that ends by itself writes its cache too.
        if (refusal.filter(why -> why.reason() != RefusalReason.DIED || made().equals(before))
                .isPresent()) {
            throw refused(refusal.get());
        }
        String said = reply.told().orElse("").strip();
        if (said.contains("already ended")) {
            throw KilnException.problem(
                    "the recording of process " + pid + " had ended before",
                    "its cache is " + file + "; the JVM records again after a new start");
        }
        if (made().equals(before)) {
            throw KilnException.problem(
                    "the JVM made no cache at " + file + " (it said: " + said + ")",
                    "see why in what process " + pid + " printed; it records again after a new start");
        }
        copy(out);
    }

    private void copy(Path out) {
        try {
            if (!Files.exists(out) || !Files.isSameFile(file, out)) {
                OutputFile.named(out, cache -> {
                    try (InputStream in = InputFile.followed(file)) {
                        in.transferTo(cache);
                    }
                });
            }
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot write " + out, "copy " + file + " by hand: the recording has ended");
        }
    }

    private FileTime made() {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return NEVER;
        }
    }

    private KilnException refused(Refusal refusal) {
        String itself = "end the program in good order: then the JVM writes " + file + " itself";
        String remedy = switch (refusal.reason()) {
            case DIED -> "see why in what it printed; a program that ends in good order writes " + file;
            case NO_ANSWER -> "wait until " + file + " is there, or " + itself;
            case FAILED -> "JDK " + running.jdk().version() + " may not know " + END + ": " + itself;
            case NOT_READY, NOT_HOTSPOT, DISABLED, NOT_PERMITTED, NOT_UNDERSTOOD -> itself;
        };
        return new KilnException(
                refusal.reason() == RefusalReason.NOT_PERMITTED ? Exit.MACHINE : Exit.PROBLEM,
                "the recording of process " + pid + " was not ended: " + refusal.why(),
                remedy);
    }

    /** Says what the same JVM would do with the cache at its next start. */
    public AotSight check(Path out) {
        List<String> words = Stream.concat(
                        Stream.of(running.command().getFirst(), "-XX:AOTCache=" + out.toAbsolutePath()),
                        running.command().stream().skip(1).map(AotRecording::silent))
                .filter(word -> !word.isEmpty())
                .toList();
        Map<String, String> environment = new HashMap<>(running.environment());
        Launcher.JVM_OPTIONS.forEach(name -> environment.computeIfPresent(name, (same, value) -> silent(value)));
        return AotCheck.of(running.jdk(), words, running.folder(), environment);
    }

    private static String silent(String options) {
        return options.startsWith(OUTPUT)
                ? ""
                : RECORDING_OPTIONS.matcher(options).replaceAll("");
    }

    @Override
    public void close() {
        socket.close();
    }
}
