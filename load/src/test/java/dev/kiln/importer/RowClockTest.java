package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.program.SeriesCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables whose times are those of a clock on the wall. */
class RowClockTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    private LoadSource series(String text, Optional<ZoneId> zone) throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), text);
        ImportOptions options =
                new ImportOptions(zone, OptionalInt.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        return ((Format.Loads) SeriesCsv.FORMAT.content())
                .of()
                .apply(file, options)
                .getFirst();
    }

    @Test
    void timesOfDayAreTimes() throws IOException {
        LoadSource load =
                series("time,requests\n23:59:50,40\n23:59:55,50\n00:00:00,60\n00:00:05,70\n", Optional.empty());

        assertThat(load.dated()).isFalse();
        assertThat(load.span().length()).isEqualTo(20 * SECOND);
        assertThat(Recorded.of(load).rows)
                .extracting(row -> row.endNanos() - row.startNanos())
                .containsOnly(5 * SECOND);
        assertThat(series("time,requests\n11:59:59 AM,1\n12:00:00 PM,1\n12:00:01 PM,1\n", Optional.empty())
                        .span()
                        .length())
                .isEqualTo(3 * SECOND);
    }

    @Test
    void theHourThatIsThereTwiceIsReadInItsOrder() throws IOException {
        StringBuilder text = new StringBuilder("time,requests\n");
        for (int i = 0; i < 60; i++) {
            text.append("2026-10-25 ")
                    .append(i < 30 ? "02:59:" + (30 + i) : "02:00:" + (i < 40 ? "0" : "") + (i - 30))
                    .append(",100\n");
        }

        LoadSource load = series(text.toString(), Optional.of(ZoneId.of("Europe/Berlin")));

        assertThat(load.span().length()).isEqualTo(60 * SECOND);
        assertThat(Recorded.of(load).completed()).isEqualTo(6000);
    }

    /** They had seemed to be a day apart. */
    @Test
    void theNewestRowMayStandFirstAcrossMidnight() throws IOException {
        LoadSource load =
                series("time,requests\n00:00:05,70\n00:00:00,60\n23:59:55,50\n23:59:50,40\n", Optional.empty());
        assertThat(load.span().length()).isEqualTo(20 * SECOND);
        assertThat(Recorded.of(load).rows).extracting(LoadRow::completed).containsExactly(40L, 50L, 60L, 70L);
        assertThat(series("time,requests\n00:00:00,60\n23:59:55,50\n", Optional.empty())
                        .span()
                        .length())
                .isEqualTo(10 * SECOND);
    }

    @Test
    void theNewestRowMayStandFirstWhereAnHourIsThereTwice() throws IOException {
        String rows =
                "2026-10-25 02:00:01,40\n2026-10-25 02:00:00,30\n2026-10-25 02:59:59,20\n2026-10-25 02:59:58,10\n";
        LoadSource load = series("time,requests\n" + rows, Optional.of(ZoneId.of("Europe/Berlin")));
        assertThat(Recorded.of(load).rows).extracting(LoadRow::completed).containsExactly(10L, 20L, 30L, 40L);
    }
}
