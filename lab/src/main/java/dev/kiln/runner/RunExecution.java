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
import dev.kiln.recorder.Recorder;
import dev.kiln.recorder.RecorderResult;
import dev.kiln.recorder.RecorderSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** One run, from a fresh database to the target's end. Whatever happens, its evidence is left readable. */
final class RunExecution {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    /** A driver that compiles more than this is still warming up itself, and its first figures are its own. */
    private static final double MAX_DRIVER_JIT = 0.01;

    private final Lab lab;
    private final Experiment experiment;
    private final PlannedRun planned;
    private final Path directory;
    private final LoadDriver driver;
    private final Optional<Postgres> database;
    private final RunListener listener;
    private final Cancellation cancellation;
    private final Predicate<double[]> steady;
    private final Path log;

    RunExecution(
            Lab lab,
            Experiment experiment,
            PlannedRun planned,
            Path directory,
            LoadDriver driver,
            Optional<Postgres> database,
            RunListener listener,
            Cancellation cancellation,
            Predicate<double[]> steady) {
        this.lab = lab;
        this.experiment = experiment;
        this.planned = planned;
        this.directory = directory;
        this.driver = driver;
        this.database = database;
        this.listener = listener;
        this.cancellation = cancellation;
        this.steady = steady;
        this.log = directory.resolve("target.log");
    }

    Outcome run() {
        listener.doing("starting");
        try {
            database.ifPresent(Postgres::startFresh);
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
        LaunchCommand command =
                LaunchCommand.of(filled(target, values), Path.of(System.getProperty("java.home")), System.getenv());
        PinnedProcess process = lab.launcher()
                .start(new LaunchSpec(
                        "target",
                        command.command(),
                        command.environment(),
                        target.workingDirectory(),
                        lab.pinTo(lab.cpus().target()),
                        log,
                        Optional.empty()));
        try {
            RunFacts facts = new RunFacts(
                    writer, new Circumstances(lab, experiment, planned, process, command, load, driverText())::info);
            boolean jitQueries = experiment.observe().jitQueries();
            try (Recorder recorder = Recorder.start(
                    new RecorderSpec(process.pid(), process.launchNanos(), parts(), jitQueries), writer)) {
                recorded(process, recorder, facts, values, port, load);
            }
            return facts.outcome();
        } finally {
            process.stop(STOP_LIMIT);
        }
    }

    private void recorded(
            PinnedProcess process, Recorder recorder, RunFacts facts, Placeholders values, int port, LoadSpec load) {
        try (LoadSession session = driver.open(load, directory, process.launchNanos())) {
            cancellation.onCancel(session::cancel);
            // A dead target ends the phase at once, and so does a dead database.
            var unused = process.onExit().thenRun(session::cancel);
            database.ifPresent(server -> server.onExit(session::cancel));
            TargetStart start = new TargetStart(process, log, cancellation);
            start.await(planned.variant().target().readiness(), values, port, session, facts);
            facts.jvm(recorder.jvm());
            for (Phase phase : experiment.protocol().phases()) {
                phase(phase, session, process, facts, recorder);
                check(process, start);
            }
            told(recorder.stop(), facts);
            facts.ended(Outcome.COMPLETED, Optional.empty());
        } catch (RuntimeException e) {
            ended(failure(e, recorder, facts), facts);
        }
    }

    /** What ended the run: a bug of the recorder above all else. */
    private static RuntimeException failure(RuntimeException e, Recorder recorder, RunFacts facts) {
        try {
            told(recorder.stop(), facts);
            return e;
        } catch (RuntimeException bug) {
            if (!bug.equals(e)) {
                bug.addSuppressed(e);
            }
            return bug;
        }
    }

    private void phase(Phase phase, LoadSession session, PinnedProcess process, RunFacts facts, Recorder recorder) {
        long launch = process.launchNanos();
        facts.phaseBegan(phase.name(), phase instanceof Phase.Load, System.nanoTime() - launch);
        switch (phase) {
            case Phase.Load load -> {
                UntilSteady until = new UntilSteady(load, steady, session::finish);
                PhaseResult result = session.load(load, tick -> {
                    listener.tick(load, tick, recorder.c2LastSecond());
                    until.tick(tick);
                });
                facts.phaseEnded(result.startNanos(), result.endNanos());
                result.warnings().forEach(warning -> facts.note(load.name() + ": " + warning));
                if (result.cost().jitShare() > MAX_DRIVER_JIT) {
                    facts.note(String.format(
                            Locale.ROOT,
                            "%s: the load driver's own compilers took %.1f %% of its CPU time",
                            load.name(),
                            100 * result.cost().jitShare()));
                }
            }
            case Phase.Pause pause -> {
                listener.doing("pausing " + pause.duration().toSeconds() + " s");
                long start = System.nanoTime();
                session.pause(pause);
                facts.phaseEnded(start - launch, System.nanoTime() - launch);
            }
        }
    }

    private static void told(RecorderResult result, RunFacts facts) {
        facts.jvm(result.jvm());
        facts.missing(result.notRecorded());
        result.failure().ifPresent(failure -> facts.note("recording ended early: " + failure.getMessage()));
    }

    /** What has died meanwhile, most likely cause first. */
    private void check(PinnedProcess process, TargetStart start) {
        cancellation.check();
        if (database.isPresent() && !database.get().isAlive()) {
            throw new RunFailure(
                    Outcome.LAB_FAILED,
                    "PostgreSQL died during the run",
                    database.get().lastLines());
        }
        if (!process.isAlive()) {
            throw start.died();
        }
    }

    /** Writes down how the run ended; only what ends the whole experiment goes on. */
    private void ended(RuntimeException e, RunFacts facts) {
        if (e instanceof Interrupted || cancellation.isCancelled()) {
            facts.ended(Outcome.INTERRUPTED, Optional.empty());
            throw new Interrupted();
        }
        String message = String.valueOf(e.getMessage());
        if (e instanceof RunFailure failure) {
            facts.ended(failure.outcome(), Optional.of(message));
            tell(message, failure.said());
            return;
        }
        facts.ended(Outcome.LAB_FAILED, Optional.of(message));
        if (e instanceof KilnException known && !driverAlive()) {
            tell(message, known.remedy());
            return;
        }
        throw e;
    }

    private String driverText() {
        LoadDriver.DriverInfo info = driver.info();
        String notes = info.notes().isEmpty() ? "" : " (" + String.join("; ", info.notes()) + ")";
        return info.name() + " " + info.version() + ": " + info.meaning() + notes;
    }

    private boolean driverAlive() {
        return ProcessHandle.of(driver.pid()).map(ProcessHandle::isAlive).orElse(false);
    }

    private void tell(String what, String said) {
        String run = planned.variant().name() + " run " + planned.run() + ": " + what;
        listener.note(said.isBlank() ? run : run + "\n  " + said.replace("\n", "\n  "));
    }

    private static Target filled(Target target, Placeholders values) {
        Map<String, String> environment = new HashMap<>();
        target.environment().forEach((name, value) -> environment.put(name, values.fill(value)));
        return new Target(
                target.command().stream().map(values::fill).toList(),
                target.workload(),
                target.virtualThreads(),
                environment,
                target.workingDirectory(),
                target.jdk(),
                target.jvmFlags().stream().map(values::fill).toList(),
                target.arguments().stream().map(values::fill).toList(),
                target.readiness());
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
