package dev.kiln.runner;

import dev.kiln.model.Experiment.DatabaseSpec;
import dev.kiln.model.Placeholders;
import dev.kiln.postgres.Postgres;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a target is told of its port, its database and its folder. */
final class RunValues {
    /** How the load reaches a target on this machine. */
    static final String HERE = "localhost";

    private RunValues() {}

    /**
     * @param host how the load reaches the machine of the target
     * @param database Kiln's own, started, where {@code spec} asks for one
     */
    static Placeholders of(int port, String host, Path directory, DatabaseSpec spec, Optional<Postgres> database) {
        Map<String, String> values = new HashMap<>();
        values.put(Placeholders.PORT, Integer.toString(port));
        values.put(Placeholders.HOST, host);
        values.put(Placeholders.RUN_DIR, directory.toAbsolutePath().toString());
        switch (spec) {
            case DatabaseSpec.None none -> {}
            case DatabaseSpec.Managed managed -> {
                values.put(Placeholders.DB_URL, database.orElseThrow().jdbcUrl());
                values.put(Placeholders.DB_USER, Postgres.USER);
                values.put(Placeholders.DB_PASSWORD, "");
            }
            case DatabaseSpec.External external -> {
                values.put(Placeholders.DB_URL, external.jdbcUrl());
                values.put(Placeholders.DB_USER, external.user());
                values.put(Placeholders.DB_PASSWORD, external.password());
            }
        }
        return new Placeholders(values);
    }
}
