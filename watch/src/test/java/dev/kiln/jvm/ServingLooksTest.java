package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.FakeRoot;
import dev.kiln.jvm.Serving.Serves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who of several processes serves, by the sockets that they hold. */
class ServingLooksTest {
    private static final int PORT = 8080;
    private static final int ROOT = 100;

    @TempDir
    private Path dir;

    /** One below the root, with a listening socket (inode 1) and connections of its own. */
    private void process(int pid, boolean listens, int connections) throws IOException {
        new FakeRoot(dir)
                .with(
                        "proc/" + pid + "/stat",
                        pid + " (p) S " + (pid == ROOT ? 1 : ROOT) + " 100 100 0 -1 0 0 0 0 0 5 5 0 0 20 0 1 0 " + pid
                                + " 0 0 " + "0 ".repeat(28).strip() + "\n")
                .with("proc/" + pid + "/net/tcp", table());
        Path fd = dir.resolve("proc/" + pid + "/fd");
        Files.createDirectories(fd);
        try (var old = Files.list(fd)) {
            for (Path one : old.toList()) {
                Files.delete(one);
            }
        }
        if (listens) {
            Files.createSymbolicLink(fd.resolve("3"), Path.of("socket:[1]"));
        }
        for (int i = 0; i < connections; i++) {
            Files.createSymbolicLink(fd.resolve("" + (4 + i)), Path.of("socket:[" + (10 * pid + i) + "]"));
        }
    }

    /** The listener, and ten connections of each of three processes, as proc(5) has them. */
    private static String table() {
        StringBuilder text = new StringBuilder("  sl  local_address rem_address   st\n").append(line("0A", 1));
        IntStream.of(101, 102, 103)
                .flatMap(pid -> IntStream.range(0, 10).map(i -> 10 * pid + i))
                .forEach(inode -> text.append(line("01", inode)));
        return text.toString();
    }

    private static String line(String state, int inode) {
        return "   0: 0100007F:%04X 0100007F:D431 %s 00000000:00000000 00:00000000 00000000     0        0 %d 1 0 20 4 0 10 -1%n"
                .formatted(PORT, state, inode);
    }

    private Serving serving() {
        return new Serving(new FakeRoot(dir).fs(), ROOT, Set.of(PORT));
    }

    private static Serving.Who after(int looks, Serving serving) {
        Serving.Who who = serving.look();
        for (int i = 1; i < looks; i++) {
            who = serving.look();
        }
        return who;
    }

    @Test
    void ofSeveralThatServeAtOnceOneIsKept() throws IOException {
        process(ROOT, false, 0);
        process(101, true, 2);
        process(102, true, 1);
        Serving serving = serving();
        assertThat(serving.look()).isEqualTo(new Serves(101));

        process(101, true, 0);
        process(102, true, 8);

        assertThat(after(10, serving)).isEqualTo(new Serves(101));
        process(101, false, 0);
        assertThat(after(10, serving)).isEqualTo(new Serves(102));
    }

    @Test
    void theOneThatTakesTheConnectionsIsFoundBehindTheOneThatListens() throws IOException {
        process(ROOT, false, 0);
        process(101, true, 0);
        process(102, false, 0);
        Serving serving = serving();
        assertThat(serving.look()).isEqualTo(new Serves(101));

        process(102, false, 4);

        assertThat(after(10, serving)).isEqualTo(new Serves(102));
    }

    /** Of an hour with a look each second. A table that is gone when it is read shows that it is read. */
    @Test
    void theTablesAreSeldomReadOnceItIsKnownWhoServes() throws IOException {
        process(ROOT, false, 0);
        process(101, true, 2);
        Serving serving = serving();
        assertThat(serving.look()).isEqualTo(new Serves(101));

        int reads = 0;
        for (int look = 0; look < 3_600; look++) {
            Files.deleteIfExists(dir.resolve("proc/101/net/tcp"));
            if (!(serving.look() instanceof Serves)) {
                reads++;
                process(ROOT, false, 0);
                process(101, true, 2);
                assertThat(after(5, serving)).isEqualTo(new Serves(101));
                look += 5;
            }
        }
        assertThat(reads).isBetween(1, 12);
    }

    @Test
    void processesThatServeAtOnceAreCounted() throws IOException {
        process(ROOT, true, 0);
        process(101, true, 3);
        process(102, false, 0);
        Serving serving = serving();
        assertThat(serving.look()).isEqualTo(new Serves(101));
        assertThat(serving.most()).isEqualTo(1);

        process(102, true, 1);
        process(103, true, 2);

        assertThat(after(10, serving)).isEqualTo(new Serves(101));
        assertThat(serving.most()).isEqualTo(3);
    }

    /** A helper has all files of the process that started it. */
    @Test
    void aChildWithTheSameConnectionsServesNothingOfItsOwn() throws IOException {
        process(ROOT, true, 0);
        process(101, true, 3);
        process(102, false, 0);
        Files.createSymbolicLink(dir.resolve("proc/102/fd/4"), Path.of("socket:[1010]"));
        Serving serving = serving();
        assertThat(serving.look()).isEqualTo(new Serves(101));
        assertThat(serving.most()).isEqualTo(1);
    }

    @Test
    void aHelperThatMayNotBeLookedIntoHidesNobody() throws IOException {
        process(ROOT, false, 0);
        process(101, false, 0);
        process(102, true, 2);
        Files.delete(dir.resolve("proc/101/fd"));

        assertThat(serving().look()).isEqualTo(new Serves(102));
    }
}
