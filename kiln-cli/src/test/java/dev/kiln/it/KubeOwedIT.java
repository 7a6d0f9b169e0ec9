package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is owed to a deployment where the cluster does not tell, or Kiln is killed. Its pods are containers of podman. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
final class KubeOwedIT extends DeploymentSearch {
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
        String theirs = changedByOthers();
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
        String theirs = changedByOthers();
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
