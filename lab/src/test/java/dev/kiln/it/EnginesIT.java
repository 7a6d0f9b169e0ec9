package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.evidence.RunReader;
import dev.kiln.host.Programs;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.LoadBin;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.RunInfo.Outcome;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole runs whose load an installed program sends. */
final class EnginesIT {
    private static final String EXPERIMENT = """
            target:
              command: %s --curve step:at=1,from=200,to=600
            load:
              url: http://localhost:${port}/
              connections: 4
              engine: ENGINE
            protocol: [{load: 3s}, {pause: 1s}, {load: 2s}]
            runs: 1
            """.formatted(Kiln.CURVE_SERVER);

    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.close();
    }

    private Answer run(String engine, String... more) {
        String file =
                sandbox.file("e.yaml", EXPERIMENT.replace("ENGINE", engine)).toString();
        List<String> command =
                List.of("run", file, "--results", sandbox.results().toString());
        return Kiln.inProcess(Stream.concat(command.stream(), Stream.of(more)).toArray(String[]::new));
    }

    @Test
    void aCurveFromH2load() {
        assumeTrue(Programs.find("h2load").isPresent(), "no h2load here");
        Answer answer = run("h2load");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = RunReader.read(sandbox.run("baseline"));
        assertThat(evidence.info().outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().driver()).startsWith("h2load ").contains("100 ms bins by completion");
        assertThat(evidence.load())
                .hasSizeGreaterThan(20)
                .allMatch(bin -> bin.endNanos() - bin.startNanos() <= 100_000_000);
        assertThat(evidence.latency()).isNotEmpty();
        assertThat(evidence.info().phases()).hasSize(3);
        assertThat(evidence.parts()).anyMatch(part -> part.part().equals("load") && part.cpuNanos() > 0);
        sandbox.awaitNoProcess();
    }

    @Test
    void totalsFromWrkAreNoCurve() {
        assumeTrue(Programs.find("wrk").isPresent(), "no wrk here");
        Answer answer = run("kiln", "--engine", "wrk");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = RunReader.read(sandbox.run("baseline"));
        assertThat(evidence.info().driver()).startsWith("wrk ").contains("no curve");
        assertThat(evidence.load()).hasSize(2);
        assertThat(evidence.load().stream().mapToLong(LoadBin::completed)).allMatch(completed -> completed > 0);
        assertThat(answer.out()).contains("only totals were kept");
    }
}
