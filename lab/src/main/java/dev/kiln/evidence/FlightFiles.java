package dev.kiln.evidence;

import dev.kiln.model.CgroupSample;
import dev.kiln.model.FlightDigest;
import dev.kiln.model.FlightDigest.CodeCacheEvent;
import dev.kiln.model.FlightDigest.Compilations;
import dev.kiln.model.FlightDigest.Deoptimizations;
import dev.kiln.model.FlightDigest.Pause;
import dev.kiln.model.FlightDigest.QueueUse;
import dev.kiln.model.FlightDigest.TierShare;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

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
        table(
                directory,
                Table.FLIGHT_COMPILATIONS,
                digest.compilations(),
                (row, c) -> row.field(c.timeNanos())
                        .field(c.level())
                        .field(c.count())
                        .field(c.failed())
                        .field(c.sumNanos())
                        .field(c.maxNanos()));
        table(
                directory,
                Table.FLIGHT_QUEUES,
                digest.queues(),
                (row, q) -> row.field(q.timeNanos())
                        .field(q.compiler())
                        .field(q.size())
                        .field(q.peakSize())
                        .field(q.added())
                        .field(q.removed()));
        table(
                directory,
                Table.FLIGHT_DEOPTIMIZATIONS,
                digest.deoptimizations(),
                (row, d) -> row.field(d.timeNanos()).field(d.reason()).field(d.count()));
        table(
                directory,
                Table.FLIGHT_PAUSES,
                digest.pauses(),
                (row, p) -> row.field(p.timeNanos()).field(p.cause()).field(p.durationNanos()));
        table(
                directory,
                Table.FLIGHT_CODE_CACHE,
                digest.codeCache(),
                (row, c) -> row.field(c.timeNanos()).field(c.what()));
        table(
                directory,
                Table.FLIGHT_TIERS,
                digest.tiers(),
                (row, t) -> row.field(t.timeNanos())
                        .field(t.interpreted())
                        .field(t.c1())
                        .field(t.c2())
                        .field(t.inlined())
                        .field(t.nativeCode()));
        table(
                directory,
                Table.FLIGHT_THROTTLING,
                digest.throttling(),
                (row, t) -> row.field(t.timeNanos())
                        .field(t.periods())
                        .field(t.throttledPeriods())
                        .field(t.throttledNanos()));
    }

    private static <T> void table(Path directory, Table table, List<T> rows, BiConsumer<CsvWriter, T> fields) {
        try (CsvWriter writer = new CsvWriter(directory.resolve(table.file()), table.columns())) {
            for (T row : rows) {
                fields.accept(writer, row);
                writer.endRow();
            }
        }
    }

    /** Empty where no recording was made. The order of arguments is the order of the table's columns. */
    static Optional<FlightDigest> read(Path directory, Gaps gaps) {
        if (Table.FLIGHT.stream().noneMatch(table -> Files.exists(directory.resolve(table.file())))) {
            return Optional.empty();
        }
        return Optional.of(new FlightDigest(
                CsvReader.read(
                        directory,
                        Table.FLIGHT_COMPILATIONS,
                        r -> new Compilations(r.figure(), r.small(), r.small(), r.small(), r.figure(), r.figure()),
                        gaps),
                CsvReader.read(
                        directory,
                        Table.FLIGHT_QUEUES,
                        r -> new QueueUse(r.figure(), r.text(), r.figure(), r.figure(), r.figure(), r.figure()),
                        gaps),
                CsvReader.read(
                        directory,
                        Table.FLIGHT_DEOPTIMIZATIONS,
                        r -> new Deoptimizations(r.figure(), r.text(), r.small()),
                        gaps),
                CsvReader.read(directory, Table.FLIGHT_PAUSES, r -> new Pause(r.figure(), r.text(), r.figure()), gaps),
                CsvReader.read(directory, Table.FLIGHT_CODE_CACHE, r -> new CodeCacheEvent(r.figure(), r.text()), gaps),
                CsvReader.read(
                        directory,
                        Table.FLIGHT_TIERS,
                        r -> new TierShare(r.figure(), r.small(), r.small(), r.small(), r.small(), r.small()),
                        gaps),
                CsvReader.read(
                        directory,
                        Table.FLIGHT_THROTTLING,
                        r -> new CgroupSample(r.figure(), r.figure(), r.figure(), r.figure()),
                        gaps)));
    }
}
