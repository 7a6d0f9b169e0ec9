package dev.kiln.importer.hyperfoil;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.text.CsvLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** HyperfoilTotals reads Hyperfoil's {@code total.csv}: each phase as a whole, with its exact end. */
public final class HyperfoilTotals {
    public static final Format FORMAT = new Format(
            "Hyperfoil's total.csv", head -> head.first(HyperfoilTotals::isHeader), Format.PartOfRun.HYPERFOIL_TOTALS);

    private static final long MILLI = 1_000_000;

    private HyperfoilTotals() {}

    /** A HyperfoilTotal is one row: a metric of a phase. */
    public record HyperfoilTotal(String phase, Span span, long requests, Quantiles quantiles) {}

    private static boolean isHeader(String line) {
        return line.toLowerCase(Locale.ROOT).startsWith("phase,metric,start,end,requests,");
    }

    public static List<HyperfoilTotal> parse(Lines lines) {
        if (!lines.next() || !isHeader(lines.text())) {
            throw lines.malformed("not the header of a total.csv", "Phase,Metric,Start,End,Requests,...");
        }
        List<String> header = CsvLine.cells(lines.text().toLowerCase(Locale.ROOT));
        List<HyperfoilTotal> totals = new ArrayList<>();
        while (lines.next()) {
            if (!lines.isBlank()) {
                totals.add(total(lines, header));
            }
        }
        return totals;
    }

    private static HyperfoilTotal total(Lines lines, List<String> header) {
        List<String> cells = lines.cells();
        if (cells.size() != header.size()) {
            throw lines.malformed(cells.size() + " columns", Integer.toString(header.size()));
        }
        Span span =
                new Span(number(lines, header, cells, "start") * MILLI, number(lines, header, cells, "end") * MILLI);
        if (span.length() <= 0) {
            throw lines.malformed("a phase that ends before it starts", "times that grow");
        }
        return new HyperfoilTotal(
                cells.get(0),
                span,
                number(lines, header, cells, "requests"),
                new Quantiles(
                        number(lines, header, cells, "responses"),
                        number(lines, header, cells, "p50.0"),
                        number(lines, header, cells, "p99.0"),
                        number(lines, header, cells, "max")));
    }

    private static long number(Lines lines, List<String> header, List<String> cells, String name) {
        int i = header.indexOf(name);
        if (i < 0 || !cells.get(i).matches("\\d{1,13}")) {
            throw lines.malformed(i < 0 ? "no column " + name : "'" + cells.get(i) + "' for " + name, "a whole number");
        }
        return Long.parseLong(cells.get(i));
    }
}
