package dev.kiln.evidence;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/** Reads one table of a run. A row that is not sound is a gap and never a figure. */
final class CsvReader {
    private CsvReader() {}

    static <T> List<T> read(Path directory, Table table, Function<Row, T> toRecord, Gaps gaps) {
        return read(directory, table.file(), table.columns(), toRecord, gaps);
    }

    static <T> List<T> read(Path directory, String name, List<String> columns, Function<Row, T> toRecord, Gaps gaps) {
        gaps.file(name);
        Path file = directory.resolve(name);
        if (!Files.isRegularFile(file)) {
            gaps.addWhole("missing");
            return List.of();
        }
        List<T> rows = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8), 1 << 16)) {
            readLines(lines, endsInNewline(file), columns, toRecord, rows, gaps);
        } catch (IOException e) {
            gaps.addWhole("cannot be read on: " + e.getMessage());
        }
        return rows;
    }

    private static <T> void readLines(
            BufferedReader lines,
            boolean complete,
            List<String> columns,
            Function<Row, T> toRecord,
            List<T> rows,
            Gaps gaps)
            throws IOException {
        String line = lines.readLine();
        if (line == null) {
            gaps.addWhole("empty");
            return;
        }
        List<String> header = split(line);
        for (String column : columns) {
            if (!header.contains(column)) {
                gaps.add(1, "no column " + column);
                return;
            }
        }
        int[] places = columns.stream().mapToInt(header::indexOf).toArray();
        String next = lines.readLine();
        for (long number = 2; next != null; number++) {
            line = next;
            next = lines.readLine();
            if (next == null && !complete) {
                gaps.add(number, "cut short");
                return;
            }
            try {
                rows.add(toRecord.apply(row(line, header.size(), places)));
            } catch (IllegalArgumentException e) {
                gaps.add(number, e.getMessage() == null ? "not a row" : e.getMessage());
            }
        }
    }

    private static Row row(String line, int columns, int[] places) {
        List<String> fields = split(line);
        if (fields.size() != columns) {
            throw new IllegalArgumentException(fields.size() + " fields where " + columns + " were expected");
        }
        return new Row(fields, places);
    }

    /** Fields of one line; a doubled quote inside quotes is a quote. */
    static List<String> split(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                boolean escaped = quoted && i + 1 < line.length() && line.charAt(i + 1) == '"';
                if (escaped) {
                    field.append('"');
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }

    private static boolean endsInNewline(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.size() > 0 && channel.read(last, channel.size() - 1) == 1 && last.get(0) == '\n';
        }
    }

    /** The fields of a row in the order of the table's columns, whatever the order in the file. */
    static final class Row {
        private final List<String> fields;
        private final int[] places;
        private int at;

        Row(List<String> fields, int[] places) {
            this.fields = fields;
            this.places = places;
        }

        String text() {
            return fields.get(places[at++]);
        }

        /** Every figure is a count or a time since some beginning. */
        long figure() {
            return figure(text());
        }

        /** 0 where the field is empty. */
        long figureOrNone() {
            String text = text();
            return text.isEmpty() ? 0 : figure(text);
        }

        static long figure(String text) {
            long value;
            try {
                value = Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("'" + brief(text) + "' is no whole number", e);
            }
            if (value < 0) {
                throw new IllegalArgumentException("'" + brief(text) + "' is negative");
            }
            return value;
        }

        /** Empty where the field is. */
        OptionalInt smallOrNone() {
            if (fields.get(places[at]).isEmpty()) {
                at++;
                return OptionalInt.empty();
            }
            return OptionalInt.of(small());
        }

        int small() {
            long value = figure();
            if (value > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("'" + value + "' is too large");
            }
            return (int) value;
        }

        private static String brief(String text) {
            return text.length() <= 30 ? text : text.substring(0, 30) + "...";
        }
    }
}
