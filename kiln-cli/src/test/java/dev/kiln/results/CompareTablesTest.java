package dev.kiln.results;

import static dev.kiln.results.Compared.TWO;
import static dev.kiln.results.Compared.json;
import static dev.kiln.results.Compared.metric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.stats.Goldens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code kiln compare} of tables that somebody brings along, and what is wrong with one. */
class CompareTablesTest {
    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"leyden_springboot_x86", "synthetic_n3", "synthetic_n4", "synthetic_n5", "synthetic_n6"})
    void singleColumnsGiveTheGoldenRatio(String group) throws IOException {
        JsonNode golden = Goldens.resource("compare").get(group);
        String a = file("a.csv", column(golden.get("a")));
        String b = file("b.json", golden.get("b").toString());

        JsonNode metric = json("compare", a, b, "--one-session", "--json", "-").at("/comparisons/0/metrics/0");

        for (String key : List.of("lo", "hi", "p")) {
            assertThat(metric.get(key).asDouble())
                    .isCloseTo(golden.at("/welch_log/" + key).asDouble(), within(1e-6));
        }
        assertThat(metric.get("estimate").asDouble())
                .isCloseTo(golden.at("/welch_log/ratio").asDouble(), within(1e-9));
        assertThat(metric.at("/crossCheck/p").asDouble())
                .isCloseTo(golden.at("/hodges_lehmann/exact_p").asDouble(), within(1e-6));
        assertThat(metric.get("verdict").asString().equals("exploratory")).isEqualTo(group.equals("synthetic_n3"));
    }

    @Test
    void hyperfinesCommandsAreVariantsAndItsTimesRuns() throws IOException {
        String table = file("h.json", """
                {"results": [
                  {"command": "java -jar a.jar", "mean": 1.01, "stddev": 0.01, "median": 1.0, "min": 1.0, "max": 1.04,
                   "times": [1.0, 1.0, 1.0, 1.04], "exit_codes": [0, 0, 0, 0]},
                  {"command": "java -Xshare:auto -jar a.jar", "mean": 0.5, "parameters": {"x": "1"},
                   "times": [0.5, 0.5, 0.5, 0.52], "exit_codes": [0, 0, 0, 0]}
                ]}
                """);

        JsonNode time = json("compare", table, "--json", "-").at("/comparisons/0/metrics/0");

        assertThat(time.get("metric").asString()).isEqualTo("time");
        assertThat(time.get("estimate").asDouble()).isCloseTo(0.5, within(1e-9));
        assertThat(Kiln.run("compare", table, file("none.json", "{\"a\": 1}")).err())
                .contains("or the file of hyperfine --export-json");
    }

    @Test
    void secondsOfALoadAreNoRuns() throws IOException {
        String a = file("a.csv", "time,requests\n0,100\n1,101\n2,102\n3,100\n");
        String b = file("b.csv", "phase,requests\nload,90\nload,91\nload,92\n");

        assertThat(Kiln.run("compare", a, b).err())
                .contains(
                        "a.csv:1: found a load series, whose rows are seconds of one run; expected a row for each run")
                .contains("kiln import", "if each row is a run, add a column run");
        assertThat(Kiln.run("compare", b, a).exit()).isEqualTo(2);
        String c = file("c.csv", "elapsed,requests\n0,100\n1,101\n2,102\n3,100\n");
        assertThat(Kiln.run("compare", c, c).err()).contains("c.csv:1: found a load series");
    }

    /** Twelve nights before say how much nights differ; one of them is the baseline, and says nothing of itself. */
    @Test
    void earlierSessionsDecideWhatADifferenceOfTwoIsWorth() throws IOException {
        String nights = file("nights.csv", RecordedRuns.nights(25));
        String a = file("a.csv", "session,peak\nn11,1026\nn11,1025\nn11,1027\nn11,1026\n");
        String b = file("b.csv", "session,peak\nn12,980\nn12,981\nn12,979\nn12,980\n");
        String half = file("half.csv", "session,peak\nn13,500\nn13,501\nn13,502\nn13,503\n");

        Kiln unknown = Kiln.run("compare", a, b);
        assertThat(unknown.out())
                .contains("4 against 4 runs; two sessions; how much sessions differ is not known")
                .containsPattern("Peak: no conclusion, because b and a are of two sessions, and how much sessions")
                .containsPattern("\\(95 %\\s+interval of these two")
                .doesNotContain("lower, worse");
        Kiln known = Kiln.run("compare", a, b, "--sessions", nights);
        assertThat(known.out()).contains("no difference shown").containsPattern("11\\s+earlier\\s+ones\\s+say");
        assertThat(Kiln.run("compare", a, half, "--sessions", nights).out()).contains("lower, worse");
        assertThat(Kiln.run("compare", a, b, "--one-session").out()).contains("lower, worse");
        assertThat(Kiln.run("compare", a, b, "--one-session", "--sessions", nights)
                        .exit())
                .isEqualTo(2);
        Kiln none = Kiln.run("compare", a, b, "--sessions", file("bare.csv", "peak\n1\n"));
        assertThat(none.exit()).isEqualTo(2);
        assertThat(none.err()).contains("bare.csv:1: no column session");
    }

    @Test
    void aTableFromThePipeIsReadOnce() throws IOException {
        Kiln ran = Kiln.piped(
                "variant,ms\na,10\na,11\na,12\n", "compare", "-", file("b.csv", "variant,ms\nb,20\nb,21\nb,22\n"));
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).startsWith("b against a, 3 against 3 runs");
    }

    @Test
    void differentUnitsAreConvertedOnlyWhenAskedFor() throws IOException {
        String a = file("a.csv", "startup_ms\n500\n510\n505\n498\n");
        String b = file("b.csv", "startup [s]\n0.5\n0.51\n0.505\n0.498\n");

        Kiln refused = Kiln.run("compare", a, b);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("different units: startup in ms (a) against s (b)");
        JsonNode metric =
                json("compare", a, b, "--allow-different", "--json", "-").at("/comparisons/0/metrics/0");
        assertThat(metric.get("estimate").asDouble()).isCloseTo(1, within(1e-12));
    }

    /** Kiln's metric had the name before; what a table's author counted is another thing. */
    @Test
    void aTablesOwnRequestsAreNotThoseOfAWarmup() throws IOException {
        Path folder = dir.resolve("kilns");
        new RecordedRuns(folder).variant(List.of("app"), "app", 4, 10, 3000);
        String table = file("t.csv", "peak,requests\n3000,5\n3010,6\n3005,7\n2990,8\n");

        JsonNode against = json("compare", folder.toString(), table, "--allow-different", "--json", "-")
                .at("/comparisons/0");

        assertThat(against.get("metrics").findValuesAsString("metric")).containsExactly("peak");
    }

    /** Of many variants, some differ by chance: Holm on the primary metric. */
    @Test
    void manyVariantsInATableAreCounted() throws IOException {
        String table = file(
                "t.csv",
                "variant,peak\na,100\na,101\na,102\na,103\nb,104\nb,105\nb,106\nb,103.5\nc,100\nc,102\nc,101\nc,103\n");

        JsonNode result = json("compare", table, "--json", "-");

        JsonNode b = metric(result.at("/comparisons/0"), "peak");
        assertThat(b.get("p").asDouble()).isBetween(0.001, 0.05);
        assertThat(b.get("pAdjusted").asDouble()).isCloseTo(2 * b.get("p").asDouble(), within(1e-12));
        assertThat(result.at("/comparisons/1/metrics/0/verdict").asString()).isEqualTo("no difference shown");
    }

    @Test
    void aTableWithBlocksIsPaired() throws IOException {
        String table = file(
                "t.json",
                "[{\"variant\":\"a\",\"block\":1,\"peak\":100},{\"variant\":\"b\",\"block\":1,\"peak\":103},"
                        + "{\"variant\":\"a\",\"block\":2,\"peak\":200},{\"variant\":\"b\",\"block\":2,\"peak\":207},"
                        + "{\"variant\":\"a\",\"block\":3,\"peak\":300},{\"variant\":\"b\",\"block\":3,\"peak\":309}]");

        JsonNode peak = json("compare", table, "--json", "-").at("/comparisons/0/metrics/0");

        assertThat(peak.get("paired").asBoolean()).isTrue();
        assertThat(peak.get("hi").asDouble()).isBetween(1.03, 1.05);
        assertThat(peak.get("verdict").asString()).isEqualTo("exploratory");
    }

    @Test
    void aBudgetThatIsNotKnownCannotBeCompared() {
        String runs = dir.resolve("r").toString();
        new RecordedRuns(dir.resolve("r")).variant(TWO, "platform", 3, 9, 1000).variant(TWO, "virtual", 3, 9, 1000);

        Kiln asked = Kiln.run("compare", runs, "--request-time");
        assertThat(asked.exit()).isEqualTo(2);
        assertThat(asked.err())
                .contains("--request-time: of these runs it is not known where the time of a request went");
        Kiln primary = Kiln.run("compare", runs, "--primary", "cpu-wait-per-request");
        assertThat(primary.exit()).isEqualTo(2);
        assertThat(primary.err()).contains("--primary: not all of these have cpu-wait-per-request");
    }

    @Test
    void aZeroMakesADifferenceOfARatio() throws IOException {
        JsonNode metric = json(
                        "compare",
                        "--one-session",
                        file("a.csv", "c2Wait\n0\n0\n0\n1\n"),
                        file("b.csv", "c2Wait\n90\n91\n95\n93\n"),
                        "--json",
                        "-")
                .at("/comparisons/0/metrics/0");

        assertThat(metric.get("form").asString()).isEqualTo("difference");
        assertThat(metric.get("estimate").asDouble()).isCloseTo(92, within(1e-9));
        assertThat(metric.get("meaning").asString()).isEqualTo("worse");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "peak~NaN | :2: peak: found 'NaN', expected a finite number",
                "peak~-1 | :2: peak: found -1, expected a number that is not negative",
                "peak~ | :1: there is a header and no row",
                "variant~a | :1: no column with a metric",
                "[1, {\"a\": 2}] | :1: found keys [a], expected those of the first row: []",
                "{\"a\": [1, 2], \"b\": [1]} | :1: b: found 1 values, expected 2",
                "{\"schemaVersion\": 1} | :1: not a table",
                "[1, | :1: not JSON: it goes wrong at column 4",
                "[1, 2 | :1: not JSON: it ends in the middle, as if it had been cut short",
                "[1 x | :1: not JSON: it goes wrong at column 4",
                "{\"a~b\": [1]} | :1: not JSON: it goes wrong at column 4",
                "[{\"peak\": null}] | :1: peak: found nothing, expected a finite number",
            })
    void badTablesAreOneMessageWithItsPlace(String text, String complaint) throws IOException {
        String bad = file("bad.csv", text.replace('~', '\n'));

        Kiln ran = Kiln.run("compare", file("good.csv", "1\n2\n"), bad);

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("kiln: " + bad + complaint);
    }

    private static String column(JsonNode values) {
        StringBuilder out = new StringBuilder();
        values.forEach(value -> out.append(value).append('\n'));
        return out.toString();
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text).toString();
    }
}
