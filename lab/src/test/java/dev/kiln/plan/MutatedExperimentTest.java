package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.Mutations;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An experiment file is an experiment, or every fault in it is told by its line. */
class MutatedExperimentTest {
    @TempDir
    Path folder;

    @Test
    void anyFileIsReadOrRefused() throws IOException {
        String sample = Files.readString(Path.of("../experiments/when-the-jit-cant-keep-up.yaml"))
                .replaceAll("(?m)^#.*\\n", "");
        Path file = folder.resolve("mutated.yaml");
        Mutations.of(sample, Mutations.some(500), text -> {
            try {
                Files.writeString(file, text);
                assertThat(ExperimentFile.read(file)).isNotNull();
            } catch (KilnException e) {
                assertThat(e.getMessage()).contains("mutated");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
