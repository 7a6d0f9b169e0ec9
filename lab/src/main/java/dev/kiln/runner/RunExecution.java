package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.LogLimit;
import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.jvm.AotFlags;
import dev.kiln.jvm.StartupLog;
import dev.kiln.load.LoadSession;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Course.OutOfMemory;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.StartPhase;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.RunInfo.QuietWait;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.recorder.Recording;
import dev.kiln.remote.AgentLost;
import dev.kiln.runner.Cancellation.Interrupted;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A RunExecution is one run, inside its {@link RunFrame}. In order: {@link #run} launches the target and records it;
 * {@link #loaded} waits for its first response and runs the phases of the protocol and the search for the reference
 * peak. On the way back the recorder is stopped, a {@link ClosingRecording} made, the target stopped, and its
 * recordings digested. Whatever happens, the evidence is left readable.
 *
 * @param earlier the peaks that the search found in earlier runs of the variant
 */
record RunExecution(
        RunContext context, PlannedRun planned, Path directory, Optional<AotMaking.Made> cache, List<Double> earlier) {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private static final List<NotRecorded> GENERATOR = List.of(new NotRecorded(
            "load generator's CPU", "Kiln neither started nor can watch the program that sends the load"));

    private Path log() {
        return directory.resolve("target.log");
    }

    /** Launches the target, and returns how the run ended; throws a {@link RunFailure} without a target. */
    Outcome run(Place place, RunWriter writer, Placeholders values, LoadSpec load, Optional<QuietWait> waited) {
        Observe observe = planned.variant().observe();
        Instruments instruments = new Instruments(observe, directory);
        prepare(load);
        if (context.experiment().setting().cold()) {
            PageCache.drop();
        }
        Place.PlacedTarget target = RunFailure.asking(() -> place.launch(
                planned.variant().target(),
                values,
                flags(instruments),
                new Place.Questions(observe.jit(), observe.threadDumps()),
                writer,
                log()));
        Optional<RunFacts> known = Optional.empty();
        ClosingRecording closing = new ClosingRecording(context, planned, directory);
        try {
            RunFacts facts = new RunFacts(writer, context, planned, target, load, waited);
            known = Optional.of(facts);
            try (Recording recording = target.record(parts(), context.portsHere(load))) {
                loaded(target, recording, facts, values, place.port(), load, writer::append);
                if (closing.follows(facts.outcome())) {
                    // What it runs out of afterwards is not of the run.
                    facts.outOfMemory(OutOfMemory.in(LogTail.ends(log())));
                    closing.make(target, recording.jvm(), load);
                }
            }
            return facts.outcome();
        } finally {
            target.stop(STOP_LIMIT);
            LogLimit.finish(log());
            Instant launched = Instant.ofEpochMilli(target.process().launchEpochMillis());
            known.ifPresent(facts -> {
                facts.startupPhases(startupPhases(target.process()));
                if (!closing.follows(facts.outcome())) {
                    facts.outOfMemory(OutOfMemory.in(LogTail.ends(log())));
                }
                facts.alsoMissing(instruments.digest(launched, writer));
                facts.alsoMissing(closing.digest(launched));
                cache.flatMap(made -> made.coverage(instruments.hot())).ifPresent(facts::aotCoverage);
                facts.alsoMissing(target.facts().missing());
                if (context.driver().from().isEmpty() && context.driver().pid().isEmpty()) {
                    facts.alsoMissing(GENERATOR);
                }
            });
        }
    }

    /** Prepares the driver before the launch. One that is lost by then ends this run, as one that is lost in it does. */
    private void prepare(LoadSpec load) {
        try {
            context.driver().prepare(load);
        } catch (KilnException e) {
            if (context.driver().isAlive()) {
                throw e;
            }
            throw new RunFailure(Outcome.LAB_FAILED, String.valueOf(e.getMessage()), e.remedy());
        }
    }

    /**
     * Returns the phases of the start that the JVM logged. Only the log of a JVM on this machine that was asked for
     * them is read, because a target's log may be long.
     */
    private List<StartPhase> startupPhases(TargetProcess process) {
        Target target = planned.variant().target();
        boolean asked = Stream.concat(process.command().stream(), target.environment().values().stream())
                .anyMatch(word -> word.contains("-Xlog:"));
        return asked && target.where() instanceof Where.Here
                ? StartupLog.read(
                        log(),
                        process.command(),
                        target.workingDirectory().orElse(Path.of("")),
                        process.launchEpochMillis())
                : List.of();
    }

    private List<String> flags(Instruments instruments) {
        List<String> flags = new ArrayList<>(instruments.flags(context.lab().cache()));
        cache.ifPresent(made -> flags.addAll(
                AotFlags.use(made.file(), planned.variant().observe().flightRecorder())));
        return flags;
    }

    /** Notes whether the target uses its AOT cache. It is checked twice: a target may die under load. */
    private void aot(Place.PlacedTarget target, RunFacts facts, Set<Integer> ports) {
        target.pid(ports)
                .ifPresent(pid -> cache.flatMap(made -> new AotProof(pid, log(), made).look())
                        .ifPresent(facts::aot));
    }

    private void loaded(
            Place.PlacedTarget target,
            Recording recorder,
            RunFacts facts,
            Placeholders values,
            int port,
            LoadSpec load,
            Consumer<PartSample> driverCpu) {
        TargetProcess process = target.process();
        try (LoadSession session = context.driver().open(load, directory, process.launchNanos())) {
            session.watchCpu(driverCpu);
            context.cancellation().onCancel(session::cancel);
            // A dead target ends the phase at once, and so does what it needs.
            process.whenEnded(session::cancel);
            context.database().ifPresent(server -> server.onExit(session::cancel));
            context.backend().ifPresent(service -> service.process().whenEnded(session::cancel));
            TargetStart start = new TargetStart(process, said(target), context.cancellation());
            started(start, values, port, session, facts);
            measured(target, recorder, facts, start, session, context.portsHere(load));
        } catch (RuntimeException e) {
            ended(failure(e, recorder, facts), facts);
        } finally {
            context.driver().from().ifPresent(facts::loadEnded);
        }
    }

    /** Returns the file with what the target said, or, of one that a command brought, with what that said. */
    private Path said(Place.PlacedTarget target) {
        return target.restarted().isPresent() ? directory.resolve(HookMoment.RESTART.key() + ".log") : log();
    }

    private void measured(
            Place.PlacedTarget target,
            Recording recorder,
            RunFacts facts,
            TargetStart start,
            LoadSession session,
            Set<Integer> ports) {
        Optional<RunPhases.FullCollections> collections = collections(target, ports);
        try {
            facts.jvm(recorder.jvm());
            aot(target, facts, ports);
            facts.aot()
                    .ifPresent(use -> use.failure().ifPresent(why -> {
                        throw new RunFailure(
                                Outcome.TARGET_FAILED,
                                AotUse.UNUSED + why + "; 'kiln aot check -- java -XX:AOTCache=" + use.file()
                                        + " ...' says what to do",
                                log());
                    }));
            RunPhases phases = new RunPhases(context, start, session, facts, recorder, target.boost(), collections);
            phases.run(context.experiment().protocol());
            context.experiment()
                    .protocol()
                    .reference()
                    .ifPresent(asked -> new ReferenceRounds(directory, phases, earlier).find(asked, target.pid(ports)));
            aot(target, facts, ports);
            told(recorder.stop(), facts);
            target.boost().ifPresent(facts::boosted);
            facts.ended(Outcome.COMPLETED, Optional.empty());
        } finally {
            collections.ifPresent(RunPhases.FullCollections::close);
        }
    }

    private void started(TargetStart start, Placeholders values, int port, LoadSession session, RunFacts facts) {
        try {
            start.await(planned.variant().target().readiness(), values, port, session, facts);
        } catch (RunFailure died) {
            throw cache.filter(made -> died.outcome() == Outcome.TARGET_FAILED)
                    .map(made -> new RunFailure(
                            died.outcome(),
                            died.getMessage() + "; it was started with the AOT cache " + made.file(),
                            died.said()))
                    .orElse(died);
        }
    }

    /** Returns the full collections that the run asks for; none for a target on another machine. */
    private Optional<RunPhases.FullCollections> collections(Place.PlacedTarget target, Set<Integer> ports) {
        return planned.variant()
                .observe()
                .fullCollections()
                .flatMap(every -> target.pid(ports).stream()
                        .mapToObj(pid -> new RunPhases.FullCollections(pid, every))
                        .findFirst());
    }

    /** Returns what ended the run: a bug of the recorder above all else. */
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

    private static void told(Recording.RecordingResult result, RunFacts facts) {
        facts.jvm(result.jvm());
        facts.missing(result.notRecorded());
        result.notes().forEach(facts::note);
        result.failure().ifPresent(failure -> facts.note("recording ended early: " + failure.getMessage()));
    }

    /** Records a run whose target was never there. */
    Outcome failed(RunFailure before, RunFacts facts) {
        ended(before, facts);
        return facts.outcome();
    }

    /** Writes down how the run ended. Only what ends the whole experiment is thrown on. */
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
        if (e instanceof KilnException known
                && (known instanceof AgentLost || !context.driver().isAlive())) {
            tell(message, known.remedy());
            return;
        }
        throw e;
    }

    private void tell(String what, String said) {
        String run = planned.variant().name() + " run " + planned.run() + ": " + what;
        context.listener().note(RunFailure.with(run, said));
    }

    private Map<String, Long> parts() {
        Map<String, Long> pids = new HashMap<>();
        context.driver().pid().ifPresent(pid -> pids.put("load", pid));
        pids.put("kiln", ProcessHandle.current().pid());
        context.database().ifPresent(server -> pids.put("database", server.pid()));
        context.backend()
                .ifPresent(service -> pids.put("backend", service.process().pid()));
        return pids;
    }
}
