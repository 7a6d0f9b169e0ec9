package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service of known capacity under several numbers of connections, and several of its processes together. */
@FullRun
@Isolated("measures")
final class SweepIT {
    private final Sandbox sandbox = new Sandbox();

    /** Of one process, and of none more, whatever the connections are. */
    private static final double CAPACITY = 400;

    private static final int PROCESSES = 3;

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    @Test
    void levelsAreMeasuredAndProcessesStartedTogether() throws Exception {
        Path json = sandbox.root().resolve("sweep.json");
        Answer answer = Kiln.inProcess(Stream.concat(
                        Stream.of(
                                "sweep",
                                "--url",
                                "http://localhost:${port}/",
                                "--connections",
                                "60,80,100,120",
                                "--protocol",
                                "load=2s,pause=1s,load=3s",
                                "--memory",
                                "150m",
                                "--verify-density",
                                "--results",
                                sandbox.results().toString(),
                                "--json",
                                json.toString(),
                                "--"),
                        Stream.of((Kiln.CURVE_SERVER.replace("-Xshare:auto", "-Xshare:auto -Xmx16m -XX:+UseSerialGC")
                                        + " --curve flat:rate=400")
                                .split(" ", -1)))
                .toArray(String[]::new));
        assertThat(answer.humane()).as(answer.err()).isTrue();
        JsonNode sweep =
                JsonMapper.builder().build().readTree(Files.readString(json)).get("sweep");
        JsonNode one = sweep.get("configurations").get(0);
        assertThat(one.get("name").asString()).isEqualTo("baseline");
        assertThat(one.get("levels").findValuesAsString("connections"))
                .containsExactlyElementsOf(List.of("60", "80", "100", "120"));
        for (JsonNode level : one.get("levels")) {
            // A crowded machine makes a run invalid, and rightly; its figures stand all the same.
            assertThat(level.get("throughput").asDouble()).isCloseTo(CAPACITY, Percentage.withPercentage(5));
            double littlesLaw = 1000 * level.get("connections").asDouble() / CAPACITY;
            assertThat(level.at("/responseMillis/mean").asDouble())
                    .isCloseTo(littlesLaw, Percentage.withPercentage(15));
            assertThat(level.get("maxRssBytes").asLong()).isGreaterThan(10_000_000);
            assertThat(level.get("startSeconds").asDouble()).isGreaterThan(0.05);
            assertThat(level.get("errors").asLong()).isZero();
        }
        assertThat(answer.out()).contains("in theory", "coordinated omission", "universal scalability law");
        Path folder = json(sandbox.results());
        assertThat(Files.readAllLines(folder.resolve("sweep.csv"))).hasSize(5);
        assertThat(Files.readString(folder.resolve("report.html"))).contains("<section id=\"sweep\">", "<polyline");
        countsAnew(folder, answer.exit());
        assertTogether(sweep.get("density"), answer);
    }

    /** Where no level was valid there is no theory to verify. */
    private static void assertTogether(JsonNode density, Answer answer) {
        assumeFalse(density.get("theory").isEmpty(), "the machine is too crowded: no level was valid");
        JsonNode verified = density.get("verified").get(0);
        int processes = verified.get("processes").asInt();
        assertThat(processes).as(answer.out()).isBetween(PROCESSES - 1, PROCESSES + 2);
        assertThat(verified.get("throughput").asDouble())
                .as("each has its own capacity, and a crowded machine does not hide one of three")
                .isCloseTo(processes * CAPACITY, Percentage.withPercentage(20));
        assertThat(verified.get("errors").asLong()).isZero();
        assertThat(verified.get("rssBytes").asLong()).isGreaterThan(processes * 10_000_000L);
        assertThat(answer.out()).contains("Verified: ");
    }

    /** @param exit of the sweep: 1 where the machine made a run invalid */
    private static void countsAnew(Path folder, int exit) {
        Answer again = Kiln.inProcess("sweep", folder.toString(), "--memory", "10g");
        assertThat(again.exit()).isEqualTo(exit);
        assertThat(again.out()).contains("Processes that fit 10,240 MiB, in theory");
    }

    private static Path json(Path results) throws java.io.IOException {
        try (Stream<Path> all = Files.list(results)) {
            return all.filter(folder -> Files.exists(folder.resolve("result.json")))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
