package dev.kiln.importer.program;

import dev.kiln.importer.program.SeriesGrid.RowCounts;
import dev.kiln.importer.program.SeriesGrid.SeriesRow;
import dev.kiln.text.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** SeriesRows are rows as read: in the order of time, by phases, and as differences of totals. */
record SeriesRows(String file, List<SeriesRow> rows) {
    /** Rows at the end of which it is the median: the fewest that Kiln calls an end. */
    private static final int END = 10;

    /** Rows that differ by less than this share have one rate, told by a clock that ticks a little early or late. */
    private static final double SAME = 0.01;

    /** Distances within this share of the middle one are alike. */
    private static final double BLURRED = 0.1;

    /** Where fewer distances are alike, the middle one is not that of the rows. */
    private static final double REGULAR = 0.8;

    /** Requests of a second that grew so many times in a row without a single fall would be without any noise. */
    private static final int LEAST_GROWING = 20;

    /** A load serves no more than it was asked for; clocks, and a rate that is rounded, explain less than this. */
    private static final double EXCEEDED = 1.5;

    private static final double SECOND = 1e9;

    /** A mean distance this near to whole seconds is one. */
    private static final double WHOLE = 0.05;

    /** Sorts rows in the order of time, where there are times. */
    static SeriesRows sorted(String file, List<SeriesRow> rows) {
        List<SeriesRow> sorted = new ArrayList<>(rows);
        if (sorted.getFirst().timeNanos().isPresent()) {
            sorted.sort(
                    Comparator.comparingLong((SeriesRow row) -> row.timeNanos().orElse(0)));
        }
        return new SeriesRows(file, sorted);
    }

    /** Tells whether requests grow in every row, and no less at the end than before, as totals since the beginning do. */
    boolean grow() {
        int last = rows.size() - 1;
        boolean always = IntStream.rangeClosed(1, last).allMatch(i -> completed(i) > completed(i - 1));
        return last >= LEAST_GROWING
                && always
                && completed(last) - completed(last / 2) > (completed(last / 2) - completed(0)) / 2;
    }

    private double completed(int row) {
        return rows.get(row).counts().completed();
    }

    /** Keeps the last of the totals of each time: Locust writes its times in whole seconds, and may be asked for more rows. */
    SeriesRows lastOfEachTime() {
        return new SeriesRows(
                file,
                IntStream.range(0, rows.size())
                        .filter(i -> i == rows.size() - 1
                                || !rows.get(i)
                                        .timeNanos()
                                        .equals(rows.get(i + 1).timeNanos()))
                        .mapToObj(rows::get)
                        .toList());
    }

    /** Returns what was added since the row before, unknown where the program began to count anew. */
    SeriesRows differences(boolean errorsToo, boolean restarts, List<String> notes) {
        List<SeriesRow> added = new ArrayList<>();
        for (int i = 1; i < rows.size(); i++) {
            SeriesRow before = rows.get(i - 1);
            SeriesRow row = rows.get(i);
            RowCounts now = row.counts();
            RowCounts grown = new RowCounts(
                    now.completed() - before.counts().completed(),
                    errorsToo ? now.failed() - before.counts().failed() : now.failed());
            boolean fell = grown.completed() < 0 || grown.failed() < 0;
            if (fell && restarts) {
                grown = now;
                notes.add(file + ":" + row.line()
                        + ": the totals begin anew, as with --reset-stats: what was counted between" + " line "
                        + before.line() + " and then is not known, and this row is too low");
            } else if (fell) {
                throw Source.wrong(
                        file,
                        row.line(),
                        "found a total below that of line " + before.line() + ", expected one that grows",
                        "import what was counted before and after it one by one");
            }
            long from = before.timeNanos().isPresent() ? before.timeNanos().getAsLong() : 0;
            added.add(before.timeNanos().isPresent() ? row.from(from, grown) : row.with(grown));
        }
        if (added.isEmpty()) {
            throw Source.wrong(file, rows.getFirst().line(), "found one row of totals", "two say what was added");
        }
        return new SeriesRows(file, added);
    }

    /** Subtracts the failures in rows whose requests are all that ended. */
    SeriesRows withoutFailures() {
        return new SeriesRows(
                file, rows.stream().map(SeriesRow::withoutFailures).toList());
    }

    /** Rows of a phase stand together: in any other order seconds would be joined that did not follow one another. */
    Map<String, List<SeriesRow>> phases(List<String> notes) {
        Map<String, List<SeriesRow>> phases = new LinkedHashMap<>();
        String current = "";
        for (SeriesRow row : rows) {
            if (!row.phase().equals(current) && phases.containsKey(row.phase())) {
                throw Source.wrong(
                        file,
                        row.line(),
                        "phase '" + row.phase() + "' again, after '" + current + "'",
                        "rows of a phase must stand together; give the second one a name of its own");
            }
            current = row.phase();
            phases.computeIfAbsent(current, name -> new ArrayList<>()).add(row);
        }
        List<String> pauses = phases.keySet().stream()
                .filter(phase -> phase.toLowerCase(Locale.ROOT).startsWith("pause"))
                .toList();
        for (String pause : pauses) {
            notes.add("phase " + pause + " is left out: a pause is no data");
            phases.remove(pause);
        }
        if (phases.isEmpty()) {
            throw Source.wrong(file, 1, "there are only pauses", "");
        }
        return phases;
    }

