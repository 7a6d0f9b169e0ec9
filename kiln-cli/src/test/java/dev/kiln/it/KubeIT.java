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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Pods that are containers of podman, behind a stand-in for kubectl. There is no cluster in these tests. */
@Execution(ExecutionMode.CONCURRENT)
final class KubeIT {
    /** It knows pods by the containers' labels, and whatever a file says of one in place of podman. */
    private static final String KUBECTL = """
            #!/bin/sh
            # kubectl get -n NAMESPACE -o json WHAT..., or kubectl exec -i -n NAMESPACE POD -c CONTAINER -- COMMAND...
            pod() {
              state=$(podman inspect --format '{{.State.Status}}' "$1" 2>/dev/null)
              if [ -f "DIR/$1.json" ]; then status=$(cat "DIR/$1.json")
              elif [ "$state" = running ]; then
                status='{"phase":"Running","containerStatuses":[{"name":"app","restartCount":2,"state":{"running":{}}}]}'
              else echo "Error from server (NotFound): pods \\"$1\\" not found" >&2; exit 1; fi
              port=$(podman inspect --format '{{index .Config.Labels "port"}}' "$1" 2>/dev/null)
              echo '{"metadata":{"name":"'$1'"},"spec":{"containers":['
              [ ! -f "DIR/sidecar" ] || echo '{"name":"proxy"},'
              echo '{"name":"app","ports":[{"containerPort":'${port:-1}'}]}]},"status":'$status'}'
            }
            if [ -f DIR/cut ] && [ "$1" = get ]; then echo 'Unable to connect to the server: i/o timeout' >&2; exit 1; fi
            echo 'W1127 a warning, as the real one has them' >&2
            case "$1 $6" in
              "get pod") pod "$7" ;;
              "get deployment") echo '{"spec":{"selector":{"matchLabels":{"app":"'$7'"}}}}' ;;
              "get pods")
                echo '{"items":['
                for name in $(podman ps --all --filter "label=$8" --format '{{.Names}}'); do
                  echo "$comma"; pod "$name"; comma=,
                done
                echo ']}' ;;
              exec*)
                name=$5; shift 8; podman exec -i "$name" "$@"; code=$?
                [ $code = 0 ] || echo "command terminated with exit code $code" >&2
                exit $code ;;
            esac
            """;

    private final Sandbox sandbox = new Sandbox();
    private final List<LentContainer> containers = new ArrayList<>();
    private final String app = "checkout-" + ProcessHandle.current().pid() + "-" + Ports.free();
    private Path programs = Path.of("");

    @BeforeEach
    void standIn() throws IOException {
        programs = Files.createDirectory(sandbox.root().resolve("bin"));
        Path kubectl = Files.writeString(
                programs.resolve("kubectl"),
                KUBECTL.replace("DIR", sandbox.root().toString()));
        Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void leaveNothing() {
        containers.forEach(LentContainer::close);
        sandbox.close();
    }

    /** A pod whose first process is a shell, and whose service is below it. */
    private LentContainer pod(String name, int port) {
        LentContainer container = LentContainer.start(
                app + "-" + name,
                List.of("--label", "app=" + app, "--label", "port=" + port),
                Kiln.JAVA + " -Xmx64m -XX:+UseSerialGC -cp " + Kiln.fixtures()
                        + " dev.kiln.fixtures.CurveServer --port " + port + "; exec sleep 1000");
        containers.add(container);
        Waiting.until("the service to listen", () -> Ports.accepts("127.0.0.1", port));
        return container;
    }

    private Kiln run(String pod, int port, String protocol) {
        ProcessBuilder jvm = sandbox.jvm();
        jvm.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        return Kiln.start(
                sandbox,
                jvm,
                "run",
                "--attach",
                pod,
                "--url",
                "http://localhost:" + port + "/",
                "--connections",
                "4",
                "--protocol",
                protocol,
                "--results",
                sandbox.results().toString());
    }

    @Test
    void theOnePodOfADeploymentIsMeasured() {
        int port = Ports.free();
        LentContainer pod = pod("a", port);

        Answer answer = run("kube:shop/deployment/" + app, port, "load=5s,pause=1s,load=2s")
                .end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.out())
                .contains("pod shop/" + pod.name(), "Kiln attached to process 1 (kube:shop/deployment/");
        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().remote().orElseThrow().name()).isEqualTo("pod shop/" + pod.name());
        assertThat(evidence.info().jvm()).isPresent();
        assertThat(evidence.threads()).anyMatch(thread -> thread.name().startsWith("C2 Compiler"));
        assertThat(evidence.compiler()).isNotEmpty();
        assertThat(pod.processes()).contains("CurveServer").doesNotContain("AgentMain");
    }

    @Test
    @FullRun
    void whichPodIsMeantMustBeClear() throws IOException {
        int port = Ports.free();
        String absent = "kube:shop/" + app + "-absent";
        assertTold(
                run(absent, port, "load=1s").end(),
                3,
                "attach: kubectl does not show pod shop/" + app + "-absent: Error from server (NotFound)",
                "kubectl get pod " + app + "-absent -n shop");
        String deployment = "kube:shop/deployment/" + app;
        assertTold(
                run(deployment, port, "load=1s").end(), 2, "attach: deployment shop/" + app + " has no pod that runs");
        LentContainer one = pod("a", port);
        LentContainer two = pod("b", Ports.free());
        assertTold(
                run(deployment, port, "load=1s").end(),
                2,
                "attach: deployment shop/" + app + " has 2 pods that run, and one was meant: ",
                one.name(),
                two.name(),
                "name one: kube:shop/" + app);
        assertTold(
                run("kube:shop/" + one.name() + "/web", port, "load=1s").end(),
                2,
                "attach: pod shop/" + one.name() + " has no container 'web'",
                "it has: app");
        sandbox.file("sidecar", "");
        assertTold(
                run("kube:shop/" + one.name(), port, "load=1s").end(),
                2,
                "attach: pod shop/" + one.name() + " has 2 containers, and one was meant: proxy, app",
                "kube:shop/" + one.name() + "/CONTAINER");
        sandbox.file(one.name() + ".json", "{\"phase\":\"Pending\",\"reason\":\"Unschedulable\"}");
        assertTold(
                run("kube:shop/" + one.name() + "/app", port, "load=1s").end(),
                2,
                "attach: pod shop/" + one.name() + " does not run: Pending, Unschedulable");
        assertThat(sandbox.results()).isEmptyDirectory();
    }

    @Test
    @FullRun
    void aPodThatIsEvictedSaysSo() {
        int port = Ports.free();
        LentContainer pod = pod("a", port);
        Kiln kiln = run("kube:shop/" + pod.name(), port, "load=120s").await("load", sandbox::isLoaded);

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
        LentContainer pod = pod("a", port);
        Kiln kiln = run("kube:shop/" + pod.name(), port, "load=120s").await("load", sandbox::isLoaded);

        sandbox.file("cut", "");
        pod.close();

        assertTold(kiln.end(), 1, "was lost: kubectl cannot tell why (Unable to connect to the server: i/o timeout)");
    }

    @Test
    @FullRun
    void aContainerThatRunsOutOfMemorySaysSo() {
        int port = Ports.free();
        LentContainer pod = pod("a", port);
        Kiln kiln = run("kube:shop/" + pod.name(), port, "load=120s").await("load", sandbox::isLoaded);

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
                "attach: kubectl does not show pod shop/checkout: ",
                "this must work: kubectl get pod checkout -n shop");
    }
}
