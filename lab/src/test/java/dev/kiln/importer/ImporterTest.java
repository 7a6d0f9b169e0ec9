package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.evidence.RunReader;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.run.RunEvidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImporterTest {
    @TempDir
    private Path folder = Path.of("");

    private RunEvidence imported(Path path) {
        Path out = folder.resolve("out");
        assertThat(new Importer("test", Texts.options(), line -> {}).run(List.of(path), "x", out))
                .isTrue();
        return RunReader.read(out.resolve("a").resolve("1"));
    }

    @Test
    void quantilesWithoutAMaximumAreKept() throws IOException {
        RunEvidence evidence = imported(Files.writeString(folder.resolve("a-1.csv"), """
                phase,start_ms,end_ms,requests,p50_ns,p99_ns
                load,1780434089000,1780434090000,10,2000000,9000000
                load,1780434090000,1780434091000,10,2000000,8000000
                """));

        assertThat(evidence.gaps()).isEmpty();
        assertThat(evidence.latency().seconds())
                .extracting(LatencyInterval::maxNanos)
                .as("the highest that is known to have been reached")
                .containsExactly(9_000_000L, 8_000_000L);
    }

    @Test
    void aPackedLogIsNamedWithWhatUnpacksIt() throws IOException {
        Path log = folder.resolve("pidstat.log.bz2");
        Files.writeString(log, "BZh91AY&SY, and so on");

        assertThatThrownBy(() -> imported(log))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("pidstat.log.bz2 is compressed: unpack it with bunzip2");
    }

    @Test
    void ofTwoRecordingsOneIsReadAndTheOthersGapsAreNotItsOwn() throws IOException {
        Path run = Files.createDirectories(folder.resolve("a-1"));
        try (Recording recording = new Recording()) {
            recording.enable("jdk.CompilerStatistics").with("period", "endChunk");
            recording.start();
            recording.stop();
            recording.dump(run.resolve("first.jfr"));
        }
        byte[] whole = Files.readAllBytes(run.resolve("first.jfr"));
        Files.write(run.resolve("second.jfr"), Arrays.copyOf(whole, whole.length + 100));

        RunEvidence imported = imported(run);
        assertThat(imported.compiler()).as("the JIT's own counters").isNotEmpty();
        assertThat(imported.info().notes())
                .contains("1 more recordings of this run were left out: Kiln reads one")
                .noneMatch(note -> note.contains("second.jfr"));
    }
}
