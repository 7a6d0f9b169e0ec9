package dev.kiln.doctor;

import dev.kiln.host.HostFacts;
import dev.kiln.host.ProcFs;
import dev.kiln.host.ProcStat;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What has to be taken back, written down before it is applied, so that somebody else can do it should this Kiln be killed.
 * One line: boot, owner's pid and start, target's pid, start and nice value, and the remedies.
 */
public record UndoNote(Path file, String boot, long ownerPid, long ownerStart, Remedy.Target target, List<Fix> fixes) {
    private static final String SUFFIX = ".undo";
    private static final int FIELDS = 7;

    static UndoNote write(ProcFs fs, Path folder, Remedy.Target target, List<Fix> fixes) {
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
            Files.createDirectories(folder);
            Files.writeString(note.file, note.line());
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot write down how to undo it, in " + folder + ": " + IoReason.of(e),
                    "set XDG_STATE_HOME to a folder that can be written",
                    e);
        }
        return note;
    }

    /** Empty for what was not written by a Kiln. */
    static Optional<UndoNote> read(Path file) {
        try {
            String[] f = Files.readString(file).strip().split(" ", FIELDS);
            Remedy.Target target =
                    new Remedy.Target(Long.parseLong(f[3]), Long.parseLong(f[4]), Integer.parseInt(f[5]));
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

    /** Whether the process that was target is still there: with it, all that was done to it goes. */
    boolean targetLives(ProcFs fs) {
        return boot.equals(HostFacts.bootId(fs)) && target.lives(fs);
    }

    /** Takes everything back, in the reverse order, if the process is still that one; says what could not be. */
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
            // The next Kiln finds it, and undoing twice is harmless.
            return;
        }
    }

    private String line() {
        return boot + " " + ownerPid + " " + ownerStart + " " + target.pid() + " " + target.startTicks() + " "
                + target.nice() + " "
                + String.join(",", fixes.stream().map(Fix::name).toList()) + "\n";
    }

    /** The entry of the process that stands by while a remedy is applied; runs only once the doctor is dead. */
    public static void main(String[] args) {
        UndoNote.read(Path.of(args[0])).ifPresent(note -> note.undo(ProcFs.ofThisMachine()));
    }

    /** For the case that the bystander was killed too. Says what was done; nothing of processes that have died. */
    public static List<String> leftovers(Path stateFolder) {
        ProcFs fs = ProcFs.ofThisMachine();
        List<String> done = new ArrayList<>();
        for (UndoNote note : UndoNote.in(stateFolder)) {
            if (!note.ownerLives(fs)) {
                boolean lived = note.targetLives(fs);
                List<String> failures = note.undo(fs);
                if (lived) {
                    done.add(failures.isEmpty() ? tookBack(note) : "could not undo " + String.join("; ", failures));
                }
            }
        }
        return done;
    }

    private static String tookBack(UndoNote note) {
        String what = String.join(", ", note.fixes().stream().map(Fix::text).toList());
        return "undid " + what + " of process " + note.target().pid() + ", which a killed doctor had left";
    }
}
