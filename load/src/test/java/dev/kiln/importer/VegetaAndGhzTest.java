package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.program.GhzReport;
import dev.kiln.importer.program.VegetaCsv;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Results that vegeta and ghz wrote here, against servers that fail as they are told to. */
class VegetaAndGhzTest {
    @TempDir
    private Path folder;

    private static LoadBin.Errors errors(Recorded run) {
        return run.rows.stream().map(LoadRow::errors).reduce(LoadBin.Errors.NONE, LoadBin.Errors::plus);
    }

    /** Requires that a file is of a format, and that all of it was read: so many good requests, and these errors. */
    private static void assertWhole(Path file, Format format, LoadSource load, int good, LoadBin.Errors failed) {
        Recorded run = Recorded.of(load);

        assertThat(Formats.of(file, Optional.empty())).contains(format);
        assertThat(run.completed()).isEqualTo(good);
        assertThat(run.latencies).isEqualTo(good);
        assertThat(errors(run)).isEqualTo(failed);
        assertThat(run.gaps).isEmpty();
    }

    /** Of five targets in turn two are good, and one each is refused, too slow and bad. */
    @Test
    void vegetasResultsAreALogOfRequests() {
        Path file = Recorded.sample("vegeta-12.13.0.csv");
        LoadSource load = VegetaCsv.of(file).orElseThrow();

        assertWhole(file, VegetaCsv.FORMAT, load, 24, new LoadBin.Errors(12, 0, 12, 12, 0));
        // From the first one's beginning to the last one's end, not in the order of the lines.
        assertThat(load.span().fromNanos()).isEqualTo(1_795_812_634_385_617_074L);
        assertThat(load.span().length()).isEqualTo(1_250_719_338L);
    }

    @Test
    void aResultThatWasCutShortIsLeftOut() throws IOException {
        String text = Files.readString(Recorded.sample("vegeta-12.13.0.csv"));
        Path file = Files.writeString(folder.resolve("cut.csv"), text.substring(0, text.length() - 60));

        assertThat(Recorded.of(VegetaCsv.of(file).orElseThrow()).gaps)
                .containsExactly(file + ":60: the last line is cut short and left out");
        assertThat(VegetaCsv.of(Files.writeString(folder.resolve("empty.csv"), "")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "9999999999999999999,200,1,0,0,,,,0|'9999999999999999999' for the beginning",
                "1795812634,200,1,0,0,,,,0|a time of 1795812634 ns",
                "1795812634385617074,ok,1,0,0,,,,0|'ok' for the status",
                "1795812634385617074,200,-1,0,0,,,,0|'-1' for the latency",
                "1795812634385617074,0,1|3 columns",
            })
    void aLineThatIsNoResultIsAnError(String line, String what) throws IOException {
        Path file = Files.writeString(folder.resolve("bad.csv"), line + "\n");

        assertThatThrownBy(() -> VegetaCsv.of(file))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("bad.csv:1: found " + what);
    }

    /** Every fifth call fails. Times are those of a call's end, and the first one's beginning is that of the load. */
    @Test
    void ghzsReportIsALogOfCalls() {
        Path file = Recorded.sample("ghz-0.93.0.json");
        LoadSource load = GhzReport.of(file).orElseThrow();

        assertWhole(file, GhzReport.FORMAT, load, 69, new LoadBin.Errors(0, 0, 0, 17, 0));
        // Two calls began about 39 ms before 06.964 s, and the last one ended at 07.913 s.
        assertThat(load.span().fromNanos()).isBetween(1_795_812_726_920_000_000L, 1_795_812_726_964_000_000L);
        assertThat(load.span().toNanos()).isEqualTo(1_795_812_727_913_595_879L);
    }

    @Test
    void whyACallHadNoAnswerIsTold() {
        assertThat(errors(Recorded.of(
                        GhzReport.of(Recorded.sample("ghz-0.93.0-refused.json")).orElseThrow())))
                .isEqualTo(new LoadBin.Errors(3, 0, 0, 0, 0));
        assertThat(errors(Recorded.of(
                        GhzReport.of(Recorded.sample("ghz-0.93.0-timeout.json")).orElseThrow())))
                .isEqualTo(new LoadBin.Errors(0, 0, 3, 0, 0));
    }

    /** It keeps a million calls, however many there were. */
    @Test
    void callsThatGhzDidNotKeepAreMissing() throws IOException {
        String text = Files.readString(Recorded.sample("ghz-0.93.0.json"));
        Path file = Files.writeString(folder.resolve("more.json"), text.replace("\"count\":86,", "\"count\":90,"));

        assertThat(Recorded.of(GhzReport.of(file).orElseThrow()).gaps)
                .containsExactly(file + ": ghz kept 86 of its 90 calls: the others are missing");
    }

    @Test
    void aReportThatIsNoneIsAnError() throws IOException {
        String text = Files.readString(Recorded.sample("ghz-0.93.0.json"));
        Path cut = Files.writeString(folder.resolve("cut.json"), text.substring(0, 4000));
        Path odd = Files.writeString(
                folder.resolve("odd.json"), text.replaceFirst("\"latency\":38646441", "\"latency\":\"38 ms\""));

        assertThatThrownBy(() -> GhzReport.of(cut))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("cut.json:1: not JSON");
        assertThatThrownBy(() -> GhzReport.of(odd))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("odd.json, call 1: found \"38 ms\", expected a latency in ns");
    }
}
