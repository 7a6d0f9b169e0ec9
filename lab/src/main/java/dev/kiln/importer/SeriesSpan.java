package dev.kiln.importer;

import java.nio.file.Path;
import java.util.Optional;

/** From the first row of a series to its last, without reading what lies between. */
final class SeriesSpan {
    private static final long MILLI = 1_000_000;

    private SeriesSpan() {}

    /** Empty for a series without a row. */
    static Optional<Span> of(Path file) {
        String header;
        Optional<LoadRow> first;
        try (Lines lines = Lines.of(file);
                SeriesReader reader = new SeriesReader(lines, "")) {
            first = reader.next();
            header = reader.header();
        }
        if (first.isEmpty()) {
            return Optional.empty();
        }
        long end = first.get().endNanos();
        SeriesColumns columns = new SeriesColumns(header);
        int column = columns.place(SeriesColumns.Role.END);
        try (Lines tail = Tail.of(file)) {
            while (tail.next()) {
                String[] cells = tail.text().split(",", -1);
                if (tail.whole() && cells.length == columns.roles().length && cells[column].matches("\\d{1,13}")) {
                    end = Math.max(end, Long.parseLong(cells[column]) * MILLI);
                }
            }
        }
        return Optional.of(new Span(first.get().startNanos(), end));
    }
}
