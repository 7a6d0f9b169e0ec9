package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.SweepLevel;
import dev.kiln.plan.load.Sweep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepTest {
    @TempDir
    private Path dir;

    private Path file(String connections) throws IOException {
        return Files.writeString(
                dir.resolve("s.yaml"),
                "target: {command: java Main}\nvariants: {a: {}, b: {}}\nload: {url: 'http://localhost:8080/',"
                        + " connections: " + connections + "}\n");
    }

    @Test
    void eachLevelOfEachVariantIsAVariant() throws IOException {
        Experiment experiment = ExperimentFile.read(file("[1, 20]"));
        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("a-c1", "a-c20", "b-c1", "b-c20");
        assertThat(experiment.variants())
                .extracting(variant -> experiment.loadOf(variant).connections())
                .containsExactly(1, 20, 1, 20);
        assertThat(experiment.load().connections())
                .as("what caches are trained with")
                .isEqualTo(20);
        assertThat(PlanText.render(experiment, Schedule.of(experiment))).contains("1, 20 connections, closed loop");
    }

    @Test
    void theCommandLinesLevelsReplaceTheFiles() throws IOException {
        assertThat(ExperimentFile.read(file("[1, 20]"), List.of(3)).variants())
                .extracting(Variant::name)
                .containsExactly("a-c3", "b-c3");
        assertThat(ExperimentFile.read(file("50"), List.of(3, 4)).variants()).hasSize(4);
    }

    @Test
    void oneNumberIsNoSweep() throws IOException {
        Experiment experiment = ExperimentFile.read(file("50"));
        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("a", "b");
        assertThat(experiment.loadOf(experiment.variants().getFirst()).connections())
                .isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[0]", "[1, 1]", "[1, many]", "[100001]", "[1234567]"})
    void levelsThatAreNoneAreToldWithTheirLine(String connections) throws IOException {
        Path file = file(connections);
        assertThatThrownBy(() -> ExperimentFile.read(file))
                .hasMessage(
                        file + ":3: connections: found a list, expected a whole number from 1 to 100000, or a list of"
                                + " different ones");
    }

    @Test
    void levelsOfTheCommandLine() {
        assertThat(Sweep.levels("--connections", "1, 5,10")).containsExactly(1, 5, 10);
        for (String bad : List.of("", "1,", "a", "1,1", "0", "9999999")) {
            assertThatThrownBy(() -> Sweep.levels("--connections", bad))
                    .hasMessage("--connections: found '" + bad
                            + "', expected a whole number from 1 to 100000, or a list of different ones");
        }
    }

    @Test
    void aLevelIsKnownByItsNameAndItsConnections() {
        assertThat(SweepLevel.of("a-c5", 5)).hasValue(new SweepLevel("a", 5));
        assertThat(SweepLevel.of("a-c15", 5)).isEmpty();
        assertThat(SweepLevel.of("a-c5", 100)).isEmpty();
        assertThat(SweepLevel.of("-c5", 5)).isEmpty();
        assertThat(new SweepLevel("a-b", 7).variant()).isEqualTo("a-b-c7");
    }
}
