package dev.kiln.evidence;

import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCollector;
import dev.kiln.model.run.FlightDigest.FlightJit;
import dev.kiln.model.run.FlightDigest.FlightSamples;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** FlightFiles are a flight recording's digest as tables, so that it is read only once. */
public final class FlightFiles {
    /** A RowCount shows that a table was cut short: most tables may be empty. */
    private record RowCount(String table, long rows) {}

    /** This table is written last: without it others may be incomplete. Earlier Kilns did not write it. */
    private static final Table<RowCount> ROWS = new Table<>(
            "flight-rows.csv",
            List.of("table", "rows"),
            (row, told) -> row.field(told.table()).field(told.rows()),
            r -> new RowCount(r.text(), r.figure()));

    /** This folder in the run's has the closing recording, its load and its digest. */
    public static final String CLOSING = "closing";

    private FlightFiles() {}

    /** Tells whether a recording was digested already, even if {@link #writeNone} found nothing in it. */
    public static boolean exist(Path directory) {
        return Files.isRegularFile(directory.resolve(ROWS.file()));
    }

    /** Writes or replaces the tables. */
    public static void write(Path directory, FlightDigest digest) {
        List<RowCount> told = new ArrayList<>();
        told.add(write(directory, Table.FLIGHT_COMPILATIONS, digest.compilations()));
        told.add(write(directory, Table.FLIGHT_QUEUES, digest.queues()));
        told.add(write(directory, Table.FLIGHT_DEOPTIMIZATIONS, digest.deoptimizations()));
        told.add(write(directory, Table.FLIGHT_PAUSES, digest.pauses()));
        told.add(write(directory, Table.FLIGHT_HEAP, digest.heap()));
        told.add(write(directory, Table.FLIGHT_CODE_CACHE, digest.codeCache()));
        told.add(write(directory, Table.FLIGHT_TIERS, digest.tiers()));
        told.add(write(directory, Table.FLIGHT_WORK, digest.c2Work()));
        told.add(write(directory, Table.FLIGHT_HOT, digest.hot()));
        told.add(write(directory, Table.FLIGHT_FAMILIES, digest.families()));
        told.add(write(directory, Table.FLIGHT_THROWABLES, digest.throwables()));
        told.add(write(directory, Table.FLIGHT_THROTTLING, digest.throttling()));
        write(directory, ROWS, told);
    }

    /** Writes down that the recording was read and has nothing to digest, so that nobody reads it again. */
    public static void writeNone(Path directory) {
        write(directory, ROWS, List.of());
    }

    private static <T> RowCount write(Path directory, Table<T> table, List<T> records) {
        try (CsvWriter rows = table.open(directory)) {
            records.forEach(record -> table.write(rows, record));
        }
        return new RowCount(table.file(), records.size());
    }

    /** Reads the digest; empty without one, or with a lost row: no event must seem not to have happened. */
    static Optional<FlightDigest> read(Path directory, Gaps gaps) {
        return Table.FLIGHT.stream().anyMatch(table -> Files.exists(directory.resolve(table.file())))
                ? new DigestReader(directory, gaps).read()
                : Optional.empty();
    }

    /** A DigestReader reads one table after the other, and notices whether all of them are complete. */
    private static final class DigestReader {
        private final Path directory;
        private final Gaps gaps;
        private final Map<String, Long> told = new HashMap<>();
        private boolean whole = true;

        DigestReader(Path directory, Gaps gaps) {
            this.directory = directory;
            this.gaps = gaps;
            if (exist(directory)) {
                ROWS.read(directory, row -> told.put(row.table(), row.rows()), gaps);
            }
        }

        Optional<FlightDigest> read() {
            // In the order of the tables, which is that of the gaps that are told.
            var compilations = rows(Table.FLIGHT_COMPILATIONS);
            var queues = rows(Table.FLIGHT_QUEUES);
            var deoptimizations = rows(Table.FLIGHT_DEOPTIMIZATIONS);
            var collector = new FlightCollector(rows(Table.FLIGHT_PAUSES), added(Table.FLIGHT_HEAP));
            var codeCache = rows(Table.FLIGHT_CODE_CACHE);
            var tiers = rows(Table.FLIGHT_TIERS);
            var throttling = rows(Table.FLIGHT_THROTTLING);
            var work = added(Table.FLIGHT_WORK);
            var hot = added(Table.FLIGHT_HOT);
            var families = added(Table.FLIGHT_FAMILIES);
            var throwables = added(Table.FLIGHT_THROWABLES);
            FlightDigest digest = new FlightDigest(
                    new FlightJit(compilations, queues, deoptimizations, codeCache, work),
                    collector,
                    new FlightSamples(tiers, hot, families, throwables),
                    throttling);
            return whole ? Optional.of(digest) : Optional.empty();
        }

        /** Reads a table that earlier versions of Kiln did not write; it has no rows then. */
        private <T> List<T> added(Table<T> table) {
            return told.containsKey(table.file()) || Files.exists(directory.resolve(table.file()))
                    ? rows(table)
                    : List.of();
        }

        private <T> List<T> rows(Table<T> table) {
            int before = gaps.count();
            List<T> rows = table.read(directory, gaps);
            long expected = told.getOrDefault(table.file(), (long) rows.size());
            if (gaps.count() == before && rows.size() != expected) {
                gaps.addWhole("has " + rows.size() + " of " + expected + " rows");
            }
            whole &= gaps.count() == before;
            return rows;
        }
    }
}
