package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.kiln.cli.Main;
import dev.kiln.host.process.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The manifests in {@code deploy} that use the doctor's answer: what they call exists, and what they run does what they say. */
class ReadinessGateTest {
    private static final Path DEPLOY = Path.of("../deploy");
    private static final String CONDITION = "kiln.dev/warm";

    @TempDir
    private Path dir;

    private static List<JsonNode> documents(String file) throws IOException {
        return Stream.of(Files.readString(DEPLOY.resolve(file)).split("(?m)^---$"))
                .map(text -> new YAMLMapper().readTree(text))
                .toList();
    }

    private static JsonNode pod() throws IOException {
        return documents("readiness-gate.yaml").getLast().at("/spec/template/spec");
    }

    private static JsonNode container(String name) throws IOException {
        return pod().path("containers")
                .valueStream()
                .filter(one -> one.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String script() throws IOException {
        return container("gate").path("args").path(0).asString();
    }

    @Test
    void itsPartsNameEachOther() throws IOException {
        List<JsonNode> all = documents("readiness-gate.yaml");
        assertThat(all.stream().map(one -> one.path("kind").asString()))
                .containsExactly("ServiceAccount", "Role", "RoleBinding", "Deployment");
        String account = all.getFirst().at("/metadata/name").asString();
        assertThat(all.get(2).at("/roleRef/name")).isEqualTo(all.get(1).at("/metadata/name"));
        assertThat(all.get(2).at("/subjects/0/name").asString()).isEqualTo(account);
        assertThat(pod().path("serviceAccountName").asString()).isEqualTo(account);
        assertThat(all.getLast().at("/spec/selector/matchLabels"))
                .isEqualTo(all.getLast().at("/spec/template/metadata/labels"));
        assertThat(pod().at("/readinessGates/0/conditionType").asString()).isEqualTo(CONDITION);
        assertThat(script()).contains("\"type\":\"" + CONDITION + "\"");
        assertThat(all.get(1).at("/rules/0/resources/0").asString()).isEqualTo("pods/status");
        assertThat(all.get(1).at("/rules/0/verbs").toString()).isEqualTo("[\"patch\"]");
    }

    @Test
    void theDoctorTakesItsArgumentsAndServesThatPort() throws IOException {
        List<String> args = new ArrayList<>();
        container("doctor").path("args").forEach(word -> args.add(word.asString()));
        assertThat(new CommandLine(new Main())
                        .parseArgs(args.toArray(String[]::new))
                        .errors())
                .isEmpty();
        assertThat(args).endsWith("--metrics", ":9404");
        assertThat(script()).contains("${DOCTOR:-http://localhost:9404}");
    }

    /** A stand-in for the interface of the cluster, which keeps what it is told. */
    private static final class Cluster implements AutoCloseable {
        private final AtomicBoolean silent = new AtomicBoolean();
        private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        private final Semaphore warming = new Semaphore(0);
        private final HttpServer server;

        Cluster() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/api/v1/namespaces/shop/pods/shop-1/status", exchange -> {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                told.add(exchange.getRequestMethod() + " "
                        + exchange.getRequestHeaders().getFirst("Authorization") + " "
                        + exchange.getRequestHeaders().getFirst("Content-Type") + " " + body);
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            server.createContext("/fruits", exchange -> {
                warming.release();
                if (!silent.get()) {
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                }
            });
            server.start();
        }

        String url() {
            return "http://localhost:" + server.getAddress().getPort();
        }

        void requireTold(String status) throws InterruptedException {
            assertThat(told.poll(60, TimeUnit.SECONDS))
                    .isEqualTo("PATCH Bearer secret application/strategic-merge-patch+json"
                            + " {\"status\":{\"conditions\":[{\"type\":\"" + CONDITION + "\",\"status\":\"" + status
                            + "\"}]}}");
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    /** A sleep of some seconds is one of half a second, so that only the order of things is waited for. */
    private String impatient() throws IOException {
        Path programs = Files.createDirectory(dir.resolve("programs"));
        Path sleep = Files.writeString(programs.resolve("sleep"), "#!/bin/sh\nexec /bin/sleep 0.5\n");
        assertThat(sleep.toFile().setExecutable(true)).isTrue();
        return programs + ":" + System.getenv("PATH");
    }

    /** Starts the script of the gate, which asks these. */
    private Process gate(Cluster cluster, MetricsServer doctor, String limit) throws IOException {
        Files.writeString(dir.resolve("token"), "secret");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("said").toFile());
        builder.environment()
                .putAll(Map.of(
                        "PATH",
                        impatient(),
                        "SECRETS",
                        dir.toString(),
                        "API",
                        cluster.url(),
                        "DOCTOR",
                        "http://localhost:" + doctor.port(),
                        "WARM_UP",
                        cluster.url() + "/fruits",
                        "LIMIT",
                        limit,
                        "NAMESPACE",
                        "shop",
                        "POD",
                        "shop-1"));
        return builder.start();
    }

    /** Ends the script first: a shell says so when what it waits for is killed. */
    private static void end(Process gate) throws InterruptedException {
        List<ProcessHandle> below = gate.descendants().toList();
        gate.destroyForcibly().waitFor();
        below.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void aServiceThatDoesNotAnswerDoesNotHoldTheGateUp() throws Exception {
        assumeTrue(Programs.find("curl").isPresent(), "curl is not installed");
        AtomicBoolean warm = new AtomicBoolean();
        BlockingQueue<Integer> sentBefore = new LinkedBlockingQueue<>();
        try (Cluster cluster = new Cluster();
                MetricsServer doctor =
                        MetricsServer.start("127.0.0.1:0", () -> "kiln_jvm_age_seconds 1\n# EOF\n", () -> {
                            sentBefore.add(cluster.warming.drainPermits());
                            return warm.get();
                        })) {
            cluster.silent.set(true);
            Process gate = gate(cluster, doctor, "2");
            try {
                cluster.requireTold("False");
                assertThat(sentBefore.poll(60, TimeUnit.SECONDS)).isZero();
                assertThat(sentBefore.poll(60, TimeUnit.SECONDS))
                        .as("the limit is one of all requests of a round: the next fifty are not sent")
                        .isBetween(1, 50);
                warm.set(true);
                cluster.requireTold("True");
            } finally {
                end(gate);
            }
        }
    }

    @Test
    void theGateOpensOnceItIsWarmAndClosesForANewJvmAlone() throws Exception {
        assumeTrue(Programs.find("curl").isPresent(), "curl is not installed");
        AtomicBoolean warm = new AtomicBoolean();
        AtomicInteger age = new AtomicInteger(12);
        try (Cluster cluster = new Cluster();
                MetricsServer doctor = MetricsServer.start(
                        "127.0.0.1:0", () -> "kiln_jvm_age_seconds " + age.get() + ".345\n# EOF\n", warm::get)) {
            Process gate = gate(cluster, doctor, "30");
            try {
                cluster.requireTold("False");
                // It sends requests itself.
                assertThat(cluster.warming.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
                warm.set(true);
                cluster.requireTold("True");
                // The compilers are busy again, in the same JVM.
                warm.set(false);
                age.set(40);
                assertThat(cluster.told.poll(2, TimeUnit.SECONDS)).isNull();
                age.set(1);
                cluster.requireTold("False");
            } finally {
                end(gate);
            }
        }
        assertThat(Files.readString(dir.resolve("said"))).isEmpty();
    }

    /** kubectl keeps what its own types know and drops all else: a misspelt field is gone. */
    @ParameterizedTest
    @ValueSource(strings = {"readiness-gate.yaml", "kubernetes.yaml", "daemonset.yaml"})
    void kubectlKnowsEachField(String file) throws Exception {
        assumeTrue(Programs.find("kubectl").isPresent(), "kubectl is not installed");
        JsonNode written = documents(file).getLast();
        Path one = Files.writeString(dir.resolve("one.json"), written.toString());
        Process kubectl = new ProcessBuilder(
                        "kubectl", "set", "env", "--local", "-f", one.toString(), "KILN_TEST=1", "-o", "json")
                .redirectErrorStream(true)
                .start();
        String said = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kubectl.waitFor()).as(said).isZero();

        assertThat(missing("", written, JsonMapper.shared().readTree(said))).isEmpty();
    }

    /** Names the fields that the second has not. */
    private static List<String> missing(String path, JsonNode written, JsonNode kept) {
        List<String> gone = new ArrayList<>();
        for (String name : written.propertyNames()) {
            gone.addAll(
                    kept.has(name)
                            ? missing(path + "/" + name, written.path(name), kept.path(name))
                            : List.of(path + "/" + name));
        }
        for (int i = 0; written.isArray() && i < written.size(); i++) {
            gone.addAll(missing(path + "/" + i, written.path(i), kept.path(i)));
        }
        return gone;
    }
}
