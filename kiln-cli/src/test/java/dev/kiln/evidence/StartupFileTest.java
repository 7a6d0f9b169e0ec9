package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.startup.StartupSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class StartupFileTest {
    @TempDir
    private Path directory;

    @Test
    void whatWasRecordedIsReadBack() {
        StartupEvidence evidence = StartupSamples.evidence();
        StudyFile.STARTUP.write(directory, evidence);

        assertThat(StudyFile.STARTUP.read(directory)).isEqualTo(evidence);
    }

    /** A program that reads the file finds each key where it has always been. */
    @Test
    void theKeysStandSideBySideInTheirOrder() throws IOException {
        StudyFile.STARTUP.write(directory, StartupSamples.evidence());

        JsonNode file = new ObjectMapper().readTree(Files.readAllBytes(directory.resolve("startup.json")));

        assertThat(file.propertyNames())
                .containsExactly(
                        "schemaVersion",
                        "kilnVersion",
                        "startedEpochMillis",
                        "sides",
                        "until",
                        "metric",
                        "unit",
                        "pairs",
                        "discarded",
                        "seed",
                        "cold",
                        "launchNanos",
                        "host",
                        "cpus",
                        "failure",
                        "samples");
    }

    @Test
    void aFileOfAnEarlierKilnHasNoModifiers() throws IOException {
        StudyFile.STARTUP.write(directory, StartupSamples.evidence());
        Path file = directory.resolve("startup.json");
        String written = Files.readString(file);
        String earlier = written.replaceAll(",\\s+\"modifiers\" : null", "");
        assertThat(earlier).isNotEqualTo(written);
        Files.writeString(file, earlier);

        assertThat(StudyFile.STARTUP.read(directory)).isEqualTo(StartupSamples.evidence());
    }

    @Test
    void saysWhatCannotBeRead() throws IOException {
        assertThatThrownBy(() -> StudyFile.STARTUP.read(directory))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("no start-up comparison in");
        Files.writeString(directory.resolve("startup.json"), "{\"schemaVersion\": 9}");
        assertThatThrownBy(() -> StudyFile.STARTUP.read(directory)).hasMessageContaining("has format 9");
        Files.writeString(directory.resolve("startup.json"), "{\"schemaVersion\": 1, \"sides\": [{\"name\": {}}]}");
        assertThatThrownBy(() -> StudyFile.STARTUP.read(directory))
                .hasMessageEndingWith(": 'sides[0].name' is missing, or not of its kind");
        Files.writeString(directory.resolve("startup.json"), "{\"schemaVersion\": 1}");
        assertThatThrownBy(() -> StudyFile.STARTUP.read(directory))
                .hasMessageEndingWith("' is missing, or not of its kind");
        Files.writeString(directory.resolve("startup.json"), "{\"schemaVersion\": 1, \"kilnV");
        assertThatThrownBy(() -> StudyFile.STARTUP.read(directory)).isInstanceOf(KilnException.class);
    }
}
