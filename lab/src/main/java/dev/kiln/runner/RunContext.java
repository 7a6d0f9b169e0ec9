package dev.kiln.runner;

import dev.kiln.launch.Lab;
import dev.kiln.load.LoadDriver;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.postgres.Postgres;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What all runs of an experiment share.
 *
 * @param driver hot
 * @param backend of the target at hand
 * @param judge what the analysis says of what was recorded so far
 */
record RunContext(
        Lab lab,
        Experiment experiment,
        LoadDriver driver,
        Optional<Postgres> database,
        Optional<Backend> backend,
        RunListener listener,
        Cancellation cancellation,
        Judge judge) {
    /** How the load reaches a target on this machine. */
    static final String HERE = "localhost";

    /**
     * What a target is told of its port, its database, its backend and its folder.
     *
     * @param host how the load reaches the machine of the target
     */
    Placeholders values(int port, String host, Path directory) {
        Map<String, String> values = new HashMap<>();
        values.put(Placeholders.PORT, Integer.toString(port));
        values.put(Placeholders.HOST, host);
        values.put(Placeholders.RUN_DIR, directory.toAbsolutePath().toString());
        backend.ifPresent(running -> values.put(Placeholders.BACKEND_PORT, Integer.toString(running.port())));
        switch (experiment.database()) {
            case DatabaseSpec.None none -> {}
            case DatabaseSpec.Managed managed -> {
                Postgres postgres = database.orElseThrow();
                values.put(Placeholders.DB_URL, postgres.jdbcUrl());
                values.put(Placeholders.DB_USER, Postgres.USER);
                values.put(Placeholders.DB_PASSWORD, postgres.password());
            }
            case DatabaseSpec.External external -> {
                values.put(Placeholders.DB_URL, external.jdbcUrl());
                values.put(Placeholders.DB_USER, external.user());
                values.put(Placeholders.DB_PASSWORD, external.password());
            }
        }
        return new Placeholders(values);
    }

    boolean driverIsAlive() {
        return isAlive(driver);
    }

    /** Load from elsewhere has nothing here that could die. */
    static boolean isAlive(LoadDriver driver) {
        return driver.pid().isEmpty()
                || ProcessHandle.of(driver.pid().getAsLong())
                        .map(ProcessHandle::isAlive)
                        .orElse(false);
    }
}
