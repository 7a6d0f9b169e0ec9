package dev.kiln.importer.sysstat;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.format.SystemLog.LogClock;
import dev.kiln.importer.format.SystemLog.LogContent;
import dev.kiln.importer.format.SystemLog.Sink;
import dev.kiln.importer.sysstat.PidstatReader.PidstatRow;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A Pidstat is a log of {@code pidstat -u -w -t}. */
public final class Pidstat {
    public static final Format FORMAT = new Format(
            "pidstat -u -w -t",
            head -> head.line(30, PidstatReader::isHeader),
            new Format.OneLog((file, options) -> of(file, options.process()), file -> Format.NO_RECORD));

    private static final long SECOND = 1_000_000_000L;

    /** This many rows are read to learn how long samples are. */
    private static final int LOOK = 2000;

    private Pidstat() {}

    /** @param target id of the process to read; empty for the only JVM in the log */
    public static Optional<SystemLog> of(Path file, OptionalInt target) {
        try (PidstatReader rows = new PidstatReader(Lines.of(file))) {
            Map<Long, Integer> lengths = new HashMap<>();
            Optional<PidstatRow> first = rows.next();
            long last = Long.MIN_VALUE;
            Optional<PidstatRow> row = first;
            for (int i = 0; i < LOOK && row.isPresent(); i++) {
                PidstatRow r = row.get();
                long length = r.seconds() > 0 ? r.seconds() : last == Long.MIN_VALUE ? 0 : r.second() - last;
                if (length > 0) {
                    lengths.merge(length, 1, Integer::sum);
                }
                last = r.second();
                row = rows.next();
            }
            if (first.isEmpty()) {
                return Optional.empty();
            }
            long usual = lengths.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElse(1L);
            LogClock clock = rows.absolute()
                    ? LogClock.EPOCH
                    : rows.head().date().isPresent() ? LogClock.LOCAL : LogClock.TIME_OF_DAY;
            PidstatRow head = first.get();
            long begin = head.second() - (head.seconds() == 0 ? usual : head.seconds());
            Span span = new Span(begin * SECOND, Math.max(last, lastSecond(file, last)) * SECOND);
            return Optional.of(new SystemLog(
                    "pidstat",
                    clock,
                    span,
                    LogContent.THREADS,
                    rows.waits(),
                    rows.head().machine(),
                    (shift, sink) -> read(file, new ThreadTotals(target, usual, shift, sink), sink)));
        }
    }

    /** Returns the second of the last rows; a log that crosses midnight more than once seems shorter than it is. */
    private static long lastSecond(Path file, long atLeast) {
        long day = 86_400;
        long last = atLeast;
        try (Lines tail = Lines.tail(file)) {
            while (tail.next()) {
                Optional<Long> time = Sysstat.time(tail.text());
                if (time.isPresent()) {
                    long seconds = time.get();
                    last = seconds > 10 * 365 * day
                            ? seconds
                            : Math.floorDiv(atLeast, day) * day
                                    + seconds
                                    + (seconds < Math.floorMod(atLeast, day) ? day : 0);
                }
            }
        }
        return last;
    }

    private static void read(Path file, ThreadTotals totals, Sink sink) {
        try (PidstatReader rows = new PidstatReader(Lines.of(file))) {
            for (Optional<PidstatRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                totals.add(row.get());
            }
            totals.end();
            rows.leftOut().forEach(sink::gap);
        }
    }
}
