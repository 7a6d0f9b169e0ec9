package dev.kiln.runner;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.process.UserCommand;
import dev.kiln.launch.AttachSearch;
import dev.kiln.launch.Attachment;
import dev.kiln.launch.Lab;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunInfo;
import dev.kiln.remote.Deployed;
import dev.kiln.remote.FarLook;
import dev.kiln.runner.HookRunner.OwedHook;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A ServiceAsBefore is a service that others start anew, which changed variants of it may replace for a while: at the end its own
 * command starts it again as it was, and a deployment gets its own variables back. That is owed from the first change on: whatever
 * happens it is run, by the next Kiln if this one is killed. A service that its {@code stop} ends after each run is as it was already.
 * So is one that is still the same process, and one that ran neither before nor at the end; and a deployment that has its own variables.
 */
public final class ServiceAsBefore implements AutoCloseable {
    /** A command may go on for so long when the service is there: it waits until that is ready. */
    private static final Duration AFTER_START = Duration.ofSeconds(20);

    /** The new process is looked for so often. */
    private static final Duration LOOK = Duration.ofMillis(200);

    /** Another place has so long to answer, and less where the user waits for the end of everything. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private static final Duration HURRIED_ANSWER = Duration.ofSeconds(5);

    private static final String HERE = "this machine";

    private final Target target;
    private final Optional<Deployed> deployed;
    private final Path folder;
    private final RunControl control;
    private final HookRunner hooks;
    private final Duration afterStart;
    private final AttachSearch search = new AttachSearch(ProcFs.ofThisMachine());
    private Optional<OwedHook> owed = Optional.empty();
    private Look before = Look.NOTHING;
    private boolean kept;

    /**
     * @param target as it ran before
     * @param deployed variables that its restart sets; empty where it sets none
     * @param folder for what its command prints
     */
    public ServiceAsBefore(Lab lab, Target target, Optional<Deployed> deployed, Path folder, RunControl control) {
        this(
                new HookRunner(lab.registry(), lab.allCpus(), folder, control),
                target,
                deployed,
                folder,
                control,
                AFTER_START);
    }

    /** @param afterStart how long its command may go on when it is there */
    ServiceAsBefore(
            HookRunner hooks,
            Target target,
            Optional<Deployed> deployed,
            Path folder,
            RunControl control,
            Duration afterStart) {
        this.hooks = hooks;
        this.target = target;
        this.deployed = deployed;
        this.folder = folder;
        this.control = control;
        this.afterStart = afterStart;
    }

    /**
     * A Look is what the search for the service found.
     *
     * @param place in which it is
     * @param starts of its processes by pid: one as a rule; none where there is none, and where Kiln may not see it, though it may run
     * @param absent whether it certainly does not run
     */
    private record Look(String place, Map<Long, Long> starts, boolean absent) {
        private static final Look NOTHING = new Look(HERE, Map.of(), true);
        private static final Look UNSEEN = new Look(HERE, Map.of(), false);

        /** Tells whether all that ran in the other look runs on. */
        private boolean continues(Look other) {
            return !other.starts.isEmpty()
                    && place.equals(other.place)
                    && starts.entrySet().containsAll(other.starts.entrySet());
        }

        /** Returns the service in words. */
        private String words() {
            return place.equals(HERE) ? "process " + starts.keySet().iterator().next() : place;
        }
    }

    /** Says that the service may change from now on. */
    public void changes() {
        if (owed.isEmpty() && !kept && target.hook(HookMoment.STOP).isEmpty()) {
            before = look();
            owed = hooks.owe(
                    command()
                            .map(plain -> deployed.map(known -> known.owed(plain.folder()))
                                    .orElse(plain)),
                    folder);
        }
    }

    /** Returns the command that starts the service as it was; empty where Kiln starts it. */
    public Optional<UserCommand> command() {
        Optional<UserCommand> restart =
                HookRunner.command(target, HookMoment.RESTART, HookRunner.values(target, folder));
        return deployed.isEmpty() ? restart : restart.map(set -> deployed.get().back(set.folder()));
    }

    /** Says that the service is to stay as it is now. */
    public void keep() {
        kept = true;
        owed.ifPresent(hooks::forget);
        owed = Optional.empty();
    }

    /** Returns the process of a run in words, if it goes on now; empty where it does not, and where that is not seen. */
    public Optional<String> goesOn(RunInfo run) {
        Look now = look();
        return run.launch()
                .restarted()
                .filter(by -> now.starts.containsKey(by.pid()))
                .filter(by -> run.remote().map(RemoteHost::name).orElse(HERE).equals(now.place))
                .map(by -> "process " + by.pid() + (now.place.equals(HERE) ? "" : " of " + now.place));
    }

    private Look look() {
        if (!(target.where() instanceof Where.Running running)) {
            return Look.NOTHING;
        }
        try {
            return running.there().isPresent() ? there(running) : here(running);
        } catch (AttachSearch.NothingThere absent) {
            // Of a deployment there may be two.
            return running.there().isPresent() ? Look.UNSEEN : Look.NOTHING;
        } catch (KilnException unseen) {
            return Look.UNSEEN;
        }
    }

