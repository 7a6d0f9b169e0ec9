package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.doctor.Remedy.CompilerNice;
import dev.kiln.doctor.Remedy.Fix;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UndoNoteTest {
    private final ProcFs fs = ProcFs.ofThisMachine();
    private final long self = ProcessHandle.current().pid();
    private final long start = fs.stat(self).map(ProcStat::startTicks).orElseThrow();

    @TempDir
    private Path folder = Path.of("");

    @Test
    void whatIsWrittenCanBeReadByAnother() {
        UndoNote note = UndoNote.write(
                fs, folder, new Remedy.RemedyTarget(4711, 12, 5), List.of(Fix.RENICE, Fix.COMPILE_IN_FOREGROUND));
        assertThat(UndoNote.in(folder)).containsExactly(note);
        assertThat(note.ownerLives(fs)).isTrue();
        assertThat(UndoNote.leftovers(folder)).isEmpty();
        note.forget();
        assertThat(UndoNote.in(folder)).isEmpty();
    }

    @Test
    void whatADeadDoctorLeftIsTakenBackOnlyFromTheProcessThatHadIt() throws Exception {
        // Of a process that has this one's pid but began before it: nothing may be asked of this one.
        left(new Remedy.RemedyTarget(self, start - 1, 0));
        int before = CompilerNice.now(fs, self);
        assertThat(UndoNote.leftovers(folder)).isEmpty();
        assertThat(CompilerNice.now(fs, self)).isEqualTo(before);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void onlyWhatWasTakenBackIsSaidToBe() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "1000").start();
        try {
            left(LiveFix.target(fs, sleep.pid()));
            assertThat(UndoNote.leftovers(folder))
                    .containsExactly("undid renice of process " + sleep.pid() + ", which a killed doctor had left");
            left(LiveFix.target(fs, sleep.pid()));
        } finally {
            sleep.destroyForcibly().waitFor();
        }
        assertThat(UndoNote.leftovers(folder))
                .as("it died, and all that was done to it")
                .isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void nothingIsTakenBackFromBeforeTheMachineBegan() throws Exception {
        UndoNote note = left(new Remedy.RemedyTarget(self, start, 0));
        Files.writeString(
                note.file(),
                "another-boot"
                        + Files.readString(note.file()).substring(note.boot().length()));
        assertThat(UndoNote.leftovers(folder)).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    /** Root would undo what somebody else has written there, of a process of that one's choice. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatOthersMayHaveWrittenIsLeftAlone(boolean byFolder) throws Exception {
        Process sleep = new ProcessBuilder("sleep", "1000").start();
        try {
            UndoNote note = left(LiveFix.target(fs, sleep.pid()));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(note.file())))
                    .isEqualTo("rw-------");
            Files.setPosixFilePermissions(
                    byFolder ? folder : note.file(),
                    PosixFilePermissions.fromString(byFolder ? "rwxrwxrwx" : "rw-rw-rw-"));
            assertThat(UndoNote.leftovers(folder))
                    .singleElement()
                    .asString()
                    .startsWith("left alone " + note.file() + ": others may have written it (owner ");
            assertThat(note.file()).exists();
        } finally {
            sleep.destroyForcibly().waitFor();
        }
    }

    /** The note of a doctor that is dead. */
    private UndoNote left(Remedy.RemedyTarget target) throws Exception {
        UndoNote note = UndoNote.write(fs, folder, target, List.of(Fix.RENICE));
        Files.writeString(
                note.file(),
                Files.readString(note.file()).replaceFirst(" " + self + " " + start + " ", " " + self + " 1 "));
        return note;
    }

    @Test
    void whatIsNoNoteIsLeftAlone() throws Exception {
        Path other = Files.writeString(folder.resolve("x.undo"), "nothing of ours");
        assertThat(UndoNote.in(folder)).isEmpty();
        assertThat(other).exists();
    }
}
