package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.program.SeriesCsv;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of a series that say when its rows were, as people and programs write them. */
class TimeColumnsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int ROWS = 20;

    @TempDir
    private Path folder;

    private LoadSource series(String header, IntFunction<String> row) throws IOException {
        StringBuilder text = new StringBuilder(header).append('\n');
        for (int i = 0; i < ROWS; i++) {
            text.append(row.apply(i)).append('\n');
        }
        Path file = Files.writeString(folder.resolve("a.csv"), text);
        return ((Format.Loads) SeriesCsv.FORMAT.content())
                .of()
                .apply(file, Texts.options())
                .getFirst();
    }

    /** Rows of ten seconds, whichever way they are told. */
    @ParameterizedTest
    @CsvSource({
        "time_ms, 10000, 0",
        "Time (s), 10, 0",
        "timestamp_us, 10000000, 0",
        "time_ns, 10000000000, 0",
        "ts, 10, 1780390800",
        "time, 10000, 0",
        "time, 10, 0",
        "time, 10000000, 0",
        "time, 10000000000, 0",
        "time, 10000, 1780390800000",
        "elapsed, 10, 0",
        "elapsed_ms, 10000, 0",
        "Elapsed time (s), 10, 5",
        "uptime_seconds, 10, 86400",
        "t, 10, 0",
        "time_milliseconds, 10000, 0"
    })
    void rowsAreAsLongAsTheirTimesSay(String name, long step, long first) throws IOException {
        LoadSource load = series(name + ",requests", i -> first + i * step + ",1000");

        assertThat(load.bins().nanos()).isEqualTo(10 * SECOND);
        assertThat(load.span().length()).isEqualTo(ROWS * 10 * SECOND);
    }

    @Test
    void stepsOfAThousandAreMillisecondsAndThatIsSaid() throws IOException {
        LoadSource load = series("time,requests", i -> i * 1000 + ",500");

        assertThat(load.bins().nanos()).isEqualTo(SECOND);
        assertThat(Recorded.of(load).gaps)
                .containsExactly("the column time counts 1000 from row to row: Kiln reads it as ms");
    }

    @Test
    void stepsThatMayBeEitherAreAskedAbout() {
        assertThatThrownBy(() -> series("time,requests", i -> i * 100 + ",500"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a.csv:2: found rows 100 apart in time, in which unit is not known");
    }

    @ParameterizedTest
    @ValueSource(longs = {60, 120, 300, 900, 1200, 1800, 3600})
    void minutesAreMinutes(long step) throws IOException {
        assertThat(series("time,requests", i -> i * step + ",500").bins().nanos())
                .isEqualTo(step * SECOND);
    }

    @ParameterizedTest
    @CsvSource({"minute, 1, 60", "Minutes, 5, 300", "time (min), 1, 60", "elapsed_hours, 0.5, 1800"})
    void aNameMayCountMinutesOrHours(String name, double step, long seconds) throws IOException {
        assertThat(series(name + ",requests", i -> i * step + ",500").bins().nanos())
                .isEqualTo(seconds * SECOND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20260602090%d%d0",
                "20260602T090%d%d0Z",
                "20260602 090%d%d0+0000",
                "20260602090%d%d0123",
                "20260602090%d%d0.5",
                "2026-06-02 09:0%d:%d0.123456789 +0000 UTC"
            })
    void aDateMayBeDigitsOrHaveTheNameOfItsZone(String form) throws IOException {
        LoadSource load = series("time,requests", i -> form.formatted(i / 6, i % 6) + ",1000");

        assertThat(load.bins().nanos()).isEqualTo(10 * SECOND);
        assertThat(load.span().fromNanos() / SECOND).isEqualTo(1_780_390_800);
    }

    @Test
    void minutesMayBeDigitsToo() throws IOException {
        LoadSource load = series("time,requests", i -> "2026060209%02d,1000".formatted(i));

        assertThat(load.bins().nanos()).isEqualTo(60 * SECOND);
    }

    @Test
    void aTimeThatHasPassedMayBeLongerThanADay() throws IOException {
        LoadSource load = series("elapsed,requests", i -> (i < 10 ? "23:59:5" + i : "24:00:0" + (i - 10)) + ",10");

        assertThat(load.span().length()).isEqualTo(ROWS * SECOND);
        assertThat(Recorded.of(load).completed()).isEqualTo(10 * ROWS);
    }

    /** R writes a round number in its shortest form. */
    @Test
    void aRoundNumberAmongOthersMayHaveAnExponent() throws IOException {
        LoadSource load =
                series("time,requests", i -> (i == 5 ? "1e+05" : Integer.toString(50_000 + 10_000 * i)) + ",1000");
        LoadSource dated = series(
                "time,requests",
                i -> (i == 4 ? "1.780391e+12" : Long.toString(1_780_390_960_000L + 10_000L * i)) + ",1000");

        assertThat(load.span().length()).isEqualTo(ROWS * 10 * SECOND);
        assertThat(dated.span().length()).isEqualTo(ROWS * 10 * SECOND);
    }

    @ParameterizedTest
    @CsvSource({"46175.375, 0.0000115741", "46175.375, 0.00347222", "0.375, 0.0000115741"})
    void daysOfASpreadsheetAreNoSeconds(double first, double step) {
        assertThatThrownBy(() -> series("time,requests", i -> (first + i * step) + ",500"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("apart, as where a spreadsheet counts days");
    }

    @Test
    void aColumnThatMayBeTheTimeIsNamed() throws IOException {
        assertThat(Recorded.of(series("step,requests", i -> i * 10 + ",500")).gaps)
                .containsExactly(
                        "the column step rises by 10 from row to row and is not read: if it is the time, name it"
                                + " with its unit, such as time_s");
        assertThat(Recorded.of(series("row,requests", i -> i + "," + (500 + i % 3))).gaps)
                .isEmpty();
        assertThat(Recorded.of(series("time,requests,users", i -> i + ",500," + 10 * i)).gaps)
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%02d/06/2026 10:00:00", "2026-06-%02d", "00:%02d"})
    void aColumnThatLooksLikeTheTimeIsNamed(String form) throws IOException {
        assertThat(Recorded.of(series("when,requests", i -> form.formatted(i + 1) + ",500")).gaps)
                .singleElement()
                .asString()
                .startsWith("the column when looks like the time and is not read");
        assertThat(Recorded.of(series("host,requests", i -> "10.0.0.1:8080,500")).gaps)
                .isEmpty();
    }

    @Test
    void aLastRowThatMayBeAPartIsNamed() throws IOException {
        IntFunction<String> rows = i -> (1_780_390_800 + 60 * i) + "," + (i < ROWS - 1 ? 6000 : 400);

        assertThat(Recorded.of(series("time,requests", rows)).gaps)
                .containsExactly(
                        "phase load: its last row, line 21, has 400 requests after 6000: if it is a part of a row,"
                                + " leave it out");
    }

    /** The column held the share of good requests. */
    @Test
    void moreThanWasAskedForWasNotOfferedSo() throws IOException {
        Recorded run = Recorded.of(series("requests,rate", i -> "500,0.9" + i % 10));

        assertThat(run.gaps)
                .containsExactly(
                        "the column of the offered rate says far less than what was served, so it is another: it is"
                                + " not read");
        assertThat(run.offered).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"failures", "Failed", "error", "timeouts"})
    void failuresThatAreNotReadAreNamed(String name) throws IOException {
        assertThat(Recorded.of(series("time,requests," + name, i -> i + ",500,3")).gaps)
                .containsExactly(
                        "the column " + name + " is not read: name it errors if it counts failed requests, which"
                                + " requests must not include");
        assertThat(Recorded.of(series("time,requests,errors," + name + "_2", i -> i + ",500,3,3")).gaps)
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"when", "Bucket", "start"})
    void aColumnOfDatesIsTheTimeWhateverItsName(String name) throws IOException {
        LoadSource load = series(name + ",requests,host", i -> "2026-06-22 09:%02d:00,600,a".formatted(i));

        assertThat(load.bins().nanos()).isEqualTo(60 * SECOND);
        assertThat(Recorded.of(load).gaps)
                .contains(
                        "the column " + name + " is read as the time",
                        "times without a zone are read as UTC: --zone names another");
    }

    @ParameterizedTest
    @ValueSource(strings = {" UTC", "Z", "+00", " +0000", " GMT", "+00:00"})
    void zonesHaveSeveralForms(String zone) throws IOException {
        LoadSource load = series("time,requests", i -> "2026-06-22 09:00:%02d%s,600".formatted(i, zone));

        assertThat(load.span().fromNanos()).isEqualTo(1_782_118_800 * SECOND);
        assertThat(Recorded.of(load).gaps).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"02/06/2026 10:00:%02d", "10:%02d", "1.7803908E+09 %d", "1780390800,%d"})
    void aTimeThatCannotBeReadIsNoReasonToCountRows(String form) {
        assertThatThrownBy(() -> series("time;requests", i -> form.formatted(i) + ";600"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a.csv:2: found '")
                .hasMessageContaining("for time, expected a time such as 2026-01-02T03:04:05.678Z");
    }

    @Test
    void aRoundedTimeIsNone() {
        assertThatThrownBy(() -> series("time,requests", i -> "1.78039E+12,600"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a.csv:2: found '1.78039E+12' for time");
    }

    /** Of a clock that is now early and now late most distances may be too long: all rows together are not. */
    @Test
    void rowsLastNoLongerThanTheirTimes() throws IOException {
        LoadSource load = series("time,requests", i -> 1_780_390_800 + i + "." + 3 * (i % 3) + ",100");

        assertThat(load.bins().nanos()).isEqualTo(SECOND);
        assertThat(load.span().length()).isEqualTo(ROWS * SECOND);
    }

    @Test
    void aMissingRowIsNoFaultOfTheClock() throws IOException {
        LoadSource load = series("time,requests", i -> {
            int second = i < 10 ? i : i + 1;
            return (1_780_390_800 + second) + "." + 3 * ((second + 1) % 3) + ",100";
        });

        assertThat(load.span().length()).isEqualTo((ROWS + 1) * SECOND);
    }

    /** Rows had been sorted by their response times, and lasted a few microseconds. */
    @ParameterizedTest
    @ValueSource(strings = {"time_ms", "Time (ms)", "time_s"})
    void aResponseTimeIsNotTheTime(String name) throws IOException {
        LoadSource load = series("requests," + name, i -> (100 + i) + "," + (12 + (i * 7) % 5) + ".31");

        assertThat(load.span().length()).isEqualTo(ROWS * SECOND);
        assertThat(Recorded.of(load).gaps)
                .containsExactly(
                        "the column " + name + " neither rises nor falls throughout, so it is not read as the time");
        assertThat(Recorded.of(load).rows.getFirst().completed()).isEqualTo(100);
    }

    @Test
    void remarksMayStandAboveTheHeader() throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "# of night 3\n\ntime,requests\n0,10\n1,10\n2,10\n");

        assertThat(Formats.of(file, Optional.empty())).contains(SeriesCsv.FORMAT);
        assertThat(Recorded.of(((Format.Loads) SeriesCsv.FORMAT.content())
                                .of()
                                .apply(file, Texts.options())
                                .getFirst())
                        .completed())
                .isEqualTo(30);
    }

    @Test
    void whatWasServedRowByRowWasNotOffered() throws IOException {
        IntFunction<String> requests = i -> Integer.toString(100 + 7 * i + (i * 37) % 23);

        LoadSource served = series("requests,rate", i -> requests.apply(i) + "," + requests.apply(i));
        LoadSource ramp = series("requests,rate", i -> (100 + i) + "," + (100 + i));

        assertThat(Recorded.of(served).gaps)
                .containsExactly("the column of the offered rate says what was served, row by row: it is not read");
        assertThat(Recorded.of(ramp).gaps).singleElement().asString().startsWith("the offered rate changes");
    }
}
