package dev.kiln.runner;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.UserCommand;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.run.Course.Outcome;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A HookRunner runs the user's own commands at their moments. What undoes something is owed from the moment at which
 * the command before it begins: it is noted then, and run whatever happens, by the next Kiln if this one is killed.
 */
final class HookRunner implements AutoCloseable {
    private final OrphanRegistry registry;
    private final List<Integer> cpus;
    private final Path results;
    private final RunControl control;
    private final Deque<OwedHook> untilClose = new ArrayDeque<>();
    private final Set<String> prepared = new HashSet<>();
    private final Set<String> cleanedUp = new HashSet<>();
    private boolean failed;

    /**
     * @param cpus of the whole machine, where Kiln itself is on fewer: what a command starts is not to share Kiln's
     * @param results folder of the experiment, for what its own commands print; those of a variant print into its folder there
     */
    HookRunner(OrphanRegistry registry, List<Integer> cpus, Path results, RunControl control) {
        this.registry = registry;
        this.cpus = cpus;
        this.results = results;
        this.control = control;
    }

    /** An OwedHook is a command that is yet to be run, with its note's number and the folder for what it prints. */
    record OwedHook(String number, UserCommand command, Path directory) {}

    /** Prepares an experiment, whose cleanup is owed from now on; throws where nothing of it can be run. */
    void prepare(Experiment experiment) {
        try {
            Placeholders values = once(results);
            oweCleanup(experiment.hooks(), values, Map.of(), results);
            prepare(experiment.hooks(), values, Map.of(), results);
        } catch (RunFailure e) {
            throw KilnException.problem(String.valueOf(e.getMessage()), e.said());
        }
    }

    /** Prepares a variant before the first of its runs, and again if that has failed. It is cleaned up once. */
    void prepare(Variant variant) {
        if (!prepared.contains(variant.name())) {
            Path directory = results.resolve(variant.name());
            Target target = variant.target();
            Placeholders values = once(directory);
            Map<String, String> environment = environment(target, withPort(target, values));
            if (cleanedUp.add(variant.name())) {
                oweCleanup(target.hooks(), values, environment, directory);
            }
            prepare(target.hooks(), values, environment, directory);
            prepared.add(variant.name());
        }
    }

    /**
     * Does what launches a variant's target, such as a run, between the variant's own commands. The first time, the
     * variant is prepared before.
     *
     * @param directory for what the commands print
     * @param failed what comes of a failure, before things are put back
     */
    <T> T around(
            Variant variant, Placeholders values, Path directory, Supplier<T> work, Function<RunFailure, T> failed) {
        Target target = variant.target();
        Optional<OwedHook> after = Optional.empty();
        try {
            prepare(variant);
            after = owe(command(target, HookMoment.AFTER_RUN, values), directory);
            command(target, HookMoment.BEFORE_RUN, values)
                    .ifPresent(command -> run(command, directory, Outcome.LAB_FAILED));
            return work.get();
        } catch (RunFailure failure) {
            return failed.apply(failure);
        } finally {
            after.ifPresent(this::pay);
        }
    }

    private void oweCleanup(
            Collection<Hook> hooks, Placeholders values, Map<String, String> environment, Path directory) {
        owe(command(hooks, HookMoment.CLEANUP, values, environment), directory).ifPresent(untilClose::push);
    }

    private void prepare(Collection<Hook> hooks, Placeholders values, Map<String, String> environment, Path directory) {
        command(hooks, HookMoment.PREPARE, values, environment)
                .ifPresent(command -> run(command, directory, Outcome.LAB_FAILED));
    }

    private static Placeholders once(Path directory) {
        return new Placeholders(Map.of(
                Placeholders.RUN_DIR, directory.toAbsolutePath().toString(), Placeholders.HOST, RunContext.HERE));
    }

    /** Returns the values of a target outside any run. */
    static Placeholders values(Target target, Path directory) {
        return withPort(target, once(directory));
    }

    private static Placeholders withPort(Target target, Placeholders once) {
        Map<String, String> values = new HashMap<>(once.values());
        if (target.where() instanceof Where.Running running
                && running.point() instanceof AttachPoint.ListeningPort listening) {
            values.put(Placeholders.PORT, Integer.toString(listening.port()));
        }
        return new Placeholders(values);
    }

