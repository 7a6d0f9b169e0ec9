package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.RecordedRuns;
import dev.kiln.evidence.FlightFiles;
import dev.kiln.evidence.RunReader;
import dev.kiln.jvm.flight.FlightRecorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstrumentsTest {
    @TempDir
    private Path folder;

    /** A recording that was broken off before its first chunk: the next report need not look at it again. */
    @Test
    void aRecordingWithoutAnythingIsLookedAtOnce() throws Exception {
        new RecordedRuns(folder).variant(List.of("app"), "app", 1, 20, 1000);
        Path run = folder.resolve("app/1");
        Path chunk = Files.createDirectories(
                        run.resolve(FlightRecorder.REPOSITORY).resolve("2026_01_01"))
                .resolve("1.jfr");
        Files.writeString(chunk, "no chunk");
        Instruments.digestLate(run);
        assertThat(FlightFiles.exist(run)).isTrue();
        assertThat(RunReader.read(run).flight())
                .as("nothing is known, and nothing is said")
                .isEmpty();
        assertThat(RunReader.read(run).gaps()).isEmpty();
    }
}
