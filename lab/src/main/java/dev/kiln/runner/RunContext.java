package dev.kiln.runner;

import dev.kiln.host.process.Ports;
import dev.kiln.launch.Lab;
import dev.kiln.load.LoadDriver;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.postgres.Postgres;
import dev.kiln.runner.RunControl.Judge;
import dev.kiln.runner.RunControl.RunListener;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A RunContext is what all runs of an experiment share.
 *
 * @param driver warmed up
 * @param backend of the target at hand
 * @param hooks the user's own commands
 * @param beside the run of another variant that goes on at the same time; empty where a run has the machine to itself
 */
record RunContext(
        Lab lab,
        Experiment experiment,
        LoadDriver driver,
        Optional<Postgres> database,
        Optional<Backend> backend,
        RunControl control,
        HookRunner hooks,
        Optional<Beside> beside) {
    /** The load reaches a target on this machine by this name. */
    static final String HERE = "localhost";

    /** Makes what runs share that have the machine to themselves. */
    RunContext(
            Lab lab,
            Experiment experiment,
            LoadDriver driver,
            Optional<Postgres> database,
            Optional<Backend> backend,
            RunControl control,
            HookRunner hooks) {
        this(lab, experiment, driver, database, backend, control, hooks, Optional.empty());
    }

    /** Returns the values of a target's placeholders; {@code host} is how the load reaches its machine. */
    Placeholders values(int port, String host, Path directory) {
        return values(experiment.database(), database, backend, port, host, directory);
    }

    static Placeholders values(
            DatabaseSpec spec,
            Optional<Postgres> database,
            Optional<Backend> backend,
            int port,
            String host,
            Path directory) {
        Map<String, String> values = new HashMap<>();
        values.put(Placeholders.PORT, Integer.toString(port));
        values.put(Placeholders.HOST, host);
        values.put(Placeholders.RUN_DIR, directory.toAbsolutePath().toString());
        backend.ifPresent(running -> values.put(Placeholders.BACKEND_PORT, Integer.toString(running.port())));
        switch (spec) {
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

    /** Runs {@code work} with a target whose backend, if it has one, runs meanwhile and logs into {@code folder}. */
    <T> T withBackend(Target target, Path folder, Function<RunContext, T> work) {
        Optional<Backend> started =
                Backend.start(lab.launcher(), lab.pinTo(lab.cpus().database()), target, folder, cancellation());
        try {
            return work.apply(new RunContext(lab, experiment, driver, database, started, control, hooks, beside));
        } finally {
            started.ifPresent(Backend::stop);
        }
    }

    /** Returns a PostgreSQL of Kiln's own, if the experiment wants one. */
    static Optional<Postgres> database(Lab lab, Experiment experiment, RunListener listener) {
        if (!(experiment.database() instanceof DatabaseSpec.Managed managed)) {
            return Optional.empty();
        }
        listener.stage("preparing PostgreSQL");
        return Optional.of(new Postgres(
                lab.launcher(), lab.registry(), lab.pinTo(lab.cpus().database()), lab.cache(), managed.script()));
    }

    /** Waits for the run beside this one, where there is one; see {@link Beside}. */
    void keepPace() {
        beside.ifPresent(Beside::await);
    }

    RunListener listener() {
        return control.listener();
    }

    Cancellation cancellation() {
        return control.cancellation();
    }

    Judge judge() {
        return control.judge();
    }

    /** Returns the ports of this machine to which a load goes. What a load from elsewhere calls localhost is not here. */
    Set<Integer> portsHere(LoadSpec load) {
        return Ports.here(load.calls().stream()
                .map(HttpCall::url)
                .filter(url -> !isLoadFar() || !Ports.isThisMachine(Optional.ofNullable(url.getHost())))
                .toList());
    }

    /** Fails if another program already answers where the load goes. Of a load from elsewhere that is not known here. */
    void requireFree(LoadSpec load) {
        if (!isLoadFar()) {
            load.calls().forEach(call -> Ports.requireFree(call.url()));
        }
    }

    /** Tells whether Kiln's own driver sends the load from another place. */
    boolean isLoadFar() {
        return experiment.load().from().isPresent();
    }
}
