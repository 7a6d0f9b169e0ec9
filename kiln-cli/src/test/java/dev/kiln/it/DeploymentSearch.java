package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;

/** Searches on the deployment of a cluster of their own. */
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
abstract class DeploymentSearch {
    final Cluster cluster = new Cluster();
    final Sandbox sandbox = cluster.sandbox();
    final int port = Ports.free();
    final String set = "kubectl set env deployment/" + cluster.app() + " -n shop";
    private final Path results = sandbox.results().resolve("tune");

    @AfterEach
    void leaveNothing() {
        cluster.close();
    }

    final String experiment(String more) {
        return sandbox.file("shop.yaml", """
                        target: {attach: 'kube:shop/deployment/%s', restart: %s JAVA_TOOL_OPTIONS}
                        load: {url: 'http://localhost:%d/', connections: 20}
                        %s
                        """.formatted(cluster.app(), set, port, more))
                .toString();
    }

    final Kiln tune() {
        return cluster.kiln(
                "tune",
                experiment("protocol: [{load: 60s}, {pause: 1s}, {load: 20s}]"),
                "--results",
                results.toString());
    }

    final Kiln tuneToTheBaseline() {
        Path load = results.resolve("1-baseline/baseline/1/load.csv");
        return tune().await("load of the baseline", () -> load.toFile().length() > 1000);
    }

    /** Somebody else changes the variable; returns what the deployment has since. */
    final String changedByOthers() {
        String theirs = cluster.text("env").replace("-Down=1", "-Dtheirs=1");
        sandbox.file("env", theirs);
        return theirs;
    }

    static String plain(Answer answer) {
        assertThat(answer.humane()).as(answer.err()).isTrue();
        return answer.err().replaceAll("\\s+", " ");
    }
}
