package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.TargetProcess;
import dev.kiln.jvm.AotFlags;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.DriverCompilers;
import dev.kiln.model.Experiment.PlannedRun;
import dev.kiln.model.FoundReference;
import dev.kiln.model.KilnException;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Observe;
import dev.kiln.model.Phase;
import dev.kiln.model.Placeholders;
import dev.kiln.model.RunInfo.NotRecorded;
import dev.kiln.model.RunInfo.Outcome;
import dev.kiln.model.RunInfo.QuietWait;
import dev.kiln.model.Treatment;
import dev.kiln.model.Where;
import dev.kiln.postgres.Postgres;
import dev.kiln.recorder.Recording;
import dev.kiln.runner.Cancellation.Interrupted;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run, from a fresh database to the target's end. Whatever happens, its evidence is left readable. */
final class RunExecution {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    /** A driver that compiles more than this is still warming up itself, and its first figures are its own. */
    private static final double MAX_DRIVER_JIT = 0.01;

    private static final List<NotRecorded> GENERATOR = List.of(new NotRecorded(
            "load generator's CPU", "what sends the load is no process that Kiln started or can watch"));

    private final RunContext context;
    private final PlannedRun planned;
    private final Path directory;
    private final Optional<AotMaking.Made> cache;
    private final Path log;

    RunExecution(RunContext context, PlannedRun planned, Path directory, Optional<AotMaking.Made> cache) {
        this.context = context;
        this.planned = planned;
        this.directory = directory;
        this.cache = cache;
        this.log = directory.resolve("target.log");
    }

    Outcome run() {
        Optional<QuietWait> waited = quiet();
        context.listener().doing("starting");
        try {
            context.database().ifPresent(Postgres::startFresh);
            try (Place place = place()) {
                Placeholders values = RunValues.of(
                        place.port(),
                        place.address(),
                        directory,
                        context.experiment().database(),
                        context.database());
                LoadSpec load = context.experiment().loadOf(planned.variant()).fill(values);
                load.calls().forEach(call -> place.requireFree(call.url()));
                try (RunWriter writer = new RunWriter(directory)) {
                    return launched(place, writer, values, load, waited);
                }
            }
        } finally {
            context.database().ifPresent(Postgres::stop);
        }
    }

    private Place place() {
        return switch (planned.variant().target().where()) {
            case Where.Here here -> new PlaceHere(context.lab());
            case Where.Container container -> new PlaceHere(context.lab());
            case Where.Host host ->
                new PlaceElsewhere(
                        context.lab(), host.name(), context.experiment().cpus());
        };
    }

    /** CPUs of another machine are not looked at before its agent is there; a run that is not repeated does not wait. */
    private Optional<QuietWait> quiet() {
        boolean elsewhere = planned.variant().target().where() instanceof Where.Host;
        return elsewhere || !context.experiment().runs().repeat()
                ? Optional.empty()
                : new QuietCpus(
                                context.lab().pinTo(context.lab().cpus().target()),
                                context.listener(),
                                context.cancellation())
                        .await();
    }

    private Outcome launched(
            Place place, RunWriter writer, Placeholders values, LoadSpec load, Optional<QuietWait> waited) {
        Observe observe = planned.variant().observe();
        Instruments instruments = new Instruments(observe, directory);
        Place.Run target =
                place.launch(planned.variant().target(), values, flags(instruments), observe.jit(), writer, log);
        Treatment treatment = new Treatment(target.modifiers(), observe.instruments(), Optional.empty());
        Optional<RunFacts> known = Optional.empty();
        try {
            RunFacts facts =
                    new RunFacts(writer, new RunFacts.Fixed(context, planned, target, load, treatment, waited)::info);
            known = Optional.of(facts);
            target.notes().forEach(facts::note);
            try (Recording recording = target.record(parts())) {
                recorded(target, recording, facts, values, place.port(), load);
            }
            return facts.outcome();
        } finally {
            target.stop(STOP_LIMIT);
            Instant launched = Instant.ofEpochMilli(target.process().launchEpochMillis());
            known.ifPresent(facts -> {
                facts.alsoMissing(instruments.digest(launched));
                facts.alsoMissing(target.missing());
                if (context.driver().pid().isEmpty()) {
                    facts.alsoMissing(GENERATOR);
                }
            });
        }
    }

    private List<String> flags(Instruments instruments) {
        List<String> flags = new ArrayList<>(instruments.flags(context.lab().cache()));
        cache.ifPresent(made -> flags.addAll(
                AotFlags.use(made.file(), planned.variant().observe().flightRecorder())));
        return flags;
    }

