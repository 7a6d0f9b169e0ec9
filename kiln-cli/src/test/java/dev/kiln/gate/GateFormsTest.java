package dev.kiln.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.report.Locales;
import dev.kiln.stats.Goldens;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gate and its calibration are told in several forms, which stay as they are. */
class GateFormsTest extends GateFiles {
    @Test
    void goldenGatesComeOutOfFiles() throws IOException {
        for (String group : List.of("synthetic_n3", "synthetic_n4", "synthetic_n5", "synthetic_n6")) {
            JsonNode golden = Goldens.resource("compare").get(group);
            String baseline = file("baseline.json", "{\"throughput\": " + golden.get("a") + "}");
            String current = file("current.json", "{\"throughput\": " + golden.get("b") + "}");
            for (Map.Entry<String, JsonNode> gate : golden.get("gate").properties()) {
                JsonNode expected = gate.getValue();
                String tolerance = file("t.yaml", "throughput: " + expected.get("tolerance_pct") + "\n");

                Kiln ran = Kiln.run(
                        "gate",
                        "--one-session",
                        "--baseline",
                        baseline,
                        "--tolerance",
                        tolerance,
                        current,
                        "--json",
                        "-");

                JsonNode row = new JsonMapper().readTree(ran.out()).at("/metrics/0");
                assertThat(row.get("changePct").asDouble())
                        .isCloseTo(expected.get("variance_pct").asDouble(), within(1e-9 * 100));
                assertThat(row.get("loPct").asDouble())
                        .isCloseTo(expected.at("/ci90_pct/0").asDouble(), within(1e-6 * 100));
                assertThat(row.get("hiPct").asDouble())
                        .isCloseTo(expected.at("/ci90_pct/1").asDouble(), within(1e-6 * 100));
                double tolerated = expected.get("tolerance_pct").asDouble();
                double margin = 100 * Math.expm1(Math.abs(Math.log1p(tolerated / 100)));
                boolean decided = !expected.get("verdict").asString().equals("INCONCLUSIVE");
                boolean refused = !decided && row.get("detectablePct").asDouble() > margin;
                assertThat(row.get("verdict").asString())
                        .isEqualTo(
                                refused
                                        ? "UNDER-POWERED"
                                        : expected.get("verdict").asString());
                assertThat(ran.exit())
                        .isEqualTo(refused ? 5 : code(expected.get("verdict").asString()));
            }
        }
    }

    private static int code(String verdict) {
        return switch (verdict) {
            case "PASS" -> 0;
            case "FAIL" -> 1;
            default -> 4;
        };
    }

