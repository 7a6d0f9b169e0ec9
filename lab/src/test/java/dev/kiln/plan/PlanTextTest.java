package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.Experiment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PlanTextTest {
    @Test
    void saysWhatRunsInWhichOrderAndHowLong() {
        Experiment demo = ExperimentFile.read(Path.of("../experiments/demo.yaml"));
        assertThat(PlanText.render(demo, Schedule.of(demo))).isEqualTo("""
                demo: 2 variants x 1 run, about 3 min 46 s without builds

                  load         GET http://localhost:${port}/fruits
                               100 connections, closed loop, timeout 30 s
                  database     PostgreSQL, afresh for each run
                  CPUs         auto
                  seed         1

                each run: protocol custom, 1 min 35 s
                  warmup       1 min load
                  pause        15 s no load
                  measure      20 s load

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
}
