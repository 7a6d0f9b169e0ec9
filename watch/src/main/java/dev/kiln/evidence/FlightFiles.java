package dev.kiln.evidence;

import dev.kiln.model.run.FlightDigest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The digest of a flight recording as tables beside the others, so that nobody needs to read the recording again. */
public final class FlightFiles {
    /** How many rows a table has: most of them may have none, so nothing else tells that one was cut short. */
    private record Told(String table, long rows) {}

    /** The last to be written: without it the others may not be whole. Earlier Kilns did not write it. */
    private static final Table<Told> ROWS = new Table<>(
            "flight-rows.csv",
            List.of("table", "rows"),
            (row, told) -> row.field(told.table()).field(told.rows()),
            r -> new Told(r.text(), r.figure()));

    private FlightFiles() {}

    /** Whether a digest was written, or that there is none. */
    public static boolean exist(Path directory) {
        return Files.isRegularFile(directory.resolve(ROWS.file()));
    }

    /**
     * Writes or replaces the tables.
     *
     * @throws KilnException when they cannot be written
     */
    public static void write(Path directory, FlightDigest digest) {
        List<Told> told = new ArrayList<>();
        told.add(write(directory, Table.FLIGHT_COMPILATIONS, digest.compilations()));
        told.add(write(directory, Table.FLIGHT_QUEUES, digest.queues()));
        told.add(write(directory, Table.FLIGHT_DEOPTIMIZATIONS, digest.deoptimizations()));
        told.add(write(directory, Table.FLIGHT_PAUSES, digest.pauses()));
        told.add(write(directory, Table.FLIGHT_HEAP, digest.heap()));
        told.add(write(directory, Table.FLIGHT_CODE_CACHE, digest.codeCache()));
        told.add(write(directory, Table.FLIGHT_TIERS, digest.tiers()));
        told.add(write(directory, Table.FLIGHT_WORK, digest.c2Work()));
        told.add(write(directory, Table.FLIGHT_HOT, digest.hot()));
        told.add(write(directory, Table.FLIGHT_THROTTLING, digest.throttling()));
        write(directory, ROWS, told);
    }

    /** Says that the recording was looked at and has nothing to digest, so that nobody does so again. */
    public static void writeNone(Path directory) {
        write(directory, ROWS, List.of());
    }

    private static <T> Told write(Path directory, Table<T> table, List<T> records) {
        try (CsvWriter rows = table.open(directory)) {
            records.forEach(record -> table.write(rows, record));
        }
        return new Told(table.file(), records.size());
    }

    /** Empty where no recording was made, and where a part of its digest is lost: what is not there is not nothing. */
    static Optional<FlightDigest> read(Path directory, Gaps gaps) {
        return Table.FLIGHT.stream().anyMatch(table -> Files.exists(directory.resolve(table.file())))
                ? new Reader(directory, gaps).read()
                : Optional.empty();
    }

    /** Reads one table after the other, and notices whether it is whole. */
    private static final class Reader {
        private final Path directory;
        private final Gaps gaps;
        private final Map<String, Long> told = new HashMap<>();
        private boolean whole = true;

        Reader(Path directory, Gaps gaps) {
            this.directory = directory;
            this.gaps = gaps;
            if (exist(directory)) {
                ROWS.read(directory, row -> told.put(row.table(), row.rows()), gaps);
            }
        }

        Optional<FlightDigest> read() {
            FlightDigest digest = new FlightDigest(
                    rows(Table.FLIGHT_COMPILATIONS),
                    rows(Table.FLIGHT_QUEUES),
                    rows(Table.FLIGHT_DEOPTIMIZATIONS),
                    rows(Table.FLIGHT_PAUSES),
                    added(Table.FLIGHT_HEAP),
                    rows(Table.FLIGHT_CODE_CACHE),
                    rows(Table.FLIGHT_TIERS),
                    rows(Table.FLIGHT_THROTTLING),
                    added(Table.FLIGHT_WORK),
                    added(Table.FLIGHT_HOT));
            return whole ? Optional.of(digest) : Optional.empty();
        }

        /** A table that earlier Kilns did not write. */
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
