package dev.kiln.evidence;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.model.run.StartupEvidence.StartTable.StartRow;
import dev.kiln.text.CsvLine;
import dev.kiln.text.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A StartTableReader reads a table {@code Run,A,B} that somebody keeps by hand, with a column for each command. Only
 * rows that begin with a run's number count: {@code Geomean}, {@code Stdev} and the like are computed anew.
 */
public final class StartTableReader {
    private static final String EXPECTED = "a CSV with the header Run,A,B and a row a run, such as 1,544,512";

    private StartTableReader() {}

    public static StartTable read(Path file) {
        try {
            byte[] bytes = InputFile.named(file, InputFile.DOCUMENT);
            return parse(Source.decode(file.toString(), bytes).text(), file.toString());
        } catch (IOException e) {
            throw KilnException.usage(e, "cannot read " + file, "give " + EXPECTED);
        }
    }

    /** @param where names the text in errors */
    public static StartTable parse(String text, String where) {
        List<String> lines = text.lines().map(String::strip).toList();
        int first = 0;
        while (first < lines.size() && lines.get(first).isEmpty()) {
            first++;
        }
        List<String> header = first < lines.size() ? CsvLine.cells(lines.get(first)) : List.of();
        if (header.size() < 3
                || !header.getFirst().strip().toLowerCase(Locale.ROOT).equals("run")) {
            throw wrong(where, first + 1, header.isEmpty() ? "nothing" : "'" + lines.get(first) + "'", EXPECTED);
        }
        List<StartRow> rows = new ArrayList<>();
        for (int i = first + 1; i < lines.size(); i++) {
            List<String> fields = CsvLine.cells(lines.get(i));
            if (fields.getFirst().strip().matches("\\d{1,6}")) {
                if (fields.size() != header.size()) {
                    throw wrong(where, i + 1, fields.size() + " fields", Integer.toString(header.size()));
                }
                int line = i + 1;
                rows.add(new StartRow(
                        Integer.parseInt(fields.getFirst().strip()),
                        fields.stream()
                                .skip(1)
                                .map(field -> figure(field, where, line))
                                .toList()));
            }
        }
        if (rows.isEmpty()) {
            throw wrong(where, lines.size(), "no run", EXPECTED);
        }
        return new StartTable(header.stream().skip(1).map(String::strip).toList(), "", "", rows);
    }

    /** Parses one figure; an empty field is a run that was not made. */
    private static OptionalDouble figure(String field, String where, int line) {
        String text = field.strip();
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (!text.matches("\\d{1,15}(?:\\.\\d{1,15})?") || Double.parseDouble(text) <= 0) {
            throw wrong(where, line, "'" + text + "'", "a number above zero, with a point and without a unit");
        }
        return OptionalDouble.of(Double.parseDouble(text));
    }

    private static KilnException wrong(String where, int line, String found, String expected) {
        return KilnException.usage(
                where + ":" + line + ": found " + found + ", expected " + expected, "correct the table");
    }
}
