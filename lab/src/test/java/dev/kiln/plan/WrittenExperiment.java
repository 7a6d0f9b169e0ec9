package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A WrittenExperiment reads experiments from a file in a folder of its own, as the tests write them. */
abstract class WrittenExperiment {
    static final String LOAD = "load: {url: 'http://localhost:8080/'}\n";

    @TempDir
    Path dir;

    final Experiment read(String yaml) throws IOException {
        return ExperimentFile.read(Files.writeString(dir.resolve("test.yaml"), yaml));
    }

    final void refused(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(KilnException.class).hasMessageContaining(message);
    }
}
