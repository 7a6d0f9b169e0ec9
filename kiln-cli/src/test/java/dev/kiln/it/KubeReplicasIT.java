package dev.kiln.it;

import static dev.kiln.it.Kiln.assertTold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.testing.FullRun;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Two pods behind one address. There is no cluster in these tests. */
@Execution(ExecutionMode.CONCURRENT)
final class KubeReplicasIT {
    private final Cluster cluster = new Cluster();
    private final Sandbox sandbox = cluster.sandbox();
    private final String deployment = "kube:shop/deployment/" + cluster.app();

    @AfterEach
    void leaveNothing() {
        cluster.close();
    }

    private static double cpuSeconds(RunEvidence process) {
        List<PartSample> target = process.parts().stream()
                .filter(part -> part.part().equals("target"))
                .toList();
        return (target.getLast().cpuNanos() - target.getFirst().cpuNanos()) / 1e9;
    }

    @Test
    void bothPodsAreRecordedAndTheirThroughputIsOne() throws Exception {
        int one = Ports.free();
        LentContainer a = cluster.pod("a", one);
        int two = Ports.free();
        LentContainer b = cluster.pod("b", two);
        try (Balancer balancer = Balancer.before(one, two)) {
            Answer answer = cluster.run(deployment, balancer.port(), "load=6s,pause=1s,load=3s", "--replicas", "2")
                    .end();

            assertThat(answer.humane()).as(answer.err()).isTrue();
            RunEvidence run = cluster.sandbox().evidence("baseline");
            assertThat(run.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
            assertThat(run.place()).isEqualTo("pod shop/" + a.name());
            RunEvidence other = run.replicas().getFirst();
            assertThat(run.replicas()).hasSize(1);
            assertThat(run.info().launch().replicas()).isEqualTo(2);
            assertThat(other.place()).isEqualTo("pod shop/" + b.name());
            assertThat(other.info().jvm()).isPresent();
            assertThat(other.info().attached().orElseThrow().to()).isEqualTo("kube:shop/" + b.name());
            for (RunEvidence process : List.of(run, other)) {
                assertThat(process.threads()).anyMatch(thread -> thread.name().startsWith("C2 Compiler"));
                assertThat(process.compiler()).isNotEmpty();
                assertThat(cpuSeconds(process)).as(process.place()).isPositive();
            }
            assertThat(answer.out() + answer.err()).contains("2 replicas served behind the address");
        }
        String explained =
                Kiln.inProcess("explain", sandbox.run("baseline").toString()).out();
        assertThat(explained)
                .contains(
                        "Replicas", a.name() + ": used ", b.name() + ": used ", "C2 was ", "not observable: the load");
        JsonNode result = JsonMapper.shared()
                .readTree(Files.readString(cluster.experiment().resolve("result.json")));
        JsonNode first = result.path("variants").path(0).path("runs").path(0);
        assertThat(first.path("replicas")).hasSize(2);
        assertThat(first.path("replicas").path(1).path("c2AtEnd").asString())
                .isIn("quiet", "busy", "starved", "not recorded");
        assertThat(Files.readString(cluster.experiment().resolve("report.html")))
                .contains("<section id=\"replicas\">", b.name());
        assertThat(a.processes()).contains("CurveServer").doesNotContain("AgentMain");
        assertThat(b.processes()).contains("CurveServer").doesNotContain("AgentMain");
    }

    @Test
    void asManyPodsMustRunAsWereMeant() {
        LentContainer one = cluster.pod("a", Ports.free());
        assertTold(
                cluster.run(deployment, 1, "load=1s", "--replicas", "2").end(),
                2,
                deployment + ": deployment shop/" + cluster.app() + " has 1 pod that runs, and 2 were meant");
        LentContainer two = cluster.pod("b", Ports.free());
        assertTold(
                cluster.run(deployment, 1, "load=1s").end(),
                2,
                "has 2 pods that run, and one was meant: ",
                one.name(),
                two.name(),
                "--replicas 2");
        assertTold(
                cluster.run("kube:shop/" + one.name(), 1, "load=1s", "--replicas", "2")
                        .end(),
                2,
                "found replicas: 2 with attach: kube:shop/" + one.name()
                        + ", expected attach: kube:NAMESPACE/deployment/NAME");
        assertThat(sandbox.results()).isEmptyDirectory();
    }

    /** As a rolling update does: for a while there are three. */
    @Test
    void aRestartBringsAsManyNewPods() {
        int port = Ports.free();
        LentContainer old = cluster.pod("old", port);
        int one = Ports.free();
        int two = Ports.free();
        List<LentContainer> next = cluster.rollout(old, List.of("a", "b"), List.of(one, two));
        try (Balancer balancer = Balancer.before(one, two)) {
            Answer answer = cluster.run(
                            deployment,
                            balancer.port(),
                            "load=5s,pause=1s,load=2s",
                            "--replicas",
                            "2",
                            "--restart",
                            "kubectl rollout restart deployment/" + cluster.app() + " -n shop",
                            "--runs",
                            "1")
                    .end();

            RunEvidence run = cluster.sandbox().evidence("baseline");
            assertThat(run.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
            assertThat(answer.humane()).as(answer.err()).isTrue();
            assertThat(run.place()).isEqualTo("pod shop/" + next.getFirst().name());
            RunEvidence other = run.replicas().getFirst();
            assertThat(other.place()).isEqualTo("pod shop/" + next.getLast().name());
            assertThat(other.info().launch().restarted().orElseThrow().pid()).isEqualTo(1);
            // Each has the time of its own start.
            assertThat(run.ahead(other)).isNotZero();
            assertThat(other.threads()).isNotEmpty();
        }
    }

    @Test
    @FullRun
    void aPodThatGoesEndsTheRunByItsName() {
        int one = Ports.free();
        cluster.pod("a", one);
        int two = Ports.free();
        LentContainer b = cluster.pod("b", two);
        try (Balancer balancer = Balancer.before(one, two)) {
            Kiln kiln = cluster.run(deployment, balancer.port(), "load=120s", "--replicas", "2")
                    .await("load", cluster.sandbox()::isLoaded);

            sandbox.file(b.name() + ".json", "{\"phase\":\"Failed\",\"reason\":\"Evicted\"}");
            b.close();

            assertTold(kiln.end(), 1, "pod shop/" + b.name() + ": ", "was lost: it is Failed, Evicted");
        }
        RunEvidence run = cluster.sandbox().evidence("baseline");
        assertThat(run.info().outcome()).isEqualTo(Outcome.LAB_FAILED);
        assertThat(run.replicas().getFirst().threads()).isNotEmpty();
    }
}
