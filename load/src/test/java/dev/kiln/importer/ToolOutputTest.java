package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.importer.hyperfoil.HyperfoilJson;
import dev.kiln.model.load.LoadBin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several phases of a program's own, and its silence, as one phase of Kiln's. */
class ToolOutputTest {
    @TempDir
    private Path folder;

    /** A metric with requests in one second, of a phase that ends later. */
    private static String metric(String phase, long start, long phaseEnd) {
        String second = """
                {"startTime": %d, "endTime": %d, "maxResponseTime": 9, "percentileResponseTime": {"50.0": 3, "99.0": 7},
                 "requestCount": 10, "responseCount": 10, "invalid": 0, "connectionErrors": 0, "requestTimeouts": 0,
                 "internalErrors": 0, "extensions": {"http": {"status_2xx": 10, "status_3xx": 0, "status_4xx": 0,
                  "status_5xx": 0, "status_other": 0}}}
                """.formatted(start, start + 1000);
        return "{\"name\":\"" + phase + "\",\"total\":{\"start\":" + start + ",\"end\":" + phaseEnd + ",\"summary\":"
                + second + "},\"series\":[" + second + "]}";
    }

    private ToolOutput.ToolPhase read(String... metrics) throws IOException {
        String json = "{\"version\":\"0.30\",\"stats\":[" + String.join(",", metrics) + "]}";
        Path file = Files.writeString(folder.resolve("all.json"), json);
        return ToolOutput.of(List.of(HyperfoilJson.of(file)), "load", 1_000_000_000L, 2);
    }

    @Test
    void quantilesOfOnePhaseAreNotThoseOfSeveral() throws IOException {
        assertThat(read(metric("a", 5_000, 6_000)).total()).isPresent();
        assertThat(read(metric("a", 5_000, 6_000), metric("b", 6_000, 7_000)).total())
                .isEmpty();
        assertThat(read(metric("a", 5_000, 6_000), metric("b", 6_000, 7_000), metric("b", 6_000, 7_000))
                        .total())
                .isEmpty();
    }

    @Test
    void aPhaseEndsWhenItsLastAnswerCame() throws IOException {
        ToolOutput.ToolPhase phase = read(metric("a", 5_000, 8_250));
        assertThat(phase.endNanos()).isEqualTo(7_250_000_000L);
        assertThat(phase.bins()).hasSize(1);
        ToolOutput.ToolPhase filled = phase.filledUntil(phase.endNanos());
        assertThat(filled.bins())
                .extracting(LoadBin::endNanos)
                .containsExactly(5_000_000_000L, 6_000_000_000L, 7_000_000_000L, 7_250_000_000L);
        assertThat(filled.bins()).extracting(LoadBin::started).containsExactly(10L, 0L, 0L, 0L);
        assertThat(filled.bins()).extracting(LoadBin::backlog).containsOnly(2L);
        assertThat(phase.filledUntil(5_020_000_000L).bins())
                .as("20 ms are no second")
                .hasSize(1);
    }
}
