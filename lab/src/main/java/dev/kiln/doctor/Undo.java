package dev.kiln.doctor;

import dev.kiln.host.ProcFs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Takes back what a killed doctor left applied. */
public final class Undo {
    private Undo() {}

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
                    done.add(
                            failures.isEmpty() ? tookBack(note) : "could not take back " + String.join("; ", failures));
                }
            }
        }
        return done;
    }

    private static String tookBack(UndoNote note) {
        String what = String.join(", ", note.fixes().stream().map(Fix::text).toList());
        return "took back " + what + " of process " + note.treated().pid() + ", which a killed doctor had left";
    }
}
