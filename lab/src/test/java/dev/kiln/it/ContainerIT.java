package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Targets in real containers, where this machine can make them: seen from outside, and nothing of them left. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class ContainerIT {
    private static final String LOAD = """
            load:
              url: http://localhost:${port}/
              connections: 2
            runs: 1
            """;
    private static final String LENT = "rootfs: /, runtime: runc, mounts: '" + Kiln.fixtures() + "'";

    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void end() {
        sandbox.close();
    }

    private Kiln start(String variants, String protocol) {
        String target =
                "target:\n  command: " + Kiln.CURVE_SERVER + "\n  jdk: " + System.getProperty("java.home") + "\n";
        Path file = sandbox.file("contained.yaml", target + variants + LOAD + "protocol: " + protocol + "\n");
        return Kiln.start(
                sandbox, "run", file.toString(), "--results", sandbox.results().toString());
    }

    private Answer run(String variants) {
        Answer answer = start(variants, "[{load: 2s}, {pause: 1s}, {load: 1s}]").end();
        assumeCan(answer);
        return answer;
    }

    /** Installed, and permitted to. */
    private static void assumeCan(Answer answer) {
        assumeTrue(answer.exit() != 3, answer.err());
    }

    private static boolean isHere(String runtime) {
        return dev.kiln.host.Programs.find(runtime).isPresent();
    }

    private JsonNode info(String variant) throws IOException {
        return JsonMapper.shared()
                .readTree(Files.readString(sandbox.run(variant).resolve("run.json")));
    }

    private static List<String> words(JsonNode texts) {
        return texts.valueStream().map(JsonNode::asString).toList();
    }

    /** The greatest value in a column of a run's file. */
    private long most(String variant, String file, String column) throws IOException {
        List<String> lines = Files.readAllLines(sandbox.run(variant).resolve(file));
        int index = List.of(lines.getFirst().split(",", -1)).indexOf(column);
        assertThat(index).as(lines.getFirst()).isNotNegative();
        return lines.stream()
                .skip(1)
                .map(line -> line.split(",", -1)[index])
                .filter(cell -> !cell.isEmpty())
                .mapToLong(Long::parseLong)
                .max()
                .orElse(0);
    }

    /** Containers of runc that a Kiln made which is gone. */
    private static List<String> left() {
        return said("runc", "list", "--quiet")
                .lines()
                .filter(name -> name.matches("kiln-\\d+-\\d+-\\d+"))
                .filter(name -> !Files.exists(Path.of("/proc", name.split("-", -1)[1])))
                .toList();
    }

    private static String said(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void aJvmInAContainerIsSeenFromOutsideAndOneThatFailsIsTold() throws IOException {
        assumeTrue(isHere("runc"), "runc is not installed");
        Answer answer = run("variants:\n"
                + "  jvm: {container: {" + LENT + ", cpus: 0.2, memory: 256m}, with: [cpus: 1]}\n"
                + "  failing: {container: {" + LENT + "}, command: \"sh -c 'echo no ${port}; exit 7'\"}\n");

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.err()).contains("failing run 1: the target exited with code 7");
        JsonNode info = info("jvm");
        assertThat(info.path("outcome").asString()).isEqualTo("COMPLETED");
        assertThat(words(info.path("command")))
                .contains("run", "--pid-file", System.getProperty("java.home") + "/bin/java")
                .anyMatch(word -> word.endsWith("/runc"));
        assertThat(info.at("/jvm/home").asString()).isEqualTo(System.getProperty("java.home"));
        assertThat(words(info.path("notes")))
                .anyMatch(note -> note.startsWith("runc ") && note.contains("to make the container"))
                .noneMatch(note -> note.contains("instead of"));
        assertThat(most("jvm", "cgroup.csv", "throttled_periods")).isPositive();
        assertThat(most("jvm", "compiler.csv", "compilations")).isPositive();
        assertThat(most("jvm", "memory.csv", "rss_bytes")).isPositive();
        assertThat(info.path("notRecorded"))
                .as("not even what the JVM must be asked for")
                .isEmpty();
        assertThat(left()).isEmpty();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void podmanRunsAFolder() throws IOException {
        assumeTrue(isHere("podman"), "podman is not installed");
        Path root = Files.createDirectory(sandbox.root().resolve("rootfs"));
        for (String folder : List.of("proc", "sys", "dev", "tmp", "run", "etc", "var")) {
            Files.createDirectory(root.resolve(folder));
        }
        // A JVM shows no counters where its user has no name.
        Files.writeString(root.resolve("etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
        String mounts;
        try (Stream<String> lent = Stream.of("/usr", "/lib", "/lib64", "/bin", Kiln.fixtures())) {
            mounts = String.join(
                    ", ", lent.filter(path -> Files.exists(Path.of(path))).toList());
        }
        Answer answer = run("variants:\n  jvm: {container: {rootfs: " + root
                + ", runtime: podman, memory: 256m, mounts: [" + mounts + "]}}\n");

        JsonNode info = info("jvm");
        assertThat(info.path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(words(info.path("command"))).contains("--rootfs", root.toString());
        assertThat(info.at("/jvm/home").asString()).isEqualTo(System.getProperty("java.home"));
        assertThat(most("jvm", "compiler.csv", "compilations")).isPositive();
        assertThat(said("podman", "ps", "--all", "--format", "{{.Names}}")).doesNotContain("kiln-");
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void ctrlCTakesTheContainerAway() {
        assumeTrue(isHere("runc"), "runc is not installed");
        Kiln kiln = start("variants:\n  jvm: {container: {" + LENT + "}}\n", "[{load: 120s}]");
        Answer answer = untilLoaded(kiln) ? kiln.signal("INT").end() : kiln.end();
        assumeCan(answer);
        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        sandbox.awaitNoProcess();
        assertThat(left()).isEmpty();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void whatAKilledKilnLeftRunningTheNextOneTakesAway() throws IOException {
        assumeTrue(isHere("runc"), "runc is not installed");
        Kiln kiln = start("variants:\n  jvm: {container: {" + LENT + "}}\n", "[{load: 120s}]");
        if (untilLoaded(kiln)) {
            kiln.signal("KILL");
        }
        assumeCan(kiln.end());
        // The next start has something to say of its own, soon.
        try (ServerSocket taken = new ServerSocket(0)) {
            Path other = sandbox.file(
                    "next.yaml",
                    "target: {command: sleep 1}\nload: {url: 'http://localhost:" + taken.getLocalPort() + "/'}\n");
            Answer next = Kiln.start(
                            sandbox,
                            "run",
                            other.toString(),
                            "--results",
                            sandbox.results().toString())
                    .end();
            assertThat(next.exit()).as(next.err()).isEqualTo(3);
            assertThat(next.err())
                    .containsPattern("removed the container kiln-\\d+-\\d+-\\d+ that a killed Kiln had left");
        }
        sandbox.awaitNoProcess();
        assertThat(sandbox.remains()).isEmpty();
    }

    /** False where it ended before: this machine makes no containers. */
    private boolean untilLoaded(Kiln kiln) {
        try {
            kiln.await("load", () -> hasLoad(sandbox.run("jvm").resolve("load.csv")));
            return true;
        } catch (AssertionError ended) {
            return false;
        }
    }

    private static boolean hasLoad(Path file) {
        try {
            return Files.exists(file) && Files.readAllLines(file).size() > 5;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void whatCannotBeMadeIsToldBeforeAnythingRuns() {
        assumeTrue(isHere("runc"), "runc is not installed");
        Answer answer = run("variants:\n  none: {container: {" + LENT + "}, command: 'no-such-program ${port}'}\n");
        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err())
                .contains("variant none: container: no program 'no-such-program' in the container")
                .doesNotContain("warming up");
        assertThat(sandbox.remains()).isEmpty();
    }
}