    /** Returns rows' middle length or distance, to the ms where a clock's fault blurs it. */
    static OptionalLong usual(Map<String, List<SeriesRow>> phases, boolean ofRows) {
        List<Long> lengths = new ArrayList<>();
        for (List<SeriesRow> rows : phases.values()) {
            for (int i = 0; i < rows.size(); i++) {
                SeriesRow row = rows.get(i);
                if (row.timeNanos().isPresent() && ofRows && row.endNanos().isPresent()) {
                    lengths.add(row.endNanos().getAsLong() - row.timeNanos().getAsLong());
                } else if (row.timeNanos().isPresent() && !ofRows && i > 0) {
                    lengths.add(row.timeNanos().getAsLong()
                            - rows.get(i - 1).timeNanos().getAsLong());
                }
            }
        }
        List<Long> some = lengths.stream().filter(length -> length > 0).sorted().toList();
        if (some.isEmpty()) {
            return OptionalLong.empty();
        }
        long middle = some.get(some.size() / 2);
        return OptionalLong.of(ofRows ? middle : Math.min(middle, evenly(some, middle)));
    }

    /**
     * Returns the mean distance of rows that a clock tells now too early and now too late, to the second where it is nearly one; the
     * middle one of all others. Rows that were longer than from one to the next on the whole would last beyond their times.
     */
    private static long evenly(List<Long> steps, long middle) {
        long alike = steps.stream()
                .filter(step -> Math.abs(step - middle) <= BLURRED * middle)
                .count();
        if (alike >= REGULAR * steps.size()) {
            return middle;
        }
        double mean = steps.stream().mapToLong(Long::longValue).average().orElseThrow();
        double second = Math.max(1, Math.rint(mean / SECOND)) * SECOND;
        return Math.round(Math.abs(mean - second) <= WHOLE * second ? second : mean);
    }

    /**
     * Returns the one rate that a load is judged by, of rows that say what was offered, in requests per second; empty where the
     * end has none.
     *
     * @param phases the last of several is the load after the pause; the one before it has the end
     * @param rowSeconds the length of a row whose requests are counts; 1 where they are so many a second
     * @param notes gets a note where rows differ
     */
    static OptionalDouble offered(List<List<SeriesRow>> phases, double rowSeconds, List<String> notes) {
        List<SeriesRow> last = phases.get(Math.max(0, phases.size() - 2));
        double[] end = rates(last.subList(Math.max(0, last.size() - END), last.size()));
        Arrays.sort(end);
        double rate = end.length == 0 ? 0 : (end[(end.length - 1) / 2] + end[end.length / 2]) / 2;
        if (rate == 0) {
            return OptionalDouble.empty();
        }
        List<SeriesRow> rows = phases.stream().flatMap(List::stream).toList();
        if (isServed(rows, rowSeconds)) {
            notes.add("the column of the offered rate says what was served, row by row: it is not read");
            return OptionalDouble.empty();
        }
        if (isExceeded(rows, rowSeconds)) {
            notes.add(
                    "the column of the offered rate says far less than what was served, so it is another: it is not read");
            return OptionalDouble.empty();
        }
        double[] all = rates(rows);
        double least = Arrays.stream(all).min().orElse(rate);
        double most = Arrays.stream(all).max().orElse(rate);
        if (most - least > SAME * rate) {
            notes.add(String.format(
                    Locale.ROOT,
                    "the offered rate changes between %,.0f and %,.0f requests per second: Kiln judges by that of the"
                            + " end, %,.0f (median of the last %d rows before the last pause)",
                    least,
                    most,
                    rate,
                    Math.min(END, last.size())));
        }
        return OptionalDouble.of(rate);
    }

    /** Tells whether rates are those of the rows' own requests: what is offered neither follows these nor goes up and down as they do. */
    private static boolean isServed(List<SeriesRow> rows, double rowSeconds) {
        boolean same = rows.stream()
                .allMatch(row -> row.rate().isPresent()
                        && Math.abs(row.rate().getAsDouble() * rowSeconds
                                        - row.counts().completed())
                                <= 1);
        double[] all = rates(rows);
        long turns = IntStream.range(2, all.length)
                .filter(i -> (all[i] - all[i - 1]) * (all[i - 1] - all[i - 2]) < 0)
                .count();
        return same && turns > all.length / 4;
    }

    /** Tells whether rows served far more than their rates ask for on the whole, which no backlog explains. */
    private static boolean isExceeded(List<SeriesRow> rows, double rowSeconds) {
        double asked = 0;
        double served = 0;
        for (SeriesRow row : rows) {
            asked += row.rate().orElse(0) * rowSeconds;
            served += row.rate().isPresent() ? row.counts().completed() : 0;
        }
        return served > EXCEEDED * asked;
    }

    private static double[] rates(List<SeriesRow> rows) {
        return rows.stream().flatMapToDouble(row -> row.rate().stream()).toArray();
    }
}
