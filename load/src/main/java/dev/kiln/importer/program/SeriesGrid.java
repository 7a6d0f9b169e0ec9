package dev.kiln.importer.program;

import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.LoadSink.RowLatencies;
import dev.kiln.model.load.LoadBin;
import dev.kiln.text.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A SeriesGrid puts a phase's rows on seconds, or their length, in turn; one without a row had no requests. */
final class SeriesGrid {
    private static final double SECOND = 1e9;

    /** A row that begins by less than this share of its length from where it should does so by the clock's fault. */
    private static final double CLOCK = 0.1;

    /** Two rows closer than this share of a row's length are of the same second. */
    private static final double SAME = 0.25;

    /** The same of a row that stands on the other side of the one before it than most do, as where a clock was set back. */
    private static final double OUT_OF_ORDER = 0.75;

    /** Rows of no fixed length last until the next one, but not so many times as long as usual. */
    private static final int STRETCH = 3;

    /** Most rows of a series have its usual length; where fewer do, it has none. */
    private static final double REGULAR = 0.8;

    /** A last row of less than this share of the one before it may be a part. */
    private static final double PART = 0.5;

    /** A row of fewer requests says nothing about the next one. */
    private static final int LEAST_REQUESTS = 20;

    /** A longer hole is a mistaken time, or two loads. */
    private static final long LONGEST_HOLE = 3_600_000_000_000L;

    /** A SeriesRow is one row of a table, with its time and its offered rate where the table has them. */
    record SeriesRow(
            int line,
            String phase,
            OptionalLong timeNanos,
            OptionalLong endNanos,
            RowCounts counts,
            RowLatencies latencies,
            OptionalDouble rate) {
        /** Subtracts the failures in a row whose requests are all that ended. */
        SeriesRow withoutFailures() {
            return with(new RowCounts(Math.max(0, counts.completed - counts.failed), counts.failed));
        }

        SeriesRow from(long nanos, RowCounts added) {
            return new SeriesRow(line, phase, OptionalLong.of(nanos), timeNanos, added, latencies, rate);
        }

        /** Returns the row with these counts: what totals without times added since the row before. */
        SeriesRow with(RowCounts added) {
            return new SeriesRow(line, phase, timeNanos, endNanos, added, latencies, rate);
        }
    }

    /** RowCounts are counts of a row, or so many a second. */
    record RowCounts(double completed, double failed) {}

    /** A SeriesForm says how rows count: of a fixed length or not, and requests or errors so many a second. */
    record SeriesForm(String file, long lengthNanos, boolean fixed, boolean rate, boolean errorRate) {}

    private final SeriesForm form;
    private final String phase;
    private final List<LoadRow> told = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final long start;

    /** It is true where later rows stand below earlier ones; dashboards write the newest row first. */
    private final boolean ascends;

    private long next;

    private SeriesGrid(SeriesForm form, String phase, long start, boolean ascends) {
        this.form = form;
        this.phase = phase;
        this.start = start;
        this.ascends = ascends;
        next = start;
    }

    /** @param earliest when the phase before it ended */
    static SeriesGrid of(SeriesForm form, List<SeriesRow> rows, long earliest) {
        SeriesRow first = rows.getFirst();
        SeriesGrid grid = new SeriesGrid(
                form, first.phase(), Math.max(earliest, first.timeNanos().orElse(earliest)), ascends(rows));
        grid.place(rows);
        return grid;
    }

    private static boolean ascends(List<SeriesRow> rows) {
        List<SeriesRow> asWritten =
                rows.stream().sorted(Comparator.comparingInt(SeriesRow::line)).toList();
        int up = 0;
        for (int i = 1; i < asWritten.size(); i++) {
            up += Long.compare(
                    asWritten.get(i).timeNanos().orElse(0),
                    asWritten.get(i - 1).timeNanos().orElse(0));
        }
        return up >= 0;
    }

    long start() {
        return start;
    }

    long end() {
        return next;
    }

    List<String> notes() {
        return notes;
    }

    void tell(LoadSink sink) {
        sink.phase(phase, start);
        told.forEach(sink::row);
        sink.end(next);
    }

    private void place(List<SeriesRow> rows) {
        boolean regular = form.fixed() || isRegular(rows);
        boolean inTurn = !regular && isInTurn(rows);
        double due = start;
        Optional<SeriesRow> held = Optional.empty();
        for (SeriesRow row : rows) {
            if (held.isPresent() && row.timeNanos().isPresent()) {
                int told = steps(held.get(), row, due);
                int steps = inTurn ? 1 : told;
                due = Math.abs(row.timeNanos().getAsLong() - due - steps * (double) form.lengthNanos())
                                <= CLOCK * form.lengthNanos()
                        ? row.timeNanos().getAsLong()
                        : due + steps * (double) form.lengthNanos();
                boolean stretched = !regular && steps <= STRETCH;
                int own = places(held.get());
                tell(held.get(), stretched ? Math.max(steps, own) : own);
                if (!stretched && steps > own) {
                    hole(row, steps - own);
                }
            } else {
                held.ifPresent(before -> tell(before, places(before)));
            }
            held = Optional.of(row);
        }
        last(held.orElseThrow());
    }

    /** Tells whether rows, of which the clock tells many too early or too late, are as many as fit between the first and the last. */
    private boolean isInTurn(List<SeriesRow> rows) {
        long span = rows.getLast().timeNanos().orElse(0)
                - rows.getFirst().timeNanos().orElse(0);
        return Math.abs(span - (rows.size() - 1) * (double) form.lengthNanos()) < form.lengthNanos() / 2.0;
    }