    /** CI systems name a link to a file that each step adds to, or a pipe. */
    @Test
    void aSummaryIsAddedToWhateverTheUserNames() throws IOException {
        String tolerance = file("t.yaml", "p99: 12\n");
        Path real = Files.writeString(dir.resolve("summary.md"), "an earlier step\n");
        Path link = Files.createSymbolicLink(dir.resolve("link.md"), real);
        for (String summary : List.of(link.toString(), "/dev/null")) {
            Kiln ran = Kiln.run("gate", "--baseline", BEFORE, "--tolerance", tolerance, AFTER, "--summary", summary);
            assertThat(ran.err()).isEmpty();
        }
        assertThat(real).content().startsWith("an earlier step\n").contains("| Metric |");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void calibrationFindsFewFalseAlarms() throws IOException {
        Path runs = dir.resolve("runs");
        new RecordedRuns(runs).variant(List.of("app"), "app", 8, 20, 3000);
        String tolerance = file("t.yaml", "peak: -5\nt90: 5\nc2Wait: 5\n");

        JsonNode found = new JsonMapper()
                .readTree(Kiln.run("gate", "--calibrate", "--tolerance", tolerance, runs.toString(), "--json", "-")
                        .out());

        JsonNode peak = found.at("/calibrations/0/metrics/0");
        assertThat(peak.get("splits").asInt()).isEqualTo(70);
        assertThat(peak.get("failed").asDouble()).isLessThanOrEqualTo(0.05);
        assertThat(peak.get("passed").asDouble()
                        + peak.get("failed").asDouble()
                        + peak.get("inconclusive").asDouble())
                .isCloseTo(1, within(1e-12));
        Kiln text = Kiln.run("gate", "--calibrate", "--tolerance", tolerance, runs.toString());
        assertThat(text.exit()).isZero();
        assertThat(text.out()).contains("app against itself").contains("C2 wait, %: fewer than 4 runs with a ratio");
    }

    /** Two clusters that a split tears apart are what no promise covers: the rate is counted, not assumed. */
    @Test
    void calibrationCountsWhatItFinds() throws IOException {
        String runs = file("runs.csv", "p99\n10\n10.01\n20\n20.02\n");
        String tolerance = file("t.yaml", "p99: 5\n");

        JsonNode found = new JsonMapper()
                .readTree(Kiln.run("gate", "--calibrate", "--tolerance", tolerance, runs, "--json", "-")
                        .out());

        assertThat(found.at("/calibrations/0/metrics/0/splits").asInt()).isEqualTo(6);
        assertThat(found.at("/calibrations/0/metrics/0/failed").asDouble()).isCloseTo(1 / 6.0, within(1e-12));
        assertThat(Kiln.run("gate", "--calibrate", "--tolerance", tolerance, file("few.csv", "p99\n1\n2\n3\n"))
                        .exit())
                .isEqualTo(4);
    }

    /** An interval of 80 % leaves out no change more often than one of 95 %. */
    @Test
    void calibrationNamesTheLevelOfItsIntervals() throws IOException {
        String runs = file("runs.csv", "p99\n10\n10.1\n10.3\n10.2\n10.4\n9.9\n");
        String[] calibrate = {
            "gate", "--calibrate", "--tolerance", file("t.yaml", "p99: 5\n"), runs, "--set", "confidence=0.8"
        };

        assertThat(Kiln.run(calibrate).out().replaceAll("\\s+", " "))
                .contains("share of splits whose 80 % interval excludes zero change (20 % are expected)");
        String[] json = Stream.concat(Arrays.stream(calibrate), Stream.of("--json", "-"))
                .toArray(String[]::new);
        assertThat(new JsonMapper()
                        .readTree(Kiln.run(json).out())
                        .at("/calibrations/0/confidence")
                        .asDouble())
                .isEqualTo(0.8);
    }

    @Test
    void writesJUnitXmlAndAppendsTheSummary() throws IOException, ParserConfigurationException, SAXException {
        Path junit = dir.resolve("junit.xml");
        Path summary = Files.writeString(dir.resolve("summary.md"), "before\n");

        Kiln.run(
                "gate",
                "--baseline",
                BEFORE,
                "--tolerance",
                TOLERANCES,
                AFTER,
                "--junit",
                junit.toString(),
                "--summary",
                summary.toString());

        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(junit.toFile())
                .getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("4");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(1);
        assertThat(summary)
                .content()
                .startsWith("before\n### FAIL: after against before")
                .contains("| p99 latency, ms |");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "tr-TR", "de-DE", "ar-EG-u-nu-arab"})
    void theFormsThatScriptsDependOnAreTheSameEverywhere(String locale) throws IOException {
        Path junit = dir.resolve("junit.xml");
        Path summary = dir.resolve("summary.md");

        Kiln ran = Locales.under(
                locale,
                () -> Kiln.run(
                        "gate",
                        "--baseline",
                        BEFORE,
                        "--tolerance",
                        TOLERANCES,
                        AFTER,
                        "--json",
                        "-",
                        "--junit",
                        junit.toString(),
                        "--summary",
                        summary.toString()));

        assertThat(ran.out()).isEqualTo(golden("gate.golden.json"));
        assertThat(junit).content().isEqualTo(golden("gate.golden.xml"));
        assertThat(summary).content().isEqualTo(golden("gate.golden.md"));
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = GateCommandTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
