package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTargetTest {
    @TempDir
    private Path root = Path.of("");

    /** As the kernel writes it: state is the third field, and the start in ticks the 22nd. */
    private void process(char state, long start) throws IOException {
        Path stat = root.resolve("proc/42/stat");
        Files.createDirectories(stat.getParent());
        Files.writeString(
                stat,
                String.format(
                        Locale.ROOT,
                        "42 (a ) b) %c 1 42 42 0 -1 4194304 0 0 0 0 7 3 0 0 20 0 9 0 %d 0 0 0 0 0 0 0 0%n",
                        state,
                        start));
    }

    @Test
    void anotherThatWasGivenItsPidIsNotTakenForIt() throws IOException {
        process('S', 1000);
        RecorderTarget.WatchedProcess target = new RecorderTarget.WatchedProcess(new ProcFs(root), 42);
        assertThat(target.read()).isPresent();
        assertThat(target.hasEnded()).isFalse();
        process('S', 2000);
        assertThat(target.read()).isEmpty();
        assertThat(target.hasEnded()).isTrue();
        process('S', 1000);
        assertThat(target.read()).isEmpty();
    }

    @Test
    void oneThatNobodyHasWaitedForIsDead() throws IOException {
        process('S', 1000);
        RecorderTarget.WatchedProcess target = new RecorderTarget.WatchedProcess(new ProcFs(root), 42);
        process('Z', 1000);
        assertThat(target.read()).isEmpty();
        assertThat(target.hasEnded()).isTrue();
    }
}
