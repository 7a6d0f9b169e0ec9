package dev.kiln.importer.format;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * ImportOptions are what the user adds to the files.
 *
 * @param zone of logs in local time
 * @param process the target's process id, for logs of several processes
 * @param loadStart when the load began, for loads without times in their files
 * @param variant name of a single run's variant
 * @param mapping of CSV files that no format knows
 */
public record ImportOptions(
        Optional<ZoneId> zone,
        OptionalInt process,
        Optional<Instant> loadStart,
        Optional<String> variant,
        Optional<CsvMapping> mapping) {}
