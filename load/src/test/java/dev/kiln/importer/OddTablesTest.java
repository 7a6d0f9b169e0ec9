package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.program.JMeterCsv;
import dev.kiln.importer.program.K6;
import dev.kiln.importer.program.K6Summary;
import dev.kiln.importer.program.SeriesCsv;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables as spreadsheets, shells and clocks leave them. */
class OddTablesTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    private static ImportOptions options(Optional<ZoneId> zone) {
        return new ImportOptions(zone, OptionalInt.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private LoadSource series(String text, Optional<ZoneId> zone) throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), text);
        return ((Format.Loads) SeriesCsv.FORMAT.content())
                .of()
                .apply(file, options(zone))
                .getFirst();
    }

    @Test
    void aLongerRowIsFollowedByNoHole() throws IOException {
        LoadSource load = series(
                "phase,start_ms,end_ms,requests\na,0,1000,10\na,1000,2000,10\na,2000,4000,20\na,4000,5000,10\n",
                Optional.empty());

        assertThat(load.span().length()).isEqualTo(5 * SECOND);
        assertThat(Recorded.of(load).gaps).isEmpty();
        assertThat(Recorded.of(load).rows)
                .hasSize(5)
                .allSatisfy(row -> assertThat(row.completed()).isEqualTo(10));
    }

    @Test
    void rowsOfAClockThatWasSetBackAreNotMixed() {
        StringBuilder text = new StringBuilder("time,requests\n");
        for (int i = 1; i <= 30; i++) {
            text.append(i).append(",10\n");
        }

        assertThatThrownBy(() -> series(text + "25.5,10\n26.5,10\n27.5,10\n", Optional.empty()))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a.csv:27: found the time of line 32 again");
    }

    @Test
    void theNewestRowMayStandFirst() throws IOException {
        StringBuilder text = new StringBuilder("time,requests\n");
        StringBuilder early = new StringBuilder("time,requests\n");
        for (int i = 30; i > 0; i--) {
            text.append(i).append(",10\n");
            early.append(i == 15 ? "14.6" : Integer.toString(i)).append(",10\n");
        }

        for (StringBuilder table : List.of(text, early)) {
            LoadSource load = series(table.toString(), Optional.empty());
            assertThat(load.span().length()).isEqualTo(30 * SECOND);
            assertThat(Recorded.of(load).completed()).isEqualTo(300);
        }
        assertThatThrownBy(() -> series(text + "6.5,10\n5.5,10\n4.5,10\n", Optional.empty()))
                .as("the clock was set")
                .hasMessageContaining("again");
    }

    @Test
    void numbersInAFolderAreASeriesOnlyIfAllAreNumbers() throws IOException {
        Path from = Files.createDirectories(folder.resolve("from"));
        Files.writeString(from.resolve("load.csv"), "phase,requests\n" + "a,100\n".repeat(20));
        Files.writeString(from.resolve("cpu.txt"), "%idle\n" + "97.5\n".repeat(60));
        Files.writeString(from.resolve("heat.txt"), "41\n".repeat(60) + "cold\n");
        List<String> said = new ArrayList<>();

        Importer.Imported imported = new Importer("test", options(Optional.empty()), said::add)
                .run(List.of(from), "x", () -> folder.resolve("out"));

        assertThat(imported.whole()).isTrue();
        assertThat(said).hasSize(2);
        assertThat(said.getFirst()).startsWith("left out: ").contains("heat.txt:61: ");
        assertThat(said.getLast()).isEqualTo("imported from 1");
    }

    @Test
    void oneNumberThatIsNoneIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("b.csv"), "100\n".repeat(20) + "NaN\n");

        assertThatThrownBy(() -> new Importer("test", options(Optional.empty()), line -> {})
                        .run(List.of(file), "x", () -> folder.resolve("out")))
                .hasMessageContaining("b.csv:21: requests: found 'NaN', expected a finite number");
    }

    @Test
    void aRowThatSumsUpTheOthersIsNoSecond() {
        assertThatThrownBy(() -> series("time,requests\n1,10\n2,10\n3,10\nTotal,30\n", Optional.empty()))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a.csv:5: found 'Total' for time, expected a time as in the other rows");
        assertThatThrownBy(() -> series("time,requests\nTotal,30\n1,10\n2,10\n3,10\n4,10\n", Optional.empty()))
                .as("the sum stands first")
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a.csv:2: found 'Total' for time, expected a time as in the other rows");
    }

    @Test
    void emptyColumnsOfASpreadsheetAreNoColumns() throws IOException {
        LoadSource load = series("phase;requests;;\nload;10;;\nload;20;;\n", Optional.empty());

        assertThat(Recorded.of(load).completed()).isEqualTo(30);
        assertThatThrownBy(() -> series("requests,,\n1,,\n2,,x\n", Optional.empty()))
                .as("a cell in a column without a name")
                .hasMessageContaining("a.csv:1: column '' is there twice");
    }

    @Test
    void aJtlMayHaveQuotedNamesAndTheHeaderAgain() throws IOException {
        String header = "\"timeStamp\";\"elapsed\";\"label\";\"responseCode\";\"success\"\n";
        Path file = Files.writeString(
                folder.resolve("a.jtl"),
                header + "1780390800000;12;get;200;true\n" + header + "1780390900000;12;get;200;true\n");

        LoadSource load = JMeterCsv.of(file, options(Optional.empty())).orElseThrow();

        assertThat(Recorded.of(load).completed()).isEqualTo(2);
        assertThat(Recorded.of(load).gaps).singleElement().asString().contains("a.jtl:3: the header again");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-06-02T09:00:00Z", "1780390800"})
    void timesOfWholeSecondsMakeBinsOfASecond(String stamp) throws IOException {
        assertThat(binsOfK6(stamp)).isEqualTo(SECOND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-06-02T09:00:00.5Z", "1780390800123"})
    void finerTimesAreKept(String stamp) throws IOException {
        assertThat(binsOfK6(stamp)).as("every request's own time").isZero();
    }

    @Test
    void aLoadWithTimesOfWholeSecondsLastsWholeSeconds() throws IOException {
        StringBuilder text = new StringBuilder("metric_name,timestamp,metric_value,expected_response,status\n");
        for (int i = 0; i < 200; i++) {
            text.append("http_req_duration,").append(1_780_390_800 + i / 10).append(",4.2,true,302\n");
        }

        LoadSource load =
                K6.ofCsv(Files.writeString(folder.resolve("k6.csv"), text)).orElseThrow();

        assertThat(load.span().length()).isEqualTo(20 * SECOND);
        assertThat(Recorded.of(load).rows)
                .as("k6 expected each redirect")
                .hasSize(20)
                .allSatisfy(row -> assertThat(row.completed()).isEqualTo(10));
    }

    @Test
    void theLastPartOfASecondIsNoSecond() throws IOException {
        StringBuilder text = new StringBuilder("metric_name,timestamp,metric_value,expected_response,status\n");
        for (int i = 0; i < 203; i++) {
            text.append("http_req_duration,").append(1_780_390_800 + i / 10).append(",4.2,true,200\n");
        }
        Path file = Files.writeString(folder.resolve("k6.csv"), text);

        Recorded load = Recorded.of(K6.ofCsv(file).orElseThrow());

        assertThat(load.rows)
                .hasSize(20)
                .allSatisfy(row -> assertThat(row.completed()).isEqualTo(10));
        assertThat(load.latencies).isEqualTo(200);
        assertThat(load.ends).containsExactly(load.rows.getLast().endNanos());
        assertThat(load.gaps)
                .containsExactly("the load's last row, from its second 20 on, has 3 requests after 10 and is left out:"
                        + " a partial bin reads as a collapse");
    }

    @Test
    void aTestWithoutARequestHasItsLengthAndNoQuantiles() throws IOException {
        Path file = Files.writeString(folder.resolve("k6.json"), """
                {"state": {"testRunDurationMs": 30000}, "metrics": {
                "http_reqs": {"values": {"count": 0, "rate": 0}},
                "http_req_duration": {"values": {"avg": 0, "min": 0, "med": 0, "max": 0}}}}
                """);

        assertThat(K6Summary.ofJson(file).span().length()).isEqualTo(30 * SECOND);
        assertThat(Recorded.of(K6Summary.ofJson(file)).totals).isEmpty();
    }

    private long binsOfK6(String stamp) throws IOException {
        Path file = Files.writeString(
                folder.resolve("k6.csv"),
                "metric_name,timestamp,metric_value,expected_response,status\n"
                        + ("http_req_duration," + stamp + ",4.2,true,200\n").repeat(3));
        return K6.ofCsv(file).orElseThrow().bins().nanos();
    }

    @Test
    void textOfUtf16IsNamedAsThat() throws IOException {
        Path file = folder.resolve("wrk.txt");
        Files.write(file, "\ufeffRunning 30s test @ http://localhost/\r\n".getBytes(StandardCharsets.UTF_16LE));

        for (Path path : List.of(file, folder)) {
            assertThatThrownBy(() -> new Importer("test", options(Optional.empty()), line -> {})
                            .run(List.of(path), "x", () -> folder.resolve("out")))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("wrk.txt is UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"..-1.csv", "..-20260602090000123.csv", "...csv", ".-1.csv"})
    void noNameOfAFileLeadsOutOfTheResults(String name) throws IOException {
        Path from = Files.createDirectories(folder.resolve("from"));
        Path file = Files.writeString(from.resolve(name), "phase,requests\na,1\na,2\na,3\n");
        Path out = folder.resolve("results").resolve("x");

        new Importer("test", options(Optional.empty()), line -> {}).run(List.of(file), "x", () -> out);

        assertThat(folder.resolve("results").toFile().list()).containsExactly("x");
        assertThat(out.resolve("1")).doesNotExist();
    }

    @Test
    void noNameOfABenchmarkLeadsOutOfTheResults() throws IOException {
        Path file = Files.writeString(
                folder.resolve("renaissance.csv"), "benchmark,duration_ns\n..,1000000000\n..,1000000000\n");
        Path out = folder.resolve("results").resolve("x");

        new Importer("test", options(Optional.empty()), line -> {}).run(List.of(file), "x", () -> out);

        assertThat(folder.resolve("results").toFile().list()).containsExactly("x");
    }
}
