package dev.kiln.doctor;

import dev.kiln.host.ProcFs;
import dev.kiln.model.KilnException;
import dev.kiln.model.LiveProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Remedies applied to a living JVM until closed. It is taken back when this is closed; by a shell that stands by if this
 * process is killed; and by the next Kiln if that was killed too.
 */
public final class LiveFix implements AutoCloseable {
    /** Compiler threads come and go. */
    private static final long AGAIN_MILLIS = 500;

    private final ProcFs fs = ProcFs.ofThisMachine();
    private final UndoNote note;
    private final Optional<Watchdog> bystander;
    private final List<Remedy> remedies;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("kiln-live-fix").unstarted(this::keep);
    private List<String> failures = List.of();
    private boolean closed;

    private LiveFix(UndoNote note, List<Remedy> remedies) {
        this.note = note;
        this.remedies = List.copyOf(remedies);
        this.bystander = Watchdog.beside(note);
    }

    /** Fails if one of them could not be applied, or not be taken back; changes nothing. */
    public static void check(LiveProcess process, List<Fix> fixes) {
        Remedy.Target target = target(ProcFs.ofThisMachine(), process.pid());
        fixes.forEach(fix -> fix.remedy(target).check());
    }

    /** Applies them, or none of them. */
    public static LiveFix begin(LiveProcess process, List<Fix> fixes, Path stateFolder) {
        ProcFs fs = ProcFs.ofThisMachine();
        Remedy.Target target = target(fs, process.pid());
        List<Remedy> remedies = fixes.stream().map(fix -> fix.remedy(target)).toList();
        // Before the note is written: what was there before us must not be taken back.
        remedies.forEach(Remedy::check);
        LiveFix therapy = new LiveFix(UndoNote.write(fs, stateFolder, target, fixes), remedies);
        try {
            remedies.forEach(Remedy::apply);
        } catch (RuntimeException e) {
            therapy.close();
            throw e;
        }
        therapy.thread.start();
        return therapy;
    }

    static Remedy.Target target(ProcFs fs, long pid) {
        return fs.stat(pid)
                .map(stat -> new Remedy.Target(pid, stat.startTicks(), CompilerNice.now(fs, pid)))
                .orElse(new Remedy.Target(pid, -1, 0));
    }

    /** Whether it will be taken back at once should this process be killed. */
    public boolean isGuarded() {
        return bystander.isPresent();
    }

    /** Whether the process has died, and what was applied with it. */
    public boolean hasEnded() {
        return !note.target().lives(fs);
    }

    /** What could not be taken back. */
    public synchronized List<String> failures() {
        return failures;
    }

    private void keep() {
        try {
            while (!stop.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                if (note.target().lives(fs)) {
                    again();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A thread that dies meanwhile, or a process that does, is no failure: the end tells. */
    private void again() {
        try {
            remedies.forEach(Remedy::apply);
        } catch (KilnException e) {
            stop.countDown();
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        stop.countDown();
        if (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        failures = note.undo(fs);
        bystander.ifPresent(Watchdog::close);
    }

    /**
     * A shell in a session of its own that waits for the end of a pipe: the kernel closes it however the doctor dies, and the
     * shell then becomes the {@link UndoNote}. Until then it costs a sleeping process.
     */
    private static final class Watchdog implements AutoCloseable {
        private static final String WAIT = "read -r word; [ \"$word\" = done ] || exec \"$@\"";

        private final Process shell;

        private Watchdog(Process shell) {
            this.shell = shell;
        }

        /** Empty where there is no shell: then the next Kiln undoes. */
        static Optional<Watchdog> beside(UndoNote note) {
            List<String> command = new ArrayList<>();
            if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
                command.add("/usr/bin/setsid");
            }
            command.addAll(List.of(
                    "/bin/sh",
                    "-c",
                    WAIT,
                    "kiln-undo",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    UndoNote.class.getName(),
                    note.file().toAbsolutePath().toString()));
            try {
                return Optional.of(new Watchdog(new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()));
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        /** All has been undone: it may go. */
        @Override
        public void close() {
            try (OutputStream pipe = shell.getOutputStream()) {
                pipe.write("done\n".getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // It is gone: somebody has killed it.
                return;
            }
        }
    }
}
