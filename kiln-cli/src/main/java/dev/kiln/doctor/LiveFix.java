package dev.kiln.doctor;

import dev.kiln.doctor.Remedy.CompilerNice;
import dev.kiln.doctor.Remedy.Fix;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Launcher;
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
 * A LiveFix applies fixes to a live JVM until it is closed. If this process is killed, a shell that stands by undoes
 * them; if the shell is killed too, the next Kiln does.
 */
public final class LiveFix implements AutoCloseable {
    /** The fixes are applied again after this time, for compiler threads come and go. */
    private static final long AGAIN_MILLIS = 500;

    private final ProcFs fs = ProcFs.ofThisMachine();
    private final UndoNote note;
    private final Optional<Watchdog> watchdog;
    private final List<Remedy> remedies;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("kiln-live-fix").unstarted(this::keep);
    private List<String> failures = List.of();
    private boolean closed;

    private LiveFix(UndoNote note, List<Remedy> remedies) {
        this.note = note;
        this.remedies = List.copyOf(remedies);
        this.watchdog = Watchdog.beside(note);
    }

    /** Fails if one of the fixes cannot be applied, or cannot be undone. Changes nothing. */
    public static void check(LiveProcess process, List<Fix> fixes) {
        Remedy.RemedyTarget target = target(ProcFs.ofThisMachine(), process.pid());
        fixes.forEach(fix -> fix.remedy(target).check());
    }

    /** Applies all fixes, or none of them. */
    public static LiveFix begin(LiveProcess process, List<Fix> fixes, Path stateFolder) {
        ProcFs fs = ProcFs.ofThisMachine();
        Remedy.RemedyTarget target = target(fs, process.pid());
        List<Remedy> remedies = fixes.stream().map(fix -> fix.remedy(target)).toList();
        // Before the note is written: what was there before Kiln must not be undone.
        remedies.forEach(Remedy::check);
        LiveFix fix = new LiveFix(UndoNote.write(fs, stateFolder, target, fixes), remedies);
        try {
            remedies.forEach(Remedy::apply);
        } catch (RuntimeException e) {
            fix.close();
            throw e;
        }
        fix.thread.start();
        return fix;
    }

    static Remedy.RemedyTarget target(ProcFs fs, long pid) {
        return fs.stat(pid)
                .map(stat -> new Remedy.RemedyTarget(pid, stat.startTicks(), CompilerNice.now(fs, pid)))
                .orElse(new Remedy.RemedyTarget(pid, -1, 0));
    }

    /** Tells whether the fixes are undone at once if this process is killed. */
    public boolean isGuarded() {
        return watchdog.isPresent();
    }

    /** Tells whether the process has died, and the fixes with it. */
    public boolean hasEnded() {
        return !note.target().lives(fs);
    }

    /** Returns what could not be undone, a message each; empty before the fixes are closed. */
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

    /** Applies the fixes to threads that are new. It stops without an error if the process dies meanwhile. */
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
        watchdog.ifPresent(Watchdog::close);
    }

    /**
     * A Watchdog is a shell in a session of its own that waits for the end of a pipe. The kernel closes the pipe
     * however the doctor dies, and the shell then runs {@link UndoNote}. Until then it is a sleeping process.
     */
    private static final class Watchdog implements AutoCloseable {
        private static final String WAIT = "read -r word; [ \"$word\" = done ] || exec \"$@\"";

        private final Process shell;

        private Watchdog(Process shell) {
            this.shell = shell;
        }

        /** Starts the shell; empty if there is none, for then the next Kiln undoes the fixes. */
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
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            // An agent of the user's, with a port or a file that another JVM has, would keep this one from undoing
            // anything.
            builder.environment().keySet().removeAll(Launcher.JVM_OPTIONS);
            try {
                return Optional.of(new Watchdog(builder.start()));
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        /** Ends the shell, since everything is undone. */
        @Override
        public void close() {
            try (OutputStream pipe = shell.getOutputStream()) {
                pipe.write("done\n".getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // Somebody has killed the shell.
                return;
            }
        }
    }
}
