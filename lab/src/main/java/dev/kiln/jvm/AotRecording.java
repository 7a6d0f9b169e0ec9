package dev.kiln.jvm;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Launcher;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.Reason;
import dev.kiln.model.AotSight;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The recording that a running JVM makes for an AOT cache: started with {@code -XX:AOTCacheOutput}, it records until it
 * ends, or until it is asked to stop with {@code AOT.end_recording} (JDK 26, and updates of 25). It assembles the cache
 * in a child, and goes on.
 */
public final class AotRecording {
    /** A child of the JVM assembles the cache; on a starved CPU a large one takes minutes. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final FileTime NEVER = FileTime.fromMillis(0);

    private static final Pattern OUTPUT = Pattern.compile("(?:^|\\s)-XX:AOTCacheOutput=(\\S+)");
    private static final Pattern RECORDS = Pattern.compile("(?:^|\\s)-XX:AOTMode=record(?=\\s|$)");

    private final ProcFs fs;
    private final long pid;
    private final RunningCommand running;
    private final Path file;

    private AotRecording(ProcFs fs, long pid, RunningCommand running, Path file) {
        this.fs = fs;
        this.pid = pid;
        this.running = running;
        this.file = file;
    }

    /** @throws KilnException if the JVM records nothing that it makes a cache of, or is another user's */
    public static AotRecording of(ProcFs fs, long pid) {
        RunningCommand running = RunningCommand.of(fs, pid);
        Optional<String> output = Stream.concat(
                        running.command().stream(),
                        Launcher.JVM_OPTIONS.stream()
                                .map(name -> running.environment().getOrDefault(name, "")))
                .flatMap(words -> OUTPUT.matcher(words).results())
                .map(found -> found.group(1))
                .findFirst();
        return output.map(name -> new AotRecording(
                        fs, pid, running, running.folder().resolve(name.replace("%p", String.valueOf(pid)))))
                .orElseThrow(() -> new KilnException(
                        Exit.USAGE,
                        "process " + pid + " was not started with -XX:AOTCacheOutput=FILE, so it makes no AOT cache",
                        "start it with that option, or have Kiln start it: kiln aot train --out FILE -- java ..."));
    }

    /** Waits, but not for a process that has ended. */
    public void goOn(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        while (System.nanoTime() < deadline
                && fs.stat((int) pid).filter(stat -> !stat.isDead()).isPresent()) {
            LockSupport.parkNanos(50_000_000);
        }
    }

    /**
     * Has the JVM end the recording and assemble the cache, and waits for it.
     *
     * @param out where the cache is to be
     * @throws KilnException if it does not
     */
    public void end(Path out) {
        FileTime before = made();
        try (AttachSocket socket = new AttachSocket(fs, pid, PATIENCE)) {
            Optional<Refusal> refused = new DiagnosticCommands(socket).raw("AOT.end_recording").refusal();
            if (refused.isPresent()) {
                throw refused(refused.get());
            }
        }
        if (made().equals(before)) {
            throw before.equals(NEVER)
                    ? new KilnException(
                            Exit.PROBLEM,
                            "the JVM ended its recording, but there is no cache at " + file,
                            "see why in what process " + pid + " printed; it records again after a new start")
                    : new KilnException(
                            Exit.PROBLEM,
                            "the recording of process " + pid + " had ended before",
                            "its cache is " + file + "; the JVM records again after a new start");
        }
        try {
            if (!Files.exists(out) || !Files.isSameFile(file, out)) {
                Files.copy(file, out, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot write " + out + ": " + IoReason.of(e),
                    "copy " + file + " by hand: the recording has ended",
                    e);
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
        return new KilnException(
                refusal.reason() == Reason.NOT_PERMITTED ? Exit.MACHINE : Exit.PROBLEM,
                "the recording of process " + pid + " did not end: " + refusal.why(),
                refusal.reason() == Reason.FAILED
                        ? "JDK " + running.jdk().version()
                                + " may not know AOT.end_recording: end the program, and it writes " + file
                        : "end the program in good order, and it writes " + file);
    }

    /** What the same JVM would do with the cache at its next start. */
    public AotSight check(Path out) {
        List<String> words = new ArrayList<>(
                running.command().stream().map(AotRecording::silent).toList());
        words.add(1, "-XX:AOTCache=" + out.toAbsolutePath());
        Map<String, String> environment = new HashMap<>(running.environment());
        Launcher.JVM_OPTIONS.forEach(name -> environment.computeIfPresent(name, (same, value) -> silent(value)));
        return AotCheck.of(running.jdk(), words.stream().filter(word -> !word.isEmpty()).toList(), running.folder(), environment);
    }

    private static String silent(String options) {
        return RECORDS.matcher(OUTPUT.matcher(options).replaceAll("")).replaceAll("");
    }
}
