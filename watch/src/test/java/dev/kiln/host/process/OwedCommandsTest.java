package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.container.Containers;
import dev.kiln.host.proc.HostFacts;
import dev.kiln.host.proc.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed Kiln owed is run by the next one: once, the last first, and never what others may have written. */
class OwedCommandsTest {
    private static final String BOOT = HostFacts.bootId(ProcFs.ofThisMachine());

    private static final int NOBODY = 65534;

    @TempDir
    Path directory;

    private UserCommand shell(String what, String script) {
        return new UserCommand(what, List.of("sh", "-c", script), directory, Map.of());
    }

    private Path dead(String boot, String... lines) throws IOException {
        Path state = Files.createDirectories(directory.resolve("state"));
        Path book = state.resolve("999999999-1" + OrphanBook.SUFFIX);
        return Files.writeString(book, "boot " + boot + "\n" + String.join("\n", lines) + "\n");
    }

    private List<String> swept() {
        try (OrphanRegistry mine = new OrphanRegistry(directory.resolve("state"))) {
            return mine.sweep(Containers::removeOrphan, said -> {});
        }
    }

    private String done() throws IOException {
        Path done = directory.resolve("done");
        return Files.exists(done) ? Files.readString(done) : "";
    }

    @Test
    void aNoteIsTheCommandAgain() {
        UserCommand odd = new UserCommand(
                "cleanup",
                List.of("sh", "-c", "echo 'a b'\n% + \u00e9 \"$X\"", "", "."),
                Path.of("/tmp/with space"),
                Map.of("A", "1 = 2", "EMPTY", "", "B", "line\nline"));

        assertThat(odd.note()).doesNotContain("\n");
        assertThat(UserCommand.parse(odd.note())).isEqualTo(odd);
    }

    /** Half a path is another path. */
    @Test
    void ofANoteThatWasCutNothingIsRun() throws IOException {
        String note = shell("cleanup", "echo ran >> done").note();
        for (int end = 0; end < note.length(); end++) {
            String cut = note.substring(0, end);
            assertThatThrownBy(() -> UserCommand.parse(cut))
                    .as(cut)
                    .isInstanceOfAny(IllegalArgumentException.class, IndexOutOfBoundsException.class);
        }
        dead(BOOT, "owe 1 " + note.substring(0, note.length() - 2));

        assertThat(swept()).isEmpty();
        assertThat(done()).isEmpty();
    }

    @Test
    void theNextKilnRunsItOnceAndTheLastFirst() throws IOException {
        Path book = dead(
                BOOT,
                "owe 1 " + shell("cleanup", "echo cleanup >> done").note(),
                "owe 2 " + shell("afterRun", "echo never >> done").note(),
                "owe 3 "
                        + new UserCommand(
                                        "stop",
                                        List.of("sh", "-c", "echo stop $TAG >> done"),
                                        directory,
                                        Map.of("TAG", "v 2"))
                                .note(),
                "paid 2");

        assertThat(swept())
                .containsExactly(
                        "stop (sh -c echo stop $TAG >> done), which a killed Kiln left to do, was run",
                        "cleanup (sh -c echo cleanup >> done), which a killed Kiln left to do, was run");
        assertThat(done()).isEqualTo("stop v 2\ncleanup\n");
        assertThat(book).doesNotExist();
        assertThat(swept()).isEmpty();
        assertThat(done()).isEqualTo("stop v 2\ncleanup\n");
    }

    /** Somebody waits meanwhile. */
    @Test
    void thatItRunsIsSaidBefore() throws IOException {
        dead(BOOT, "owe 1 " + shell("cleanup", "echo ran >> done").note());
        List<String> said = new ArrayList<>();

        try (OrphanRegistry mine = new OrphanRegistry(directory.resolve("state"))) {
            mine.sweep(
                    Containers::removeOrphan,
                    line -> said.add(
                            line + " " + directory.resolve("done").toFile().exists()));
        }

        assertThat(said)
                .containsExactly("running cleanup (sh -c echo ran >> done), which a killed Kiln left to do false");
        assertThat(done()).isEqualTo("ran\n");
    }

