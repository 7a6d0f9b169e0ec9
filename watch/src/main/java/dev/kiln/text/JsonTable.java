package dev.kiln.text;

import dev.kiln.text.CsvTable.CsvRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A JsonTable is a table as JSON: an array of numbers or of objects (rows), an object of arrays, or the results of hyperfine. */
public final class JsonTable {
    private static final String REMEDY =
            "expected [1, 2], [{\"peak\": 1}, {\"peak\": 2}], {\"peak\": [1, 2]} or the file of hyperfine"
                    + " --export-json; the runs of an experiment are compared by its folder";

    private final String file;
    private final JsonParser in;
    private final List<CsvRow> rows = new ArrayList<>();
    private List<String> columns = List.of();

    private JsonTable(String file, JsonParser in) {
        this.file = file;
        this.in = in;
    }

    /** Returns the same table that a CSV of it would give. */
    public static CsvTable parse(Source source) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), source.text())) {
            return new JsonTable(source.name(), parser).table();
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            throw Source.wrong(source.name(), line, "not JSON: " + Source.reason(e), REMEDY);
        }
    }

    /**
     * Passes on a flat object on each line, in the order of the columns, which are the keys of the first; none is kept.
     *
     * @param columns told first
     */
    public static void eachLine(Source source, Consumer<List<String>> columns, Consumer<CsvRow> to) {
        List<String> names = List.of();
        int number = 0;
        for (String line : (Iterable<String>) source.text().lines()::iterator) {
            number++;
            if (!line.isBlank()) {
                Map<String, String> object = object(source.name(), number, line);
                if (names.isEmpty()) {
                    names = List.copyOf(object.keySet());
                    columns.accept(names);
                }
                if (!object.keySet().equals(Set.copyOf(names))) {
                    throw Source.wrong(
                            source.name(),
                            number,
                            "found keys " + object.keySet() + ", expected those of the first line: " + names,
                            "");
                }
                to.accept(new CsvRow(number, names.stream().map(object::get).toList()));
            }
        }
    }

    private static Map<String, String> object(String file, int line, String text) {
        try (JsonParser in = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            Map<String, String> object = new LinkedHashMap<>();
            boolean flat = in.nextToken() == JsonToken.START_OBJECT;
            while (flat && in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                JsonToken value = in.nextToken();
                flat = !value.isStructStart()
                        && object.put(name, value == JsonToken.VALUE_NULL ? "" : in.getString()) == null;
            }
            if (!flat || object.isEmpty() || in.nextToken() != null) {
                throw Source.wrong(
                        file, line, "not an object of single values", "expected one a line, such as {\"id\": 7}");
            }
            return object;
        } catch (JacksonException e) {
            throw Source.wrong(file, line, "not JSON: " + Source.reason(e), "expected an object on each line");
        }
    }

    private CsvTable table() {
        JsonToken first = in.nextToken();
        if (first == JsonToken.START_ARRAY) {
            array();
        } else if (first == JsonToken.START_OBJECT) {
            columns();
        } else {
            throw wrong();
        }
        if (rows.isEmpty()) {
            throw Source.wrong(file, 1, "the table has no row", REMEDY);
        }
        List<String> names = CsvTable.names(columns);
        CsvTable.check(file, rows.getFirst().line(), names, rows);
        return new CsvTable(file, names, rows);
    }

    private void array() {
        for (JsonToken token = in.nextToken(); token != JsonToken.END_ARRAY; token = in.nextToken()) {
            int line = line();
            List<String> names = new ArrayList<>();
            List<String> cells = new ArrayList<>();
            if (token == JsonToken.START_OBJECT) {
                while (in.nextToken() != JsonToken.END_OBJECT) {
                    names.add(in.currentName());
                    in.nextToken();
                    cells.add(scalar());
                }
            } else {
                cells.add(scalar());
            }
            if (!rows.isEmpty() && !names.equals(columns)) {
                throw Source.wrong(
                        file, line, "found keys " + names + ", expected those of the first row: " + columns, "");
            }
            columns = List.copyOf(names);
            rows.add(new CsvRow(line, cells));
        }
    }

    private void columns() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        List<Integer> lines = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            if (in.nextToken() != JsonToken.START_ARRAY) {
                throw wrong();
            }
            List<String> column = new ArrayList<>();
            for (JsonToken token = in.nextToken(); token != JsonToken.END_ARRAY; token = in.nextToken()) {
                if (token == JsonToken.START_OBJECT && name.equals("results") && values.isEmpty() && column.isEmpty()) {
                    hyperfine();
                    return;
                }
                column.add(scalar());
                if (values.isEmpty()) {
                    lines.add(line());
                }
            }
            if (column.size() != lines.size()) {
                throw Source.wrong(
                        file, line(), name + ": found " + column.size() + " values, expected " + lines.size(), "");
            }
            if (values.put(name, column) != null) {
                throw Source.wrong(file, line(), "column '" + name + "' is there twice", "rename one");
            }
        }
        columns = List.copyOf(values.keySet());
        for (int i = 0; i < lines.size(); i++) {
            int row = i;
            rows.add(new CsvRow(
                    lines.get(i), values.values().stream().map(c -> c.get(row)).toList()));
        }
    }

    /** Reads the results of {@code hyperfine --export-json}: the time of each run of each command. */
    private void hyperfine() {
        columns = List.of("variant", "time [s]");
        for (JsonToken token = in.currentToken(); token == JsonToken.START_OBJECT; token = in.nextToken()) {
            String command = "";
            List<CsvRow> runs = new ArrayList<>();
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                JsonToken value = in.nextToken();
                if (name.equals("command")) {
                    command = scalar();
                } else if (name.equals("times") && value == JsonToken.START_ARRAY) {
                    while (in.nextToken() != JsonToken.END_ARRAY) {
                        runs.add(new CsvRow(line(), List.of(scalar())));
                    }
                } else {
                    in.skipChildren();
                }
            }
            if (command.isEmpty() || runs.isEmpty()) {
                throw wrong();
            }
            String variant = command;
            runs.forEach(run ->
                    rows.add(new CsvRow(run.line(), List.of(variant, run.cells().getFirst()))));
        }
    }

    private String scalar() {
        JsonToken token = in.currentToken();
        if (token == null || token.isStructStart()) {
            throw wrong();
        }
        return token == JsonToken.VALUE_NULL ? "" : in.getString();
    }

    private int line() {
        return Math.max(1, in.currentTokenLocation().getLineNr());
    }

    private RuntimeException wrong() {
        return Source.wrong(file, line(), "not a table", REMEDY);
    }
}
