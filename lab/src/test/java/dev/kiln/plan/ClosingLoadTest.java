package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.ClosingLoad;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClosingLoadTest {
    private static final String LEAST = """
            target: {command: "java Main ${port}"}
            load: {url: "http://localhost:${port}/", connections: 4}
            """;

    @TempDir
    private Path folder;

    private Experiment read(String yaml) throws Exception {
        return ExperimentFile.read(Files.writeString(folder.resolve("closing.yaml"), yaml));
    }

    private static List<PlannedRun> closed(Experiment experiment) {
        return Schedule.of(experiment).runs().stream()
                .filter(run -> ClosingLoad.follows(experiment, run))
                .toList();
    }

    @Test
    void theFirstRunOfEachVariantHasOne() throws Exception {
        Experiment experiment = read(LEAST + "variants: {a: {}, b: {}}\nruns: 3\n");

        assertThat(closed(experiment))
                .hasSize(2)
                .allMatch(run -> run.run() == 1)
                .extracting(run -> run.variant().name())
                .containsExactlyInAnyOrder("a", "b");
        assertThat(Schedule.of(experiment)
                        .estimate()
                        .minus(Schedule.of(experiment.withoutClosing()).estimate()))
                .isEqualTo(ClosingLoad.TAKES.multipliedBy(2));
        assertThat(closed(experiment.withoutClosing())).isEmpty();
        assertThat(ClosingLoad.TAKES).isGreaterThan(ClosingLoad.PHASE.duration());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'protocol: [{load: 5s}]'                          | true
            'protocol: [{load: 20s}, {pause: 5s}, {load: 4s}]' | false
            'protocol: [{load: 4s}]'                          | false
            'observe: {jit: off, thread-dumps: off}'          | true
            'observe: {closing-recording: off}'               | false
            'observe: {flight-recorder: on}'                  | false
            'observe: {async-profiler: on}'                   | false
            'observe: {effect: on}'                           | false
            """)
    void itFollowsOnlyWhereItIsTheSameLoadAndNothingElseIsRecorded(String more, boolean follows) throws Exception {
        assertThat(closed(read(LEAST + more + "\n")).isEmpty()).isEqualTo(!follows);
    }

    @Test
    void requestsThatDifferAreNotSentTwice() throws Exception {
        assertThat(closed(read(LEAST.replace("/\"", "/${sequence}\"")))).isEmpty();
        assertThat(closed(read(LEAST.replace("/\"", "/${uuid}\"")))).isEmpty();
        assertThat(closed(read(LEAST.replace("/\"", "/same\"")))).hasSize(1);
    }

    @Test
    void whatKilnDidNotLaunchAndLevelsOfASweepHaveNone() throws Exception {
        assertThat(closed(read("""
                target: {attach: "port:8080"}
                load: {url: "http://localhost:8080/", connections: 4}
                protocol: [{load: 20s}]
                """))).isEmpty();
        assertThat(closed(read(LEAST.replace("connections: 4", "connections: [2, 4]"))))
                .isEmpty();
        assertThat(ClosingLoad.PHASE.duration()).isEqualTo(Duration.ofSeconds(5));
    }
}
