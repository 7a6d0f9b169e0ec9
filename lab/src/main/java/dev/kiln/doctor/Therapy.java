package dev.kiln.doctor;

import dev.kiln.host.ProcFs;
import dev.kiln.model.KilnException;
import dev.kiln.model.LiveProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Remedies applied to a living JVM until closed. It is taken back when this is closed; by a shell that stands by if this
 * process is killed; and by the next Kiln if that was killed too.
 */
public final class Therapy implements AutoCloseable {
    /** Compiler threads come and go. */
    private static final long AGAIN_MILLIS = 500;

    private final ProcFs fs = ProcFs.ofThisMachine();
    private final UndoNote note;
    private final Optional<Bystander> bystander;
    private final List<Remedy> remedies;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("kiln-therapy").unstarted(this::keep);
    private List<String> failures = List.of();
    private boolean closed;

    private Therapy(UndoNote note, List<Remedy> remedies) {
        this.note = note;
        this.remedies = List.copyOf(remedies);
        this.bystander = Bystander.beside(note);
    }

    /** Fails if one of them could not be applied, or not be taken back; changes nothing. */
    public static void check(LiveProcess process, List<Fix> fixes) {
        Treated treated = Treated.of(ProcFs.ofThisMachine(), process.pid());
        fixes.forEach(fix -> fix.remedy(treated).check());
    }

    /** Applies them, or none of them. */
    public static Therapy begin(LiveProcess process, List<Fix> fixes, Path stateFolder) {
        ProcFs fs = ProcFs.ofThisMachine();
        Treated treated = Treated.of(fs, process.pid());
        List<Remedy> remedies = fixes.stream().map(fix -> fix.remedy(treated)).toList();
        // Before the note is written: what was there before us must not be taken back.
        remedies.forEach(Remedy::check);
        Therapy therapy = new Therapy(UndoNote.write(fs, stateFolder, treated, fixes), remedies);
        try {
            remedies.forEach(Remedy::apply);
        } catch (RuntimeException e) {
            therapy.close();
            throw e;
        }
        therapy.thread.start();
        return therapy;
    }

    /** Whether it will be taken back at once should this process be killed. */
    public boolean isGuarded() {
        return bystander.isPresent();
    }

    /** Whether the process has died, and what was applied with it. */
    public boolean hasEnded() {
        return !note.treated().lives(fs);
    }

    /** What could not be taken back. */
    public synchronized List<String> failures() {
        return failures;
    }

    private void keep() {
        try {
            while (!stop.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                if (note.treated().lives(fs)) {
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
        bystander.ifPresent(Bystander::close);
    }
}