    private boolean isRegular(List<SeriesRow> rows) {
        int usual = 0;
        for (int i = 1; i < rows.size(); i++) {
            if (rows.get(i).timeNanos().isEmpty()) {
                return true;
            }
            long step = rows.get(i).timeNanos().getAsLong()
                    - rows.get(i - 1).timeNanos().getAsLong();
            usual += Math.abs(step - form.lengthNanos()) <= CLOCK * form.lengthNanos() ? 1 : 0;
        }
        return usual >= REGULAR * (rows.size() - 1);
    }

    /** Returns how many rows it is from one to the next, at least one. */
    private int steps(SeriesRow before, SeriesRow row, double due) {
        long time = row.timeNanos().getAsLong();
        long passed = time - before.timeNanos().getAsLong();
        double same = (row.line() > before.line()) == ascends ? SAME : OUT_OF_ORDER;
        if (passed <= same * form.lengthNanos()) {
            throw Source.wrong(
                    form.file(),
                    row.line(),
                    "found the time of line " + before.line() + " again, expected each once",
                    "leave one of the rows out, give it its own time, or take the rows of one kind: kiln import --map with where COLUMN=VALUE");
        }
        long hole = passed - form.lengthNanos();
        // Where summer time begins, clocks go forward by an hour, give or take part of a row.
        if (hole > LONGEST_HOLE - form.lengthNanos() && hole > form.lengthNanos()) {
            throw Source.wrong(
                    form.file(),
                    row.line(),
                    "found a time an hour or more after the one before it",
                    "correct it, give the rows behind it a phase of their own, or name the zone of times without one: kiln import --zone");
        }
        return (int) Math.max(1, Math.round((time - due) / form.lengthNanos()));
    }

    private void hole(SeriesRow row, int missing) {
        double seconds = form.lengthNanos() / SECOND;
        notes.add(String.format(
                Locale.ROOT,
                "phase %s has no row for %.0f s from its second %.0f on: Kiln counts them as seconds without requests",
                phase,
                missing * seconds,
                (next - start) / SECOND));
        SeriesRow none = new SeriesRow(
                row.line(),
                phase,
                OptionalLong.empty(),
                OptionalLong.empty(),
                new RowCounts(0, 0),
                RowLatencies.NONE,
                OptionalDouble.empty());
        for (int i = 0; i < missing; i++) {
            tell(none, 1);
        }
    }

    /** Tells a row over so many places: what it counts is shared out, a rate is that of each. */
    private void tell(SeriesRow row, int places) {
        double seconds = form.lengthNanos() / SECOND;
        double completed = row.counts().completed() * (form.rate() ? seconds : 1.0 / places);
        double failed = row.counts().failed() * (form.errorRate() ? seconds : 1.0 / places);
        for (int i = 0; i < places; i++) {
            put(
                    row,
                    Math.round((i + 1) * completed) - Math.round(i * completed),
                    Math.round((i + 1) * failed) - Math.round(i * failed));
        }
    }

    private void put(SeriesRow row, long completed, long failed) {
        told.add(new LoadRow(
                next,
                next + form.lengthNanos(),
                completed + failed,
                completed,
                failed == 0 ? LoadBin.Errors.NONE : new LoadBin.Errors(0, 0, 0, failed, 0),
                row.latencies()));
        next += form.lengthNanos();
    }

    /** Returns how many places a row has by its own end, which may make it longer than the usual; one without an end. */
    private int places(SeriesRow row) {
        if (row.timeNanos().isEmpty() || row.endNanos().isEmpty()) {
            return 1;
        }
        double length = (row.endNanos().getAsLong() - row.timeNanos().getAsLong()) / (double) form.lengthNanos();
        if (length < CLOCK || (Math.abs(length - 1) > CLOCK && Math.abs(length - Math.rint(length)) > CLOCK)) {
            throw Source.wrong(
                    form.file(),
                    row.line(),
                    String.format(
                            Locale.ROOT,
                            "the row is %.3f s long, expected %.3f s",
                            length * form.lengthNanos() / SECOND,
                            form.lengthNanos() / SECOND),
                    "say how long rows are: --bin-seconds SECONDS");
        }
        return (int) Math.max(1, Math.rint(length));
    }

    private void last(SeriesRow row) {
        if (row.timeNanos().isPresent() && row.endNanos().isPresent() && !told.isEmpty()) {
            long length = row.endNanos().getAsLong() - row.timeNanos().getAsLong();
            if (length < (1 - CLOCK) * form.lengthNanos()) {
                notes.add(String.format(
                        Locale.ROOT,
                        "phase %s: its last row, line %d, is %.0f ms long and left out: a partial bin reads as a collapse",
                        phase,
                        row.line(),
                        length / 1e6));
                return;
            }
        }
        mayBePart(row);
        tell(row, places(row));
    }

    /** Whoever counts by the clock counts a part of the last minute, and no row says so. */
    private void mayBePart(SeriesRow row) {
        double all = row.counts().completed() + row.counts().failed();
        long before = form.rate() || told.isEmpty() ? 0 : told.getLast().started();
        if (row.endNanos().isEmpty() && before >= LEAST_REQUESTS && all < PART * before) {
            notes.add(String.format(
                    Locale.ROOT,
                    "phase %s: its last row, line %d, has %.0f requests after %d: if it is a part of a row, leave it out",
                    phase,
                    row.line(),
                    all,
                    before));
        }
    }
}
