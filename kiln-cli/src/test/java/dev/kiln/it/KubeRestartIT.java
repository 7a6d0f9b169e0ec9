package dev.kiln.it;

import static dev.kiln.it.Kiln.assertTold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.RunEvidence;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pods that a command starts anew, and pods into which a command of Kiln's looks. There is no cluster in these tests. */
@Execution(ExecutionMode.CONCURRENT)
final class KubeRestartIT {
    private final Cluster cluster = new Cluster();
    private final Sandbox sandbox = cluster.sandbox();
    private final String app = cluster.app();

    @AfterEach
    void leaveNothing() {
        cluster.close();
    }

    /** As a rolling update does: for a while there are two. */
    @Test
    void aRolloutBringsANewPodThatIsMeasuredFromItsStart() {
        int port = Ports.free();
        LentContainer old = cluster.pod("a", port);
        LentContainer next = cluster.rollout(old, "b", port);

        Answer answer = cluster.run(
                        "kube:shop/deployment/" + app,
                        port,
                        "load=5s,pause=1s,load=2s",
                        "--restart",
                        "kubectl rollout restart deployment/" + app + " -n shop",
                        "--runs",
                        "1")
                .end();

        RunEvidence evidence = cluster.measured(answer, next);
        assertThat(evidence.info().attached()).isEmpty();
        assertThat(evidence.info().launch().restarted().orElseThrow().pid()).isEqualTo(1);
        assertThat(evidence.info().launch().restarted().orElseThrow().by()).startsWith("kubectl", "rollout", "restart");
        assertThat(evidence.info().notes())
                .anyMatch(note -> note.contains("Kiln's recorder was beside the new process"));
    }

    @Test
    void aRestartThatBringsBackTheOldPodSaysSo() {
        int port = Ports.free();
        LentContainer pod = cluster.pod("a", port);
        sandbox.file("rollout.sh", "true\n");

        Answer answer = cluster.run(
                        "kube:shop/" + pod.name(),
                        port,
                        "load=5s",
                        "--restart",
                        "kubectl rollout restart deployment/" + app + " -n shop",
                        "--runs",
                        "1",
                        "--ready-timeout",
                        "10s")
                .end();

        assertTold(
                answer,
                1,
                "ended, and brought no new process within 10 s",
                "pod shop/" + pod.name() + " is the one that ran before the command began");
    }

    @Test
    void theDoctorLooksIntoAPod() {
        int port = Ports.free();
        LentContainer pod = cluster.pod("a", port);

        Answer answer = cluster.kiln("doctor", "kube:shop/" + pod.name(), "--for", "2s", "--json", "-")
                .end();

        assertThat(answer.exit()).as(answer.err()).isIn(0, 6, 7, 8);
        assertThat(answer.err()).contains("doctor runs there: pod shop/" + pod.name());
        assertThat(answer.err()).doesNotContain("command terminated with exit code");
        JsonNode told = JsonMapper.shared().readTree(answer.out());
        assertThat(told.path("state").asString()).isNotEmpty();
        assertThat(told.path("process").path("command").asString()).contains("CurveServer");
        assertThat(pod.processes()).contains("CurveServer").doesNotContain("kiln.far");
        assertTold(
                cluster.kiln("doctor", "kube:shop/" + pod.name(), "--save", "here")
                        .end(),
                2,
                "--save names a file, and the command would look for it where the JVM is");
    }

    /** Whether it is warm in that time is a matter of the machine. */
    @Test
    void aPodIsWarmedFromWithin() {
        int port = Ports.free();
        LentContainer pod = cluster.pod("a", port);

        Answer answer = cluster.kiln(
                        "warm",
                        "kube:shop/" + pod.name(),
                        "--url",
                        "http://localhost:" + port + "/",
                        "--budget",
                        "15s",
                        "--json",
                        "-")
                .end();

        assertThat(answer.exit()).as(answer.err()).isIn(0, 6);
        assertThat(answer.err())
                .contains("warm runs there: pod shop/" + pod.name(), "one request, repeated, to")
                .doesNotContain("command terminated with exit code");
        JsonNode told = JsonMapper.shared().readTree(answer.out());
        assertThat(told.path("requests").asLong()).isPositive();
        assertThat(told.path("failures").asLong()).isZero();
        assertThat(told.path("warm").asBoolean()).isEqualTo(answer.exit() == 0);
        assertThat(pod.processes()).contains("CurveServer").doesNotContain("kiln.far");
    }

    @Test
    void whatIsNotThereIsSaidFirst() {
        for (String command : List.of("warm", "doctor")) {
            List<String> words = new ArrayList<>(List.of(command, "kube:shop/" + app + "-absent"));
            words.addAll(command.equals("warm") ? List.of("--url", "http://localhost:1/") : List.of());
            Answer answer = cluster.kiln(words.toArray(String[]::new)).end();
            assertTold(answer, 3, "kubectl does not show pod shop/" + app + "-absent");
            assertThat(answer.err()).doesNotContain("runs there");
        }
        Answer via = cluster.kiln("doctor", "--via", "podman exec -i " + app + "-absent", "1")
                .end();
        assertTold(via, 3, "no shell at the far end of podman exec -i " + app + "-absent: ");
        assertThat(via.err()).doesNotContain("runs there");
    }
}
