package dev.kiln.importer.program;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.ImportOptions;
import dev.kiln.importer.format.LoadSource;
import java.nio.file.Path;
import java.util.List;

/**
 * Locust's {@code --csv} history ({@code _stats_history.csv}): a row a second for each request and, named Aggregated, for all. Its
 * total counts grow from the beginning of the test and include failures; its rates are means of ten seconds, so Kiln reads the
 * totals, which {@code --reset-stats} begins anew once all users run. Its quantiles are of the last ten seconds too, and are not read.
 */
public final class Locust {
    public static final Format FORMAT = new Format(
            "Locust's stats history",
            head -> head.first(Locust::isHeader),
            new Format.Loads((file, options) -> List.of(of(file, options))));

    private static final CsvMapping COLUMNS = CsvMapping.parse(
            "time=Timestamp:s,requests=Total Request Count:total,errors=Total Failure Count:total where Name=Aggregated");

    private Locust() {}

    private static boolean isHeader(String line) {
        return line.replace("\"", "").startsWith("Timestamp,User Count,") && COLUMNS.fits(line);
    }

    public static LoadSource of(Path file, ImportOptions options) {
        return SeriesCsv.of(file, "Locust", COLUMNS.ofLocust(), options);
    }
}
