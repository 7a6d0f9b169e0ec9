package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.Ports;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.launch.Lab;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunInfo.QuietWait;
import dev.kiln.postgres.Postgres;
import dev.kiln.recorder.Recording;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A RunFrame is what stands around one run. In order: it waits for quiet CPUs, finds a port, starts the database and
 * runs the user's own commands, and then the {@link RunExecution}. On the way back all of that is put away.
 *
 * @param earlier the peaks that the search found in earlier runs of the variant
 */
record RunFrame(
        RunContext context, PlannedRun planned, Path directory, Optional<AotMaking.Made> cache, List<Double> earlier) {
    Outcome run() {
        Optional<QuietWait> waited = quiet();
        context.listener().doing("starting");
        try (Place place = place()) {
            context.database().ifPresent(place::start);
            Placeholders values = context.values(place.port(), place.address(), directory);
            LoadSpec load = context.experiment().loadOf(planned.variant()).fill(values);
            if (!context.isLoadFar() || place instanceof PlaceElsewhere) {
                load.calls().forEach(call -> place.requireFree(call.url()));
            }
            context.keepPace();
            try (RunWriter writer = new RunWriter(directory, context.lab().secrets())) {
                return hooked(place, writer, values, load, waited);
            }
        } catch (RunFailure unreached) {
            return failed(unreached, waited);
        } finally {
            context.database().ifPresent(Postgres::stop);
        }
    }

    private Place place() {
        Target target = planned.variant().target();
        return switch (target.where()) {
            case Where.Here here -> new PlaceHere(context.lab(), Ports.free());
            case Where.ContainerPlace container -> new PlaceHere(context.lab(), Ports.free());
            case Where.Running running ->
                running.there()
                        .map(there -> elsewhere(there, target))
                        .orElseGet(() -> new PlaceAttached(context, running.point()));
            case Where.HostPlace host -> elsewhere(host, target);
        };
    }

    private Place elsewhere(Where.HostPlace there, Target target) {
        return RunFailure.asking(() -> new PlaceElsewhere(context, there, target));
    }

    /** Records a run whose place was lost before the target was launched: it has no port, and got no load. */
    private Outcome failed(RunFailure unreached, Optional<QuietWait> waited) {
        String address = planned.variant()
                .target()
                .where()
                .elsewhere()
                .filter(there -> !there.isPiped())
                .map(Where.HostPlace::name)
                .orElse(RunContext.HERE);
        Placeholders values = context.values(PlaceAttached.NO_PORT, address, directory);
        LoadSpec load = context.experiment().loadOf(planned.variant()).fill(values);
        try (RunWriter writer = new RunWriter(directory, context.lab().secrets())) {
            return execution()
                    .failed(
                            unreached,
                            new RunFacts(writer, context, planned, new NoTarget(context.lab()), load, waited));
        }
    }

    private RunExecution execution() {
        return new RunExecution(context, planned, directory, cache, earlier);
    }

    /**
     * Waits for quiet CPUs, and returns how long; empty where it does not wait. CPUs of another machine cannot be read
     * before its agent is there, and a run that is not repeated does not wait: that of a target that ran before neither.
     */
    private Optional<QuietWait> quiet() {
        boolean elsewhere = planned.variant().target().where().elsewhere().isPresent();
        return elsewhere || !context.experiment().runs().repeat()
                ? Optional.empty()
                : new QuietCpus(
                                context.lab().pinTo(context.lab().cpus().target()),
                                context.listener(),
                                context.cancellation())
                        .await();
    }

    /** Executes the run between the user's own commands. One that fails before the launch is how the run ended. */
    private Outcome hooked(
            Place place, RunWriter writer, Placeholders values, LoadSpec load, Optional<QuietWait> waited) {
        RunExecution execution = execution();
        return context.hooks()
                .around(
                        planned.variant(),
                        values,
                        directory,
                        () -> execution.run(place, writer, values, load, waited),
                        early -> execution.failed(
                                early,
                                new RunFacts(writer, context, planned, new NoTarget(context.lab()), load, waited)));
    }

    /** A NoTarget stands for the target of a run that has none, because a command of the user's failed before it. */
    private record NoTarget(Lab lab, long launchNanos, long launchEpochMillis)
            implements Place.PlacedTarget, TargetProcess {
        NoTarget(Lab lab) {
            this(lab, System.nanoTime(), System.currentTimeMillis());
        }

        @Override
        public TargetProcess process() {
            return this;
        }

        @Override
        public OptionalLong pid(Set<Integer> ports) {
            return OptionalLong.empty();
        }

        @Override
        public Place.LaunchFacts facts() {
            CpuAssignment none = new CpuAssignment(List.of(), List.of(), List.of(), false, List.of());
            return new Place.LaunchFacts(Map.of(), List.of(), none, lab.host(), Optional.empty(), List.of(), List.of());
        }

        @Override
        public Recording record(Map<String, Long> parts, Set<Integer> ports) {
            throw new IllegalStateException("there is no target");
        }

        @Override
        public List<String> command() {
            return List.of();
        }

        @Override
        public boolean isAlive() {
            return false;
        }

        @Override
        public Optional<ExitCode> exit() {
            return Optional.empty();
        }

        @Override
        public void whenEnded(Runnable action) {
            action.run();
        }

        @Override
        public void stop(Duration grace) {
            // Nothing was started.
        }
    }
}
