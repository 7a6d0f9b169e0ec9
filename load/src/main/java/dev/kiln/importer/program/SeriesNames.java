package dev.kiln.importer.program;

import dev.kiln.importer.format.CsvMapping.MappedColumn;
import dev.kiln.importer.format.TimeText;
import dev.kiln.model.KilnException;
import dev.kiln.text.CsvTable;
import dev.kiln.text.CsvTable.CsvRow;
import dev.kiln.text.Show;
import dev.kiln.text.Source;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** SeriesNames finds what columns of a series hold, by name; notes receives what is not read, in words. */
record SeriesNames(CsvTable table, ZoneId zone, boolean hyperfoil, List<String> notes) {
    private static final List<String> TIMES = List.of("time", "timestamp", "second", "seconds");

    /** A time may have its unit in its name: {@code time_ms}, {@code Elapsed time (s)}, {@code minute}. */
    private static final Pattern NAMED = Pattern.compile(
            "(?:(?:elapsed|relative|unix|epoch|date|start)[ _-]*)?(?:time|timestamp|ts|datetime|epoch|elapsed|uptime|t)"
                    + "(?:(?:[ _-]+|[ _-]*[(\\[])"
                    + "(s|secs?|seconds?|ms|msec|millis|milliseconds?|us|usec|micros|microseconds?|ns|nanos|nanoseconds?"
                    + "|min|minutes?|h|hours?)[)\\]]?)?|(minutes?|hours?)",
            Pattern.CASE_INSENSITIVE);

    /** Tells whether a column has the name of a time. */
    static boolean isTime(String column) {
        return TIMES.contains(column.toLowerCase(Locale.ROOT))
                || NAMED.matcher(column).matches();
    }

    /** These name counts of failures in tables that Kiln reads by another name. */
    private static final Pattern FAILURES =
            Pattern.compile("fail(?:ed|ures?|s)?|errors?_.*|errors?|ko|non-?2xx|timeouts?", Pattern.CASE_INSENSITIVE);

    /** Most likely a date or a time, in a form that Kiln does not know or that can be read in two ways. */
    private static final Pattern LIKE_A_TIME = Pattern.compile("\\d[/:.,-]\\d");

    /** The same of a column that has another name: a point stands in numbers too. */
    private static final Pattern LIKE_A_DATE = Pattern.compile("\\d[/:-]\\d");

    /** This is the year 2000: earlier times count from a beginning of their own. */
    private static final double EPOCH_SECONDS = 946_684_800;

    private static final double SECOND = 1e9;

    /** Returns the columns by what they hold; none for one number a line. */
    Map<String, MappedColumn> columns() {
        Map<String, MappedColumn> known = new LinkedHashMap<>();
        if (table.columns().isEmpty()) {
            return known;
        }
        known.put("requests", new MappedColumn(table.columns().get(table.column("requests")), ""));
        known(known, "phase", "", List.of("phase"));
        known(known, "errors", "", List.of("errors"));
        known(known, "p50", "ns", List.of("p50_ns", "p50.0"));
        known(known, "p99", "ns", List.of("p99_ns", "p99.0"));
        known(known, "max", "ns", List.of("max_ns", "max"));
        known(known, "rate", "", List.of("rate"));
        known(known, "time", "ms", hyperfoil ? List.of("start_ms", "start") : List.of("start_ms"));
        known(known, "end", "ms", hyperfoil ? List.of("end_ms", "end") : List.of("end_ms"));
        if (!known.containsKey("time")) {
            known.remove("end");
            time().ifPresentOrElse(time -> known.put("time", time), () -> unread(known));
        }
        if (!known.containsKey("errors") && !hyperfoil) {
            table.columns().stream()
                    .filter(column -> FAILURES.matcher(column).matches())
                    .findFirst()
                    .ifPresent(
                            column -> notes.add(
                                    "the column " + column
                                            + " is not read: name it errors if it counts failed requests, which requests must not include"));
        }
        return known;
    }

    /** Says of columns that may be the time that they are not read: rows would be of another length. */
    private void unread(Map<String, MappedColumn> known) {
        Set<String> read = known.values().stream().map(MappedColumn::name).collect(Collectors.toSet());
        for (int at = 0; at < table.columns().size(); at++) {
            String column = table.columns().get(at);
            if (read.contains(column) || column.isEmpty()) {
                continue;
            }
            double step = new SeriesSteps(table, at).even();
            if (isLikeTimes(at)) {
                notes.add(
                        "the column " + column
                                + " looks like the time and is not read: write it as 2026-01-02T03:04:05Z, so that rows are as long as it says");
            } else if (step > 0 && step != 1) {
                notes.add("the column " + column + " rises by "
                        + BigDecimal.valueOf(step).stripTrailingZeros().toPlainString()
                        + " from row to row and is not read: if it is the time, name it with its unit, such as time_s");
            }
        }
    }

    /** Tells whether all cells differ and are dates or times of some form. */
    private boolean isLikeTimes(int at) {
        return table.rows().size() > 1
                && table.rows().stream()
                        .allMatch(row -> LIKE_A_DATE.matcher(cell(row, at)).find())
                && isDistinct(at);
    }

    private boolean isDistinct(int at) {
        return table.rows().stream().map(row -> cell(row, at)).distinct().count()
                == table.rows().size();
    }

