package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.evidence.LoadFile.CallFile;
import dev.kiln.model.load.LoadBin.CallBin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code kiln compare} and {@code kiln gate} on a mix: what they tell of its calls, and when. */
class CompareCallsTest {
    private static final List<String> BOTH = List.of("old", "new");
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path dir;

    @BeforeEach
    void record() {
        for (String variant : BOTH) {
            new RecordedRuns(dir).variant(BOTH, variant, 6, 20, 1000);
            for (int run = 1; run <= 6; run++) {
                Path directory = dir.resolve(variant).resolve(Integer.toString(run));
                try (CallFile calls = new CallFile(directory)) {
                    phase(calls, "warmup", 0, 60, variant, run);
                    phase(calls, "measure", 75, 20, variant, run);
                }
            }
        }
    }

    /** "GET /a, b" got slower by a fifth, and nothing else changed. */
    private static void phase(CallFile calls, String phase, int start, int seconds, String variant, int run) {
        for (int i = start; i < start + seconds; i++) {
            long p50 = (variant.equals("new") ? 12 : 10) * 1_000_000L + 10_000L * run;
            calls.write(new CallBin(phase, i * SECOND, (i + 1) * SECOND, "GET /a, b", 300, 0, p50, 2 * p50));
            calls.write(new CallBin(
                    phase, i * SECOND, (i + 1) * SECOND, "pay_ms", 700, 0, 5_000_000L + 10_000L * run, 9_000_000));
        }
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }

    @Test
    void callsAreComparedOnlyWhereTheyAreAskedFor() {
        assertThat(Kiln.run("compare", dir.toString()).out()).doesNotContain("pay_ms", "GET /a, b");
        Kiln ran = Kiln.run("compare", dir.toString(), "--calls");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("p99 latency of GET /a, b", "p50 latency of pay_ms", "failed requests of pay_ms");
    }

    @Test
    void theConclusionCanBeAboutOneCall() {
        Kiln ran = Kiln.run("compare", dir.toString(), "--primary", "P50@GET /a, b");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("p50 latency of GET /a, b", "higher, worse")
                .doesNotContain("pay_ms", "p99 latency of GET");
        JsonNode json = JsonMapper.shared()
                .readTree(Kiln.run("compare", dir.toString(), "--primary", "p50@GET /a, b", "--json", "-")
                        .out());
        assertThat(json.at("/primary").asString()).isEqualTo("p50@GET /a, b");
        assertThat(json.at("/comparisons/0/metrics").findValuesAsString("metric"))
                .contains("p50@GET /a, b");
    }

    @Test
    void aCallThatIsNotInTheLoadIsNamedWithThoseThatAre() {
        Kiln ran = Kiln.run("compare", dir.toString(), "--primary", "p99@pay");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("--primary: unknown call 'pay'", "known: GET /a, b, pay_ms");
    }

    @Test
    void withoutCallsThereAreNoneToCompare() throws IOException {
        Kiln ran = Kiln.run("compare", file("a.csv", "1\n2\n"), file("b.csv", "1\n2\n"), "--calls");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("no calls to tell apart");
    }

    @Test
    void aGateFileNamesCalls() throws IOException {
        String tolerance = file("t.yaml", "peak: -5\np50@GET /a, b: 5\np99@pay_ms: 5\n");
        Kiln ran = Kiln.run("gate", "--baseline", dir + ":old", dir + ":new", "--tolerance", tolerance, "--json", "-");
        assertThat(ran.exit()).as(ran.err()).isEqualTo(1);
        JsonNode json = JsonMapper.shared().readTree(ran.out());
        assertThat(json.at("/metrics/1/metric").asString()).isEqualTo("p50@GET /a, b");
        assertThat(json.at("/metrics/1/verdict").asString()).isEqualTo("FAIL");
        assertThat(json.at("/metrics/2/verdict").asString()).isEqualTo("PASS");
    }

    @Test
    void aGateFileWithAnUnknownCallIsRefused() throws IOException {
        String tolerance = file("t.yaml", "p99@checkout: 5\n");
        Kiln ran = Kiln.run("gate", "--baseline", dir + ":old", dir + ":new", "--tolerance", tolerance);
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("t.yaml:1: unknown call 'checkout'", "known: GET /a, b, pay_ms");
    }
}
