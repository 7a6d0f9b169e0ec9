package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gate that runs its blocks itself, on targets whose capacity is known. */
@FullRun
@Isolated("measures")
final class GateLooksIT {
    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    /** Twice the requests is beyond any tolerance at the first look; no further block is run. */
    @Test
    void stopsAtTheLookThatDecides() {
        Path experiment = sandbox.file(
                "release.yaml",
                "target:\n  command: " + Kiln.CURVE_SERVER + "\n"
                        + "variants:\n"
                        + "  before:\n    arguments: --curve step:at=1,from=400,to=800\n"
                        + "  after:\n    arguments: --curve step:at=1,from=200,to=400\n"
                        + "load:\n  url: http://localhost:${port}/\n  connections: 50\nruns: 2\nrepeat: false\n"
                        + "protocol: [{load: 2s}, {pause: 1s}, {load: 2s}]\n");
        Path tolerance = sandbox.file("tolerances.yaml", "peak: -20\n");
        Path json = sandbox.root().resolve("gate.json");

        Answer answer = Kiln.inProcess(
                "gate",
                "--until-decided",
                experiment.toString(),
                "--tolerance",
                tolerance.toString(),
                "--results",
                sandbox.results().toString(),
                "--json",
                json.toString());

        assertThat(answer.humane()).as(answer.err()).isTrue();
        String said = (answer.out() + answer.err()).replaceAll("\\s+", " ");
        assumeTrue(
                Stream.of("other programs took", "stall of the load generator").noneMatch(said::contains),
                "the machine is too crowded: " + said);
        JsonNode gate = new JsonMapper().readTree(json);
        assertThat(gate.get("baseline").asString()).isEqualTo("before");
        assertThat(gate.get("verdict").asString())
                .as(answer.out() + answer.err())
                .isEqualTo("FAIL");
        assertThat(gate.get("look").asInt()).isEqualTo(1);
        assertThat(gate.get("looks").asInt()).isEqualTo(3);
        assertThat(gate.at("/metrics/0/changePct").asDouble()).isBetween(-60.0, -40.0);
        assertThat(answer.exit()).isEqualTo(1);
        assertThat(answer.err()).contains("look 1 of 3: FAIL");
    }
}