    private Look here(Where.Running running) {
        ProcStat found = search.find(running.point());
        return new Look(HERE, Map.of((long) found.pid(), found.startTicks()), false);
    }

    private Look there(Where.Running running) {
        FarLook far = FarLook.at(running, control.cancellation().isCancelled() ? HURRIED_ANSWER : ANSWER);
        return new Look(far.name(), far.starts(), far.absent());
    }

    /** Tells whether a command failed that was to start the service as it was; that is known after {@link #close}. */
    public boolean failed() {
        return hooks.failed();
    }

    @Override
    public void close() {
        owed.ifPresent(command -> {
            Look now = look();
            Optional<RunFailure> others = changedByOthers();
            others.ifPresent(hooks::told);
            if (others.isPresent() || isAsBefore(now)) {
                hooks.forget(command);
            } else {
                restore(command, now);
            }
        });
        owed = Optional.empty();
    }

    private boolean isAsBefore(Look now) {
        if (deployed.isEmpty()) {
            return (before.absent() && now.absent()) || now.continues(before);
        }
        try {
            return deployed.get().isBack();
        } catch (KilnException unknown) {
            return false;
        }
    }

    /** Returns what is to be said where somebody else has changed it; empty where nobody has, and where the cluster does not tell. */
    private Optional<RunFailure> changedByOthers() {
        try {
            return deployed.flatMap(ServiceAsBefore::changedByOthers);
        } catch (KilnException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<RunFailure> changedByOthers(Deployed known) {
        return known.changedByOthers()
                .map(said -> new RunFailure(Outcome.LAB_FAILED, said, "set by hand what you want there"));
    }

    /** Has it started anew. An interruption does not cut that. */
    private void restore(OwedHook owing, Look replaced) {
        UserCommand command = owing.command();
        control.listener().stage("running " + command.what());
        try {
            await(hooks.begin(command, folder), replaced, owing);
        } catch (RunFailure e) {
            hooks.told(e);
        } catch (KilnException e) {
            hooks.told(new RunFailure(Outcome.LAB_FAILED, String.valueOf(e.getMessage()), e.remedy()));
        }
        // A deployment that does not have its own yet is owed them still.
        if (!Thread.currentThread().isInterrupted() && (deployed.isEmpty() || isAsBefore(replaced))) {
            hooks.forget(owing);
        }
    }

    /** Waits for the service that a command brings, and ends the command unless it is well. One that serves itself goes on. */
    private void await(BegunHook begun, Look replaced, OwedHook owing) {
        boolean well = false;
        try {
            deployed.ifPresent(known -> requireBack(known, begun, owing));
            new Restart(
                            hooks,
                            new Cancellation(),
                            begun,
                            Optional.empty(),
                            target.readiness().timeout())
                    .await(LOOK, () -> requireNew(begun, replaced));
            begun.await(afterStart);
            begun.failure(Outcome.LAB_FAILED).ifPresent(failure -> {
                throw failure;
            });
            Look now = look();
            if (now.absent()
                    || (now.starts.isEmpty() && target.where().elsewhere().isPresent())) {
                throw new RunFailure(
                        Outcome.LAB_FAILED,
                        "the service ran before and does not now",
                        "start it with " + begun.command().text() + " in "
                                + begun.command().folder());
            }
            well = true;
            control.listener()
                    .note(begun.command().text() + " started the service again as it was, without what was tried"
                            + (now.starts.isEmpty() ? "" : ": " + now.words()));
        } finally {
            if (well && begun.isAlive()) {
                begun.leave();
            } else {
                begun.close();
            }
        }
    }

    /**
     * Fails where the command changed nothing, because somebody else had changed the deployment, or where the cluster does not tell: no
     * new pod is to be awaited then. What has its own again is owed nothing, whatever becomes of the new pod.
     */
    private void requireBack(Deployed known, BegunHook begun, OwedHook owing) {
        begun.await(target.readiness().timeout());
        begun.failure(Outcome.LAB_FAILED).ifPresent(failure -> {
            throw failure;
        });
        Optional<RunFailure> others = changedByOthers(known);
        if (others.isPresent() || known.isBack()) {
            hooks.forget(owing);
        }
        others.ifPresent(failure -> {
            throw failure;
        });
    }

    /** Returns the new service, or fails while there is none. */
    private Look requireNew(BegunHook begun, Look replaced) {
        Where.Running running = (Where.Running) target.where();
        if (running.there().isEmpty()) {
            Attachment.toNew(running.point(), begun.beganNanos());
            return look();
        }
        Look now = there(running);
        if (now.starts.isEmpty()) {
            throw KilnException.problem("nothing is seen of the service in " + now.place, "the command must start it");
        }
        if (now.continues(replaced)) {
            throw KilnException.problem(
                    "the service in " + now.place + " is the one that ran before the command",
                    "the command must start it anew");
        }
        return now;
    }
}
