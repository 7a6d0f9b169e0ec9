package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
    @TempDir
    private Path cache;

    private Path left(String name, Duration ago) throws IOException {
        Path path = Files.createDirectories(cache.resolve(name).resolve("half"));
        return Files.setLastModifiedTime(
                path.getParent(), FileTime.from(Instant.now().minus(ago)));
    }

    @Test
    void whatAKilledProcessLeftIsDeleted() throws IOException {
        long here = ProcessHandle.current().pid();
        long start = ProcFs.ofThisMachine().stat(here).orElseThrow().startTicks();
        Duration days = Duration.ofDays(2);
        Path killed = left("part-999999999-1-123", days);
        Path anew = left("part-" + here + "-" + (start - 1) + "-123", days);
        Path lives = left("part-" + here + "-" + start + "-123", days);
        Path perhaps = left("part-999999999-1-456", Duration.ofMinutes(5));
        Path sent = left("part-aBcDeF", days);

        Path made = CacheFolder.scratch(cache);

        assertThat(killed).doesNotExist();
        assertThat(anew).as("its number is another process's now").doesNotExist();
        assertThat(cache.toFile().listFiles())
                .containsExactlyInAnyOrder(lives.toFile(), perhaps.toFile(), sent.toFile(), made.toFile());
        assertThat(made).isEmptyDirectory();
    }

    /** Some containers give it to all their programs, and what is in the cache is run. */
    @Test
    void anUmaskOfNothingOpensItToNobody() throws Exception {
        Path made = cache.resolve("a/b");
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "umask 000; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Made.class.getName(),
                        made.toString())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
        for (Path folder : List.of(made, cache.resolve("a"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwxr-xr-x");
        }
    }

    /** Makes the cache that it is given. */
    static final class Made {
        private Made() {}

        public static void main(String[] args) throws IOException {
            CacheFolder.scratch(Path.of(args[0]));
        }
    }

    @Test
    void twoOfOneProcessAreTwo() throws IOException {
        Path first = CacheFolder.scratch(cache.resolve("not/yet/there"));
        Path second = CacheFolder.scratch(cache.resolve("not/yet/there"));

        assertThat(first).isDirectory().isNotEqualTo(second);
        assertThat(second).isDirectory();
    }
}
