package dev.kiln.importer;

import dev.kiln.importer.LoadSink.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Hyperfoil's {@code total.csv}: each phase as a whole, with its exact end. */
final class HyperfoilTotals {
    private static final long MILLI = 1_000_000;

    private HyperfoilTotals() {}

    /** One row: a metric of a phase. */
    record Total(String phase, Span span, long requests, Quantiles quantiles) {}

    static boolean isHeader(String line) {
        return line.toLowerCase(Locale.ROOT).startsWith("phase,metric,start,end,requests,");
    }

    static List<Total> parse(Lines lines) {
        if (!lines.next() || !isHeader(lines.text())) {
            throw lines.malformed("no header of a total.csv", "Phase,Metric,Start,End,Requests,...");
        }
        List<String> header = List.of(lines.text().toLowerCase(Locale.ROOT).split(",", -1));
        List<Total> totals = new ArrayList<>();
        while (lines.next()) {
            if (!lines.isBlank()) {
                totals.add(total(lines, header));
            }
        }
        return totals;
    }

    private static Total total(Lines lines, List<String> header) {
        String[] cells = lines.text().split(",", -1);
        if (cells.length != header.size()) {
            throw lines.malformed(cells.length + " columns", Integer.toString(header.size()));
        }
        Span span =
                new Span(number(lines, header, cells, "start") * MILLI, number(lines, header, cells, "end") * MILLI);
        if (span.length() <= 0) {
            throw lines.malformed("a phase that ends before it starts", "times that grow");
        }
        return new Total(
                cells[0],
                span,
                number(lines, header, cells, "requests"),
                new Quantiles(
                        number(lines, header, cells, "responses"),
                        number(lines, header, cells, "p50.0"),
                        number(lines, header, cells, "p99.0"),
                        number(lines, header, cells, "max")));
    }

    private static long number(Lines lines, List<String> header, String[] cells, String name) {
        int i = header.indexOf(name);
        if (i < 0 || !cells[i].matches("\\d{1,13}")) {
            throw lines.malformed(i < 0 ? "no column " + name : "'" + cells[i] + "' for " + name, "a whole number");
        }
        return Long.parseLong(cells[i]);
    }
}
