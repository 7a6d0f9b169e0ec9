package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.report.Locales;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AnalyzeCommandTest {
    @TempDir
    private Path dir;

    @Test
    void readsOneNumberALineFromTheStandardInput() {
        String series = numbers(150, i -> i < 20 ? 1000 + i % 3 : 5000 + i % 3);
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(series.getBytes(StandardCharsets.UTF_8)));
        try {
            JsonNode found = json("-");
            assertThat(found.get("source").asString()).isEqualTo("standard input");
            assertThat(found.at("/timeToOwnEnd/90/seconds").asDouble()).isEqualTo(20);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void drawsTheSeriesAndPrintsEveryConstant() throws IOException {
        // The second was called so before.
        Kiln ran = Kiln.run("analyze", file(phases(60, 20, 30)), "--set", "delta=0.04", "--set", "cycleChanges=4");

        assertThat(ran.out())
                .contains("\u2588")
                .contains("60 bins of 1 s before the last pause, req/s")
                .contains("Peaked: at the end it served at least 90 % of its peak, by throughput alone")
                .containsPattern("peak, req/s +5,000")
                .containsPattern("T90, s +20 ")
                .containsPattern("delta\\s+0.04")
                .containsPattern("cycleStays\\s+4")
                .containsPattern("timeZ\\s+1.7");
        assertThat(ran.exit()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"jmh-1.37.json, JMH's -rf json", "h2load-1.52.0.log, h2load", "pidstat-12.6.1.log, pidstat -u -w -t"})
    void whatAnotherProgramWroteIsNamed(String name, String program) {
        Kiln ran = Kiln.run("analyze", "../load/src/test/resources/dev/kiln/importer/" + name);

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains(name + ": not a series, but ", program, "kiln import ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"results\":[{\"command\":\"a\",\"times\":[1]}]}|a file of hyperfine: kiln compare reads it",
                "PK\u0003\u0004\0\0\0[Content_Types].xml|a document of a spreadsheet: save the sheet as CSV"
            })
    void whatIsNoSeriesAndKnownIsNamed(String given) throws IOException {
        int bar = given.indexOf('|');
        Kiln ran = Kiln.run("analyze", file(given.substring(0, bar)));

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains(" is " + given.substring(bar + 1), "a series is a CSV with a column requests");
    }

    @Test
    void everyIntervalHasALevel() throws IOException {
        String file = file(phases(60, 20, 30));
        assertThat(Kiln.run("analyze", file).out())
                .containsPattern("figure +value +95 % interval\n")
                .containsPattern("end over peak, % +100 +[\\d.]+ to [\\d.]+ \\(84 %\\)\n")
                .containsPattern("change at the end, % a minute +0.0 +\\S+ to [\\d.]+ \\(99.7 %\\)\n")
                .containsPattern(
                        "intervals of one run are of 95 %, but for two: that of the end over the peak is of 84 %, because it"
                                .replace(" ", "\\s+"))
                .containsPattern("noise: 69 bins with a correlation of 0.81, worth 7".replace(" ", "\\s+"));
        assertThat(Kiln.run("analyze", file, "--set", "confidence=0.9", "--set", "endZ=1.96")
                        .out())
                .containsPattern("figure +value +90 % interval\n")
                .containsPattern("end over peak, % +100 +[\\d.]+ to [\\d.]+ \\(95 %\\)\n");
    }

    /** Each key is there in every answer; null is "not within the load" of a time. */
    @Test
    void answersAreOneListInTheOrderOfTheFiles() throws IOException {
        Path reached = Files.writeString(dir.resolve("a.csv"), phases(60, 20, 30));
        Path never = Files.writeString(dir.resolve("b.csv"), phases(60, 60, 30));
        Kiln ran = Kiln.run("analyze", reached.toString(), never.toString(), "--json", "-");
        JsonNode all = new JsonMapper().readTree(ran.out());

        assertThat(ran.exit()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(all.propertyNames()).containsExactly("schemaVersion", "series", "constants");
        assertThat(all.get("schemaVersion").asInt()).isEqualTo(3);
        assertThat(all.at("/constants/endZ").asDouble()).isEqualTo(1.42);
        assertThat(all.get("series")).hasSize(2);
        JsonNode a = all.at("/series/0");
        assertThat(a.get("source").asString()).isEqualTo(reached.toString());
        assertThat(a.get("verdict").asString()).isEqualTo("peaked");
        assertThat(a.get("valid").asBoolean()).isTrue();
        assertThat(a.get("timeToPeak").propertyNames()).containsExactly("50", "90", "95", "99");
        assertThat(a.at("/timeToPeak/90")).hasToString("{\"seconds\":20,\"lo\":20,\"hi\":20}");
        assertThat(a.get("endOverPeak").propertyNames()).containsExactly("ratio", "lo", "hi");
        assertThat(a.at("/endOverPeak/ratio").asDouble()).isEqualTo(1);
        assertThat(a.at("/referencePeak/value").asDouble()).isEqualTo(5000);
        assertThat(a.at("/referencePeak/lowerBound").asBoolean()).isFalse();
        assertThat(a.get("deficitSeconds").asDouble()).isEqualTo(16);
        assertThat(a.get("cooldownJump").asDouble()).isEqualTo(1);
        assertThat(a.get("errors").isNull())
                .as("no column counts failed requests")
                .isTrue();
        JsonNode b = all.at("/series/1");
        assertThat(b.get("source").asString()).isEqualTo(never.toString());
        assertThat(b.get("verdict").asString()).isEqualTo("below peak");
        assertThat(b.at("/timeToPeak/90")).hasToString("{\"seconds\":null,\"lo\":null,\"hi\":null}");
        assertThat(b.at("/endOverPeak/ratio").asDouble()).isEqualTo(0.2);
        assertThat(b.get("deficitSeconds").asDouble()).isEqualTo(48);
        assertThat(b.propertyNames()).containsExactlyElementsOf(a.propertyNames());
    }

    @Test
    void withoutALoadAfterAPauseThereIsNoPeakAndTheKeysAreNull() throws IOException {
        String series = file(numbers(42, i -> 100));
        JsonNode found = json(series);

        assertThat(found.get("verdict").asString()).isEqualTo("cannot tell");
        assertThat(found.get("referencePeak").isNull()).isTrue();
        assertThat(found.get("endOverPeak").isNull()).isTrue();
        assertThat(found.get("deficitSeconds").isNull()).isTrue();
        assertThat(found.get("timeToPeak").isEmpty()).isTrue();
        assertThat(found.at("/endOfWarmupInterval/value").asDouble()).isEqualTo(100);
        assertThat(Kiln.run("analyze", series).out())
                .contains("Cannot tell: it ended at 100 req/s; only a load after a pause shows whether that is its"
                        + " peak; a pause and a load after it would decide.");
    }

    /** A backlog of 20 s at half the rate is drained above it until shortly before the end. */
    private static String backlog(String header, IntFunction<String> more) {
        StringBuilder csv = new StringBuilder("phase,requests" + header + "\n");
        IntStream.range(0, 80)
                .forEach(i -> csv.append(String.format(
                        Locale.ROOT,
                        "%s,%d%s%n",
                        i < 60 ? "warmup" : "measure",
                        (i < 20 ? 100 : i < 53 ? 260 : 200) + i * 7 % 5 - 2,
                        more.apply(i))));
        return csv.toString();
    }

    @Test
    void aBacklogThatDrainsAboveTheRateIsServedWhereTheRateIsTold() throws IOException {
        String file = file(backlog("", i -> ""));
        assertThat(json(file).get("verdict").asString()).as("without the rate").isEqualTo("slowing");

        JsonNode found = json(file, "--rate", "200");
        assertThat(found.get("verdict").asString()).isEqualTo("served");
        assertThat(found.get("rate").asDouble()).isEqualTo(200);
        assertThat(found.get("whyNoPeak").asString())
                .isEqualTo("all 200 requests per second offered were served, so the peak is higher and was not seen");
        assertThat(found.get("referencePeak").isNull()).isTrue();
        assertThat(found.get("endOverPeak").isNull()).isTrue();
        assertThat(found.get("deficitSeconds").isNull()).isTrue();
        assertThat(found.get("timeToPeak").isEmpty()).isTrue();
        assertThat(Kiln.run("analyze", file, "--rate", "200").out())
                .contains("Served: all 200 requests per second offered were served, so its peak is higher and was not"
                        + " seen; a higher rate would show it.")
                .containsPattern("offered, req/s +200\\b")
                .doesNotContainPattern("(?m)^(peak|T90|end over peak|warm-up cost)");
    }

    @Test
    void aRateThatTheEndDoesNotServeChangesNoVerdict() throws IOException {
        String file = file(backlog("", i -> ""));
        JsonNode without = json(file);
        JsonNode with = json(file, "--rate", "300");

        assertThat(with.get("verdict")).isEqualTo(without.get("verdict"));
        assertThat(with.get("referencePeak")).isEqualTo(without.get("referencePeak"));
        assertThat(with.get("timeToPeak")).isEqualTo(without.get("timeToPeak"));
        assertThat(with.get("rate").asDouble()).isEqualTo(300);
        assertThat(without.get("rate").isNull()).isTrue();
        String once = file(phases(60, 20, 30).replace("measure,5000", "measure,4000"));
        assertThat(json(once, "--rate", "5000").get("verdict").asString())
                .as("served before the pause alone")
                .isEqualTo("slowing");
        assertThat(json(once, "--rate", "5000").get("whyNoPeak"))
                .isEqualTo(json(once).get("whyNoPeak"));
    }

    @Test
    void aColumnTellsTheRateOfTheEnd() throws IOException {
        JsonNode steady = json(file(backlog(",rate", i -> ",200")));
        assertThat(steady.get("verdict").asString()).isEqualTo("served");
        assertThat(steady.get("footnotes").toString()).doesNotContain("offered rate");

        String stepped = file(backlog(",rate", i -> i < 20 ? ",150" : i < 70 ? ",200" : ","));
        JsonNode found = json(stepped);
        assertThat(found.get("verdict").asString()).isEqualTo("served");
        assertThat(found.get("rate").asDouble()).isEqualTo(200);
        assertThat(found.get("footnotes").toString())
                .contains("the offered rate changes between 150 and 200 requests per second: Kiln judges by that of the"
                        + " end, 200 (median of the last 10 rows before the last pause)");
        assertThat(json(stepped, "--rate", "300").get("verdict").asString())
                .as("what the user says counts")
                .isEqualTo("slowing");
        assertThat(json(file(backlog(",rate", i -> ","))).get("rate").isNull()).isTrue();
        assertThat(Kiln.run("analyze", file(backlog(",rate", i -> ",-1"))).err())
                .contains(":2: rate: found -1, expected a number that is not negative");
        for (String rate : new String[] {"0", "-1", "NaN"}) {
            Kiln ran = Kiln.run("analyze", stepped, "--rate", rate);
            assertThat(ran.exit()).isEqualTo(2);
            assertThat(ran.err()).contains("--rate: found");
        }
    }

    @Test
    void aShortWarmupHasATimeButNoEnd() throws IOException {
        JsonNode found = json(file(phases(9, 4, 20)));

        assertThat(found.at("/timeToPeak/90/seconds").asDouble()).isEqualTo(4);
        assertThat(found.get("endOverPeak").isNull()).isTrue();
        assertThat(found.at("/verdictReasons/0").asString())
                .isEqualTo("9 s of load before the pause; 10 s or more would decide");
    }

    @Test
    void rowsOfAPauseAreLeftOut() throws IOException {
        String csv = phases(60, 20, 30).replaceFirst("measure", "pause,0\npause,0\nmeasure");

        JsonNode found = json(file(csv));

        assertThat(found.at("/timeToPeak/90/seconds").asDouble()).isEqualTo(20);
        assertThat(found.at("/footnotes").toString()).contains("phase pause is left out");
    }

    @Test
    void shorterRowsAreJoinedAndLongerOnesAreBins() throws IOException {
        JsonNode joined = json(file(numbers(1500, i -> i < 200 ? 100 : 500 + i % 3)), "--bin-seconds", "0.1");
        assertThat(joined.get("seconds").asDouble()).isEqualTo(150);
        assertThat(joined.get("binSeconds").asDouble()).isEqualTo(1);
        assertThat(joined.at("/endOfWarmupInterval/value").asDouble()).isBetween(5000.0, 5020.0);
        assertThat(joined.at("/timeToOwnEnd/90/seconds").asDouble()).isEqualTo(20);

        JsonNode fives = json(file(numbers(90, i -> i < 10 ? 500 : 5000 + i % 3)), "--bin-seconds", "5");
        assertThat(fives.at("/timeToOwnEnd/90/seconds").asDouble()).isEqualTo(50);
        assertThat(fives.at("/endOfWarmupInterval/value").asDouble()).isBetween(1000.0, 1001.0);
        assertThat(fives.get("binSeconds").asDouble()).isEqualTo(5);
    }

    @Test
    void aPartialRowAtAPhasesEndIsNoCollapse() throws IOException {
        StringBuilder csv = new StringBuilder("start_ms,end_ms,requests\n");
        IntStream.range(0, 90).forEach(i -> csv.append(i * 1000L + "," + (i + 1) * 1000L + ",1000\n"));
        csv.append("90000,90012,11\n");

        JsonNode found = json(file(csv.toString()));

        assertThat(found.get("seconds").asDouble()).isEqualTo(90);
        assertThat(found.at("/footnotes").toString()).contains("is 12 ms long and left out");
    }

    /** A step to 5,000 at second 20, with so many failures in each second, and a load after a pause. */
    private static String withErrors(IntToDoubleFunction failed) {
        StringBuilder csv = new StringBuilder("phase,requests,Errors,other\n");
        IntStream.range(0, 150)
                .forEach(i -> csv.append(String.format(
                        Locale.ROOT, "warmup,%d,%.0f,x%n", i < 20 ? 1000 : 5000 + i % 3, failed.applyAsDouble(i))));
        IntStream.range(0, 30).forEach(i -> csv.append("measure,5001,0,x\n"));
        return csv.toString();
    }

    @Test
    void aSeriesWhereTooManyRequestsFailIsInvalid() throws IOException {
        String four = file(withErrors(i -> i >= 100 && i < 104 ? 60 : 0));
        JsonNode found = json(four);

        assertThat(found.get("errors").asInt()).isEqualTo(240);
        assertThat(found.get("valid").asBoolean()).isFalse();
        assertThat(found.get("verdict").asString()).isEqualTo("invalid");
        assertThat(found.at("/verdictReasons/0").asString())
                .isEqualTo(
                        "4 of 180 seconds of load had more errors than accepted (lower the load, or name more statuses that"
                                + " count as success)");
        assertThat(found.at("/timeToPeak/90/seconds").asDouble())
                .as("still told")
                .isEqualTo(20);
        assertThat(Kiln.run("analyze", four).out())
                .contains("Invalid: 4 of 180 seconds of load had more errors than accepted");
    }

    @Test
    void fewErrorsDoHarmBesideAReportedTimeOnly() throws IOException {
        JsonNode far = json(file(withErrors(i -> i == 100 ? 60 : i == 50 ? 40 : 0)));
        assertThat(far.get("errors").asInt()).isEqualTo(100);
        assertThat(far.get("valid").asBoolean()).isTrue();
        assertThat(far.get("verdict").asString()).isEqualTo("peaked");

        JsonNode near = json(file(withErrors(i -> i == 24 ? 60 : 0)));
        assertThat(near.at("/verdictReasons/0").asString())
                .isEqualTo("invalid bins [24] within 5 s of the reported time 20 s");
    }

    @Test
    void writesJsonToAFileBesideTheText() throws IOException {
        Path to = dir.resolve("out.json");

        Kiln ran = Kiln.run("analyze", file(numbers(60, i -> 7)), "--json", to.toString());

        assertThat(ran).isEqualTo(Kiln.run("analyze", file(numbers(60, i -> 7))));
        assertThat(ran.out()).isNotEmpty();
        assertThat(to).content().startsWith("{\n").endsWith("}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "tr-TR", "de-DE", "ar-EG-u-nu-arab"})
    void theFormThatScriptsDependOnIsTheSameEverywhere(String locale) throws IOException {
        Kiln ran = Locales.under(locale, () -> Kiln.run("analyze", "../docs/examples/series.csv", "--json", "-"));

        try (InputStream golden = AnalyzeCommandTest.class.getResourceAsStream("analyze.golden.json")) {
            assertThat(ran.out())
                    .isEqualTo(new String(Objects.requireNonNull(golden).readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "requests~5~NaN~7 | :3: requests: found 'NaN', expected a finite number",
                "1~-3 | :2: requests: found -3, expected a number that is not negative",
                "requests~1~~2 | :3: found an empty line within the table",
                "a,requests~1,2~3 | :3: found 1 cell, expected 2",
                "request,phase~1,a | :1: no column 'requests'; did you mean 'request'?",
                "x,phase~1,a | :1: no column 'requests'; found x, phase",
                "1,2~3,4 | :1: several columns without a header",
                "requests~\"1,5\" | :2: requests: found '1,5', expected a finite number",
                "phase,requests~a,1~b,1~a,1 | :4: phase 'a' again, after 'b'",
                "phase,requests~,1 | :2: phase: found nothing, expected a name",
                "requests,requests~1,1 | :1: column 'requests' is there twice",
                "requests,errors~1,-1 | :2: errors: found -1, expected a number that is not negative",
                "requests | :1: there is a header and no row",
                "requests~\"1 | :2: a quote is opened and never closed",
                "phase,requests~pause,1 | :1: there are only pauses",
            })
    void badInputIsOneMessageWithItsPlace(String text, String complaint) throws IOException {
        String file = file(text.replace('~', '\n'));

        Kiln ran = Kiln.run("analyze", file);

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("kiln: " + file + complaint).doesNotContain("\tat ");
    }

    @Test
    void otherEncodingsAndEmptyFilesAreRefused() throws IOException {
        Path utf16 = Files.writeString(dir.resolve("a.csv"), "requests\n1\n", StandardCharsets.UTF_16);
        Path latin = Files.write(dir.resolve("b.csv"), new byte[] {'r', '\n', '1', '\n', (byte) 0xe9});

        assertThat(Kiln.run("analyze", utf16.toString()).err()).contains("a.csv:1: not UTF-8 text");
        assertThat(Kiln.run("analyze", latin.toString()).err())
                .contains("b.csv:3: not UTF-8 text: found the byte 0xe9");
        assertThat(Kiln.run("analyze", file("")).err()).contains("the file is empty");
        assertThat(Kiln.run("analyze", dir.toString()).err()).contains("it is a folder");
        assertThat(Kiln.run("analyze", "nowhere.csv").exit()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delt=0.1 | did you mean 'delta'?",
                "delta=many | expected a number",
                "delta=7 | delta must be between 0 and 1",
                "noiseBins=1.5 | expected a whole number",
                "endZ=0 | endZ must be finite and greater than 0",
                "delta | expected NAME=VALUE",
            })
    void wrongConstantsAreNamed(String setting, String complaint) throws IOException {
        Kiln ran = Kiln.run("analyze", file("1\n2\n"), "--set", setting);

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains(complaint);
    }

    @Test
    void rowsThatDoNotFitIntoBinsAreRefused() throws IOException {
        Kiln ran = Kiln.run("analyze", file("1\n2\n"), "--bin-seconds", "0.3");

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("--bin-seconds 0.3: rows do not fit into bins of 1.0 s");
        for (String length : new String[] {"0", "-1", "NaN"}) {
            assertThat(Kiln.run("analyze", file("1\n2\n"), "--bin-seconds", length)
                            .exit())
                    .isEqualTo(2);
        }
    }

    @Test
    void oneBadFileOfSeveralIsNoAnswer() throws IOException {
        Kiln ran = Kiln.run("analyze", file(phases(60, 20, 30)), "nowhere.csv", "--json", "-");

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("cannot read nowhere.csv: no such file");
    }

    private static JsonNode json(String file, String... more) {
        String[] args = new String[4 + more.length];
        System.arraycopy(new String[] {"analyze", file, "--json", "-"}, 0, args, 0, 4);
        System.arraycopy(more, 0, args, 4, more.length);
        Kiln ran = Kiln.run(args);
        assertThat(ran.err()).isEmpty();
        return new JsonMapper().readTree(ran.out()).at("/series/0");
    }

    /** A first load of {@code n} seconds with a step from 1,000 to 5,000 requests, and one of {@code m} after a pause. */
    private static String phases(int n, int at, int m) {
        StringBuilder csv = new StringBuilder("phase,requests\n");
        IntStream.range(0, n)
                .forEach(i -> csv.append("warmup,").append(i < at ? 1000 : 5000).append('\n'));
        IntStream.range(0, m).forEach(i -> csv.append("measure,5000\n"));
        return csv.toString();
    }

    private String file(String text) throws IOException {
        return Files.writeString(dir.resolve("series.csv"), text).toString();
    }

    private static String numbers(int n, IntToDoubleFunction value) {
        return IntStream.range(0, n)
                .mapToObj(i -> String.format(Locale.ROOT, "%.0f", value.applyAsDouble(i)))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