    private void known(Map<String, MappedColumn> known, String what, String unit, List<String> names) {
        for (String name : names) {
            OptionalInt at = table.find(name);
            if (at.isPresent()) {
                known.putIfAbsent(what, new MappedColumn(table.columns().get(at.getAsInt()), unit));
            }
        }
    }

    /** Finds a column with the name of a time whose cells are times; else one that has nothing but dates with times. */
    private Optional<MappedColumn> time() {
        IntStream exact = TIMES.stream().map(table::find).flatMapToInt(OptionalInt::stream);
        IntStream named = IntStream.range(0, table.columns().size())
                .filter(at -> NAMED.matcher(table.columns().get(at)).matches());
        for (int at : IntStream.concat(exact, named).distinct().toArray()) {
            Optional<MappedColumn> time = time(at);
            if (time.isPresent()) {
                return time;
            }
        }
        return IntStream.range(0, table.columns().size())
                .filter(this::isDates)
                .mapToObj(table.columns()::get)
                .findFirst()
                .map(column -> {
                    notes.add("the column " + column + " is read as the time");
                    return new MappedColumn(column, "iso");
                });
    }

    private Optional<MappedColumn> time(int at) {
        String column = table.columns().get(at);
        if (!TIMES.contains(column.toLowerCase(Locale.ROOT)) && isLength(at)) {
            notes.add("the column " + column + " neither rises nor falls throughout, so it is not read as the time");
            return Optional.empty();
        }
        String unit = named(column)
                .filter(named -> isAll(at, named))
                .orElseGet(() -> isAll(at, "ns") && least(at) < EPOCH_SECONDS
                        ? new SeriesSteps(table, at).unit(notes)
                        : unit(at));
        List<CsvRow> others = table.rows().stream()
                .filter(row -> TimeText.nanos(cell(row, at), unit, zone).isEmpty())
                .toList();
        if (others.isEmpty()) {
            return Optional.of(new MappedColumn(column, unit));
        }
        if (others.size() < table.rows().size() / 2) {
            throw noTime(others.getFirst(), at, column);
        }
        if (LIKE_A_TIME.matcher(cell(others.getFirst(), at)).find()) {
            throw Source.wrong(
                    table.file(),
                    others.getFirst().line(),
                    "found '" + Show.brief(cell(others.getFirst(), at), 40) + "' for " + column
                            + ", expected a time such as 2026-01-02T03:04:05.678Z, 12:00:05 or 1780390800.5",
                    "write it in one of these forms, or give the column a name that is none of a time");
        }
        notes.add("the column " + column + " holds no times and is not read");
        return Optional.empty();
    }

    /** Tells whether numbers, none of which is a time since 1970, are no times of rows: response times go up and down, or stay. */
    private boolean isLength(int at) {
        String unit = named(table.columns().get(at)).orElse("s");
        long[] times = table.rows().stream()
                .flatMapToLong(row -> TimeText.nanos(cell(row, at), unit, zone).stream())
                .toArray();
        boolean own = LongStream.of(times).allMatch(time -> time < EPOCH_SECONDS * SECOND);
        boolean rises = IntStream.range(1, times.length).anyMatch(i -> times[i] > times[i - 1]);
        boolean falls = IntStream.range(1, times.length).anyMatch(i -> times[i] < times[i - 1]);
        return times.length > 1 && own && rises == falls;
    }

    /** Tells whether all cells are different dates with times: no other column has such. */
    private boolean isDates(int at) {
        return table.rows().size() > 1 && isAll(at, "iso") && isDistinct(at);
    }

    /** Returns the unit that a column's name ends with. */
    private static Optional<String> named(String column) {
        Matcher named = NAMED.matcher(column);
        if (!named.matches() || (named.group(1) == null && named.group(2) == null)) {
            return Optional.empty();
        }
        String unit = (named.group(1) == null ? named.group(2) : named.group(1)).toLowerCase(Locale.ROOT);
        return Optional.of(
                switch (unit.substring(0, Math.min(2, unit.length()))) {
                    case "ms" -> "ms";
                    case "us" -> "us";
                    case "ns", "na" -> "ns";
                    case "mi" -> unit.startsWith("mic") ? "us" : unit.startsWith("mil") ? "ms" : "min";
                    case "h", "ho" -> "h";
                    default -> "s";
                });
    }

    private boolean isAll(int at, String unit) {
        return table.rows().stream()
                .allMatch(row -> TimeText.nanos(cell(row, at), unit, zone).isPresent());
    }

    private double least(int at) {
        return table.rows().stream()
                .mapToDouble(row -> Double.parseDouble(cell(row, at)))
                .min()
                .orElse(0);
    }

    /** Returns the unit of the first cell that is a time: above it may stand a row that sums up the others. */
    private String unit(int at) {
        return table.rows().stream()
                .map(row -> cell(row, at))
                .filter(cell -> TimeText.nanos(cell, TimeText.unit(cell), zone).isPresent())
                .findFirst()
                .map(TimeText::unit)
                .orElse("iso");
    }

    /** A row that sums up the others must not count as one more second. */
    private KilnException noTime(CsvRow row, int at, String column) {
        return Source.wrong(
                table.file(),
                row.line(),
                "found '" + Show.brief(cell(row, at), 40) + "' for " + column
                        + ", expected a time as in the other rows",
                "correct it, or leave out a row that sums up others");
    }

    private static String cell(CsvRow row, int at) {
        return row.cells().get(at);
    }
}
