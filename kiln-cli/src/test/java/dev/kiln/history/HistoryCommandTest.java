package dev.kiln.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.Main;
import dev.kiln.cli.RecordedRuns;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HistoryCommandTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int history(String... arguments) {
        List<String> words = new ArrayList<>(List.of("history"));
        words.addAll(List.of(arguments));
        return Main.run(words, new PrintWriter(out), new PrintWriter(err));
    }

    /** Seven experiments of one run each; from the fifth on the service has lost a fifth of its peak. */
    @BeforeEach
    void experiments() throws IOException {
        for (int day = 1; day <= 7; day++) {
            Path folder = directory.resolve("results/e-2026010" + day);
            new RecordedRuns(folder).variant(List.of("v"), "v", 1, 0, (day < 5 ? 1000 : 800) + day % 3);
            Files.writeString(folder.resolve("labels.properties"), "commit=c" + day + "\n");
        }
    }

    @Test
    void showsTheChangeWithItsInterval() {
        assertThat(history(directory.toString(), "--no-colour"))
                .as(err::toString)
                .isZero();
        assertThat(out.toString())
                .contains("recorded, v")
                .containsPattern(
                        "peak: 1,0\\d\\d to 8\\d\\d req/s \\(\u2212\\d+\\.\\d %, 95 % interval \u2212\\d+\\.\\d to"
                                + " \u2212\\d+\\.\\d, worse\\)\\s+from\\s+1970-01-01\\s+00:16\\s+UTC\\s+on,\\s+e-20260105\n");
    }

    /** A result.json beside the evidence is a rendering of it and decides nothing. */
    @Test
    void readsTheEvidenceAsReportDoes() throws IOException {
        String before = json();
        for (int day = 1; day <= 7; day++) {
            Files.writeString(directory.resolve("results/e-2026010" + day + "/result.json"), "{");
        }
        Path json = directory.resolve("report.json");
        Kiln.run("report", directory.resolve("results/e-20260101").toString(), "--json", json.toString());
        JsonNode run = JsonMapper.shared().readTree(Files.readString(json)).at("/variants/0/runs/0");

        assertThat(json()).isEqualTo(before);
        assertThat(first(before, "t90"))
                .isEqualTo(run.at("/timeToReferencePeak/90").asDouble());
        assertThat(first(before, "end-of-warmup"))
                .isCloseTo(run.path("endOfWarmup").asDouble(), within(0.01));
        assertThat(first(before, "warm-up-requests"))
                .as("of the warm-up")
                .isEqualTo(run.at("/phases/0/requests").asDouble());
    }

    private String json() {
        return Kiln.run("history", directory.resolve("results").toString(), "--json", "-")
                .out();
    }

    private static double first(String json, String metric) {
        for (JsonNode series : JsonMapper.shared().readTree(json).path("series")) {
            if (series.path("metric").asString().equals(metric)) {
                return series.at("/points/0/value").asDouble();
            }
        }
        return Double.NaN;
    }

    @Test
    void exportsWithTheLabelsOfEachExperimentAndThoseOfNow() throws IOException {
        Path otava = directory.resolve("otava");

        assertThat(history(
                        directory.resolve("results").toString(),
                        "--label",
                        "branch=main",
                        "--otava",
                        otava.toString(),
                        "--horreum",
                        directory.resolve("h.json").toString(),
                        "--metric",
                        "start",
                        "--csv"))
                .isZero();
        assertThat(Files.readString(otava.resolve("recorded.v.csv"))).startsWith("""
                        time,commit,folder,branch,startup
                        1970-01-01T00:16:48.040Z,c1,e-20260101,main,8.01
                        """);
        assertThat(otava.resolve("otava.yaml")).isRegularFile();
        assertThat(Files.readString(directory.resolve("h.json"))).contains("\"label_commit\" : \"c7\"");
        assertThat(out.toString()).contains("1970-01-01T00:16:48.100Z,recorded,e-20260107,v,1,startup,s,8.01,1\n");
    }

    /** As names of files of other programs are, which somebody imported. */
    @Test
    void variantsWithOneNameAsAFileHaveAFileEach() throws IOException {
        Path results = directory.resolve("odd");
        new RecordedRuns(results.resolve("e-1"))
                .variant(List.of("a b", "a_b", "A_B"), "a b", 1, 20, 1000)
                .variant(List.of("a b", "a_b", "A_B"), "a_b", 1, 20, 2000)
                .variant(List.of("a b", "a_b", "A_B"), "A_B", 1, 20, 3000);
        new RecordedRuns(results.resolve("e-2")).variant(List.of("a b"), "a b", 1, 20, 1000);
        Path otava = directory.resolve("otava");

        assertThat(history(results.toString(), "--otava", otava.toString(), "--metric", "peak"))
                .isZero();
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        int lines = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(otava, "*.csv")) {
            for (Path file : files) {
                assertThat(names.add(file.getFileName().toString())).isTrue();
                lines += Files.readAllLines(file).size();
            }
        }
        assertThat(names).hasSize(3);
        assertThat(lines).as("a head each, and a row for each experiment").isEqualTo(3 + 2 + 1 + 1);
    }

    @Test
    void evidenceThatCannotBeReadIsNamedAndLeftOut() throws IOException {
        Files.writeString(directory.resolve("results/e-20260103/v/1/run.json"), "{");

        assertThat(history(directory.toString())).isZero();
        assertThat(err.toString()).contains("left out:", "e-20260103");
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));

        assertThat(history(empty.toString())).isEqualTo(2);
        assertThat(history(directory.resolve("nothing").toString())).isEqualTo(2);
        assertThat(history(directory.toString(), "--metric", "speed")).isEqualTo(2);
        assertThat(history(directory.toString(), "--label", "commit")).isEqualTo(2);
        assertThat(err.toString())
                .contains("no readable experiment in " + empty + "\n", "no such folder")
                .contains("--metric: found 'speed', expected one of peak,", "--label: found 'commit'");
    }
}