    @Test
    void oneThatDoesNotEndIsEndedWithAllThatItWaitsFor() throws IOException {
        String length = "98765." + ProcessHandle.current().pid();
        dead(
                BOOT,
                "owe 1 "
                        + shell("cleanup", "sleep " + length + "\necho ran >> done")
                                .note());

        List<String> told = new Orphans(
                        ProcFs.ofThisMachine(), Containers::removeOrphan, Duration.ofSeconds(1), said -> {})
                .sweep(directory.resolve("state"), Optional.empty());

        assertThat(told).singleElement().asString().contains("did not end within 1 s and was ended; run it by hand in");
        assertThat(ProcessHandle.allProcesses()
                        .filter(process -> List.of(process.info().arguments().orElse(new String[0]))
                                .contains(length)))
                .isEmpty();
        assertThat(done()).isEmpty();
    }

    /** In the foreground of the command a service runs that was to be as it was. */
    @Test
    void aRestartThatServesItselfGoesOn() throws Exception {
        dead(BOOT, "owe 1 " + shell("restart", "echo $$ > pid; exec sleep 1000").note());

        List<String> told = new Orphans(
                        ProcFs.ofThisMachine(), Containers::removeOrphan, Duration.ofSeconds(1), said -> {})
                .sweep(directory.resolve("state"), Optional.empty());

        Path pid = directory.resolve("pid");
        for (int wait = 0; wait < 300 && (!Files.exists(pid) || Files.size(pid) < 2); wait++) {
            Thread.sleep(100);
        }
        ProcessHandle service =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        try {
            assertThat(told)
                    .singleElement()
                    .asString()
                    .contains(
                            ", which a killed Kiln left to do, did not end within 1 s and goes on, as one does that serves itself; what it prints is in ",
                            "; if the service is not as before, run it by hand in ");
            assertThat(service.isAlive()).isTrue();
            assertThat(swept()).as("it is no leftover").isEmpty();
            assertThat(service.isAlive()).isTrue();
        } finally {
            service.destroyForcibly();
        }
    }

    @Test
    void oneThatFailsIsToldWithItsLastWordsAndForgotten() throws IOException {
        dead(BOOT, "owe 1 " + shell("cleanup", "echo no such project; exit 3").note());

        assertThat(swept())
                .singleElement()
                .asString()
                .endsWith(", which a killed Kiln left to do, exited with code 3 (no such project); run it by hand in "
                        + directory);
        assertThat(swept()).isEmpty();
    }

    @Test
    void oneWhoseFolderIsGoneIsToldToo() throws IOException {
        dead(BOOT, "owe 1 " + new UserCommand("cleanup", List.of("true"), directory.resolve("gone"), Map.of()).note());

        assertThat(swept())
                .singleElement()
                .asString()
                .contains("cleanup (true), which a killed Kiln left to do, could not be run")
                .endsWith("run it by hand in " + directory.resolve("gone"));
        assertThat(swept()).isEmpty();
    }

    /** A pid file, say, names another process by then. */
    @Test
    void afterABootItIsOnlyTold() throws IOException {
        dead("another-boot", "owe 1 " + shell("stop", "echo ran >> done").note());

        assertThat(swept())
                .singleElement()
                .asString()
                .contains("was not run: the machine has been booted since; if it is still needed, run it by hand");
        assertThat(done()).isEmpty();
    }

    /** Kiln may be root, and the file another's. */
    @Test
    void whatOthersMayHaveWrittenIsNotDone() throws IOException {
        Path precious = Files.createDirectory(directory.resolve("kiln-precious"));
        Path book = dead(
                BOOT,
                "owe 1 " + shell("cleanup", "echo ran >> done").note(),
                "owe 2 " + shell("stop", "echo stopped >> done").note(),
                "directory " + precious);
        Files.setPosixFilePermissions(book, PosixFilePermissions.fromString("rw-rw-rw-"));

        // Nobody has paid it, so the next one tells it too.
        for (int kiln = 0; kiln < 2; kiln++) {
            assertThat(swept())
                    .singleElement()
                    .asString()
                    .startsWith("others may have written " + book + " (owner ")
                    .contains(
                            ", permissions rw-rw-rw-), what a killed Kiln noted, so Kiln did nothing of it; it would run"
                                    + " cleanup (sh -c echo ran >> done) in " + directory + "; stop (sh -c ")
                    .endsWith(". Do by hand what is right of it, then delete that file");
            assertThat(book).exists().content().doesNotContain("paid");
        }
        assertThat(done()).isEmpty();
        assertThat(precious).exists();
    }

