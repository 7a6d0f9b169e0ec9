package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.process.Ports;
import dev.kiln.host.process.Programs;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Services in real containers that a command of the user's makes or starts anew for each run. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class RestartContainerIT {
    private static final boolean PODMAN = LentContainer.works("podman");

    private final Sandbox sandbox = new Sandbox();
    private final int port = Ports.free();
    private final String name = "kiln-it-restart-" + port;

    @BeforeEach
    void writeScript() {
        assumeTrue(PODMAN, "podman starts no container here");
        script("recreate.sh", "");
        script("handing.sh", "--env JAVA_TOOL_OPTIONS");
    }

    /** Writes a script that makes the container anew, as compose does with --force-recreate. */
    private void script(String file, String more) {
        String lent = Stream.of("/usr", "/lib", "/lib64", "/bin", System.getProperty("java.home"), Kiln.fixtures())
                .filter(path -> Files.exists(Path.of(path)))
                .map(path -> "--volume " + path + ":" + path + ":ro")
                .collect(Collectors.joining(" "));
        Path script = sandbox.file(file, """
                #!/bin/sh
                podman rm --force --time 0 %1$s
                exec podman run --detach %8$s --name %1$s --network host %2$s %3$s --memory 256m --cpus 0.5 \\
                    --entrypoint %4$s %7$s -Dtag="$TAG" -cp %5$s dev.kiln.fixtures.CurveServer --port %6$d
                """.formatted(
                        name,
                        String.join(" ", LentContainer.LIMITS),
                        lent,
                        Kiln.JAVA,
                        Kiln.fixtures(),
                        port,
                        LentContainer.IMAGE,
                        more));
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void leaveNothing() throws Exception {
        if (PODMAN) {
            new ProcessBuilder("podman", "rm", "--force", "--time", "0", name)
                    .start()
                    .waitFor();
        }
        sandbox.close();
    }

    private Answer run(String experiment) {
        String yaml = """
                prepare: ./recreate.sh
                cleanup: podman rm --force --time 0 %1$s
                %2$sload: {url: 'http://localhost:%3$d/', connections: 4}
                protocol: [{load: 6s}, {pause: 1s}, {load: 2s}]
                runs: 1
                """.formatted(name, experiment.replace("NAME", name), port);
        return Kiln.experiment(sandbox, yaml).end();
    }

    @Test
    void anImageThatAnotherOneReplacesIsRemoved() {
        String image = "kiln-it-replaced-" + port;
        assertThat(LentContainer.makesImage("podman", image)).isTrue();
        String first = Programs.run(List.of("podman", "images", "--quiet", image))
                .output()
                .strip();
        try {
            assertThat(LentContainer.makesImage("podman", image)).isTrue();

            assertThat(Programs.run(List.of("podman", "images", "--quiet")).output())
                    .doesNotContain(first);
        } finally {
            Programs.run(List.of("podman", "rmi", image));
        }
    }

    private static long most(Path file, String column) throws IOException {
        List<List<String>> rows = Files.readAllLines(file).stream()
                .map(line -> List.of(line.split(",", -1)))
                .toList();
        int index = rows.getFirst().indexOf(column);
        return rows.stream()
                .skip(1)
                .map(row -> row.get(index))
                .filter(cell -> !cell.isEmpty())
                .mapToLong(Long::parseLong)
                .max()
                .orElse(-1);
    }

    private String stateOfMemory(String variant) {
        JsonNode result = JsonMapper.shared().readTree(sandbox.run(variant).resolve("../../result.json"));
        return result.path("variants")
                .get(0)
                .path("runs")
                .get(0)
                .path("findings")
                .valueStream()
                .filter(finding -> finding.path("id").asString().equals("memory-pressure"))
                .map(finding -> finding.path("state").asString())
                .findFirst()
                .orElse("");
    }

    @Test
    void eachRunIsOfTheNewProcessInItsContainer() throws IOException {
        Answer answer = run("""
                target: {attach: NAME, restart: ./recreate.sh}
                variants:
                  one: {environment: {TAG: first}}
                  two: {environment: {TAG: second}, stop: podman stop --time 2 NAME}
                  again: {restart: podman restart --time 2 NAME}
                """);

        assertThat(answer.humane()).as(answer.err()).isTrue();
        List<Long> pids = new ArrayList<>();
        for (String variant : List.of("one", "two", "again")) {
            Path folder = sandbox.run(variant);
            JsonNode run = JsonMapper.shared().readTree(folder.resolve("run.json"));
            assertThat(run.path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
            assertThat(run.path("restarted").path("to").asString()).isEqualTo(name);
            pids.add(run.path("restarted").path("pid").asLong());
            String command = run.path("command").toString();
            assertThat(command).contains("CurveServer").doesNotContain("runc", "crun");
            if (!variant.equals("again")) {
                assertThat(command).contains(variant.equals("one") ? "-Dtag=first" : "-Dtag=second");
            }
            assertThat(run.path("jvm").isNull()).isFalse();
            assertThat(run.path("readyNanos").asLong()).isPositive();
            assertThat(run.at("/host/cpus").asInt()).as("of half a CPU").isEqualTo(1);
            assertThat(run.at("/treatment/limits/memoryBytes").asLong()).isEqualTo(256L << 20);
            assertThat(most(folder.resolve("cgroup.csv"), "periods")).isPositive();
            assertThat(most(folder.resolve("memory.csv"), "rss_bytes")).isPositive();
        }
        assertThat(pids).doesNotHaveDuplicates();
        assertThat(stateOfMemory("one")).isIn("held", "ruled-out");
        assertThat(sandbox.remains()).isEmpty();
    }

    private void recreate() throws Exception {
        assertThat(new ProcessBuilder("./recreate.sh")
                        .directory(sandbox.root().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void aContainerThatRunsAlreadyHasItsLimitsToo() throws Exception {
        recreate();
        Answer answer = Kiln.start(
                        sandbox,
                        "run",
                        "--attach",
                        name,
                        "--url",
                        "http://localhost:" + port + "/",
                        "--protocol",
                        "load=5s,pause=1s,load=2s",
                        "--results",
                        sandbox.results().toString())
                .end();

        JsonNode run = JsonMapper.shared().readTree(sandbox.run("baseline").resolve("run.json"));
        assertThat(run.path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(run.path("attached").path("to").asString()).isEqualTo(name);
        assertThat(run.at("/treatment/limits/memoryBytes").asLong()).isEqualTo(256L << 20);
        assertThat(stateOfMemory("baseline")).isIn("held", "ruled-out");
    }

    private Kiln tune(String folder, String restart) {
        return tune(folder, "attach: " + name, restart);
    }

    private Kiln tune(String folder, String where, String restart) {
        Path file = sandbox.file("tune.yaml", """
                target: {%1$s, restart: %2$s}
                load: {url: 'http://localhost:%3$d/', connections: 4}
                protocol: [{load: 60s}, {pause: 1s}, {load: 20s}]
                """.formatted(where, restart, port));
        return Kiln.start(
                sandbox,
                "tune",
                file.toString(),
                "--results",
                sandbox.results().resolve(folder).toString());
    }

    /** A container that is started anew has the variables with which it was made. */
    @Test
    void aSearchSeesWhetherTheContainerGetsItsVariable() throws IOException {
        Path load = sandbox.results().resolve("handing/1-baseline/baseline/1/load.csv");
        Kiln handing = tune("handing", "./handing.sh")
                .await("load of the baseline", () -> load.toFile().length() > 1000);
        Answer handed = handing.signal("INT").end();
        assertThat(handed.exit()).as(handed.err()).isEqualTo(130);
        assertThat(handed.err()).contains("restart (./handing.sh) started the service again as it was");
        assertThat(Files.readString(sandbox.results().resolve("handing/0-handed-on/handed-on/1/run.json")))
                .contains("-Dkiln.handed-on=true");

        String restart = "podman restart --time 2 " + name;
        Answer deaf = tune("deaf", restart).end();
        assertThat(deaf.exit()).as(deaf.err()).isEqualTo(1);
        assertThat(deaf.humane()).as(deaf.err()).isTrue();
        assertThat(deaf.err().replaceAll("\\s+", " "))
                .contains(
                        "restart (" + restart + ") did not hand JAVA_TOOL_OPTIONS on to the service",
                        "let the command make it anew, with run --env JAVA_TOOL_OPTIONS");
        assertThat(sandbox.remains()).isEmpty();
    }

    /** Kiln sees neither the container nor its process from outside. */
    @Test
    void aSearchGoesBehindACommandToo() throws IOException {
        String where = "via: podman exec -i " + name + ", attach: 1";
        Path load = sandbox.results().resolve("handing/1-baseline/baseline/1/load.csv");
        Kiln handing = tune("handing", where, "./handing.sh")
                .await("load of the baseline", () -> load.toFile().length() > 1000);
        Answer handed = handing.signal("INT").end();
        assertThat(handed.exit()).as(handed.err()).isEqualTo(130);
        assertThat(handed.humane()).as(handed.err()).isTrue();
        assertThat(handed.err().replaceAll("\\s+", " "))
                .contains(
                        "has the rights of the container alone where this one runs: favoured compilers",
                        "restart (./handing.sh) started the service again as it was, without what was tried: the far end of podman"
                                + " exec -i " + name);
        assertThat(Files.readString(sandbox.results().resolve("handing/0-handed-on/handed-on/1/run.json")))
                .contains("-Dkiln.handed-on=true");
        assertThat(new LentContainer(name).processes()).contains("CurveServer");

        Answer deaf = tune("deaf", where, "podman restart --time 2 " + name).end();
        assertThat(deaf.exit()).as(deaf.err()).isEqualTo(1);
        assertThat(deaf.humane()).as(deaf.err()).isTrue();
        assertThat(deaf.err().replaceAll("\\s+", " "))
                .contains(
                        "did not hand JAVA_TOOL_OPTIONS on to the service",
                        "let the command make it anew, with run --env JAVA_TOOL_OPTIONS",
                        "started the service again as it was");
        assertThat(sandbox.remains()).isEmpty();
    }

    /** What was not touched is left alone. */
    @Test
    void behindACommandTooTheServiceIsLeftAloneIfNothingTouchedIt() throws Exception {
        recreate();
        Answer answer = tune("left", "via: podman exec -i " + name + ", attach: 1, prepare: 'false'", "./handing.sh")
                .end();

        assertThat(answer.exit()).as(answer.err()).isNotZero();
        assertThat(answer.err()).contains("prepare").doesNotContain("started the service again");
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void aContainerThatGoesOnIsNoNewOne() {
        Answer answer = run("target: {attach: NAME, restart: podman start NAME, readiness: {timeout: 3s}}\n");

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.err())
                .containsOnlyOnce("brought no new process within 3 s")
                .contains("is the container " + name + ", and has run for", "docker compose up --force-recreate");
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void aContainerWithoutAProcessIsNone() {
        Answer answer = run("target: {attach: NAME, restart: podman stop --time 0 NAME, readiness: {timeout: 3s}}\n");

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.err())
                .containsOnlyOnce("brought no new process within 3 s")
                .contains("the container " + name + " has no process: podman says that it is exited");
        assertThat(sandbox.remains()).isEmpty();
    }
}