    /** Returns the command of a target's hook, with the values of a run in it; empty without one. */
    static Optional<UserCommand> command(Target target, HookMoment moment, Placeholders values) {
        Optional<UserCommand> command = command(target.hooks(), moment, values, environment(target, values));
        Optional<SetEnv> set = SetEnv.of(target).filter(found -> moment == HookMoment.RESTART);
        return command.map(plain -> set.map(
                        variables -> plain.with(variables.start(plain.environment(), System.currentTimeMillis())))
                .orElse(plain));
    }

    private static Optional<UserCommand> command(
            Collection<Hook> hooks, HookMoment moment, Placeholders values, Map<String, String> environment) {
        return Hook.of(hooks, moment)
                .map(hook -> new UserCommand(
                        moment.key(), hook.command().stream().map(values::fill).toList(), hook.folder(), environment));
    }

    /** Returns the variables of a service that Kiln does not start: who starts it must pass them on. Others are the target's. */
    static Map<String, String> environment(Target target, Placeholders values) {
        Map<String, String> filled = new HashMap<>();
        if (target.where() instanceof Where.Running) {
            target.environment().forEach((name, value) -> filled.put(name, values.fill(value)));
        }
        return filled;
    }

    /** Notes a command that must be run later, whatever happens. */
    Optional<OwedHook> owe(Optional<UserCommand> command, Path directory) {
        return command.map(owed -> new OwedHook(registry.owe(owed), owed, directory));
    }

    /** Runs a command to its end, or fails with what it printed last. */
    void run(UserCommand command, Path directory, Outcome outcome) {
        say(command);
        BegunHook begun = begin(command, directory);
        try {
            while (begun.isAlive()) {
                control.cancellation().check();
                begun.await(BegunHook.LOOK);
            }
        } finally {
            begun.close();
        }
        begun.failure(outcome).ifPresent(failure -> {
            throw failure;
        });
    }

    /** Starts a command, which prints into this folder, or throws: another run may have what this one lacks. */
    BegunHook begin(UserCommand command, Path directory) {
        Backend.makeFolder(directory);
        Path log = directory.resolve(command.what() + ".log");
        long began = System.nanoTime();
        Process process = start(command, log);
        long ticks = ProcFs.ofThisMachine()
                .stat(process.pid())
                .map(ProcStat::startTicks)
                .orElse(-1L);
        registry.child(process.pid(), ticks, command.what());
        return new BegunHook(command, process, log, began, registry);
    }

    private Process start(UserCommand command, Path log) {
        try {
            return command.start(log, cpus);
        } catch (KilnException e) {
            throw new RunFailure(Outcome.LAB_FAILED, String.valueOf(e.getMessage()), e.remedy());
        }
    }

    /** Runs what is owed. An interruption does not cut it: it puts things back. A failure is told, and takes nothing back. */
    void pay(OwedHook owed) {
        say(owed.command());
        try (BegunHook begun = begin(owed.command(), owed.directory())) {
            begun.await();
            begun.failure(Outcome.LAB_FAILED).ifPresent(this::told);
        } catch (RunFailure e) {
            told(e);
        } catch (KilnException e) {
            told(new RunFailure(Outcome.LAB_FAILED, String.valueOf(e.getMessage()), e.remedy()));
        }
        if (!Thread.currentThread().isInterrupted()) {
            forget(owed);
        }
    }

    /** Notes that what was owed is no longer to be run. */
    void forget(OwedHook owed) {
        registry.paid(owed.number());
    }

    private void say(UserCommand command) {
        String what = "running " + command.what();
        if (HookMoment.keys(HookMoment.OF_EXPERIMENT).anyMatch(command.what()::equals)) {
            control.listener().stage(what);
        } else {
            control.listener().doing(what);
        }
    }

    /** Tells of a command that failed when the run was over: its figures are not touched by that. */
    void told(RunFailure failure) {
        failed = true;
        control.listener().note(RunFailure.with(String.valueOf(failure.getMessage()), failure.said()));
    }

    /** Tells whether a command failed that no run says so of. */
    boolean failed() {
        return failed;
    }

    /** Cleans up after the variants and the experiment, the last first. */
    @Override
    public void close() {
        while (!untilClose.isEmpty()) {
            pay(untilClose.pop());
        }
    }
}