    /** Who may write the folder may put a file of this user's there: an old one, which was done with. */
    @Test
    void nothingIsDoneOfAFolderThatOthersCanWrite() throws IOException {
        Path book = dead(BOOT, "owe 1 " + shell("cleanup", "echo ran >> done").note());
        Files.setPosixFilePermissions(book, PosixFilePermissions.fromString("rw-------"));
        Path state = directory.resolve("state");
        for (String permissions : List.of("rwxrwxrwx", "rwxr-xrwx")) {
            Files.setPosixFilePermissions(state, PosixFilePermissions.fromString(permissions));

            assertThat(swept())
                    .singleElement()
                    .asString()
                    .startsWith("others can write the folder " + state + " (owner ")
                    .contains("permissions " + permissions, "then chmod go-w " + state, "XDG_STATE_HOME");
            assertThat(book).exists();
            assertThat(done()).isEmpty();
        }

        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(swept()).singleElement().asString().endsWith("was run");
        assertThat(done()).isEqualTo("ran\n");
    }

    /** Only one of a dead Kiln is a matter of trust: a living one takes care of its own. */
    @Test
    void ofAFolderThatOthersCanWriteNothingIsSaidWithoutADeadKiln() throws IOException {
        Path state = Files.createDirectories(directory.resolve("state"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(swept()).isEmpty();
    }

    @Test
    void whatBelongsToAnotherUserIsNotDone() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give a file away");
        Path book = dead(BOOT, "owe 1 " + shell("cleanup", "echo ran >> done").note());
        Path state = directory.resolve("state");
        Files.setAttribute(state, "unix:uid", NOBODY);
        assertThat(swept()).singleElement().asString().startsWith("others can write the folder " + state);

        Files.setAttribute(state, "unix:uid", 0);
        Files.setAttribute(book, "unix:uid", NOBODY);
        assertThat(swept()).singleElement().asString().startsWith("others may have written " + book);
        assertThat(done()).isEmpty();
    }

    /** A link could lead to whatever this user may write. */
    @Test
    void aLinkInPlaceOfABookIsNotFollowed() throws IOException {
        Path book = dead(BOOT, "owe 1 " + shell("cleanup", "echo ran >> done").note());
        Path elsewhere = Files.move(book, directory.resolve("elsewhere"));
        Files.createSymbolicLink(book, elsewhere);

        assertThat(swept())
                .singleElement()
                .asString()
                .startsWith("could not look at what a killed Kiln left in " + book);
        assertThat(done()).isEmpty();
        assertThat(elsewhere).exists();
    }

    @Test
    void aLivingKilnPaysItself() throws IOException {
        Path state = directory.resolve("state");
        try (OrphanRegistry owner = new OrphanRegistry(state)) {
            String number = owner.owe(shell("cleanup", "echo ran >> done"));
            assertThat(owner.remaining()).singleElement().asString().contains("has not been run to its end");
            owner.paid(number);
            assertThat(owner.remaining()).isEmpty();
        }
        assertThat(state).isEmptyDirectory();
        assertThat(done()).isEmpty();
    }

    @Test
    void onlyTheOwnerReadsWhatIsOwed() throws IOException {
        Path state = directory.resolve("state");
        try (OrphanRegistry owner = new OrphanRegistry(state);
                var books = Files.list(state)) {
            assertThat(owner.remaining()).isEmpty();
            assertThat(Files.getPosixFilePermissions(books.findFirst().orElseThrow()))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(Files.getPosixFilePermissions(state)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
    }
}
