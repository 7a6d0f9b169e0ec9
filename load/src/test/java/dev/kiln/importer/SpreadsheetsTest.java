package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.program.JMeterCsv;
import dev.kiln.importer.program.SeriesCsv;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables from dashboards, spreadsheets and programs in Java. */
class SpreadsheetsTest extends ProgramFiles {
    private static final long BEGIN = 1_780_390_800L;

    private Path rows(String header, int rows, IntFunction<String> row) throws IOException {
        return file(
                "a.csv",
                header + "\n" + IntStream.range(0, rows).mapToObj(row).collect(Collectors.joining("\n", "", "\n")));
    }

    /** Grafana's "Download for Excel", and LibreOffice, write such a line. */
    @ParameterizedTest
    @ValueSource(strings = {",", ";"})
    void aLineThatNamesTheSeparatorIsNoHeader(String sign) throws IOException {
        String table = "sep=,\r\ntime,requests\r\n1780390800,100\r\n1780390801,110\r\n".replace(",", sign);
        String jtl = "sep=,\ntimeStamp,elapsed,label,success\n1780390800000,12,get,true\n".replace(",", sign);
        Path series = file("a.csv", table);
        Path samples = file("a.jtl", jtl);

        assertThat(format(series)).isEqualTo(SeriesCsv.FORMAT);
        assertThat(completed(load(series))).containsExactly(100L, 110L);
        assertThat(format(samples)).isEqualTo(JMeterCsv.FORMAT);
        assertThat(load(samples).completed()).isEqualTo(1);
        Path other = file("b.csv", table.replace("requests", "n"));
        assertThat(completed(mapped(other, "time=time:s,requests=n", Texts.options())))
                .containsExactly(100L, 110L);
    }

    /** The columns of Grafana have the labels of Prometheus in their names. */
    @Test
    void aNameWithACommaIsQuotedAsInTheFile() throws IOException {
        Path table = rows(
                "\"Time\",\"{job=\"\"shop\"\", pod=\"\"a:1\"\"}\"", 3, i -> (BEGIN + i) * 1000 + "," + (100 + i % 2));
        Recorded run =
                mapped(table, "time=Time:ms,requests=\"{job=\"\"shop\"\", pod=\"\"a:1\"\"}\":rate", Texts.options());

        assertThat(completed(run)).containsExactly(100L, 101L, 100L);
        assertThat(CsvMapping.parse("requests=\"a, b\",bin=1s").missing("x,y")).containsExactly("a, b");
    }

    /** InfluxDB's annotated CSV. */
    @Test
    void remarksMayStandAboveTheHeaderOfNamedColumns() throws IOException {
        Path table = rows(
                "#group,false,false,true\n#datatype,string,long,dateTime:RFC3339\n#default,_result,,\n,result,_time,_value",
                3,
                i -> ",0,2026-06-02T09:00:0" + i + "Z," + (100 + i));

        assertThat(completed(mapped(table, "time=_time:iso,requests=_value", Texts.options())))
                .containsExactly(100L, 101L, 102L);
        Path single = rows("# by hand\nbegin,code", 3, i -> (BEGIN + i) + ",200");
        assertThat(mapped(single, "row=request,time=begin:s,status=code", Texts.options())
                        .completed())
                .isEqualTo(3);
    }

    @Test
    void aRateMayBePerMinute() throws IOException {
        Path table = rows("when,rpm,bad", 4, i -> (BEGIN + 60L * i) + ",6000,60");
        Recorded run = mapped(table, "time=when:s,requests=rpm:rpm,errors=bad:rpm", Texts.options());

        assertThat(completed(run)).containsExactly(6000L, 6000L, 6000L, 6000L);
        assertThat(run.failed()).isEqualTo(240);
    }

    @Test
    void barsMaySeparate() throws IOException {
        assertThat(completed(load(rows("time|requests", 3, i -> (BEGIN + i) + "|10"))))
                .containsExactly(10L, 10L, 10L);
    }

