package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A search on a service whose curve is known, ended once and gone on with. */
@FullRun
@Isolated("measures")
final class TuneProofIT {
    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    @Test
    void theBetterVariantIsProvenAndHandedOver() throws IOException {
        Path experiment = sandbox.file("service.yaml", """
                target:
                  command: %s
                variants:
                  slow:
                    arguments: --curve step:at=3,from=100,to=400
                  quick:
                    arguments: --curve step:at=1,from=100,to=400
                    environment: {WARM: soon}
                load:
                  url: http://localhost:${port}/
                  connections: 20
                protocol: [{load: 5s}, {pause: 1s}, {load: 2s}]
                """.formatted(Kiln.CURVE_SERVER));
        Path results = sandbox.results().resolve("tune");
        Path json = sandbox.root().resolve("tune.json");
        String[] words = {"tune", experiment.toString(), "--results", results.toString(), "--json", json.toString()};

        Kiln kiln = Kiln.start(sandbox, words);
        Waiting.until(
                "a run of the proof",
                () -> Files.exists(results.resolve("5-proof-quick/quick/1/load.csv")) || !kiln.isAlive());
        kiln.signal("INT");
        Answer interrupted = kiln.end();
        assumeFalse(interrupted.err().contains("no run of slow is valid"), "the machine is too crowded");
        assertThat(interrupted.exit()).as(interrupted.err()).isEqualTo(130);
        assertThat(interrupted.err()).contains("goes on");
        sandbox.awaitNoProcess();
        JsonNode soFar = JsonMapper.shared()
                .readTree(Files.readString(results.resolve("tune.json")))
                .path("table");
        assertThat(soFar.path("baseline").asString()).isEqualTo("slow");
        assertThat(soFar.path("verdict").isNull()).as("it goes on").isTrue();
        assertThat(soFar.at("/candidates/0/name").asString()).isEqualTo("quick");
        List<Path> baseline = runs(results.resolve("1-baseline"));

        Answer answer = Kiln.start(sandbox, words).end();
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(runs(results.resolve("1-baseline")))
                .as("nothing is run twice")
                .isEqualTo(baseline);
        JsonNode found = JsonMapper.builder().build().readTree(Files.readString(json));
        assertThat(found.at("/tried/0/name").asString()).isEqualTo("quick");
        assertThat(found.at("/tried/0/changes/0").asString()).isEqualTo("environment WARM=soon");
        assumeFalse(
                answer.exit() == 4 && found.get("verdict").asString().equals("cannot tell"),
                "the machine is too crowded to decide on a cure");
        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(found.get("verdict").asString()).as(answer.out()).isEqualTo("improved");
        assertThat(found.at("/winner/name").asString()).isEqualTo("quick");
        assertThat(found.at("/effect/hi").asDouble()).isLessThan(0.6);
        assertThat(found.at("/winner/deficitSeconds").asDouble())
                .isLessThan(found.at("/baseline/deficitSeconds").asDouble());
        assertThat(results.resolve("5-proof-quick/report.html")).exists();
        JsonNode table = JsonMapper.shared()
                .readTree(Files.readString(results.resolve("tune.json")))
                .path("table");
        assertThat(table.path("verdict").asString()).startsWith("Improved: with quick");
        assertThat(table.at("/candidates/0/outcome").asString()).isEqualTo("PROVEN");
        Path tuned = Path.of(found.get("tuned").asString());
        assertThat(Files.readString(tuned.resolve("service.env")))
                .contains("\nWARM=soon\n", "# Proven by the runs in " + results.resolve("5-proof-quick"));
        assertThat(Files.readString(tuned.resolve("systemd.conf"))).contains("[Service]\nEnvironment=\"WARM=soon\"\n");
        assertThat(Files.readString(tuned.resolve("kubernetes.yaml")))
                .contains("            - name: WARM\n              value: 'soon'\n");
        assertThat(found.at("/asWritten/run/stage").asString()).isEqualTo("7-as-written");
        assertThat(found.at("/asWritten/run/tookEffect").isNull())
                .as("nobody sees whether a program reads a variable")
                .isTrue();
        assertThat(found.at("/asWritten/files/0/tried").asBoolean()).isTrue();
        assertThat(found.at("/asWritten/files/0/why").asString())
                .contains("whether the service reads WARM does not show", "--curve step:at=1,from=100,to=400");
        Path written = results.resolve("7-as-written/quick-as-written");
        assertThat(written.resolve("1/closing"))
                .as("what holds it back is not asked of it")
                .doesNotExist();
        assertThat(Files.readString(written.resolve("1/run.json"))).contains("\"WARM\" : \"soon\"");
        assertThat(answer.out())
                .contains("Tried once as written (service.env): ", "Not tried as written: ", "kubernetes.yaml (");
        // All of it has run: the same question costs nothing, however little of the budget is left.
        Path plan = results.resolve("tune.json");
        Files.writeString(plan, Files.readString(plan).replaceFirst("(\"spentSeconds\"\\s*:\\s*)[0-9.E]+", "$13590.0"));
        Answer same = Kiln.start(sandbox, words).end();
        assertThat(same.exit()).as(same.err()).isZero();
        assertThat(same.out()).contains("Improved: with quick");
        assertThat(tuned.resolve("service.env")).exists();
        assertThat(same.out()).contains("Tried once as written (service.env): ");
        assertThat(written.resolve("2")).as("nothing is run twice").doesNotExist();
    }

    /** The JVM refuses to record a cache without its shared archive. */
    @Test
    void aCandidateWhoseCacheCannotBeMadeDoesNotEndTheSearch() throws IOException {
        Path experiment = sandbox.file("service.yaml", """
                target:
                  command: %s
                variants:
                  plain:
                    arguments: --curve step:at=1,from=100,to=400
                  cached:
                    arguments: --curve step:at=1,from=100,to=400
                    jvmFlags: [-Xshare:off]
                    aot: {train: startup}
                load:
                  url: http://localhost:${port}/
                  connections: 20
                protocol: [{load: 3s}, {pause: 1s}, {load: 1s}]
                """.formatted(Kiln.CURVE_SERVER));
        Path json = sandbox.root().resolve("tune.json");
        Answer answer = Kiln.start(sandbox, "tune", experiment.toString(), "--json", json.toString())
                .end();
        assumeFalse(answer.err().contains("no run of plain is valid"), "the machine is too crowded");
        assertThat(answer.exit()).as(answer.err()).isEqualTo(4);
        JsonNode found = JsonMapper.builder().build().readTree(Files.readString(json));
        assertThat(found.at("/tried/0/outcome").asString()).contains("the AOT cache of cached could not be made");
        assertThat(found.get("verdict").asString()).isEqualTo("cannot tell");
    }

    private static List<Path> runs(Path stage) {
        try (Stream<Path> tree = Files.walk(stage, 2)) {
            return tree.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
