package dev.kiln.importer.format;

import dev.kiln.model.KilnException;
import dev.kiln.text.CsvTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What each column of a CSV file contains: {@code time=ts:ms,requests=count,errors=failed,phase=stage,p50=med:ms,bin=1s}.
 *
 * @param columns by what they contain
 * @param binNanos length of a row; empty is from one row's time to the next. Rows without a time follow one another
 */
public record CsvMapping(Map<String, Column> columns, OptionalLong binNanos) {
    private static final List<String> KNOWN = List.of("time", "requests", "errors", "phase", "p50", "p99", "max");
    private static final String EXAMPLE = "time=timestamp:ms,requests=count,bin=1s";

    public CsvMapping {
        columns = Map.copyOf(columns);
    }

    /**
     * A column.
     *
     * @param unit {@code s}, {@code ms}, {@code us}, {@code ns} or {@code iso} of a time; {@code rate} of requests a second; empty for a count
     */
    public record Column(String name, String unit) {}

    /** What the user wrote. */
    public static CsvMapping parse(String text) {
        Map<String, Column> columns = new TreeMap<>();
        OptionalLong bin = OptionalLong.empty();
        for (String part : text.split(",", -1)) {
            int sign = part.indexOf('=');
            String what = sign < 1 ? "" : part.substring(0, sign).strip().toLowerCase(Locale.ROOT);
            String value = part.substring(sign + 1).strip();
            if (what.equals("bin")) {
                bin = OptionalLong.of(length(value));
            } else if (!KNOWN.contains(what) || value.isEmpty()) {
                throw wrong("'" + part.strip() + "'");
            } else {
                columns.put(what, column(what, value));
            }
        }
        if (!columns.containsKey("requests")) {
            throw wrong("no requests");
        }
        if (!columns.containsKey("time") && bin.isEmpty()) {
            throw wrong("neither a time nor, for rows without one, how long a row is (bin=1s)");
        }
        return new CsvMapping(columns, bin);
    }

    private static Column column(String what, String value) {
        int colon = value.lastIndexOf(':');
        String unit = colon < 0 ? "" : value.substring(colon + 1);
        boolean time = what.equals("time") || what.startsWith("p5") || what.startsWith("p9") || what.equals("max");
        List<String> units = time
                ? what.equals("time") ? List.of("s", "ms", "us", "ns", "iso") : List.of("s", "ms", "us", "ns")
                : what.equals("requests") ? List.of("rate") : List.of();
        if (units.contains(unit)) {
            return new Column(value.substring(0, colon), unit);
        }
        if (time) {
            throw wrong("no unit of " + what + " (" + String.join(", ", units) + ")");
        }
        return new Column(value, "");
    }

    private static long length(String text) {
        String digits = text.replaceFirst("(ms|s)$", "");
        if (!digits.matches("\\d{1,9}") || digits.equals("0") || digits.length() == text.length()) {
            throw wrong("'" + text + "' for bin");
        }
        return Long.parseLong(digits) * (text.endsWith("ms") ? 1_000_000L : 1_000_000_000L);
    }

    private static KilnException wrong(String found) {
        return KilnException.usage(
                "--map: found " + found + ", expected columns by what they hold: " + String.join(", ", KNOWN),
                "for example --map " + EXAMPLE);
    }

    /** Whether a file's first line has all these columns. */
    public boolean fits(String header) {
        return missing(header).isEmpty();
    }

    /** The columns that a file's first line lacks. */
    public List<String> missing(String header) {
        List<String> names = CsvTable.ofLine(header).stream().map(String::strip).toList();
        return columns.values().stream()
                .map(Column::name)
                .filter(name -> !names.contains(name))
                .sorted()
                .toList();
    }

    public Optional<Column> column(String what) {
        return Optional.ofNullable(columns.get(what));
    }
}
