package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.RecordedRuns;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.runner.RunControl.Judge;
import dev.kiln.runner.UnaskedJudge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short runs of a screen: how long they are with each load generator, and what ends them. */
class ScreenRunsTest {
    @TempDir
    Path folder = Path.of("");

    private Phase.Load screen(String engine) throws IOException {
        Files.writeString(folder.resolve("greeter.proto"), "syntax = \"proto3\";\n");
        Path file = Files.writeString(folder.resolve("service.yaml"), """
                target: {command: sh start.sh, arguments: "${port}"}
                load: {url: 'http://localhost:${port}/', connections: 4%s}
                protocol: load=60s,pause=15s,load=20s
                """.formatted(engine));
        return (Phase.Load)
                ScreenRuns.protocol(ExperimentFile.read(file)).phases().getFirst();
    }

    @Test
    void aScreenEndsEarlyWhereItsSecondsAreTold() throws IOException {
        Phase.Load own = screen("");
        assertThat(own.duration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(own.untilSteadyFrom()).hasValue(Duration.ofSeconds(20));
        for (String engine : List.of(", engine: h2load", ", engine: vegeta")) {
            Phase.Load other = screen(engine);
            assertThat(other.duration())
                    .as("as long as that of the baseline" + engine)
                    .isEqualTo(Duration.ofSeconds(60));
            assertThat(other.untilSteadyFrom()).hasValue(Duration.ofSeconds(20));
        }
        Phase.Load blind = screen(", engine: ghz, ghz: {call: a.Greeter/Say, proto: greeter.proto}");
        assertThat(blind.duration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(blind.untilSteadyFrom()).isEmpty();
    }

    private static double[] run(int seconds, double rate) {
        double[] run = new double[seconds];
        Arrays.fill(run, rate);
        return run;
    }

    private Judge judge(boolean baselineFirst) {
        TuneStage before = new TuneStage(folder.resolve("1-baseline"));
        new RecordedRuns(before.folder()).variant(List.of("v"), "v", 2, 1, 1000);
        return new ScreenRuns(new TuneStage(folder.resolve("2-screen")), before, "v", 60)
                .judge(new UnaskedJudge(), baselineFirst);
    }

    @Test
    void aRunEndsAsSoonAsItIsDecidedAndAtSecondThirtyAtTheLatest() {
        Judge judge = judge(false);
        assertThat(judge.steady(run(20, 1000))).as("as good as the baseline").isFalse();
        assertThat(judge.steady(run(25, 1000))).isFalse();
        assertThat(judge.steady(run(30, 1000))).isTrue();
        assertThat(judge.steady(run(20, 3000))).as("the next candidate").isTrue();
        assertThat(judge.steady(run(20, 300))).isTrue();
        assertThat(judge.steady(run(20, 1000))).isFalse();
    }

    @Test
    void aRunOfTheBaselineItselfIsComparedWithNothing() {
        Judge judge = judge(true);
        assertThat(judge.steady(run(20, 3000))).isFalse();
        assertThat(judge.steady(run(25, 3000))).isFalse();
        assertThat(judge.steady(run(30, 3000))).isTrue();
        assertThat(judge.steady(run(20, 3000))).as("the first candidate").isTrue();
    }
}
