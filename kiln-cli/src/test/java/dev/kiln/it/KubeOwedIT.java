package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is owed to a deployment where the cluster does not tell, or Kiln is killed. Its pods are containers of podman. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class KubeOwedIT {
    private final Cluster cluster = new Cluster();
    private final Sandbox sandbox = cluster.sandbox();
    private final int port = Ports.free();
    private final String set = "kubectl set env deployment/" + cluster.app() + " -n shop";
    private final Path results = sandbox.results().resolve("tune");

    @AfterEach
    void leaveNothing() {
        cluster.close();
    }

    private Kiln tuneToTheBaseline() {
        Path experiment = sandbox.file("shop.yaml", """
                target: {attach: 'kube:shop/deployment/%s', restart: %s JAVA_TOOL_OPTIONS}
                load: {url: 'http://localhost:%d/', connections: 20}
                protocol: [{load: 60s}, {pause: 1s}, {load: 20s}]
                """.formatted(cluster.app(), set, port));
        Path load = results.resolve("1-baseline/baseline/1/load.csv");
        return cluster.kiln("tune", experiment.toString(), "--results", results.toString())
                .await("load of the baseline", () -> load.toFile().length() > 1000);
    }

    private static String plain(Answer answer) {
        assertThat(answer.humane()).as(answer.err()).isTrue();
        return answer.err().replaceAll("\\s+", " ");
    }

    /** A Kiln that has nothing to do with the deployment. */
    private Answer another() {
        Path other = sandbox.file(
                "other.yaml",
                "target: {command: 'true'}\nload: {url: 'http://localhost:1/'}\nruns: 1\nprotocol: [{load: 1s}]\n");
        return cluster.kiln(
                        "run",
                        other.toString(),
                        "--results",
                        sandbox.root().resolve("other").toString())
                .end();
    }

    @Test
    void aClusterThatDoesNotTellGetsItsOwnBackLaterAndOnlyWhereNobodyElseSetIt() throws IOException {
        cluster.deployment(port, "-Down=1", ":");
        Kiln kiln = tuneToTheBaseline();
        String theirs = cluster.text("env").replace("-Down=1", "-Dtheirs=1");
        sandbox.file("env", theirs);
        Path cut = sandbox.file("cut", "");
        assertThat(plain(kiln.signal("INT").end())).contains("i/o timeout", "the next Kiln runs it, or");
        Files.delete(cut);

        assertThat(another().err()).contains("was run (nothing was set: the deployment does not have what a run");
        assertThat(cluster.text("env")).isEqualTo(theirs);
        assertThat(sandbox.remains()).isEmpty();
    }

    /** What it did not tell at first is asked again, before anybody waits for pods that no command has made. */
    @Test
    void aClusterThatDoesNotTellAtFirstIsAskedAgain() {
        cluster.deployment(port, "-Down=1", ":");
        Kiln kiln = tuneToTheBaseline();
        String theirs = cluster.text("env").replace("-Down=1", "-Dtheirs=1");
        sandbox.file("env", theirs);
        sandbox.file("cuts", "the look for the pod\nthe look for the variables\n");

        Answer answer = kiln.signal("INT").end();

        assertThat(plain(answer))
                .contains("somebody else has changed the variables of deployment shop/" + cluster.app())
                .doesNotContain("brought no new process", "did not end in time");
        assertThat(cluster.text("env")).isEqualTo(theirs);
        assertThat(sandbox.remains()).isEmpty();
    }

    /** A command that a killed Kiln owes and that fails is run by each next one, once. */
    @Test
    void whatAKilledKilnOwesIsRunOnce() {
        cluster.deployment(port, "", ":");
        sandbox.file("owed.yaml", """
                target: {command: sleep 100, environment: {PORT: '${port}'}, afterRun: [sh, -c, 'echo x >> owed; exit 1']}
                load: {url: 'http://localhost:${port}/'}
                runs: 1
                """);
        cluster.kiln(
                        "run",
                        "owed.yaml",
                        "--results",
                        sandbox.root().resolve("other").toString())
                .await("the run", () -> !sandbox.pids("sleep 100").isEmpty())
                .signal("KILL")
                .end();

        Answer answer = tuneToTheBaseline().signal("INT").end();

        assertThat(plain(answer)).contains("afterRun");
        assertThat(cluster.text("owed")).isEqualTo("x\n");
    }

    @Test
    void aKilledKilnOwesTheDeploymentItsVariable() {
        cluster.deployment(port, "-Down=1", ":");
        sandbox.file("context", "staging");
        Kiln killed = tuneToTheBaseline();
        sandbox.file("context", "production");
        killed.signal("KILL").end();
        assertThat(cluster.text("env")).contains("KILN_RUN=");

        assertThat(another().err())
                .contains(
                        "restart (" + set
                                + " -c app --context staging JAVA_TOOL_OPTIONS=-Down=1 KILN_RUN-), which a killed Kiln left to do, was run");
        assertThat(cluster.text("env")).isEqualTo("JAVA_TOOL_OPTIONS=-Down=1\n");
        assertThat(sandbox.remains()).isEmpty();
    }
}
