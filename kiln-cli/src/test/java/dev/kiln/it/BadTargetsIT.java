package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.MemorySample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Targets that fail in every way, and one that is no JVM, in one experiment: each is told, none stops the others. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(1)
final class BadTargetsIT {
    private final Sandbox sandbox = new Sandbox();
    private final Optional<String> nativeServer = nativeServer();
    private Answer answer = new Answer(-1, "", "");
    private JsonNode result = JsonMapper.builder().build().createObjectNode();

    /** A web server that is no Java program and serves the folder it is started in. */
    private static Optional<String> nativeServer() {
        if (Sandbox.works("python3", "-c", "import http.server")) {
            return Optional.of("python3 -m http.server ${port}");
        }
        return Sandbox.works("busybox", "httpd", "--help")
                ? Optional.of("busybox httpd -f -p ${port}")
                : Optional.empty();
    }

    @BeforeAll
    void runAll() throws IOException {
        Files.createDirectory(sandbox.root().resolve("full"));
        Files.createDirectory(sandbox.root().resolve("empty"));
        sandbox.file("full/page", "hello");
        StringBuilder yaml = new StringBuilder("target:\n  command: " + Kiln.CURVE_SERVER + "\n"
                + "variants:\n"
                + "  no-listen:\n    arguments: --no-listen\n    readiness: {timeout: 8s}\n"
                + "  never-ready:\n    arguments: --never-ready\n    readiness: {timeout: 10s}\n"
                + "  dies:\n    arguments: --die-at 5s\n"
                + "  fails:\n    arguments: --fail-after 200req:500\n");
        nativeServer.ifPresent(command -> yaml.append(
                        "  native:\n    directory: full\n    observe: {flight-recorder: on}\n    command: ")
                .append(command)
                .append("\n  wrong-url:\n    directory: empty\n    command: ")
                .append(command)
                .append('\n'));
        yaml.append("load:\n  url: http://localhost:${port}/page\n  connections: 5\n")
                .append("protocol: [{load: 3s}, {pause: 1s}, {load: 2s}]\nruns: 1\n");
        Path json = sandbox.root().resolve("result.json");
        answer = Kiln.start(
                        sandbox,
                        "run",
                        sandbox.file("bad.yaml", yaml.toString()).toString(),
                        "--results",
                        sandbox.results().toString(),
                        "--json",
                        json.toString())
                .end();
        result = JsonMapper.builder().build().readTree(Files.readString(json));
    }

    @AfterAll
    void leaveNothing() {
        sandbox.close();
    }

    private List<String> reasons(String variant) {
        List<String> reasons = new ArrayList<>();
        run(variant).get("invalidReasons").forEach(reason -> reasons.add(reason.asString()));
        return reasons;
    }

    private JsonNode run(String variant) {
        for (JsonNode node : result.get("variants")) {
            if (node.get("name").asString().equals(variant)) {
                return node.get("runs").get(0);
            }
        }
        throw new AssertionError("no variant " + variant + " in " + result);
    }

    @Test
    void allRunAndTheExitCodeSaysThatSomeFailed() {
        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.humane()).as(answer.err()).isTrue();
        assertThat(result.get("variants")).hasSize(nativeServer.isPresent() ? 6 : 4);
        sandbox.awaitNoProcess();
        assertThat(sandbox.remains()).isEmpty();
    }

    @Test
    void aTargetThatNeverListensIsToldWithTheEndOfItsLog() {
        assertThat(answer.err())
                .containsPattern("no-listen run 1: the target was not ready after \\d+ s; the last attempt: .*refused")
                .containsPattern("  still starting, step \\d+");
        assertThat(reasons("no-listen")).anyMatch(reason -> reason.contains("the target was not ready"));
    }

    @Test
    void aTargetThatIsNeverReadyIsToldWithWhatItAnswered() {
        assertThat(answer.err())
                .containsPattern("never-ready run 1: the target was not ready .*status 503\n  listening on port");
    }

    @Test
    void aTargetThatDiesIsToldWithItsLastWords() {
        assertThat(answer.err())
                .contains("dies run 1: the target exited with code 1\n")
                .contains("  fatal: dying after 5000 ms as asked");
        assertThat(reasons("dies")).anyMatch(reason -> reason.contains("the target exited with code 1"));
        assertThat(run("dies").get("requests").asLong())
                .as("what it did before")
                .isPositive();
    }

    @Test
    void errorsMakeARunInvalid() {
        assertThat(reasons("fails")).anyMatch(reason -> reason.contains("had more errors than accepted"));
        assertThat(run("fails").at("/errorsByKind/non2xx").asLong()).isPositive();
        assertThat(run("fails").get("requests").asLong()).isBetween(150L, 200L);
    }

    @Test
    void aWrongUrlIsSuspected() {
        assumeTrue(nativeServer.isPresent(), "neither python3 nor busybox here to serve files");
        assertThat(answer.err())
                .containsPattern(
                        "wrong-url run 1: the target was not ready after \\d{1,2} s; .*status 404.*so the URL may be wrong");
    }

    /**
     * Returns the longest time of a run in which nothing was read of its target. On a crowded machine the recorder itself may
     * get no CPU for seconds; of so long a time nothing is said, so nothing is said to have been the most of the run.
     */
    private static long longestWithoutARow(RunEvidence evidence) {
        long before = 0;
        long longest = 0;
        for (MemorySample row : evidence.memory()) {
            longest = Math.max(longest, row.timeNanos() - before);
            before = row.timeNanos();
        }
        return Math.max(longest, evidence.info().phases().getLast().endNanos().orElseThrow() - before);
    }

    @Test
    void aProgramThatIsNoJvmGivesEveryResultThatNeedsNone() throws IOException {
        assumeTrue(nativeServer.isPresent(), "neither python3 nor busybox here to serve files");
        JsonNode run = run("native");
        assertThat(reasons("native")).allMatch(Kiln::blamesTheMachine);
        assertThat(run.get("requests").asLong()).isPositive();
        assertThat(run.get("firstResponseSeconds").isNumber()).isTrue();
        assertThat(run.at("/phases/0/throughput").asDouble()).isPositive();
        assertThat(run.at("/timeToReferencePeak/90").isMissingNode()).isFalse();
        assertThat(run.at("/observed/compilations").isNull()).isTrue();
        assertThat(run.at("/observed/c2CpuShare").isNull()).isTrue();
        assertThat(answer.out().replaceAll("\\s+", " "))
                .contains("not recorded")
                .contains("the process is no HotSpot JVM (no libjvm.so in it): a native program");
        RunEvidence evidence = RunReader.read(sandbox.run("native"));
        assertThat(evidence.flight()).isEmpty();
        assertThat(evidence.memory()).isNotEmpty().allMatch(row -> row.rssBytes() > 0);
        if (longestWithoutARow(evidence) < 2_000_000_000) {
            assertThat(run.at("/observed/threads")).isNotEmpty();
            assertThat(run.at("/observed/maxRssBytes").asLong())
                    .isEqualTo(evidence.memory().stream()
                            .mapToLong(MemorySample::rssBytes)
                            .max()
                            .orElseThrow());
        }
        assertThat(evidence.info().notRecorded())
                .anyMatch(gap ->
                        gap.what().equals("flight recording") && gap.why().contains("not a HotSpot JVM"));
    }
}
