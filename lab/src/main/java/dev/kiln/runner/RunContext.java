package dev.kiln.runner;

import dev.kiln.launch.Lab;
import dev.kiln.load.LoadDriver;
import dev.kiln.model.Experiment;
import dev.kiln.postgres.Postgres;
import java.util.Optional;

/**
 * What all runs of an experiment share.
 *
 * @param driver hot
 * @param judge what the analysis says of what was recorded so far
 */
record RunContext(
        Lab lab,
        Experiment experiment,
        LoadDriver driver,
        Optional<Postgres> database,
        RunListener listener,
        Cancellation cancellation,
        Judge judge) {
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
