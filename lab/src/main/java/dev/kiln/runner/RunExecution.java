package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.LaunchSpec;
import dev.kiln.host.PinnedProcess;
import dev.kiln.jvm.LaunchCommand;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.DatabaseSpec;
import dev.kiln.model.Experiment;
import dev.kiln.model.KilnException;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Phase;
import dev.kiln.model.Placeholders;
import dev.kiln.model.PlannedRun;
import dev.kiln.model.RunInfo.Outcome;
import dev.kiln.model.Target;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One run, from a fresh database to the target's end. Whatever happens, its evidence is left readable. */
final class RunExecution {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final Lab lab;
    private final Experiment experiment;
    private final PlannedRun planned;
    private final Path directory;
    private final LoadDriver driver;
    private final Optional<Postgres> database;
    private final RunListener listener;
    private final Cancellation cancellation;
    private final Path log;

    RunExecution(
            Lab lab,
            Experiment experiment,
            PlannedRun planned,
            Path directory,
            LoadDriver driver,
            Optional<Postgres> database,
            RunListener listener,
            Cancellation cancellation) {
        this.lab = lab;
        this.experiment = experiment;
        this.planned = planned;
        this.directory = directory;
        this.driver = driver;
        this.database = database;
        this.listener = listener;
        this.cancellation = cancellation;
        this.log = directory.resolve("target.log");
    }

    Outcome run() {
        listener.doing("starting");
        database.ifPresent(Postgres::startFresh);
        try {
            int port = Ports.free();
            Placeholders values = values(port);
            LoadSpec load = experiment.load().fill(values);
            load.calls().forEach(call -> Ports.requireFree(call.url()));
            try (RunWriter writer = new RunWriter(directory)) {
                return launched(writer, values, port, load);
            }
        } finally {
            database.ifPresent(Postgres::stop);
        }
    }

    private Outcome launched(RunWriter writer, Placeholders values, int port, LoadSpec load) {
        Target target = planned.variant().target();
        LaunchCommand command = LaunchCommand.of(target, values);
        PinnedProcess process = lab.launcher()
                .start(new LaunchSpec(
                        "target",
                        command.command(),
                        command.environment(),
                        target.workingDirectory(),
                        lab.pinTo(lab.cpus().target()),
                        log,
                        Optional.empty()));
        RunFacts facts = new RunFacts(
                writer, new Circumstances(lab, experiment, planned, process, command, load)::info);
        Recorder recorder = new Recorder(writer, process, parts());
        recorder.start();
        try (LoadSession session = driver.open(load, directory, process.launchNanos())) {
            cancellation.onCancel(session::cancel);
            process.onExit().thenRun(session::cancel);
            TargetStart start = new TargetStart(process, log, cancellation);
            start.await(target.readiness(), values, port, session, facts);
            facts.jvm(recorder.jvm());
            for (Phase phase : experiment.protocol().phases()) {
                phase(phase, session, process, facts, recorder);
                check(process, start);
            }
            facts.missing(recorder.stop());
            facts.ended(Outcome.COMPLETED, Optional.empty());
        } catch (RuntimeException e) {
            facts.missing(recorder.stop());
            ended(e, facts);
        } finally {
            process.stop(STOP_LIMIT);
        }
        return facts.outcome();
    }

    private void phase(Phase phase, LoadSession session, PinnedProcess process, RunFacts facts, Recorder recorder) {
        long launch = process.launchNanos();
        facts.phaseBegan(phase.name(), phase instanceof Phase.Load, System.nanoTime() - launch);
        switch (phase) {
            case Phase.Load load -> {
                PhaseResult result = session.load(
                        load,
                        tick -> listener.tick(load, tick, recorder.recentC2()));
                facts.phaseEnded(result.startNanos(), result.endNanos());
                result.warnings().forEach(warning -> facts.note(load.name() + ": " + warning));
            }
            case Phase.Pause pause -> {
                listener.doing("pausing " + pause.duration().toSeconds() + " s");
                long start = System.nanoTime();
                session.pause(pause);
                facts.phaseEnded(start - launch, System.nanoTime() - launch);
            }
        }
    }

    /** What has died meanwhile, most likely cause first. */
    private void check(PinnedProcess process, TargetStart start) {
        cancellation.check();
        if (database.isPresent() && !database.get().isAlive()) {
            throw new RunFailure(Outcome.LAB_FAILED, "PostgreSQL died during the run", database.get().lastLines());
        }
        if (!process.isAlive()) {
            throw start.died();
        }
    }

    private void ended(RuntimeException e, RunFacts facts) {
        switch (e) {
            case Interrupted interrupted -> {
                facts.ended(Outcome.INTERRUPTED, Optional.empty());
                throw interrupted;
            }
            case RunFailure failure -> {
                facts.ended(failure.outcome(), Optional.of(failure.getMessage()));
                tell(failure.getMessage(), failure.said());
            }
            case KilnException known when cancellation.isCancelled() -> {
                facts.ended(Outcome.INTERRUPTED, Optional.empty());
                throw new Interrupted();
            }
            case KilnException known when !driverAlive() -> {
                facts.ended(Outcome.LAB_FAILED, Optional.of(String.valueOf(known.getMessage())));
                tell(String.valueOf(known.getMessage()), known.remedy());
            }
            default -> {
                facts.ended(Outcome.LAB_FAILED, Optional.of(String.valueOf(e.getMessage())));
                throw e;
            }
        }
    }

    private boolean driverAlive() {
        return ProcessHandle.of(driver.pid()).map(ProcessHandle::isAlive).orElse(false);
    }

    private void tell(String what, String said) {
        String run = planned.variant().name() + " run " + planned.run() + ": " + what;
        listener.note(said.isBlank() ? run : run + "\n  " + said.replace("\n", "\n  "));
    }

    private Map<String, Long> parts() {
        Map<String, Long> pids = new HashMap<>();
        pids.put("load", driver.pid());
        pids.put("kiln", ProcessHandle.current().pid());
        database.ifPresent(server -> pids.put("database", server.pid()));
        return pids;
    }

    private Placeholders values(int port) {
        Map<String, String> values = new HashMap<>();
        values.put(Placeholders.PORT, Integer.toString(port));
        values.put(Placeholders.RUN_DIR, directory.toAbsolutePath().toString());
        switch (experiment.database()) {
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
