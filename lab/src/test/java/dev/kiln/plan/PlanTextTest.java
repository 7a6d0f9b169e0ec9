package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Experiment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanTextTest {
    @Test
    void saysWhatRunsInWhichOrderAndHowLong() {
        Experiment demo = ExperimentFile.read(Path.of("../experiments/demo.yaml"));
        assertThat(PlanText.render(demo, Schedule.of(demo))).isEqualTo("""
                demo: 2 variants x 1 run, likely 7 min, at most 24 min, without builds

                  load         GET http://localhost:${port}/fruits
                               100 connections, closed loop, timeout 30 s
                  database     PostgreSQL, a new one for each run
                  CPUs         auto
                  seed         1
                  repeats      Kiln repeats a run that the machine disturbed, at most 1 of a variant

                each run: protocol custom, 3 min 10 s typically, 11 min 30 s at most
                  warmup       1 min 30 s load
                  reference    no load until the compilers are quiet, at most 1 min, then 15 s load
                               again while the level rises by more than 3 %, the first round is not known to be within 5 % of the load before, a round is not level or was disturbed, or C2 has work or was not seen, at most 8 times
                  closing      5 s load under a flight recording, after all of a variant's first run was measured

                variant platform
                  workload     fruits-spring
                  JVM flags    -Xmx512m -XX:+UseSerialGC
                  ready        at the first good response, within 2 min

                variant virtual
                  workload     fruits-spring, with virtual threads
                  JVM flags    -Xmx512m -XX:+UseSerialGC
                  ready        at the first good response, within 2 min

                order
                  block 1      platform, virtual
                """);
    }

    /** It said "of the peak" of several variants too. */
    @Test
    void saysOfWhatTheIntervalDecidesHowManyRunsThereAre(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("x.yaml");
        String one = """
                runs: until-decided:5%:5-10
                target: {command: [java, demo.App]}
                load: {url: http://localhost:8080/}
                """;
        Files.writeString(file, one);
        Experiment alone = ExperimentFile.read(file);
        assertThat(PlanText.extent(alone, Schedule.of(alone)))
                .startsWith("1 variant x 5 to 10 runs (until the interval of the peak is within 5 %), ");
        Files.writeString(file, one + """
                variants:
                  a: {}
                  b: {jvmFlags: [-Xmx64m]}
                """);
        Experiment two = ExperimentFile.read(file);
        assertThat(PlanText.extent(two, Schedule.of(two)))
                .startsWith("2 variants x 5 to 10 runs (until the interval of each peak's ratio to that of the first"
                        + " variant is within 5 %), ");
    }

    /** A plan is pasted into issues and logs. */
    @Test
    void showsNoSecret(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("x.yaml");
        Files.writeString(file, """
                target:
                  command: [java, -Ddb.pass=hunter2, demo.App, --password, -hunter2, "--api-key=hunter2 hunter2"]
                  environment: {DB_PASSWORD: hunter2, DATABASE_URL: "postgres://me:hunter2@h/db"}
                load:
                  url: http://localhost:8080/fruits?access_token=hunter2
                """);
        Experiment experiment = ExperimentFile.read(file);
        assertThat(PlanText.render(experiment, Schedule.of(experiment)))
                .contains("***", "DB_PASSWORD=***", "-Ddb.pass=***")
                .doesNotContain("hunter2");
    }
}
