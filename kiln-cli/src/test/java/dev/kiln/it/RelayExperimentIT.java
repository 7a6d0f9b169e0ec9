package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.runner.Bench;
import dev.kiln.runner.BuiltWorkloads;
import dev.kiln.testing.FullRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The study of JDK against JDK in small: a workload with a backend, under its own load. */
@FullRun
final class RelayExperimentIT extends InSandbox {
    private static final String EXPERIMENT = """
            target:
              workload: relay
              jvmFlags: -Xmx512m -XX:+UseSerialGC
            load:
              calls:
                - method: POST
                  url: http://localhost:${port}/echo?calls=5&delay=10
                  headers: {Content-Type: text/plain}
                  body: '${text:100000}'
                  bodyContains: xxx
              connections: 4
            protocol: [{load: 4s}]
            runs: 1
            """;

    @Test
    void theBackendIsAPartOfTheLabAndGoneWithTheRun() {
        BuiltWorkloads.ready("relay");
        Path file = sandbox.file("relay.yaml", EXPERIMENT);
        // Of a Kiln that runs elsewhere, nobody knows where the workloads are.
        ProcessBuilder jvm = sandbox.jvm().directory(Bench.root().toFile());
        Answer answer = Kiln.start(
                        sandbox,
                        jvm,
                        "run",
                        file.toString(),
                        "--results",
                        sandbox.results().toString())
                .end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        Path run = sandbox.run("baseline");
        RunEvidence evidence = RunReader.read(run);
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().launch().environment().get("RELAY_SERVICE")).matches("http://127.0.0.1:\\d{4}");
        assertThat(evidence.info().cpus().notes()).noneMatch(note -> note.contains("database"));
        assertThat(evidence.load().stream().mapToLong(LoadBin::completed).sum()).isPositive();
        assertThat(evidence.load()).allMatch(bin -> bin.errors().total() == 0);
        List<PartSample> backend = evidence.parts().stream()
                .filter(part -> part.part().equals("backend"))
                .toList();
        assertThat(backend.getLast().cpuNanos())
                .isGreaterThan(backend.getFirst().cpuNanos());
        assertThat(run.resolve("backend.log")).exists();
        sandbox.awaitNoProcess();
    }
}
