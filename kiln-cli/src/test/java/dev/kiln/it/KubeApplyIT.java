package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A search on a deployment to its end, whose cure is put into the deployment. Its pods are containers of podman. */
@FullRun
@Isolated("measures")
final class KubeApplyIT {
    private final Cluster cluster = new Cluster();
    private final Sandbox sandbox = cluster.sandbox();
    private final int port = Ports.free();
    private final String set = "kubectl set env deployment/" + cluster.app() + " -n shop";
    private final Path results = sandbox.results().resolve("tune");
    private final Path json = sandbox.root().resolve("tune.json");

    @AfterEach
    void leaveNothing() {
        cluster.close();
    }

    private Answer tune(String... more) {
        Path experiment = sandbox.file("shop.yaml", """
                target: {attach: 'kube:shop/deployment/%s', restart: %s JAVA_TOOL_OPTIONS}
                load: {url: 'http://localhost:%d/', connections: 20}
                variants:
                  slow:
                  quick: {environment: {JAVA_TOOL_OPTIONS: -Dquick=true}}
                protocol: [{load: 5s}, {pause: 1s}, {load: 2s}]
                """.formatted(cluster.app(), set, port));
        List<String> words = new ArrayList<>(List.of("tune", experiment.toString(), "--results", results.toString()));
        words.addAll(List.of("--json", json.toString(), "--candidates", "quick"));
        words.addAll(List.of(more));
        return cluster.kiln(words.toArray(String[]::new)).end();
    }

    @Test
    void aProvenCureIsPutIntoTheDeploymentAndNothingOfItBefore() throws IOException {
        cluster.deployment(port, "", ":");
        Answer answer = tune();
        assumeFalse(
                answer.err().contains("no run of slow is valid") || answer.exit() == 4,
                "the machine is too crowded to decide on a cure");

        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.humane()).as(answer.err()).isTrue();
        JsonNode found = JsonMapper.shared().readTree(Files.readString(json));
        assertThat(found.at("/winner/name").asString()).as(answer.out()).isEqualTo("quick");
        assertThat(found.at("/asWritten/run/tookEffect").asBoolean()).isTrue();
        assertThat(answer.out())
                .contains("kubernetes.yaml (its environment is what the run had, and nothing else of it was applied)");
        assertThat(Files.readString(results.resolve("tuned/kubernetes.yaml")))
                .contains(
                        "kubectl patch deployment " + cluster.app() + " -n shop",
                        "kubectl set env -n shop -c app deployment/" + cluster.app()
                                + " JAVA_TOOL_OPTIONS=-Dquick=true",
                        "\n  name: " + cluster.app() + "\n",
                        "- name: app\n");
        assertThat(cluster.text("env")).as("as it was").isEmpty();
        int sets = cluster.sets().size();

        Answer applied = tune("--apply", "--yes");

        assertThat(applied.exit()).as(applied.err()).isZero();
        assertThat(applied.humane()).as(applied.err()).isTrue();
        assertThat(cluster.sets())
                .as("nothing is run twice")
                .hasSize(sets + 1)
                .last()
                .isEqualTo("JAVA_TOOL_OPTIONS=-Dquick=true KILN_RUN=N");
        assertThat(cluster.text("env")).contains("JAVA_TOOL_OPTIONS=-Dquick=true\n");
        assertThat(applied.err().replaceAll("\\s+", " "))
                .contains(
                        "applied: the service runs with it as process 1 of pod shop/" + cluster.app() + "-",
                        "-Dquick=true (its start is in " + results.resolve("8-applied/quick/1") + ")",
                        "the deployment keeps it until its own files are applied again; to keep it in them: "
                                + results.resolve("tuned/kubernetes.yaml"),
                        "to undo it: cd " + sandbox.root() + " && " + set + " -c app JAVA_TOOL_OPTIONS- KILN_RUN-");
        assertThat(sandbox.remains()).isEmpty();
        whatDoesNotWorkIsUndone();
    }

    private void whatDoesNotWorkIsUndone() {
        cluster.deployment(port, "", "unset JAVA_TOOL_OPTIONS");
        Answer deaf = tune("--apply", "--yes");

        assertThat(deaf.exit()).as(deaf.err()).isEqualTo(1);
        assertThat(deaf.humane()).as(deaf.err()).isTrue();
        assertThat(deaf.err().replaceAll("\\s+", " "))
                .contains(
                        "not applied: it had no effect: the JVM that served was not given -Dquick=true",
                        "JAVA_TOOL_OPTIONS- KILN_RUN-) started the service again as it was")
                .doesNotContain("to undo it");
        assertThat(cluster.text("env")).isEmpty();
        assertThat(sandbox.remains()).isEmpty();
    }
}
