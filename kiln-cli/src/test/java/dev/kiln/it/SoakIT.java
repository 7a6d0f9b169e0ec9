package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service that leaks, and a Kiln that is killed while it watches. */
@Execution(ExecutionMode.CONCURRENT)
final class SoakIT {
    /** Of each try its own. */
    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    /** A soak of a leaking service, killed once it has some windows, and resumed to its end. */
    private Answer resumed(String load, int windows) throws Exception {
        // 50 requests/s, which a crowded machine serves too; each of them leaks 80 kB: 4 MB/s. The young
        // generation is so small that most seconds have a collection, and with it a value of the heap.
        Path file = sandbox.file(
                "leaky.yaml",
                "target:\n  command: "
                        + Kiln.FAULT_SERVER.replace("java ", "java -Xmx400m -Xmn3m -XX:+UseSerialGC ")
                        + " --work leak:80000\n  jdk: " + Runtime.version().feature()
                        + "\nload:\n  url: http://localhost:${port}/\n  connections: 4\n  rate: 50\n"
                        + "protocol: [{load: " + load + "}]\n"
                        // Garbage in the old generation is no leak: only full collections tell.
                        + "observe: {full-collections: 1s}\n");
        Kiln killed = Kiln.start(
                sandbox, "soak", file.toString(), "--results", sandbox.results().toString());
        killed.await("some windows of load", () -> lines(soak().resolve("baseline/1/load.csv")) > windows)
                .signal("KILL")
                .end();
        Waiting.until(
                "the target to go with it", () -> sandbox.pids("FaultServer").isEmpty());
        Answer elsewhere = Kiln.inProcess("soak", "--resume", soak().toString());
        assertThat(elsewhere.err()).contains("was started in " + sandbox.root(), "go there first: cd ");

        Answer resumed =
                Kiln.start(sandbox, "soak", "--resume", soak().toString()).end();
        assertThat(resumed.humane()).as(resumed.err()).isTrue();
        return resumed;
    }

    private JsonNode result() throws IOException {
        return JsonMapper.builder().build().readTree(Files.readString(soak().resolve("soak-result.json")));
    }

    private static void assertTwoSegments(JsonNode json, Answer resumed) {
        assertThat(json.get("complete").asBoolean()).as(resumed.out()).isTrue();
        assertThat(json.get("runs")).hasSize(2);
        assertThat(json.at("/runs/0/outcome").asString()).isEqualTo("running");
        assertThat(json.at("/runs/1/trends/3/metric").asString()).isEqualTo("heap");
        assertThat(json.at("/runs/1/collections/young").asInt()).isPositive();
        assertThat(resumed.out()).containsPattern("2 +collections .*\\d young, \\d+ full");
    }

    /** What its trends are is not asked: so few seconds decide none. SoakAssessmentTest has the judgement. */
    @Test
    @FullRun
    void aKilledSoakIsResumedToItsEnd() throws Exception {
        Answer resumed = resumed("8s", 40);

        JsonNode json = result();
        assertTwoSegments(json, resumed);
        assertThat(resumed.exit()).as(resumed.out() + resumed.err()).isIn(0, 1);
        // Null where nothing can be told yet: that is no problem.
        assertThat(json.get("held").isBoolean() && !json.get("held").asBoolean())
                .as("the exit code says whether there is a problem")
                .isEqualTo(resumed.exit() == 1);
        assertThat(Files.readString(soak().resolve("report.html"))).contains("<polyline", "Heap after collections");
    }

    @Test
    @FullRun
    void itsLeakIsFound() throws Exception {
        Answer resumed = resumed("30s", 80);

        JsonNode json = result();
        assertTwoSegments(json, resumed);
        JsonNode second = json.at("/runs/1/trends");
        JsonNode heap = second.get(3);
        assumeTrue(heap.get("bad").asBoolean(), () -> "half a minute did not decide a trend: " + heap);
        assertThat(json.get("held").asBoolean()).isFalse();
        assertThat(resumed.exit()).as(resumed.out() + resumed.err()).isEqualTo(1);
        // A request leaks 80 kB; survivors wait a collection or two before they are old. A crowded machine serves
        // fewer.
        double leakedAnHour = 80_000 * requestsPerSecond(soak().resolve("baseline/2/load.csv")) * 3600 / (1 << 20);
        assertThat(heap.get("perHour").asDouble() / leakedAnHour).isBetween(0.6, 1.5);
        // Memory grows with the heap, in steps: too few of them in 20 s to tell how fast.
        assertThat(second.get(2).get("perHour").asDouble()).isPositive();
        assertThat(resumed.out())
                .contains("It did not hold over")
                .containsPattern("heap\\s+after\\s+collections\\s+rises\\s+by");
    }

    private Path soak() {
        try (Stream<Path> all = Files.list(sandbox.results())) {
            return all.findFirst().orElse(sandbox.results().resolve("none"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double requestsPerSecond(Path load) throws IOException {
        List<String[]> rows = Files.readAllLines(load).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .toList();
        long nanos = Long.parseLong(rows.getLast()[2]) - Long.parseLong(rows.getFirst()[1]);
        return rows.stream().mapToLong(row -> Long.parseLong(row[4])).sum() * 1e9 / nanos;
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            return 0;
        }
    }
}
