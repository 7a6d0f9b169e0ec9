package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Targets in real containers, where this machine can make them: seen from outside, and nothing of them left. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class ContainerIT {
    private static final String LOAD = """
            load:
              url: http://localhost:${port}/
              connections: 2
            runs: 1
            """;
    private static final String IMAGE = "kiln-it";

    /** What the image of empty folders is filled with: this machine's own files. */
    private static final List<String> LENT = Stream.of("/usr", "/lib", "/lib64", "/bin", Kiln.fixtures())
            .filter(path -> Files.exists(Path.of(path)))
            .toList();

    /** The first runtime here that can make an image and start a container; empty where there is none. */
    private static final Optional<String> RUNTIME = Stream.of("podman", "docker")
            .filter(runtime -> LentContainer.makesImage(runtime, IMAGE))
            .filter(ContainerIT::starts)
            .findFirst();

    /** What a machine may lack; whatever else is refused is a fault. */
    private static final Pattern CANNOT = Pattern.compile(
            "no program '[a-z' ]+' in the PATH|not permitted to make one|read-only file system",
            Pattern.CASE_INSENSITIVE);

    private final Sandbox sandbox = new Sandbox();
    private final List<Long> kilns = new ArrayList<>();

    @AfterEach
    void end() {
        left().forEach(name -> said(RUNTIME.orElseThrow(), "rm", "--force", name));
        sandbox.close();
    }

    private Kiln start(String variants, String protocol) {
        return start(variants, protocol, sandbox.jvm());
    }

    private Kiln start(String variants, String protocol, ProcessBuilder jvm) {
        // Nothing of Kiln's environment is the container's, so the mark of what is ours must be given to it.
        String target = "target:\n  command: " + Kiln.CURVE_SERVER + "\n  jdk: " + System.getProperty("java.home")
                + "\n  environment: {" + sandbox.mark().replace("=", ": '") + "'}\n";
        Path file = sandbox.file("contained.yaml", target + variants + LOAD + "protocol: " + protocol + "\n");
        Kiln kiln = Kiln.start(
                sandbox,
                jvm,
                "run",
                file.toString(),
                "--results",
                sandbox.results().toString());
        kilns.add(kiln.pid());
        return kiln;
    }

    private Answer run(String variants) {
        Answer answer = start(variants, "[{load: 2s}, {pause: 1s}, {load: 1s}]").end();
        assumeCan(answer);
        return answer;
    }

    /** Installed, and permitted to. */
    private static void assumeCan(Answer answer) {
        assumeFalse(answer.exit() == 3 && CANNOT.matcher(answer.err()).find(), answer.err());
    }

    /** A runtime may be installed and not fit the machine: crun refuses one with both versions of cgroups. */
    private static boolean starts(String runtime) {
        List<String> command = new ArrayList<>(List.of(
                runtime,
                "run",
                "--rm",
                "--network",
                "host",
                "--ulimit",
                "nofile=1024:1024",
                "--ulimit",
                "nproc=1024:1024"));
        LENT.forEach(path -> command.addAll(List.of("--volume", path + ":" + path + ":ro")));
        command.addAll(List.of(IMAGE, "/usr/bin/true"));
        return Sandbox.works(command.toArray(String[]::new));
    }

    private static String container(String more) {
        assumeTrue(RUNTIME.isPresent(), "neither podman nor docker starts a container here");
        return "container: {image: " + IMAGE + ", runtime: " + RUNTIME.get() + ", mounts: [" + String.join(", ", LENT)
                + "]" + more + "}";
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

    /** The containers of this test's Kilns that a runtime lists: others run at the same time. */
    private List<String> left(String... command) {
        return said(command)
                .lines()
                .filter(name -> kilns.stream().anyMatch(pid -> name.startsWith("kiln-" + pid + "-")))
                .toList();
    }

    private List<String> left() {
        return RUNTIME.map(runtime -> left(runtime, "ps", "--all", "--format", "{{.Names}}"))
                .orElse(List.of());
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
        Answer answer = run("variants:\n"
                + "  jvm: {" + container(", cpus: 0.2, memory: 256m") + ", with: [cpus: 1]}\n"
                + "  absent: {container: {image: kiln-it-absent, runtime: " + RUNTIME.orElse("")
                + "}, optional: true}\n"
                + "  failing: {" + container("") + ", command: \"sh -c 'echo no ${port}; exit 7'\"}\n");

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.err())
                .contains("failing run 1: the target exited with code 7")
                .contains("variant absent is left out: " + RUNTIME.orElseThrow()
                        + " has no image 'kiln-it-absent'; Kiln");
        JsonNode info = info("jvm");
        assertThat(info.path("outcome").asString()).isEqualTo("COMPLETED");
        assertThat(words(info.path("command")))
                .contains("run", IMAGE, System.getProperty("java.home") + "/bin/java")
                .anyMatch(word -> word.endsWith("/" + RUNTIME.orElseThrow()));
        assertThat(info.at("/jvm/home").asString()).isEqualTo(System.getProperty("java.home"));
        assertThat(words(info.path("notes")))
                .anyMatch(
                        note -> note.startsWith(RUNTIME.orElseThrow() + " ") && note.contains("to make the container"))
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
    void ctrlCTakesTheContainerAway() {
        Kiln kiln = start("variants:\n  jvm: {" + container("") + "}\n", "[{load: 120s}]");
        Answer answer = untilLoaded(kiln) ? kiln.signal("INT").end() : kiln.end();
        assumeCan(answer);
        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        sandbox.awaitNoProcess();
        assertThat(left()).isEmpty();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void whatAKilledKilnLeftRunningTheNextOneTakesAway() throws IOException {
        Kiln kiln = start("variants:\n  jvm: {" + container("") + "}\n", "[{load: 120s}]");
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
                    .containsPattern(
                            "removed the container kiln-" + kiln.pid() + "-\\d+-\\d+ that a killed Kiln had left");
        }
        sandbox.awaitNoProcess();
        assertThat(left()).isEmpty();
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
        Answer answer = run("variants:\n  none: {" + container("") + ", command: 'no-such-program ${port}'}\n");
        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err())
                .contains("variant none: container: no program 'no-such-program' in the container")
                .doesNotContain("warming up");
        assertThat(sandbox.remains()).isEmpty();
    }

    /** In the place of docker's client, one that tells of a container on another machine, whose pid is somebody else's here. */
    @Test
    void aStrangerWithThePidOfAContainerElsewhereIsSpared() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try {
            Path docker = Files.createDirectory(sandbox.root().resolve("bin")).resolve("docker");
            Files.writeString(docker, """
                    #!/bin/sh
                    case "$1 $2" in
                    "container inspect") echo "PID 5cfe9b39ab05acc5d5fd83611086b8f33ea1f400f7f1c31906a90183e154d9bc" ;;
                    "run "*) exec sleep 600 ;;
                    *) echo 20.10.24 ;;
                    esac
                    """.replace("PID", Long.toString(stranger.pid())));
            Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwxr-xr-x"));
            ProcessBuilder jvm = sandbox.jvm();
            jvm.environment().merge("PATH", docker.getParent() + ":", (path, first) -> first + path);
            Answer answer = start(
                            "variants:\n  jvm: {container: {image: 'a:1', runtime: docker}}\n", "[{load: 2s}]", jvm)
                    .end();

            assertThat(answer.exit()).as(answer.err()).isEqualTo(3);
            assertThat(answer.err())
                    .contains("docker's containers run on another machine: process " + stranger.pid())
                    .contains("--pid host");
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
        sandbox.awaitNoProcess();
        assertThat(sandbox.remains()).isEmpty();
    }
}
