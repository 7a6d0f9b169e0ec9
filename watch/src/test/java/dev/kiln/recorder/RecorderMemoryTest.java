package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.recorder.RecorderHost.RecorderMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderMemoryTest {
    private static final RecorderSpec SPEC = new RecorderSpec(123, 0, Map.of(), false);

    @TempDir
    private Path root;

    private Optional<RecorderContext> context = Optional.empty();

    private RecorderContext context(RunWriter writer) {
        context = Optional.of(new RecorderContext(new ProcFs(root), SPEC, writer));
        return context.get();
    }

    @BeforeEach
    void aProcess() throws IOException {
        Files.createDirectories(root.resolve("proc/123"));
        Files.createDirectories(root.resolve("run"));
        Files.writeString(root.resolve("proc/123/status"), "Name:\tjava\nVmRSS:\t   2000 kB\n");
    }

    @Test
    void aProcessThatIsJustBecomingAnotherProgramIsAskedAgainForItsProportionalMemory() throws IOException {
        try (RunWriter writer = new RunWriter(root.resolve("run"));
                RecorderMemory memory = new RecorderMemory(context(writer))) {
            memory.sample(Optional.empty(), false);
            Files.writeString(root.resolve("proc/123/smaps_rollup"), "Rss:  2000 kB\nPss:  1500 kB\n");
            memory.sample(Optional.empty(), false);
        }
        assertThat(Files.readString(root.resolve("run/memory.csv"))).contains("," + 1500 * 1024 + ",");
        assertThat(context.orElseThrow().gaps()).isEmpty();
    }

    @Test
    void aShortRunsProportionalMemoryIsThatOfItsEnd() throws IOException {
        Path rollup = root.resolve("proc/123/smaps_rollup");
        Files.writeString(rollup, "Rss:  2000 kB\nPss:  1500 kB\n");
        try (RunWriter writer = new RunWriter(root.resolve("run"));
                RecorderMemory memory = new RecorderMemory(context(writer))) {
            memory.sample(Optional.empty(), false);
            Files.writeString(rollup, "Rss:  9000 kB\nPss:  8000 kB\n");
            memory.sample(Optional.empty(), false);
            memory.sample(Optional.empty(), true);
        }
        assertThat(Files.readAllLines(root.resolve("run/memory.csv")).stream()
                        .skip(1)
                        .map(line -> line.split(",", -1)[2]))
                .containsExactly("" + 1500 * 1024, "", "" + 8000 * 1024);
    }

    @Test
    void aTargetThatClosedItselfAfterTheFirstReadingIsSaid() throws IOException {
        Path rollup = root.resolve("proc/123/smaps_rollup");
        Files.writeString(rollup, "Rss:  2000 kB\nPss:  1500 kB\n");
        try (RunWriter writer = new RunWriter(root.resolve("run"));
                RecorderMemory memory = new RecorderMemory(context(writer))) {
            memory.sample(Optional.empty(), false);
            // There, and not to be opened: of a file's rights root would see nothing.
            Files.delete(rollup);
            Files.createDirectory(rollup);
            memory.sample(Optional.empty(), true);
        }
        assertThat(context.orElseThrow().gaps())
                .containsExactly(
                        new NotRecorded("proportional memory (PSS)", "cannot read smaps_rollup: permission denied"));
    }

    @Test
    void whatCouldNeverBeReadIsSaid() {
        try (RunWriter writer = new RunWriter(root.resolve("run"));
                RecorderMemory memory = new RecorderMemory(context(writer))) {
            memory.sample(Optional.empty(), false);
            memory.sample(Optional.empty(), false);
        }
        List<NotRecorded> said = context.orElseThrow().gaps();
        assertThat(said).singleElement().satisfies(gap -> {
            assertThat(gap.what()).isEqualTo("proportional memory (PSS)");
            assertThat(gap.why()).startsWith("cannot read smaps_rollup: ");
        });
    }

    /** As {@code /proc} shows one that lives. */
    private void lives() throws IOException {
        Files.writeString(
                root.resolve("proc/123/stat"),
                "123 (java) S 1 42 42 0 -1 4194304 0 0 0 0 7 3 0 0 20 0 9 0 1000 0 0 0 0 0 0 0 0\n");
    }

    private List<String> resident() throws IOException {
        return Files.readAllLines(root.resolve("run/memory.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", -1)[1])
                .toList();
    }

    @Test
    void oneThatLivesAndCannotBeReadForASecondIsReadAgainAndTheGapIsTold() throws IOException {
        Path status = root.resolve("proc/123/status");
        String sound = Files.readString(status);
        Files.writeString(root.resolve("proc/123/smaps_rollup"), "Rss:  2000 kB\nPss:  1500 kB\n");
        lives();
        try (RunWriter writer = new RunWriter(root.resolve("run"));
                RecorderMemory memory = new RecorderMemory(context(writer))) {
            memory.sample(Optional.empty(), false);
            Files.writeString(status, "");
            memory.sample(Optional.empty(), false);
            Files.writeString(status, sound);
            memory.sample(Optional.empty(), true);
        }
        assertThat(resident()).containsExactly("" + 2000 * 1024, "" + 2000 * 1024);
        assertThat(context.orElseThrow().gaps())
                .containsExactly(new NotRecorded(
                        "memory, at times", "in 1 of its seconds the process's status could not be read: empty"));
    }

    @Test
    void whatCannotBeReadOfOneThatHasEndedIsNoGap() throws IOException {
        Files.writeString(root.resolve("proc/123/smaps_rollup"), "Rss:  2000 kB\nPss:  1500 kB\n");
        lives();
        try (RunWriter writer = new RunWriter(root.resolve("run"));
                RecorderMemory memory = new RecorderMemory(context(writer))) {
            memory.sample(Optional.empty(), false);
            Files.delete(root.resolve("proc/123/stat"));
            Files.writeString(root.resolve("proc/123/status"), "");
            memory.sample(Optional.empty(), true);
        }
        assertThat(resident()).containsExactly("" + 2000 * 1024);
        assertThat(context.orElseThrow().gaps()).isEmpty();
    }
}
