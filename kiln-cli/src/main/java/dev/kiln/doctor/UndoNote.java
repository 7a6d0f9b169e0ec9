package dev.kiln.doctor;

import dev.kiln.doctor.Remedy.Fix;
import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import dev.kiln.files.OutputFile.Durable;
import dev.kiln.host.proc.HostFacts;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.OwnerOnly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An UndoNote says what must be undone. It is written before the change is made, so that another process can undo it if
 * this Kiln is killed. The file is one line: boot id, pid and start of the owner, pid, start and nice value of the
 * target, and the fixes.
 */
public record UndoNote(
        Path file, String boot, long ownerPid, long ownerStart, Remedy.RemedyTarget target, List<Fix> fixes) {
    private static final String SUFFIX = ".undo";
    private static final int FIELDS = 7;

    static UndoNote write(ProcFs fs, Path folder, Remedy.RemedyTarget target, List<Fix> fixes) {
        long pid = ProcessHandle.current().pid();
        long start = fs.stat(pid).map(ProcStat::startTicks).orElse(0L);
        UndoNote note = new UndoNote(
                folder.resolve("doctor-" + pid + "-" + target.pid() + SUFFIX),
                HostFacts.bootId(fs),
                pid,
                start,
                target,
                fixes);
        try {
            Files.createDirectories(folder, OwnerOnly.FOLDER);
            byte[] line = note.line().getBytes(StandardCharsets.UTF_8);
            OutputFile.replace(note.file, out -> out.write(line), Durable.NO, OwnerOnly.FILE);
        } catch (IOException e) {
            throw KilnException.machine(
                    e,
                    "cannot note how to undo the fix, in " + folder,
                    "set XDG_STATE_HOME to a folder that can be written");
        }
        return note;
    }

    /** Reads a note; empty if no Kiln wrote the file. */
    static Optional<UndoNote> read(Path file) {
        try {
            String[] f = InputFile.text(file, InputFile.DOCUMENT).strip().split(" ", FIELDS);
            Remedy.RemedyTarget target =
                    new Remedy.RemedyTarget(Long.parseLong(f[3]), Long.parseLong(f[4]), Integer.parseInt(f[5]));
            List<Fix> fixes = Stream.of(f[6].split(",", -1)).map(Fix::valueOf).toList();
            return Optional.of(new UndoNote(file, f[0], Long.parseLong(f[1]), Long.parseLong(f[2]), target, fixes));
        } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    static List<UndoNote> in(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<UndoNote> notes = new ArrayList<>();
            files.filter(file -> file.toString().endsWith(SUFFIX))
                    .forEach(file -> read(file).ifPresent(notes::add));
            return notes;
        } catch (IOException e) {
            return List.of();
        }
    }

    boolean ownerLives(ProcFs fs) {
        return fs.isAlive(ownerPid, ownerStart);
    }

    /** Tells whether the target still lives. When it dies, nothing is left to undo. */
    boolean targetLives(ProcFs fs) {
        return boot.equals(HostFacts.bootId(fs)) && target.lives(fs);
    }

    /** Undoes everything in reverse order, if the target still lives; returns what could not be undone. */
    List<String> undo(ProcFs fs) {
        List<String> failures = new ArrayList<>();
        if (targetLives(fs)) {
            for (Fix fix : fixes.reversed()) {
                try {
                    fix.remedy(target).undo();
                } catch (KilnException e) {
                    failures.add(fix.text() + ": " + e.getMessage());
                }
            }
        }
        if (!failures.isEmpty() && targetLives(fs)) {
            return failures;
        }
        forget();
        return List.of();
    }

    void forget() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // The next Kiln finds it. Undoing twice is harmless.
            return;
        }
    }

    private String line() {
        return boot + " " + ownerPid + " " + ownerStart + " " + target.pid() + " " + target.startTicks() + " "
                + target.nice() + " "
                + String.join(",", fixes.stream().map(Fix::name).toList()) + "\n";
    }

    /** Undoes a note, in the process that stands by while a fix is applied and once the doctor is dead. */
    public static void main(String[] args) {
        UndoNote.read(Path.of(args[0])).ifPresent(note -> note.undo(ProcFs.ofThisMachine()));
    }

    /** Undoes what is left if the process that stands by was killed too; returns what it did to living ones. */
    public static List<String> leftovers(Path stateFolder) {
        ProcFs fs = ProcFs.ofThisMachine();
        List<String> done = new ArrayList<>();
        for (UndoNote note : UndoNote.in(stateFolder)) {
            Optional<String> others = note.othersCanWrite();
            if (others.isPresent()) {
                done.add("left alone " + note.file() + ": others may have written it (" + others.get()
                        + "); delete it, or make it and its folder yours: chown $USER and chmod go-w");
            } else if (!note.ownerLives(fs)) {
                boolean lived = note.targetLives(fs);
                List<String> failures = note.undo(fs);
                if (lived) {
                    done.add(failures.isEmpty() ? tookBack(note) : "could not undo " + String.join("; ", failures));
                }
            }
        }
        return done;
    }

    /** Says how others can write the note or its folder: who can might have root change a process of his choice. */
    private Optional<String> othersCanWrite() {
        try {
            Optional<String> folder = InputFile.othersCanWrite(file.resolveSibling("."));
            return folder.isPresent() ? folder : InputFile.othersCanWrite(file);
        } catch (IOException e) {
            return Optional.of(IoReason.of(e));
        }
    }

    private static String tookBack(UndoNote note) {
        String what = String.join(", ", note.fixes().stream().map(Fix::text).toList());
        return "undid " + what + " of process " + note.target().pid() + ", which a killed doctor had left";
    }
}
