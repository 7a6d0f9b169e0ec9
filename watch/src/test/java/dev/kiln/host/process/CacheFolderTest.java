package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
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

    @Test
    void twoOfOneProcessAreTwo() throws IOException {
        Path first = CacheFolder.scratch(cache.resolve("not/yet/there"));
        Path second = CacheFolder.scratch(cache.resolve("not/yet/there"));

        assertThat(first).isDirectory().isNotEqualTo(second);
        assertThat(second).isDirectory();
    }
}
