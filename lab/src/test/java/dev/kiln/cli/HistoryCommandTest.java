package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** Seven experiments of one run each; from the fifth on the service starts in half the time. */
    @BeforeEach
    void experiments() throws IOException {
        for (int day = 1; day <= 7; day++) {
            Path folder = Files.createDirectories(directory.resolve("results/e-2026010" + day));
            String start = String.format(Locale.ROOT, "%.3f", (day < 5 ? 8.0 : 4.0) + 0.01 * (day % 3));
            Files.writeString(folder.resolve("result.json"), """
                    {"schemaVersion": 1, "experiment": "e", "how": {"launchedAt": "2026-01-0%dT00:00:00Z"},
                     "variants": [{"name": "v", "runs": [{"run": 1, "block": 1, "valid": true, "startSeconds": %s}]}]}
                    """.formatted(day, start));
            Files.writeString(folder.resolve("labels.properties"), "commit=c" + day + "\n");
        }
    }

    @Test
    void showsTheChange() {
        assertThat(history(directory.toString(), "--no-colour"))
                .as(err::toString)
                .isZero();
        assertThat(out.toString())
                .contains("e, v")
                .contains("start: 8.0 to 4.0 s (\u221249.9 %, better) from 2026-01-05 00:00 UTC on, e-20260105 run 1");
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
                        "--csv"))
                .isZero();
        assertThat(Files.readString(otava.resolve("e.v.csv"))).startsWith("""
                        time,commit,folder,run,branch,start
                        2026-01-01T00:00:00.001Z,c1,e-20260101,1,main,8.01
                        """);
        assertThat(otava.resolve("otava.yaml")).isRegularFile();
        assertThat(Files.readString(directory.resolve("h.json"))).contains("\"label_commit\" : \"c7\"");
        assertThat(out.toString()).contains("2026-01-07T00:00:00.001Z,e,e-20260107,v,1,start,s,4.01,2\n");
    }

    @Test
    void aResultThatCannotBeReadIsNamedAndLeftOut() throws IOException {
        Files.writeString(directory.resolve("results/e-20260103/result.json"), "{");

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
                .contains("no experiment that can be read", "no such folder")
                .contains("--metric: found 'speed', expected one of start,", "--label: found 'commit'");
    }
}
