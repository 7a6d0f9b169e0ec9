package dev.kiln.runner;

import dev.kiln.evidence.RunWriter;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunInfo.QuietWait;
import dev.kiln.postgres.Postgres;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A RunFrame is what stands around one run. In order: it waits for quiet CPUs, finds a port, starts the database and runs
 * the user's own commands, and then the {@link RunExecution}. On the way back all of that is put away.
 */
final class RunFrame {
    private final RunContext context;
    private final PlannedRun planned;
    private final Path directory;
    private final RunExecution execution;

    RunFrame(RunContext context, PlannedRun planned, Path directory, Optional<AotMaking.Made> cache) {
        this.context = context;
        this.planned = planned;
        this.directory = directory;
        execution = new RunExecution(context, planned, directory, cache);
    }

    Outcome run() {
        Optional<QuietWait> waited = quiet();
        context.listener().doing("starting");
        try {
            try (Place place = place()) {
                context.database().ifPresent(place::start);
                Placeholders values = context.values(place.port(), place.address(), directory);
                LoadSpec load = context.experiment().loadOf(planned.variant()).fill(values);
                if (!context.isLoadFar() || place instanceof PlaceElsewhere) {
                    load.calls().forEach(call -> place.requireFree(call.url()));
                }
                try (RunWriter writer = new RunWriter(directory, context.lab().secrets())) {
                    return hooked(place, writer, values, load, waited);
                }
            }
        } finally {
            context.database().ifPresent(Postgres::stop);
        }
    }

    private Place place() {
        Target target = planned.variant().target();
        return switch (target.where()) {
            case Where.Here here -> new PlaceHere(context.lab());
            case Where.ContainerPlace container -> new PlaceHere(context.lab());
            case Where.Running running ->
                running.there()
                        .map(there -> elsewhere(there, target))
                        .orElseGet(() -> new PlaceAttached(context, running.point()));
            case Where.HostPlace host -> elsewhere(host, target);
        };
    }

    private Place elsewhere(Where.HostPlace there, Target target) {
        return new PlaceElsewhere(context, there, target);
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
}
