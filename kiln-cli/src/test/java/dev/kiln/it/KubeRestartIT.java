package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
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

        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = cluster.evidence();
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().attached()).isEmpty();
        assertThat(evidence.info().restarted().orElseThrow().pid()).isEqualTo(1);
        assertThat(evidence.info().restarted().orElseThrow().by()).startsWith("kubectl", "rollout", "restart");
        assertThat(evidence.info().remote().orElseThrow().name()).isEqualTo("pod shop/" + next.name());
        assertThat(evidence.info().notes())
                .anyMatch(note -> note.contains("Kiln's recorder was beside the new process"));
        assertThat(evidence.info().jvm()).isPresent();
        assertThat(evidence.load()).isNotEmpty();
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
                        "3s")
                .end();

        Cluster.assertTold(
                answer,
                1,
                "ended, and brought no new process within 3 s",
                "pod shop/" + pod.name() + " is the one that ran before the command began");
    }

    @Test
    void theDoctorLooksIntoAPod() {
        int port = Ports.free();
        LentContainer pod = cluster.pod("a", port);

        Answer answer = cluster.kiln("doctor", "kube:shop/" + pod.name(), "--for", "2s", "--json", "-")
                .end();

        assertThat(answer.exit()).as(answer.err()).isIn(0, 6, 7, 8);
        assertThat(answer.err()).contains("doctor runs beside the JVM: pod shop/" + pod.name());
        assertThat(answer.err()).doesNotContain("command terminated with exit code");
        JsonNode told = JsonMapper.shared().readTree(answer.out());
        assertThat(told.path("state").asString()).isNotEmpty();
        assertThat(told.path("process").path("command").asString()).contains("CurveServer");
        assertThat(pod.processes()).contains("CurveServer").doesNotContain("kiln.far");
        Cluster.assertTold(
                cluster.kiln("doctor", "kube:shop/" + pod.name(), "--save", "here")
                        .end(),
                2,
                "--save names a file, and the command would look for it where the JVM is");
        Cluster.assertTold(
                cluster.kiln("warm", "kube:shop/" + app + "-absent", "--url", "http://localhost:1/")
                        .end(),
                3,
                "kubectl does not show pod shop/" + app + "-absent");
    }
}
