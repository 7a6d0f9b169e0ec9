package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.report.Locales;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
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
            JsonNode warmup = json("-").at("/analysis/warmup");
            assertThat(warmup.get("class").asString()).isEqualTo("warmup");
            assertThat(warmup.at("/changepoints/0").asInt()).isEqualTo(20);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void drawsTheSeriesAndPrintsEveryConstant() throws IOException {
        Kiln ran = Kiln.run("analyze", file(numbers(150, i -> i < 20 ? 1000 : 5000 + i % 3)), "--set", "delta=0.04");

        assertThat(ran.out())
                .contains("\u2588")
                .contains("T90 20 s")
                .contains("warmup, steady from 20 s")
                .contains("delta 0.04")
                .containsPattern("penaltyFactor\\s+15");
    }

    @Test
    void aPhaseTooShortSaysHowMuchIsMissing() throws IOException {
        String series = file(numbers(42, i -> 100));

        JsonNode warmup = json(series).at("/analysis/warmup");
        assertThat(warmup.get("class").asString()).isEqualTo("not enough data");
        assertThat(warmup.get("binsNeeded").asInt()).isEqualTo(18);
        assertThat(warmup.get("peakUsed").isNull()).isTrue();
        assertThat(Kiln.run("analyze", series).out()).contains("not enough data: needs 18 more seconds");
    }

    /** A short warm-up has no class of its own, but a peak measured behind it still gives it a time. */
    @Test
    void aShortWarmupStillHasATimeToTheReferencePeak() throws IOException {
        StringBuilder csv = new StringBuilder("phase,requests\n");
        IntStream.range(0, 30)
                .forEach(i -> csv.append("warmup,").append(i < 12 ? 100 : 1000).append('\n'));
        IntStream.range(0, 3).forEach(i -> csv.append("pause,0\n"));
        IntStream.range(0, 20)
                .forEach(i -> csv.append("measure,").append(1000 + i % 2).append('\n'));

        JsonNode found = json(file(csv.toString()));

        assertThat(found.at("/analysis/warmup/class").asString()).isEqualTo("not enough data");
        assertThat(found.at("/analysis/warmupAgainstReference/timeToPeak/90/seconds")
                        .asDouble())
                .isEqualTo(12);
        assertThat(found.at("/analysis").has("pause")).isFalse();
        assertThat(found.at("/footnotes").toString()).contains("phase pause is left out");
    }

    @Test
    void shorterRowsAreJoinedAndLongerOnesAreBins() throws IOException {
        String tenths = file(numbers(1500, i -> i < 200 ? 100 : 500 + i % 3));
        JsonNode joined = json(tenths, "--bin-seconds", "0.1").at("/analysis/warmup");
        assertThat(joined.get("bins").asInt()).isEqualTo(150);
        assertThat(joined.get("peakUsed").asDouble()).isBetween(5000.0, 5020.0);
        assertThat(joined.at("/timeToPeak/90/seconds").asDouble()).isEqualTo(20);

        JsonNode fives = json(file(numbers(90, i -> i < 10 ? 500 : 5000 + i % 3)), "--bin-seconds", "5");
        assertThat(fives.at("/analysis/warmup/timeToPeak/90/seconds").asDouble())
                .isEqualTo(50);
        assertThat(fives.at("/analysis/warmup/peakUsed").asDouble()).isBetween(1000.0, 1001.0);
        assertThat(fives.at("/binSeconds").asDouble()).isEqualTo(5);
    }

    @Test
    void aPartialRowAtAPhasesEndIsNoCollapse() throws IOException {
        StringBuilder csv = new StringBuilder("start_ms,end_ms,requests\n");
        IntStream.range(0, 90).forEach(i -> csv.append(i * 1000L + "," + (i + 1) * 1000L + ",1000\n"));
        csv.append("90000,90012,11\n");

        JsonNode found = json(file(csv.toString()));

        assertThat(found.at("/analysis/warmup/bins").asInt()).isEqualTo(90);
        assertThat(found.at("/footnotes").toString()).contains("is 12 ms long and left out");
    }

    /** @param failed by second */
    private static String withErrors(IntToDoubleFunction failed) {
        return IntStream.range(0, 150)
                .mapToObj(i ->
                        String.format(Locale.ROOT, "%d,%.0f,x", i < 20 ? 1000 : 5000 + i % 3, failed.applyAsDouble(i)))
                .collect(Collectors.joining("\n", "requests,Errors,other\n", "\n"));
    }

    @Test
    void aSeriesWhereTooManyRequestsFailIsInvalid() throws IOException {
        String four = file(withErrors(i -> i >= 100 && i < 104 ? 60 : 0));

        JsonNode warmup = json(four).at("/analysis/warmup");
        assertThat(warmup.get("errors").asDouble()).isEqualTo(240);
        assertThat(warmup.get("erroneousBins").toString()).isEqualTo("[100,101,102,103]");
        assertThat(warmup.get("valid").asBoolean()).isFalse();
        assertThat(warmup.at("/invalidReasons/0").asString()).isEqualTo("2.7 % of the bins are invalid, more than 2 %");
        assertThat(warmup.get("class").asString()).isEqualTo("warmup");
        assertThat(Kiln.run("analyze", four).out())
                .contains("invalid: warmup, steady from 20 s")
                .contains("warmup is invalid: 240 requests failed");
    }

    @Test
    void fewErrorsDoHarmBesideAReportedTimeOnly() throws IOException {
        JsonNode far =
                json(file(withErrors(i -> i == 100 ? 60 : i == 50 ? 40 : 0))).at("/analysis/warmup");
        assertThat(far.get("errors").asDouble()).isEqualTo(100);
        assertThat(far.get("erroneousBins").toString()).isEqualTo("[100]");
        assertThat(far.get("valid").asBoolean()).isTrue();

        JsonNode near = json(file(withErrors(i -> i == 24 ? 60 : 0))).at("/analysis/warmup");
        assertThat(near.get("valid").asBoolean()).isFalse();
        assertThat(near.at("/invalidReasons/0").asString())
                .isEqualTo("invalid bins [24] within 5 s of the reported time 20 s");
    }

    @Test
    void withoutErrorsNothingIsSaidOfThem() throws IOException {
        JsonNode none = json(file(withErrors(i -> 0)));
        assertThat(none.at("/analysis/warmup/valid").asBoolean()).isTrue();
        assertThat(none.get("footnotes").toString()).doesNotContain("failed");

        JsonNode uncounted = json(file(numbers(150, i -> 7)));
        assertThat(uncounted.at("/analysis/warmup").has("valid")).isFalse();
    }

    /** A time against the reference is reported of the warm-up as well. */
    @Test
    void anErrorBesideATimeToTheReferencePeakCounts() throws IOException {
        StringBuilder csv = new StringBuilder("phase,requests,errors\n");
        IntStream.range(0, 120)
                .forEach(i -> csv.append("warmup,")
                        .append(i < 10 ? 100 : i < 60 ? 1000 : 1030)
                        .append(i == 62 ? ",50\n" : ",0\n"));
        IntStream.range(0, 30).forEach(i -> csv.append("measure,").append(1080).append(",0\n"));

        JsonNode found = json(file(csv.toString()));

        assertThat(found.at("/analysis/warmup/timeToPeak/95/seconds").asDouble())
                .isEqualTo(10);
        assertThat(found.at("/analysis/warmupAgainstReference/timeToPeak/95/seconds")
                        .asDouble())
                .isEqualTo(60);
        assertThat(found.at("/analysis/warmup/valid").asBoolean()).isFalse();
        assertThat(found.at("/analysis/measure/valid").asBoolean()).isTrue();
    }

    @Test
    void writesJsonToAFileAndNothingElse() throws IOException {
        Path to = dir.resolve("out.json");

        Kiln ran = Kiln.run("analyze", file(numbers(60, i -> 7)), "--json", to.toString());

        assertThat(ran).isEqualTo(new Kiln(0, "", ""));
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
                "phase,requests~warmupAgainstReference,1 | :2: phase 'warmupAgainstReference'",
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
                "minBins=1.5 | expected a whole number",
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
        assertThat(ran.err()).contains("--set binSeconds=0.3");
        assertThat(Kiln.run("analyze", file("1\n2\n"), "--bin-seconds", "0").exit())
                .isEqualTo(2);
    }

    private static JsonNode json(String file, String... more) {
        String[] args = new String[4 + more.length];
        System.arraycopy(new String[] {"analyze", file, "--json", "-"}, 0, args, 0, 4);
        System.arraycopy(more, 0, args, 4, more.length);
        Kiln ran = Kiln.run(args);
        assertThat(ran.err()).isEmpty();
        return new JsonMapper().readTree(ran.out());
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
