package dev.kiln.model;

import java.nio.file.Path;
import java.util.Optional;

/** The database an experiment needs. */
public sealed interface DatabaseSpec {
    /** The experiment needs none. */
    record None() implements DatabaseSpec {}

    /** Kiln starts a PostgreSQL of its own and loads {@code script} into it, afresh for each run. */
    record Managed(Optional<Path> script) implements DatabaseSpec {}

    /** Somebody else's server; Kiln neither starts, resets nor stops it. */
    record External(String jdbcUrl, String user, String password) implements DatabaseSpec {}
}