    /** Looked at twice: a target that dies under load has shown by then whether it used its cache. */
    private void aot(Place.Run target, RunFacts facts) {
        target.pid()
                .ifPresent(pid -> cache.flatMap(made -> new AotProof(pid, log, made).look())
                        .ifPresent(facts::aot));
    }

    private void recorded(
            Place.Run target, Recording recorder, RunFacts facts, Placeholders values, int port, LoadSpec load) {
        TargetProcess process = target.process();
        try (LoadSession session = context.driver().open(load, directory, process.launchNanos())) {
            context.cancellation().onCancel(session::cancel);
            // A dead target ends the phase at once, and so does a dead database.
            process.whenEnded(session::cancel);
            context.database().ifPresent(server -> server.onExit(session::cancel));
            TargetStart start = new TargetStart(process, log, context.cancellation());
            start.await(planned.variant().target().readiness(), values, port, session, facts);
            facts.jvm(recorder.jvm());
            aot(target, facts);
            for (Phase phase : context.experiment().protocol().phases()) {
                phase(phase, session, process, facts, recorder);
                check(process, start);
            }
            Optional<FoundReference> reference = context.experiment().protocol().reference();
            if (reference.isPresent()) {
                new ReferenceRounds(
                                directory,
                                session,
                                recorder,
                                facts,
                                context.judge(),
                                context.listener(),
                                process.launchNanos(),
                                round -> phase(round, session, process, facts, recorder),
                                () -> check(process, start))
                        .find(reference.get(), target.pid());
            }
            aot(target, facts);
            told(recorder.stop(), facts);
            facts.ended(Outcome.COMPLETED, Optional.empty());
        } catch (RuntimeException e) {
            ended(failure(e, recorder, facts), facts);
        }
    }

    /** What ended the run: a bug of the recorder above all else. */
    private static RuntimeException failure(RuntimeException e, Recording recorder, RunFacts facts) {
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

    private void phase(Phase phase, LoadSession session, TargetProcess process, RunFacts facts, Recording recorder) {
        long launch = process.launchNanos();
        facts.phaseBegan(phase.name(), phase instanceof Phase.Load, System.nanoTime() - launch);
        switch (phase) {
            case Phase.Load load -> {
                UntilSteady until = new UntilSteady(load, context.judge()::steady, session::finish);
                PhaseResult result = session.load(load, tick -> {
                    context.listener().tick(load, tick, recorder.c2LastSecond());
                    until.tick(tick);
                });
                facts.phaseEnded(result.startNanos(), result.endNanos());
                result.warnings().forEach(warning -> facts.note(load.name() + ": " + warning));
                if (result.cost().jitShare() > MAX_DRIVER_JIT) {
                    facts.note(
                            new DriverCompilers(load.name(), 100 * result.cost().jitShare()).note());
                }
            }
            case Phase.Pause pause -> {
                context.listener().doing("pausing " + pause.duration().toSeconds() + " s");
                long start = System.nanoTime();
                session.pause(pause);
                facts.phaseEnded(start - launch, System.nanoTime() - launch);
            }
        }
    }

    private static void told(Recording.Result result, RunFacts facts) {
        facts.jvm(result.jvm());
        facts.missing(result.notRecorded());
        result.failure().ifPresent(failure -> facts.note("recording ended early: " + failure.getMessage()));
    }

    /** What has died meanwhile, most likely cause first. */
    private void check(TargetProcess process, TargetStart start) {
        context.cancellation().check();
        if (context.database().isPresent() && !context.database().get().isAlive()) {
            throw new RunFailure(
                    Outcome.LAB_FAILED,
                    "PostgreSQL died during the run",
                    context.database().get().lastLines());
        }
        if (!process.isAlive()) {
            throw start.died();
        }
    }

    /** Writes down how the run ended; only what ends the whole experiment goes on. */
    private void ended(RuntimeException e, RunFacts facts) {
        if (e instanceof Interrupted || context.cancellation().isCancelled()) {
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
        if (e instanceof KilnException known && !context.driverIsAlive()) {
            tell(message, known.remedy());
            return;
        }
        throw e;
    }

    private void tell(String what, String said) {
        String run = planned.variant().name() + " run " + planned.run() + ": " + what;
        context.listener().note(said.isBlank() ? run : run + "\n  " + said.replace("\n", "\n  "));
    }

    private Map<String, Long> parts() {
        Map<String, Long> pids = new HashMap<>();
        context.driver().pid().ifPresent(pid -> pids.put("load", pid));
        pids.put("kiln", ProcessHandle.current().pid());
        context.database().ifPresent(server -> pids.put("database", server.pid()));
        return pids;
    }
}
