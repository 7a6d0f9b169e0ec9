package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The screens of a search, on a service whose script lets its JVM interpret all code. */
@FullRun
@Isolated("measures")
final class TuneScreenIT {
    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    /**
     * A variant of the user's has its script take the flag away, which cures at once. Kiln's own remedy comes by a variable, which
     * the command line of the script overrules.
     */
    @Test
    void aCureIsSeenInSecondsAndWhatHasNoEffectIsOut() throws IOException {
        String java = Kiln.FAULT_SERVER.replace("${port}", "$1").replaceFirst(" -cp ", " \\$MODE -cp ");
        Path script = sandbox.file("start.sh", "exec " + java + " --work methods:20\n");
        Path experiment = sandbox.file("service.yaml", """
                target:
                  command: sh %s ${port}
                variants:
                  slow:
                    environment: {MODE: -Xint}
                  mixed:
                    environment: {MODE: -Xmixed}
                load:
                  url: http://localhost:${port}/
                  connections: 4
                protocol: [{load: 30s}, {pause: 1s}, {load: 2s}]
                """.formatted(script));
        Path results = sandbox.results().resolve("tune");
        Path plan = results.resolve("tune.json");

        Kiln kiln = Kiln.start(
                sandbox,
                "tune",
                experiment.toString(),
                "--results",
                results.toString(),
                "--budget",
                "10m",
                "--candidates",
                "mixed,xmixed");
        Waiting.until(
                "the screens",
                () -> kiln.err().contains("screened, ") || kiln.err().contains("5-proof") || !kiln.isAlive());
        kiln.signal("INT");
        Answer answer = kiln.end();
        assumeFalse(
                answer.err().contains("no run of slow is valid")
                        || answer.err().contains(" counts: ")
                        || !answer.err().contains("screened, "),
                "the machine is too crowded");

        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        assertThat(answer.err())
                .contains(
                        "each screened by at most 30 s of load",
                        "1-baseline: 1 run of slow",
                        "2-screen: 2 short runs of mixed, xmixed");
        assertThat(results.resolve("1-baseline/slow/1/load.csv")).exists();
        assertThat(results.resolve("2-screen/mixed/1/load.csv")).exists();
        assertThat(results.resolve("2-screen/xmixed/1/load.csv")).exists();
        JsonNode candidates = JsonMapper.shared()
                .readTree(Files.readString(plan))
                .path("table")
                .path("candidates");
        assertThat(candidates.at("/0/name").asString()).isEqualTo("mixed");
        assertThat(candidates.at("/0/outcome").asString()).isEqualTo("OPEN");
        assertThat(candidates.at("/0/why").asString())
                .as("it needs no 30 s")
                .matches("after 2\\d s of load it was on the way to \\d+ % more requests than the baseline \\(\\+.*");
        assertThat(candidates.at("/1/name").asString()).isEqualTo("xmixed");
        assertThat(candidates.at("/1/outcome").asString()).isEqualTo("OUT");
        assertThat(candidates.at("/1/why").asString())
                .isEqualTo("it had no effect: the command line has -Xint, which wins over -Xmixed");
    }
}
