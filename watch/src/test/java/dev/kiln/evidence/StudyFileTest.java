package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StudyFileTest {
    private static final Map<String, StudyFile<?>> ALL = Map.of(
            "density.json", StudyFile.DENSITY,
            "tune.json", StudyFile.SEARCH,
            "startup.json", StudyFile.STARTUP,
            "summary.json", StudyFile.SUMMARY);

    @TempDir
    private Path folder;

    /** As a disk that was full, or an editor, leaves it. */
    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "null", "[null]", "1", "'x'", "true", "{", "[]"})
    void whatIsNoDocumentIsNamed(String text) throws Exception {
        for (Map.Entry<String, StudyFile<?>> each : ALL.entrySet()) {
            Path file = Files.writeString(folder.resolve(each.getKey()), text.replace('\'', '"'));
            assertThatThrownBy(() -> each.getValue().find(folder))
                    .as(each.getKey())
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    @Test
    void aListWithAHoleIsNone() throws Exception {
        Path file = Files.writeString(folder.resolve("claims.json"), "[null]");
        assertThatThrownBy(() -> StudyFile.CLAIMS.find(folder))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("cannot read the claims in " + file + ": ");
    }
}
