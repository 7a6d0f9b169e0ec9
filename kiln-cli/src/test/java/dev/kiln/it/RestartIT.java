package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Services that a command of the user's starts anew for each run, and the user's own commands around runs. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class RestartIT extends InSandbox {
    private static final String STOP = """
            #!/bin/sh
            [ -f service.pid ] || exit 0
            pid=$(cat service.pid)
            kill -9 $pid 2>/dev/null || true
            while [ -e /proc/$pid/exe ]; do sleep 0.05; done
            """;

    private static final String SHORT = """
            runs: 1
            protocol: [{load: 5s}, {pause: 1s}, {load: 2s}]
            load: {url: 'http://localhost:${port}/', connections: 4}
            """;

    private static final String LONG = """
            runs: 1
            protocol: [{load: 120s}]
            load: {url: 'http://localhost:${port}/', connections: 4}
            """;

    private final int port = Ports.free();

    @BeforeEach
    void writeScripts() {
        // As an init system does: ends the old process, starts a new one in the background, and forgets it.
        script("start.sh", """
            #!/bin/sh
            set -e
            ./stop.sh
            echo "start $TAG" >> done
            nohup %s -Dtag="$TAG" -cp %s dev.kiln.fixtures.CurveServer --port %d > service.log 2>&1 &
            echo $! > service.pid
            """.formatted(Kiln.JAVA, Kiln.fixtures(), port));
        script("stop.sh", STOP);
        script("note.sh", "#!/bin/sh\necho \"$*\" >> done\n");
    }

    private void script(String name, String text) {
        assertThat(sandbox.file(name, text).toFile().setExecutable(true)).isTrue();
    }

    private Kiln start(String experiment) {
        Path file = sandbox.file("restart.yaml", experiment.replace("PORT", Integer.toString(port)));
        return Kiln.start(
                sandbox, "run", file.toString(), "--results", sandbox.results().toString());
    }

    private List<String> done() throws IOException {
        Path done = sandbox.root().resolve("done");
        return Files.exists(done) ? Files.readAllLines(done) : List.of();
    }

    private List<Long> services() {
        return sandbox.pids("dev.kiln.fixtures.CurveServer");
    }

    private JsonNode run(String variant) {
        return JsonMapper.shared().readTree(sandbox.run(variant).resolve("run.json"));
    }

    @Test
    void aServiceThatOthersStartIsMeasuredFromItsColdStart() throws IOException {
        Answer answer = start("""
                        prepare: ./note.sh prepare
                        cleanup: ./note.sh cleanup
                        target:
                          attach: port:PORT
                          restart: ./start.sh
                          stop: ./stop.sh
                          beforeRun: ./note.sh before ${port}
                          afterRun: ./note.sh after
                        variants:
                          one: {environment: {TAG: first}}
                          two: {environment: {TAG: second}, cleanup: ./note.sh cleanup two}
                        """ + SHORT).end();

        assertThat(answer.humane()).as(answer.err()).isTrue();
        for (String variant : List.of("one", "two")) {
            JsonNode run = run(variant);
            assertThat(run.path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
            assertThat(run.has("attached")).isFalse();
            assertThat(run.path("restarted").path("to").asString()).isEqualTo("port:" + port);
            assertThat(run.path("restarted").path("by").get(0).asString()).isEqualTo("./start.sh");
            assertThat(run.path("command").toString())
                    .contains("-Dtag=" + (variant.equals("one") ? "first" : "second"));
            assertThat(run.path("readyNanos").asLong()).isPositive();
            assertThat(run.path("jvm").isNull()).isFalse();
            assertThat(run.path("cpus").path("pinned").asBoolean()).isFalse();
            assertThat(run.path("cpus").path("target").size())
                    .as("Kiln itself is on the CPUs of the load")
                    .isEqualTo(Runtime.getRuntime().availableProcessors());
        }
        assertThat(run("one").path("restarted").path("pid").asLong())
                .isNotEqualTo(run("two").path("restarted").path("pid").asLong());
        assertThat(done())
                .containsExactlyInAnyOrder(
                        "prepare",
                        "before " + port,
                        "start first",
                        "after",
                        "before " + port,
                        "start second",
                        "after",
                        "cleanup two",
                        "cleanup")
                .startsWith("prepare")
                .endsWith("cleanup two", "cleanup");
        assertThat(services()).isEmpty();
        JsonNode result = JsonMapper.shared().readTree(sandbox.run("one").resolve("../../result.json"));
        JsonNode told = result.path("variants").get(0).path("runs").get(0);
        assertThat(told.path("startSeconds").isNumber()).isTrue();
        assertThat(told.path("timeToReferencePeak").path("90").isNull()).isFalse();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    @FullRun
    void whatAKilledKilnOwedTheNextOneDoes() throws Exception {
        String experiment = """
                cleanup: ./note.sh cleanup
                target:
                  attach: port:PORT
                  restart: ./start.sh
                  stop: ./stop.sh
                  afterRun: ./note.sh after
                """;
        start(experiment + LONG).await("load", sandbox::isLoaded).signal("KILL").end();
        assertThat(services()).hasSize(1);
        assertThat(done()).containsExactly("start ");

        // The next one has other things to do.
        Answer next = start(
                        "target: {command: 'true'}\nload: {url: 'http://localhost:1/'}\nruns: 1\nprotocol: [{load: 1s}]\n")
                .end();

        assertThat(next.err()).contains("stop (./stop.sh), which a killed Kiln left to do, was run");
        assertThat(done()).containsExactly("start ", "after", "cleanup");
        assertThat(services()).isEmpty();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    @FullRun
    void ctrlCPutsAllBackBeforeKilnEnds() throws Exception {
        Answer answer =
                start("""
                        cleanup: ./note.sh cleanup
                        target: {attach: 'port:PORT', restart: ./start.sh, stop: ./stop.sh, afterRun: ./note.sh after}
                        """ + LONG).await("load", sandbox::isLoaded).signal("INT").end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(130);
        assertThat(done()).containsExactly("start ", "after", "cleanup");
        assertThat(services()).isEmpty();
        assertThat(sandbox.remains()).isEmpty();
    }

    /** Without stop it is as after systemctl restart. */
    @Test
    @FullRun
    void aServiceThatNobodyStopsGoesOn() throws Exception {
        Answer answer = start("target: {attach: 'port:PORT', restart: ./start.sh}\n" + SHORT)
                .end();

        assertThat(run("baseline").path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(services()).hasSize(1);

        Answer old = start("target: {attach: 'port:PORT', restart: 'true', readiness: {timeout: 2s}}\n" + SHORT)
                .end();
        assertThat(old.exit()).isEqualTo(1);
        assertThat(old.humane()).as(old.err()).isTrue();
        assertThat(old.err())
                .contains(
                        "baseline run 1: restart (true) ended, and brought no new process within 2 s",
                        "is what listens on port " + port + ", and has run for");
        assertThat(services()).hasSize(1);
    }

    @Test
    @FullRun
    void aCommandThatFailsEndsItsRunAndTheNextGoesOn() throws IOException {
        Answer answer = start("""
                        cleanup: sh -c 'echo nothing to clean; exit 4'
                        target: {attach: 'port:PORT', restart: ./start.sh, stop: ./stop.sh}
                        variants:
                          before: {beforeRun: sh -c 'echo no disk; exit 3'}
                          again: {restart: sh -c 'echo no such unit; exit 5'}
                          fine:
                        """ + SHORT).end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(answer.err())
                .contains("before run 1: beforeRun (sh -c echo no disk; exit 3) exited with code 3")
                .contains("again run 1: restart (sh -c echo no such unit; exit 5) exited with code 5")
                .contains("cleanup (sh -c echo nothing to clean; exit 4) exited with code 4", "\n  nothing to clean");
        assertThat(run("before").path("outcome").asString()).isEqualTo("LAB_FAILED");
        assertThat(run("before").path("outcomeDetail").asString()).contains("beforeRun", "exited with code 3");
        assertThat(run("again").path("outcome").asString()).isEqualTo("TARGET_FAILED");
        assertThat(run("fine").path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(Files.readString(sandbox.run("again").resolve("restart.log")))
                .isEqualTo("no such unit\n");
        assertThat(sandbox.remains()).isEmpty();
        Answer report = Kiln.inProcess("report", sandbox.results().toString());
        assertThat(report.exit()).isEqualTo(1);
        assertThat(report.out().replaceAll("\\s+", " ")).contains("exited with code 3");
    }

    @FullRun
    @Test
    void commandsStandAroundTheRunsOfAServiceThatKilnStartsToo() throws IOException {
        Answer answer = start("""
                        prepare: ./note.sh prepare
                        target:
                          command: %s
                          prepare: ./note.sh variant
                          beforeRun: sh -c 'echo before ${run.dir} >> done'
                          afterRun: ./note.sh after
                        """.formatted(Kiln.CURVE_SERVER) + SHORT).end();

        assertThat(run("baseline").path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(done()).containsExactly("prepare", "variant", "before " + sandbox.run("baseline"), "after");
    }

    @Test
    void anExperimentThatCannotBePreparedRunsNothing() throws IOException {
        Answer answer = start("prepare: sh -c 'echo no network; exit 9'\ncleanup: ./note.sh cleanup\n"
                        + "target: {attach: 'port:PORT', restart: ./start.sh}\n" + SHORT)
                .end();

        assertThat(answer.exit()).isEqualTo(1);
        assertThat(answer.err())
                .contains("kiln: prepare (sh -c echo no network; exit 9) exited with code 9", "no network");
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(done()).containsExactly("cleanup");
        try (Stream<Path> files = Files.walk(sandbox.results())) {
            assertThat(files.filter(file -> file.endsWith("run.json"))).isEmpty();
        }
    }

    @Test
    void aProgramThatIsNotThereIsSaidBeforeAnythingRuns() throws IOException {
        Answer answer = start("prepare: ./note.sh prepare\ntarget: {command: sleep 1, afterRun: kiln-it-absent}\n"
                        + SHORT.replace("${port}", "1"))
                .end();

        assertThat(answer.exit()).as(answer.err()).isEqualTo(2);
        assertThat(answer.err()).contains("cannot start the afterRun: no program 'kiln-it-absent' in the PATH");
        assertThat(done()).isEmpty();
    }
}
