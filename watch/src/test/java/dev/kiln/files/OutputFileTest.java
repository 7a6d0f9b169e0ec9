package dev.kiln.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutputFileTest {
    @TempDir
    private Path folder;

    private Path precious;
    private Path link;

    @BeforeEach
    void linked() throws IOException {
        precious = Files.writeString(folder.resolve("precious"), "precious");
        link = Files.createSymbolicLink(folder.resolve("link"), precious);
    }

    @Test
    void aLinkIsReplaced() throws Exception {
        OutputFile.replace(link, "new");
        assertThat(link).hasContent("new");
        assertThat(precious).hasContent("precious");
    }

    @Test
    void aLinkIsNotAppendedTo() {
        assertThatThrownBy(() -> OutputFile.append(link, new byte[1])).hasMessageContaining("it is a link");
        assertThat(precious).hasContent("precious");
    }

    @Test
    void aTableBeginsAnewBesideWhatALinkLedTo() throws Exception {
        OutputFile.anew(link).close();
        assertThat(precious).hasContent("precious");
        assertThat(Files.isSymbolicLink(link)).isFalse();
    }

    @Test
    void aPipeIsNotAppendedTo() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor(10, TimeUnit.SECONDS))
                .isTrue();
        assertThatThrownBy(() -> OutputFile.append(pipe, new byte[1])).hasMessageContaining("a pipe");
        OutputFile.replace(pipe, "new");
        assertThat(pipe).isRegularFile();
    }

    @Test
    void aFailureLeavesTheOldFileAndNothingBesideIt() throws Exception {
        assertThatThrownBy(() -> OutputFile.replace(precious, out -> {
                    out.write('n');
                    throw new IOException("full");
                }))
                .hasMessage("full");
        assertThat(precious).hasContent("precious");
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).hasSize(2);
        }
    }

    /** The JVM keeps each name that it is to delete at its end, and a soak writes a file each second. */
    @Test
    void whatIsHalfWrittenHasTheSameNameEachTimeUnlessThatIsTaken() throws Exception {
        List<List<Path>> beside = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            OutputFile.replace(precious, out -> beside.add(parts()));
        }
        assertThat(beside.getFirst()).hasSize(1).isEqualTo(beside.getLast());
        // Two Kilns in containers that share a folder may have one pid: the first to end would delete what the other
        // writes.
        assertThat(beside.getFirst().getFirst())
                .isNotEqualTo(
                        folder.resolve("precious." + ProcessHandle.current().pid() + ".part"));
        Files.createSymbolicLink(beside.getFirst().getFirst(), link);
        OutputFile.replace(link, "new");
        assertThat(precious).isEmptyFile();
        OutputFile.replace(precious, "newer");
        assertThat(precious).hasContent("newer");
        assertThat(link).hasContent("new");
        assertThat(parts()).isEqualTo(beside.getFirst());
    }

    @Test
    void threadsThatReplaceOneFileLeaveEachOthersAlone() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(threads.submit(() -> {
                    for (int n = 0; n < 1_000; n++) {
                        OutputFile.replace(precious, "new");
                    }
                    return 0;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        assertThat(precious).hasContent("new");
        assertThat(parts()).isEmpty();
    }

    private List<Path> parts() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".part")).toList();
        }
    }

    @Test
    void aFolderStays() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThatThrownBy(() -> OutputFile.replace(empty, "new")).hasMessageContaining("it is a folder");
        assertThat(empty).isDirectory();
    }

    @Test
    void whatTheUserNamesIsWrittenWhereALinkLeads() throws Exception {
        OutputFile.named(link, "new".getBytes(UTF_8));
        assertThat(link).isSymbolicLink();
        assertThat(precious).hasContent("new");
        Path nowhere = Files.createSymbolicLink(folder.resolve("nowhere"), folder.resolve("later"));
        OutputFile.named(nowhere, "first".getBytes(UTF_8));
        assertThat(folder.resolve("later")).hasContent("first");
        assertThat(nowhere).isSymbolicLink();
        OutputFile.named(link, out -> out.write("a stream".getBytes(UTF_8)));
        assertThat(link).isSymbolicLink();
        assertThat(precious).hasContent("a stream");
    }

    /** Files below it are no devices, only because devices are there too. */
    @Test
    void aFileInSharedMemoryIsOne() throws Exception {
        Path file = Path.of("/dev/shm/kiln-test-" + ProcessHandle.current().pid());
        try {
            OutputFile.named(file, "a longer text".getBytes(UTF_8));
            OutputFile.named(file, "text".getBytes(UTF_8));
            assertThat(file).hasContent("text");
        } finally {
            Files.deleteIfExists(file);
        }
    }

    @Test
    void whatTheUserNamesKeepsItsPermissions() throws Exception {
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rw-------"));
        OutputFile.named(precious, "new".getBytes(UTF_8));
        assertThat(Files.getPosixFilePermissions(precious)).hasSize(2);
    }

    /** A file that is mounted into a container by itself can be written, and nothing can be put in its place. */
    @Test
    void aFileThatIsMountedByItselfIsWritten() throws Exception {
        Path mounted = Files.writeString(folder.resolve("mounted"), "what was there before");
        assumeThat(namespace("mount --bind " + precious + " " + mounted)).isZero();
        assertThat(namespace("mount --bind " + precious + " " + mounted + " && " + java(mounted)))
                .isZero();
        assertThat(precious).hasContent("text");
        assertThat(mounted).hasContent("what was there before");
    }

    /** A folder that would take another file has no room for it: what is there stays. */
    @Test
    void withoutRoomTheOldFileStays() throws Exception {
        Path full = Files.createDirectory(folder.resolve("full"));
        // The folder is one of the two, and the file the other.
        String mount = "mount -t tmpfs -o nr_inodes=2 none " + full + " && printf old >" + full + "/file";
        assumeThat(namespace(mount)).isZero();
        assertThat(namespace(mount + " && ! " + java(full.resolve("file")) + " 2>" + folder.resolve("said")
                        + " && grep -q '^old$' " + full + "/file"))
                .isZero();
        assertThat(folder.resolve("said")).content().contains("FileSystemException");
    }

    /** 4 KiB are left beside a file of as many. */
    private static String almostFull(Path full) throws IOException {
        Files.createDirectory(full);
        return "mount -t tmpfs -o size=12k none " + full + " && printf old >" + full + "/file"
                + " && head -c 4096 /dev/zero >" + full + "/other";
    }

    @Test
    void whereNotAllHasRoomNothingIsAdded() throws Exception {
        Path full = folder.resolve("full");
        String mount = almostFull(full);
        assumeThat(namespace(mount)).isZero();
        assertThat(namespace(mount + " && ! " + java(full.resolve("file"), "append") + " 2>" + folder.resolve("said")
                        + " && grep -q '^old$' " + full + "/file && test $(stat -c %s " + full + "/file) = 3"
                        + " && ! " + java(full.resolve("fresh"), "append") + " 2>/dev/null"
                        + " && ! test -e " + full + "/fresh"))
                .isZero();
        assertThat(folder.resolve("said")).content().contains("No space left on device");
    }

    /** It can only be written where it is, so its old content cannot be kept; half of the new one is no file either. */
    @Test
    void ofAFileThatIsMountedByItselfNoHalfIsLeft() throws Exception {
        Path full = folder.resolve("full");
        Path mounted = Files.writeString(folder.resolve("mounted"), "what was there before");
        String mount = almostFull(full) + " && mount --bind " + full + "/file " + mounted;
        assumeThat(namespace(mount)).isZero();
        assertThat(namespace(mount + " && ! " + java(mounted, "replace") + " 2>/dev/null && ! test -s " + mounted))
                .isZero();
    }

    /** The user may write the file, and put no other into its folder. */
    @Test
    void aFileInAFolderThatTakesNoOtherIsWritten() throws Exception {
        assumeThat(Files.isExecutable(Path.of("/usr/bin/setpriv")))
                .as("there is no setpriv")
                .isTrue();
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Path file = Files.writeString(folder.resolve("theirs"), "what was there before");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        String nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
        assumeThat(shell(nobody + "test -r " + classes() + "/dev/kiln/files/OutputFile.class"))
                .as("another user may not read these classes")
                .isZero();
        assertThat(shell(nobody + "touch " + folder.resolve("other"))).isNotZero();
        assertThat(shell(nobody + java(file))).isZero();
        assertThat(file).hasContent("text");
    }

    @Test
    void whatTheUserNamesIsAddedTo() throws Exception {
        OutputFile.appendNamed(link, " and more".getBytes(UTF_8));
        assertThat(precious).hasContent("precious and more");
        OutputFile.appendNamed(folder.resolve("made"), "new".getBytes(UTF_8));
        assertThat(folder.resolve("made")).hasContent("new");
        OutputFile.appendNamed(Path.of("/dev/null"), "gone".getBytes(UTF_8));
        Path pipe = folder.resolve("pipe");
        assertThat(shell("mkfifo " + pipe)).isZero();
        Process reader = new ProcessBuilder("cat", pipe.toString()).start();
        OutputFile.appendNamed(pipe, "told".getBytes(UTF_8));
        assertThat(reader.inputReader(UTF_8).readLine()).isEqualTo("told");
    }

    private static int namespace(String script) throws Exception {
        return new ProcessBuilder("unshare", "--mount", "sh", "-c", script)
                .inheritIO()
                .start()
                .waitFor();
    }

    private static int shell(String script) throws Exception {
        return new ProcessBuilder("sh", "-c", script).inheritIO().start().waitFor();
    }

    private static Path classes() throws Exception {
        return Path.of(OutputFile.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    /** As a program: the mount, and the other user, are those of a process. */
    private static String java(Path file) throws Exception {
        return java(file, "");
    }

    private static String java(Path file, String how) throws Exception {
        Path tests = Path.of(Writing.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return System.getProperty("java.home") + "/bin/java -cp " + classes() + ":" + tests + " " + "'"
                + Writing.class.getName() + "' " + file + " " + how;
    }

    /** Writes to the file that it is given: a text, or more than a small disk has room for. */
    static final class Writing {
        public static void main(String[] args) throws IOException {
            Path file = Path.of(args[0]);
            byte[] much = new byte[20_000];
            switch (args.length == 1 ? "text" : args[1]) {
                case "append" -> OutputFile.appendNamed(file, much);
                case "replace" -> OutputFile.named(file, much);
                default -> OutputFile.named(file, "text".getBytes(UTF_8));
            }
        }
    }
}
