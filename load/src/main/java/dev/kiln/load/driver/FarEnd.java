package dev.kiln.load.driver;

import dev.kiln.files.Growth;
import dev.kiln.files.OutputFile;
import dev.kiln.host.proc.Cgroups;
import dev.kiln.host.proc.PartMeter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Trees;
import dev.kiln.load.driver.DriverLines.MessageFields;
import dev.kiln.load.driver.DriverLines.MessageWriter;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A FarEnd is what the driver's process has beyond its own where Kiln is on another machine. It keeps the evidence in a folder of its
 * own and sends what that has gained. It sends the process's CPU time, which nobody can read from there, and ends the process
 * when Kiln is not heard any more.
 */
final class FarEnd {
    /**
     * The process ends after this time without a word. A living Kiln asks for the time every few seconds, and most connections
     * that are cut end the input at once: this is for those that do not.
     */
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private static final long PERIOD_MILLIS = 250;
    private static final int PERIODS_TO_A_SAMPLE = 4;

    /** The limit of one message is this many bytes. The rest goes with the next. */
    private static final int MOST = 1 << 18;

    private final Consumer<MessageWriter> send;
    private final ProcFs fs = ProcFs.ofThisMachine();
    private final long pid = ProcessHandle.current().pid();
    private final PartMeter meter = new PartMeter(fs, pid, true);
    private final Growth growth = new Growth(MOST);
    private final Path root;
    private Optional<FarRun> run = Optional.empty();
    private int runs;
    private volatile long heardNanos = System.nanoTime();

    /** A FarRun is the folder of the session that is open, with the launch of its target by the clock here. */
    private record FarRun(Path folder, long launchNanos) {}

    /** @param send to Kiln, from any thread */
    FarEnd(Consumer<MessageWriter> send) {
        this.send = send;
        try {
            root = Files.createTempDirectory("kiln-load-");
        } catch (IOException e) {
            throw KilnException.machine(
                    e,
                    "cannot make a folder in " + System.getProperty("java.io.tmpdir"),
                    "make room there, or set TMPDIR");
        }
    }

    /** Begins to send and to listen. All is deleted when the process ends, and left where it is killed. */
    void start() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::delete, "kiln-far-delete"));
        Thread.ofPlatform().daemon().name("kiln-far").start(this::watch);
        Thread.ofPlatform().daemon().name("kiln-far-silence").start(this::awaitSilence);
    }

    /** Adds to the driver's first message where it runs. */
    void describe(MessageWriter ready) {
        ready.add(fs.text("proc/sys/kernel/hostname").orElse("").strip()).add(Cgroups.cpusOf(fs, pid));
    }

    /** Notes that Kiln lives. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /** Answers a question for the time with the monotonic clock here. */
    static MessageWriter time(MessageFields question) {
        return new MessageWriter("time").add(question.number()).add(System.nanoTime());
    }

    /** Returns a new folder for the evidence of a session, in place of the one before. */
    synchronized Path open(long launchNanos) {
        try {
            if (run.isPresent()) {
                Trees.delete(run.get().folder());
            }
            growth.clear();
            run = Optional.of(new FarRun(Files.createDirectory(root.resolve(Integer.toString(++runs))), launchNanos));
            return run.get().folder();
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot make a folder in " + root, "make room there");
        }
    }

    /**
     * Appends to a file that the load needs, and returns its path. A file that did not come whole is sent anew.
     *
     * @param name of one that Kiln has
     * @param offset of these bytes in the file
     * @param bytes in Base64
     */
    String take(String name, long offset, String bytes) {
        Path file = root.resolve(name);
        try {
            if (offset == 0) {
                Files.deleteIfExists(file);
            }
            OutputFile.append(file, Base64.getDecoder().decode(bytes));
            return file.toString();
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot write " + file, "make room there");
        }
    }

    private void watch() {
        try {
            for (int period = 0; ; period++) {
                Thread.sleep(PERIOD_MILLIS);
                if (period % PERIODS_TO_A_SAMPLE == 0) {
                    sample();
                }
                flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the process after the silence. The thread does nothing else: one that sends waits for as long as nobody reads. */
    private void awaitSilence() {
        try {
            while (System.nanoTime() - heardNanos < SILENCE.toNanos()) {
                Thread.sleep(PERIOD_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.exit(0);
    }

    private synchronized void sample() {
        run.ifPresent(open -> {
            long time = System.nanoTime() - open.launchNanos();
            meter.read()
                    .ifPresent(usage -> send.accept(new MessageWriter("part")
                            .add(time)
                            .add(usage.cpuNanos())
                            .add(usage.waitNanos())
                            .add(usage.userNanos())
                            .add(usage.systemNanos())));
        });
    }

    /** Sends the new rows of all files, whole rows only. */
    synchronized void flush() {
        run.ifPresent(open -> files(open.folder()).forEach(this::flush));
    }

    private void flush(Path file) {
        for (byte[] lines = growth.lines(file); lines.length > 0; lines = growth.lines(file)) {
            send.accept(new MessageWriter("rows")
                    .add(String.valueOf(file.getFileName()))
                    .add(new String(lines, StandardCharsets.UTF_8)));
        }
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private void delete() {
        try {
            Trees.delete(root);
        } catch (IOException e) {
            // What empties that folder removes it.
            return;
        }
    }
}
