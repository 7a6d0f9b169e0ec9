package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentReaderTest {
    @TempDir
    Path results;

    private void run(String variant, int run, long launch) {
        try (RunWriter writer = new RunWriter(results.resolve(variant).resolve(Integer.toString(run)))) {
            writer.write(Samples.info(variant, run, launch));
        }
    }

    @Test
    void runsComeInTheOrderTheyWereLaunched() throws Exception {
        run("spring", 1, 3000);
        run("quarkus", 1, 1000);
        run("quarkus", 2, 2000);
        Files.createDirectories(results.resolve("quarkus/3"));
        assertThat(ExperimentReader.find(results).directories())
                .containsExactly(
                        results.resolve("quarkus/1"), results.resolve("quarkus/2"), results.resolve("spring/1"));
    }

    @Test
    void anUnreadableRunDoesNotCostTheOthers() throws Exception {
        run("spring", 1, 1000);
        run("spring", 2, 2000);
        Files.writeString(results.resolve("spring/1/run.json"), "{");
        ExperimentReader.ExperimentRuns runs = ExperimentReader.find(results);
        assertThat(runs.directories()).containsExactly(results.resolve("spring/2"));
        assertThat(runs.unreadable()).singleElement().asString().contains("spring/1/run.json");
    }

    /** A run.json that somebody else wrote may have any name in it. */
    @Test
    void aRunIsNoneThatLiesElsewhere() throws Exception {
        run("quarkus", 1, 1000);
        run("spring", 1, 1000);
        Path quarkus = results.resolve("quarkus");
        Files.createSymbolicLink(quarkus.resolve("linked"), results.resolve("spring"));

        assertThat(ExperimentReader.directory(results, "quarkus", 1)).isEqualTo(quarkus.resolve("1"));
        for (String name :
                List.of("../spring", "linked", results.resolve("spring").toString(), "\0")) {
            assertThatThrownBy(() -> ExperimentReader.directory(quarkus, name, 1))
                    .isInstanceOf(KilnException.class)
                    .hasMessage("no run " + name + "/1 in " + quarkus);
        }
    }

    @Test
    void aFolderWithoutRunsIsAnError() {
        assertThatThrownBy(() -> ExperimentReader.find(results))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("no run that can be read");
    }
}
