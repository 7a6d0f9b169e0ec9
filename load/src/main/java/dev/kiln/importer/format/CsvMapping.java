package dev.kiln.importer.format;

import dev.kiln.model.KilnException;
import dev.kiln.text.CsvLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A CsvMapping says what each column of a CSV file contains: {@code
 * time=ts:ms,requests=count,errors=failed,phase=stage,p50=med:ms,bin=1s}, or of a table of single requests {@code
 * row=request,time=ts:ms,latency=took:ms,status=code}; then what rows are meant: {@code where Name=Aggregated}. A name with a
 * comma stands in quotes, as in the file.
 *
 * @param columns by what they contain
 * @param binNanos length of a row; empty is from one row's time to the next. Rows without a time follow one another
 * @param single whether a row is one request
 * @param locust whether it is Locust's: requests are all that ended, good or bad, and totals may begin anew
 * @param where cells that a row must have, by column
 */
public record CsvMapping(
        Map<String, MappedColumn> columns,
        OptionalLong binNanos,
        boolean single,
        boolean locust,
        List<Condition> where) {
    private static final List<String> SERIES =
            List.of("time", "end", "requests", "errors", "phase", "p50", "p99", "max", "rate");
    private static final List<String> SINGLE = List.of("time", "latency", "status", "success", "phase");
    private static final List<String> LENGTHS = List.of("s", "ms", "us", "ns");
    private static final List<String> ENDS = List.of("s", "ms", "us", "ns", "iso");

    /** A time of day says no date, so only rows in the order of time can be told by it. */
    private static final List<String> TIMES = List.of("s", "ms", "us", "ns", "iso", "clock");

    /** Counts of a column with one of these words are per second, per minute, or are totals since the test began. */
    private static final List<String> COUNTS = List.of("rate", "rpm", "total");

    private static final Pattern WHERE = Pattern.compile("\\s+where\\s+", Pattern.CASE_INSENSITIVE);
    private static final Pattern AND = Pattern.compile("\\s+and\\s+", Pattern.CASE_INSENSITIVE);
    private static final String EXAMPLE = "time=timestamp:ms,requests=count,bin=1s";

    public CsvMapping {
        columns = Map.copyOf(columns);
        where = List.copyOf(where);
    }

    /**
     * A MappedColumn is one column, with its name and its unit.
     *
     * @param unit {@code s}, {@code ms}, {@code us}, {@code ns}, {@code iso} or {@link TimeText#OF_DAY} of a time; {@code rate} of requests a second, {@code rpm} of requests a minute and
     *     {@code total} of all requests so far; empty for a count
     */
    public record MappedColumn(String name, String unit) {}

    /** A Condition selects the rows that have this cell. */
    public record Condition(String column, String value) {}

    /** Parses a mapping as the user wrote it. */
    public static CsvMapping parse(String text) {
        String[] halves = WHERE.split(text, 2);
        Map<String, MappedColumn> columns = new TreeMap<>();
        OptionalLong bin = OptionalLong.empty();
        boolean single = halves[0].matches("(?is)(.*,)?\\s*row\\s*=\\s*request\\s*(,.*)?");
        List<String> known = single ? SINGLE : SERIES;
        for (String part : CsvLine.cells(halves[0])) {
            int sign = part.indexOf('=');
            String what = sign < 1 ? "" : part.substring(0, sign).strip().toLowerCase(Locale.ROOT);
            String value = part.substring(sign + 1).strip();
            if (what.equals("row") && single) {
                continue;
            }
            if (what.equals("bin") && !single) {
                bin = OptionalLong.of(length(value));
            } else if (!known.contains(what) || value.isEmpty()) {
                throw wrong("'" + part.strip() + "'", known);
            } else {
                columns.put(what, column(what, value));
            }
        }
        complete(columns, bin, single);
        return new CsvMapping(columns, bin, single, false, halves.length == 1 ? List.of() : conditions(halves[1]));
    }

    private static void complete(Map<String, MappedColumn> columns, OptionalLong bin, boolean single) {
        if (single && !columns.containsKey("time")) {
            throw wrong("no time", SINGLE);
        }
        if (!single && !columns.containsKey("requests")) {
            throw wrong("no requests", SERIES);
        }
        if (!single && !columns.containsKey("time") && bin.isEmpty()) {
            throw wrong("neither a time nor, for rows without one, how long a row is (bin=1s)", SERIES);
        }
    }

    private static List<Condition> conditions(String text) {
        List<Condition> conditions = new ArrayList<>();
        for (String part : AND.split(text, -1)) {
            int sign = part.indexOf('=');
            if (sign < 1) {
                throw wrong("'where " + text.strip() + "', expected where COLUMN=VALUE", SERIES);
            }
            conditions.add(new Condition(
                    part.substring(0, sign).strip(), part.substring(sign + 1).strip()));
        }
        return conditions;
    }

    private static MappedColumn column(String what, String value) {
        int colon = value.lastIndexOf(':');
        String unit = colon < 0 ? "" : value.substring(colon + 1);
        List<String> units = switch (what) {
            case "time" -> TIMES;
            case "end" -> ENDS;
            case "p50", "p99", "max", "latency" -> LENGTHS;
            case "requests", "errors" -> COUNTS;
            default -> List.of();
        };
        if (units.contains(unit)) {
            return new MappedColumn(value.substring(0, colon), unit.equals("clock") ? TimeText.OF_DAY : unit);
        }
        if (!units.isEmpty() && !units.equals(COUNTS)) {
            throw wrong("no unit of " + what + " (" + String.join(", ", units) + ")", SERIES);
        }
        return new MappedColumn(value, "");
    }

    private static long length(String text) {
        String digits = text.replaceFirst("(ms|s)$", "");
        if (!digits.matches("\\d{1,9}") || digits.equals("0") || digits.length() == text.length()) {
            throw wrong("'" + text + "' for bin", SERIES);
        }
        return Long.parseLong(digits) * (text.endsWith("ms") ? 1_000_000L : 1_000_000_000L);
    }

    private static KilnException wrong(String found, List<String> known) {
        return KilnException.usage(
                "--map: found " + found + ", expected columns by what they hold: " + String.join(", ", known),
                "for example --map " + EXAMPLE);
    }

    /** Tells whether a file's first line has all these columns. */
    public boolean fits(String header) {
        return missing(header).isEmpty();
    }

    /** Returns the columns that a file's first line lacks. */
    public List<String> missing(String header) {
        List<String> names = CsvLine.header(header);
        List<String> wanted = new ArrayList<>(
                columns.values().stream().map(MappedColumn::name).toList());
        where.forEach(condition -> wanted.add(condition.column()));
        return wanted.stream()
                .filter(name -> !names.contains(name))
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the same mapping for Locust's table. */
    public CsvMapping ofLocust() {
        return new CsvMapping(columns, binNanos, single, true, where);
    }

    public Optional<MappedColumn> column(String what) {
        return Optional.ofNullable(columns.get(what));
    }
}
