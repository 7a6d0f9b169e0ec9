package dev.kiln.it;

import static dev.kiln.it.Kiln.assertTold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.process.Ports;
import dev.kiln.host.process.Programs;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Pods that are containers of podman, behind a stand-in for kubectl. There is no cluster in these tests. */
@Execution(ExecutionMode.CONCURRENT)
final class KubeIT {
    private final Cluster cluster = new Cluster();
    private final Sandbox sandbox = cluster.sandbox();
    private final String app = cluster.app();

    @AfterEach
    void leaveNothing() {
        cluster.close();
    }

    @FullRun
    @Test
    void theOnePodOfADeploymentIsMeasured() {
        int port = Ports.free();
        LentContainer pod = cluster.pod("a", port);

        Answer answer = cluster.run("kube:shop/deployment/" + app, port, "load=5s,pause=1s,load=2s")
                .end();

        RunEvidence evidence = cluster.measured(answer, pod);
        assertThat(answer.out())
                .contains("pod shop/" + pod.name(), "Kiln attached to process 1 (kube:shop/deployment/");
        assertThat(evidence.threads()).anyMatch(thread -> thread.name().startsWith("C2 Compiler"));
        assertThat(evidence.compiler()).isNotEmpty();
        assertThat(pod.processes()).contains("CurveServer").doesNotContain("AgentMain");
    }

    @Test
    @FullRun
    void theLoadComesFromAPod() {
        int port = Ports.free();
        LentContainer pod = cluster.pod("a", port);
        String name = "kube:shop/" + pod.name();

        Answer answer = cluster.run(name, port, "load=5s,pause=1s,load=2s", "--load-from", name)
                .end();

        RunEvidence evidence = cluster.sandbox().evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().loadFrom().orElseThrow().name()).isEqualTo("pod shop/" + pod.name());
        assertThat(evidence.load()).isNotEmpty();
        assertThat(pod.processes()).contains("CurveServer").doesNotContain("DriverMain", "AgentMain");
    }

    @Test
    @FullRun
    void whichPodIsMeantMustBeClear() throws IOException {
        int port = Ports.free();
        String absent = "kube:shop/" + app + "-absent";
        assertTold(
                cluster.run(absent, port, "load=1s").end(),
                3,
                absent + ": kubectl does not show pod shop/" + app + "-absent: Error from server (NotFound)",
                "kubectl get pod " + app + "-absent -n shop");
        assertTold(
                cluster.run("port:" + port, port, "load=1s", "--load-from", absent)
                        .end(),
                3,
                "kiln: " + absent + ": kubectl does not show pod shop/" + app + "-absent: ");
        String deployment = "kube:shop/deployment/" + app;
        assertTold(
                cluster.run(deployment, port, "load=1s").end(),
                2,
                deployment + ": deployment shop/" + app + " has no pod that runs");
        LentContainer one = cluster.pod("a", port);
        LentContainer two = cluster.pod("b", Ports.free());
        assertTold(
                cluster.run(deployment, port, "load=1s").end(),
                2,
                deployment + ": deployment shop/" + app + " has 2 pods that run, and one was meant: ",
                one.name(),
                two.name(),
                "name one: kube:shop/" + app);
        assertTold(
                cluster.run("kube:shop/" + one.name() + "/web", port, "load=1s").end(),
                2,
                "kube:shop/" + one.name() + "/web: pod shop/" + one.name() + " has no container 'web'",
                "it has: app");
        sandbox.file("sidecar", "");
        assertTold(
                cluster.run("kube:shop/" + one.name(), port, "load=1s").end(),
                2,
                "kube:shop/" + one.name() + ": pod shop/" + one.name()
                        + " has 2 containers, and one was meant: proxy, app",
                "kube:shop/" + one.name() + "/CONTAINER");
        sandbox.file(one.name() + ".json", "{\"phase\":\"Pending\",\"reason\":\"Unschedulable\"}");
        assertTold(
                cluster.run("kube:shop/" + one.name() + "/app", port, "load=1s").end(),
                2,
                "kube:shop/" + one.name() + "/app: pod shop/" + one.name() + " does not run: Pending, Unschedulable");
        assertThat(sandbox.results()).isEmptyDirectory();
    }

    @Test
    @FullRun
    void aPodThatIsEvictedSaysSo() {
        int port = Ports.free();
        LentContainer pod = cluster.pod("a", port);
        Kiln kiln = cluster.run("kube:shop/" + pod.name(), port, "load=120s").await("load", sandbox::isLoaded);

        sandbox.file(
                pod.name() + ".json",
                "{\"phase\":\"Failed\",\"reason\":\"Evicted\",\"message\":\"The node was low on resource: memory.\"}");
        pod.close();

        assertTold(
                kiln.end(),
                1,
                "the connection to pod shop/" + pod.name()
                        + " was lost: it is Failed, Evicted, The node was low on resource: memory.");
        assertThat(sandbox.evidence("baseline").info().outcome()).isEqualTo(Outcome.LAB_FAILED);
        assertThat(sandbox.evidence("baseline").load()).isNotEmpty();
        assertThat(sandbox.evidence("baseline").threads()).isNotEmpty();
    }

    @Test
    @FullRun
    void whereTheClusterCannotBeAskedThePodIsNotCalledGone() {
        int port = Ports.free();
        LentContainer pod = cluster.pod("a", port);
        Kiln kiln = cluster.run("kube:shop/" + pod.name(), port, "load=120s").await("load", sandbox::isLoaded);

        sandbox.file("cut", "");
        pod.close();

        assertTold(kiln.end(), 1, "was lost: kubectl cannot tell why (Unable to connect to the server: i/o timeout)");
    }

    @Test
    @FullRun
    void aContainerThatRunsOutOfMemorySaysSo() {
        int port = Ports.free();
        LentContainer pod = cluster.pod("a", port);
        Kiln kiln = cluster.run("kube:shop/" + pod.name(), port, "load=120s").await("load", sandbox::isLoaded);

        sandbox.file(pod.name() + ".json", """
                {"phase":"Running","containerStatuses":[{"name":"app","restartCount":3,"state":{"running":{}},
                "lastState":{"terminated":{"reason":"OOMKilled","exitCode":137}}}]}""");
        pod.close();

        assertTold(kiln.end(), 1, "was lost: its container app ended: OOMKilled, exit code 137");
    }

    /** The real program, without a cluster. */
    @Test
    void aClusterThatDoesNotAnswerIsSaid() {
        assumeTrue(Programs.find("kubectl").isPresent(), "no kubectl (apt-get install kubernetes-client)");
        ProcessBuilder jvm = sandbox.jvm();
        jvm.environment().put("KUBECONFIG", "/dev/null");
        Answer answer = Kiln.start(
                        sandbox,
                        jvm,
                        "run",
                        "--attach",
                        "kube:shop/checkout",
                        "--url",
                        "http://localhost:1/",
                        "--results",
                        sandbox.results().toString())
                .end();
        assertTold(
                answer,
                3,
                "kube:shop/checkout: kubectl does not show pod shop/checkout: ",
                "this must work: kubectl get pod checkout -n shop");
    }
}
