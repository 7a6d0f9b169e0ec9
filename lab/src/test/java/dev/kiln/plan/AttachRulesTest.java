package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Variant.Observe.RecordingChoice;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttachRulesTest extends WrittenExperiment {
    private static Where where(Experiment experiment) {
        return experiment.variants().getFirst().target().where();
    }

    @Test
    void aProcessAPortOrAContainerTakesThePlaceOfTheCommand() throws IOException {
        assertThat(where(read("target: {attach: 4711}\n" + LOAD)))
                .isEqualTo(new Where.Running(new AttachPoint.ProcessId(4711)));
        assertThat(where(read("target: {attach: 'port:8080'}\n" + LOAD)))
                .isEqualTo(new Where.Running(new AttachPoint.ListeningPort(8080)));
        assertThat(where(read("target: {attach: checkout_app-1}\n" + LOAD)))
                .isEqualTo(new Where.Running(new AttachPoint.ContainerName("checkout_app-1")));
        assertThat(where(read("target: {attach: '123456789012'}\n" + LOAD)))
                .as("a short id of digits alone is no pid")
                .isEqualTo(new Where.Running(new AttachPoint.ContainerName("123456789012")));
    }

    @Test
    void aPodIsNamedByItselfOrByItsDeployment() throws IOException {
        assertThat(where(read("target: {attach: 'kube:shop/checkout-7d9f'}\n" + LOAD)))
                .isEqualTo(new Where.Running(
                        new AttachPoint.KubePod("shop", false, "checkout-7d9f", Optional.empty(), 1)));
        assertThat(where(read("target: {attach: 'kube:shop/checkout-7d9f/app'}\n" + LOAD)))
                .isEqualTo(new Where.Running(
                        new AttachPoint.KubePod("shop", false, "checkout-7d9f", Optional.of("app"), 1)));
        Where deployed = where(read("target: {attach: 'kube:shop/deployment/checkout'}\n" + LOAD));
        assertThat(deployed)
                .isEqualTo(new Where.Running(new AttachPoint.KubePod("shop", true, "checkout", Optional.empty(), 1)));
        assertThat(deployed.text()).isEqualTo("attached to deployment shop/checkout");
        assertThat(deployed.elsewhere()).isPresent();
        assertThat(where(read("target: {attach: 'kube:shop/checkout'}\nvariants:\n  here: {attach: 4711}\n" + LOAD)))
                .isEqualTo(new Where.Running(new AttachPoint.ProcessId(4711)));
        refused(
                "target: {attach: 'kube:shop/checkout', via: podman exec -i x}\n" + LOAD,
                "attach: found via with attach: kube:shop/checkout, expected one of them");
    }

    @Test
    void severalPodsAreThoseOfADeployment() throws IOException {
        Where several = where(read("target: {attach: 'kube:shop/deployment/checkout/app', replicas: 3}\n" + LOAD));
        assertThat(several)
                .isEqualTo(new Where.Running(new AttachPoint.KubePod("shop", true, "checkout", Optional.of("app"), 3)));
        assertThat(several.text()).isEqualTo("attached to deployment shop/checkout, container app, 3 replicas");
        assertThat(where(read("target: {attach: 4711, replicas: 1}\n" + LOAD)))
                .isEqualTo(new Where.Running(new AttachPoint.ProcessId(4711)));
        refused(
                "target: {attach: 'kube:shop/checkout', replicas: 2}\n" + LOAD,
                "attach: found replicas: 2 with attach: kube:shop/checkout, expected attach: kube:NAMESPACE/deployment/NAME");
        refused("target: {attach: 'port:8080', replicas: 2}\n" + LOAD, "found replicas: 2 with attach: port:8080");
        refused(
                "target: {attach: 'kube:shop/deployment/checkout', replicas: 0}\n" + LOAD,
                "expected a whole number from 1 to 100");
        refused("target: {command: java -jar a.jar, replicas: 2}\n" + LOAD, "found replicas without attach");
    }

    /** The cluster changes the limit of a running pod; of any other process Kiln does not start it would be Kiln. */
    @Test
    void onlyANewPodGetsMoreCpuForAWhile() throws IOException {
        String boost = ", with: 'cpu-boost: 2 to 1 for 30s'";
        assertThat(
                        read("target: {attach: 'kube:shop/deployment/checkout', restart: kubectl rollout restart deployment/checkout"
                                        + boost + "}\n" + LOAD)
                                .variants()
                                .getFirst()
                                .target()
                                .modifiers())
                .containsExactly(new Modifier.BoostedStart(2, 1, Optional.of(Duration.ofSeconds(30))));
        refused(
                "target: {attach: 'kube:shop/checkout'" + boost + "}\n" + LOAD,
                "found cpu-boost with attach: kube:shop/checkout and without restart, expected both");
        refused(
                "target: {attach: 'port:8080', restart: systemctl restart shop" + boost + "}\n" + LOAD,
                "found with (modifiers) with attach, expected none");
        refused(
                "target: {attach: 'kube:shop/checkout', restart: kubectl x, with: [xbatch, 'cpu-boost: 2 to 1 for 30s']}\n"
                        + LOAD,
                "found with (modifiers) with attach, expected none");
    }

    @Test
    void aPodAndWhatACommandLeadsToAreStartedAnewToo() throws IOException {
        for (String target : List.of(
                "attach: 'kube:shop/deployment/checkout', restart: kubectl rollout restart deployment/checkout",
                "via: podman exec -i shop, attach: 'port:8080', restart: podman restart shop",
                // The first process has this number in each container of that name.
                "via: podman exec -i shop, attach: 1, restart: podman restart shop")) {
            Experiment read = read("target: {" + target + "}\n" + LOAD);
            assertThat(read.variants().getFirst().target().restarts()).isTrue();
            assertThat(where(read).elsewhere()).isPresent();
        }
    }

    @Test
    void whatIsElsewhereIsNamedOnTheCommandLine() {
        assertThat(AttachRules.elsewhere(Optional.empty(), Optional.of("4711"))).isEmpty();
        assertThat(AttachRules.elsewhere(Optional.empty(), Optional.of("kube:shop/checkout/app")))
                .contains(new Where.Running(new AttachPoint.KubePod("shop", false, "checkout", Optional.of("app"), 1)));
        assertThat(AttachRules.elsewhere(Optional.of("podman exec -i 'my shop'"), Optional.of("7")))
                .contains(Where.HostPlace.through(List.of("podman", "exec", "-i", "my shop")));
        for (var wrong : Map.of("kube:shop", "", "kube:shop/checkout", "podman exec -i x", "7", "ssh box")
                .entrySet()) {
            Optional<String> via = Optional.of(wrong.getValue()).filter(text -> !text.isEmpty());
            assertThatThrownBy(() -> AttachRules.elsewhere(via, Optional.of(wrong.getKey())))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("expected");
        }
    }

    @Test
    void aProcessThatRunsIsMeasuredOnceAndNotRepeated() throws IOException {
        assertThat(read("target: {attach: 4711}\n" + LOAD).runs())
                .isEqualTo(Runs.fixed(1).withRepeats(false));
    }

    @Test
    void thePortThatItListensOnIsThatOfTheLoad() throws IOException {
        assertThat(read("target: {attach: 'port:8080'}\nload: {url: 'http://localhost:${port}/'}\n")
                        .load()
                        .calls()
                        .getFirst()
                        .url())
                .isEqualTo("http://localhost:${port}/");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | found '0', expected a PID, port:8080, the name of a container or kube:NAMESPACE/POD",
                "-1 | found '-1', expected a PID",
                "'port:0' | found 'port:0', expected a PID",
                "'port:99999' | found 'port:99999', expected a PID",
                "'kube:shop' | found 'kube:shop', expected a PID, port:8080, the name of a container or kube:NAMESPACE/POD",
                "'kube:shop/-l' | found 'kube:shop/-l', expected a PID",
                "'kube:shop/deployment/a/b/c' | found 'kube:shop/deployment/a/b/c', expected a PID",
                "'kube:Shop/checkout' | found 'kube:Shop/checkout', expected a PID",
                "'a b' | found 'a b', expected a PID"
            })
    void whatNamesNoProcessIsRefused(String attach, String message) {
        refused("target: {attach: '" + attach + "'}\n" + LOAD, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "command: java -version | found command with attach",
                "jvmFlags: -Xmx1g | found jvmFlags with attach",
                "environment: {A: b} | found environment with attach",
                "arguments: a | found arguments with attach",
                "directory: . | found directory with attach",
                "jdk: 25 | found jdk with attach",
                "with: xbatch | found with (modifiers) with attach",
                "aot: {train: startup} | found aot with attach",
                "virtualThreads: true | found virtualThreads with attach",
                "workload: fruits-spring | found workload with attach",
                "host: box | found host and attach, expected one of them",
                "readiness: {log: ready} | found readiness by its log with attach",
                "'readiness: {http: ''http://localhost:${port}/''}' | found ${port}"
            })
    void whatWouldChangeTheProcessIsRefused(String key, String message) {
        refused("target:\n  attach: 4711\n  " + key + "\n" + LOAD, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "runs: 3 | runs: found more than one, expected 1",
                "repeat: true | repeat: found true, expected false",
                "cold: true | cold: the process has started already",
                "'cpus: {target: 0}' | cpus: found CPUs for the target, expected none",
                "database: postgres | database: found one, expected none",
                "'observe: {flight-recorder: true}' | flight-recorder cannot be used on a process that Kiln did not start",
                "'observe: {async-profiler: true}' | async-profiler cannot be used",
                "'observe: {full-collections: 5s}' | full-collections cannot be used"
            })
    void whatWouldMeasureSomethingElseIsRefused(String key, String message) {
        refused("target: {attach: 4711}\n" + key + "\n" + LOAD, message);
    }

    @Test
    void oneProcessIsMeasuredByOneVariant() throws IOException {
        refused(
                "variants:\n  a: {attach: 4711}\n  b: {attach: 4711}\n" + LOAD,
                "variant b: a second run of process 4711: it is warm then");
        refused("target: {attach: 4711}\nload: {url: 'http://localhost:8080/', connections: [1, 2]}\n", "a second run");
        refused(
                "variants:\n  a: {attach: 4711}\n  b: {command: java -version}\n" + LOAD,
                "variant b: it is started by Kiln, and others attach");
        assertThat(read("variants:\n  a: {attach: 4711}\n  b: {attach: 4712}\n" + LOAD)
                        .variants())
                .hasSize(2);
    }

    @Test
    void theLoadsPortIsKnownOnlyOfAPort() {
        refused("target: {attach: 4711}\nload: {url: 'http://localhost:${port}/'}\n", "found ${port}");
    }

    @Test
    void whatOptionsAddIsRefusedToo() throws IOException {
        Experiment read = read("target: {attach: 4711}\n" + LOAD);
        AttachRules.require(read);
        assertThatThrownBy(() -> AttachRules.require(read.with(Observe.USUAL.with(RecordingChoice.ON))))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("variant baseline: flight-recorder cannot be used");
        assertThatThrownBy(() -> AttachRules.require(read.with(Runs.fixed(3))))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("runs: found more than one");
    }

    @Test
    void aCommandLineHasACommandOrAProcess() {
        FlagExperiment attached = new FlagExperiment(dir, List.of())
                .with(ServiceFlag.URL, "http://localhost:8080/")
                .with(ServiceFlag.ATTACH, "port:8080");
        assertThat(where(attached.toExperiment())).isEqualTo(new Where.Running(new AttachPoint.ListeningPort(8080)));
        assertThat(PlanText.render(attached.toExperiment(), Schedule.of(attached.toExperiment())))
                .contains("attached to what listens on port 8080");
        assertThatThrownBy(() -> new FlagExperiment(dir, List.of("java"))
                        .with(ServiceFlag.ATTACH, "1")
                        .toExperiment())
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("--attach beside a command");
        assertThatThrownBy(() -> new FlagExperiment(dir, List.of())
                        .with(ServiceFlag.URL, "http://localhost:8080/")
                        .with(ServiceFlag.ATTACH, "kube:shop")
                        .toExperiment())
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("--attach: found 'kube:shop', expected a PID");
    }
}
