package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.StartupEvidence;
import dev.kiln.report.StartupSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartupFileTest {
    @TempDir
    private Path directory;

    @Test
    void whatWasRecordedIsReadBack() {
        StartupEvidence evidence = StartupSamples.evidence();
        StartupFile.write(directory, evidence);

        assertThat(StartupFile.read(directory)).isEqualTo(evidence);
    }

    @Test
    void saysWhatCannotBeRead() throws IOException {
        assertThatThrownBy(() -> StartupFile.read(directory))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("no start-up comparison in");
        Files.writeString(directory.resolve(StartupFile.NAME), "{\"schemaVersion\": 9}");
        assertThatThrownBy(() -> StartupFile.read(directory)).hasMessageContaining("has format 9");
        Files.writeString(directory.resolve(StartupFile.NAME), "{\"schemaVersion\": 1, \"kilnV");
        assertThatThrownBy(() -> StartupFile.read(directory)).isInstanceOf(KilnException.class);
    }
}