    @Test
    void aNumberWithItsUnitIsNamed() {
        assertThatThrownBy(() -> load(rows("time,requests", 3, i -> (BEGIN + i) + ",1.5 K")))
                .isInstanceOfSatisfying(
                        KilnException.class,
                        e -> assertThat(e.remedy()).contains("write the number alone, such as 1500 for 1.5 K"))
                .hasMessageContaining("a.csv:2: requests: found '1.5 K', expected a finite number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void textOfUtf16NeedsNoMark(String encoding) throws IOException {
        Path file = Files.write(folder.resolve("a.csv"), "time,requests\n1,2\n".getBytes(Charset.forName(encoding)));

        assertThatThrownBy(() -> LabFolder.find(List.of(file), Optional.empty()))
                .hasMessageContaining("a.csv is UTF-16 text: convert it");
    }

    @Test
    void aNamedColumnMayHoldTimesOfDay() throws IOException {
        Path table = rows(
                "Elapsed time,n",
                4,
                i -> List.of("23:59:58.5", "23:59:59.5", "00:00:00.5", "00:00:01.5")
                                .get(i) + ",10");

        assertThat(completed(mapped(table, "time=Elapsed time:clock,requests=n", Texts.options())))
                .containsExactly(10L, 10L, 10L, 10L);
        assertThatThrownBy(() -> mapped(rows("t,n", 2, i -> "noon,10"), "time=t:clock,requests=n", Texts.options()))
                .hasMessageContaining("a.csv:2: found 'noon' for t, expected a time of day such as 12:00:05");
    }

    /** Java writes a time with its zone so, and a double of more than seven digits. */
    @ParameterizedTest
    @ValueSource(strings = {"zone", "double", "millis"})
    void timesMayBeThoseOfJava(String form) throws IOException {
        Path table = rows("time,requests", 3, i -> switch (form) {
            case "zone" -> "2026-06-02T11:00:0%d.5+02:00[Europe/Berlin],100".formatted(i);
            case "double" ->
                List.of("1.7803908E9", "1.780390801E9", "1.780390802E9").get(i) + ",100";
            default ->
                List.of("1.7803908E12", "1.780390801E12", "1.780390802E12").get(i) + ",100";
        });
        Recorded run = load(table);

        assertThat(run.rows.getFirst().startNanos() / SECOND).isEqualTo(BEGIN);
        assertThat(completed(run)).containsExactly(100L, 100L, 100L);
    }

    @Test
    void pointsBetweenThousandsAreNoDecimals() throws IOException {
        Path german = rows(
                "Time;Requests",
                3,
                i -> BEGIN + i + ";" + List.of("987", "1.012", "1.234").get(i));

        assertThatThrownBy(() -> load(german))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a.csv:3: found 1.012 requests, whose point may stand between thousands");
        assertThat(completed(load(rows(
                        "Time;Requests",
                        3,
                        i -> BEGIN + i + ";"
                                + List.of("987.5", "1012.25", "1234").get(i)))))
                .containsExactly(988L, 1012L, 1234L);
        assertThat(completed(load(rows("Time,Requests", 3, i -> BEGIN + i + ",1.234"))))
                .containsExactly(1L, 1L, 1L);
    }

    @Test
    void theSignThatAHeaderHasMostOfSeparates() throws IOException {
        Path table = rows("time;requests;p99, in ms", 3, i -> BEGIN + i + ";100;4,5");

        assertThat(completed(load(table))).containsExactly(100L, 100L, 100L);
        assertThat(completed(load(rows("\"a;b;c;d\",time,requests", 3, i -> "x," + (BEGIN + i) + ",100"))))
                .containsExactly(100L, 100L, 100L);
    }

    @Test
    void requestsThatGrowInEveryRowMayBeATotal() throws IOException {
        String words = "requests grow in every row: if they are all since the test began";

        assertThat(load(rows("time,requests", 40, i -> BEGIN + i + "," + (i + 1) * 100)).gaps)
                .anyMatch(gap -> gap.startsWith(words));
        // Of a service that warms up they grow less and less, and fall now and then.
        assertThat(load(rows("time,requests", 40, i -> BEGIN + i + "," + Math.round(1000 * (1 - Math.exp(-i / 5.0)))))
                        .gaps)
                .isEmpty();
        assertThat(load(rows("time,requests", 40, i -> BEGIN + i + "," + (i == 20 ? 1 : i * 100))).gaps)
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2026-03-29 01:59:%02d,2026-03-29 03:00:%02d"})
    void theHourThatSummerTimeTakesIsNoHole(String before, String after) throws IOException {
        Path table =
                rows("time,requests", 20, i -> (i < 10 ? before.formatted(50 + i) : after.formatted(i - 10)) + ",100");

        assertThatThrownBy(() -> load(table))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a.csv:12: found a time an hour or more after the one before it")
                .satisfies(e -> assertThat(((KilnException) e).remedy()).contains("--zone"));
    }
}
