package dev.kiln.importer.format;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the user adds to the files.
 *
 * @param zone of logs in local time
 * @param process the target's id in logs that tell of several
 * @param loadStart when a load began whose files do not tell
 * @param variant name of a single run's variant
 * @param mapping of CSV files that no format knows
 */
public record ImportOptions(
        Optional<ZoneId> zone,
        OptionalInt process,
        Optional<Instant> loadStart,
        Optional<String> variant,
        Optional<CsvMapping> mapping) {}
