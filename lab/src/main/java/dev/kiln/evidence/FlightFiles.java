package dev.kiln.evidence;

import dev.kiln.model.run.FlightDigest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The digest of a flight recording as tables beside the others, so that nobody needs to read the recording again. */
public final class FlightFiles {
    private FlightFiles() {}

    /** Whether a digest was written. */
    public static boolean exist(Path directory) {
        // The last to be written: without it the others may not be whole.
        return Files.isRegularFile(directory.resolve(Table.FLIGHT_THROTTLING.file()));
    }

    /**
     * Writes or replaces the tables.
     *
     * @throws KilnException when they cannot be written
     */
    public static void write(Path directory, FlightDigest digest) {
        write(directory, Table.FLIGHT_COMPILATIONS, digest.compilations());
        write(directory, Table.FLIGHT_QUEUES, digest.queues());
        write(directory, Table.FLIGHT_DEOPTIMIZATIONS, digest.deoptimizations());
        write(directory, Table.FLIGHT_PAUSES, digest.pauses());
        write(directory, Table.FLIGHT_HEAP, digest.heap());
        write(directory, Table.FLIGHT_CODE_CACHE, digest.codeCache());
        write(directory, Table.FLIGHT_TIERS, digest.tiers());
        write(directory, Table.FLIGHT_WORK, digest.c2Work());
        write(directory, Table.FLIGHT_HOT, digest.hot());
        write(directory, Table.FLIGHT_THROTTLING, digest.throttling());
    }

    private static <T> void write(Path directory, Table<T> table, List<T> records) {
        try (CsvWriter rows = table.open(directory)) {
            records.forEach(record -> table.write(rows, record));
        }
    }

    /** Empty where no recording was made. */
    static Optional<FlightDigest> read(Path directory, Gaps gaps) {
        if (Table.FLIGHT.stream().noneMatch(table -> Files.exists(directory.resolve(table.file())))) {
            return Optional.empty();
        }
        return Optional.of(new FlightDigest(
                Table.FLIGHT_COMPILATIONS.read(directory, gaps),
                Table.FLIGHT_QUEUES.read(directory, gaps),
                Table.FLIGHT_DEOPTIMIZATIONS.read(directory, gaps),
                Table.FLIGHT_PAUSES.read(directory, gaps),
                added(directory, Table.FLIGHT_HEAP, gaps),
                Table.FLIGHT_CODE_CACHE.read(directory, gaps),
                Table.FLIGHT_TIERS.read(directory, gaps),
                Table.FLIGHT_THROTTLING.read(directory, gaps),
                added(directory, Table.FLIGHT_WORK, gaps),
                added(directory, Table.FLIGHT_HOT, gaps)));
    }

    /** A table that earlier Kilns did not write. */
    private static <T> List<T> added(Path directory, Table<T> table, Gaps gaps) {
        return Files.exists(directory.resolve(table.file())) ? table.read(directory, gaps) : List.of();
    }
}
