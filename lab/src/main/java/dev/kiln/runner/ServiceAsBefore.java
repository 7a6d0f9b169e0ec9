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
import dev.kiln.runner.HookRunner.OwedHook;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A ServiceAsBefore is a service that others start anew, which changed variants of it may replace for a while: at the end its own
 * command starts it again as it was. That is owed from the first change on: whatever happens it is run, by the next Kiln if this
 * one is killed. A service that its {@code stop} ends after each run is as it was already. So is one that is still the same process,
 * and one that ran neither before nor at the end.
 */
public final class ServiceAsBefore implements AutoCloseable {
    /** A command may go on for so long when the service is there: it waits until that is ready. */
    private static final Duration AFTER_START = Duration.ofSeconds(20);

    /** The new process is looked for so often. */
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Target target;
    private final Path folder;
    private final RunControl control;
    private final HookRunner hooks;
    private final Duration afterStart;
    private final AttachSearch search = new AttachSearch(ProcFs.ofThisMachine());
    private Optional<OwedHook> owed = Optional.empty();
    private Look before = new Look(Optional.empty(), true);
    private boolean kept;

    /**
     * @param target as it ran before
     * @param folder for what its command prints
     */
    public ServiceAsBefore(Lab lab, Target target, Path folder, RunControl control) {
        this(new HookRunner(lab.registry(), lab.allCpus(), folder, control), target, folder, control, AFTER_START);
    }

    /** @param afterStart how long its command may go on when it is there */
    ServiceAsBefore(HookRunner hooks, Target target, Path folder, RunControl control, Duration afterStart) {
        this.hooks = hooks;
        this.target = target;
        this.folder = folder;
        this.control = control;
        this.afterStart = afterStart;
    }

    /** A Look is what the search for the service found: where Kiln may not see its process, it may run all the same. */
    private record Look(Optional<ProcStat> process, boolean absent) {}

    /** Says that the service may change from now on. */
    public void changes() {
        if (owed.isEmpty() && !kept && target.hook(HookMoment.STOP).isEmpty()) {
            before = look();
            owed = hooks.owe(command(), folder);
        }
    }

    /** Returns the command that starts the service as it was; empty where Kiln starts it. */
    public Optional<UserCommand> command() {
        return HookRunner.command(target, HookMoment.RESTART, HookRunner.values(target, folder));
    }

    /** Says that the service is to stay as it is now. */
    public void keep() {
        kept = true;
        owed.ifPresent(hooks::forget);
        owed = Optional.empty();
    }

    /** Returns the process of the service; empty where there is none, and where Kiln may not see which one it is. */
    public Optional<ProcStat> process() {
        return look().process();
    }

    private Look look() {
        if (!(target.where() instanceof Where.Running running)) {
            return new Look(Optional.empty(), true);
        }
        try {
            return new Look(Optional.of(search.find(running.point())), false);
        } catch (AttachSearch.NothingThere absent) {
            return new Look(Optional.empty(), true);
        } catch (KilnException unseen) {
            return new Look(Optional.empty(), false);
        }
    }

    /** Tells whether a command failed that was to start the service as it was; that is known after {@link #close}. */
    public boolean failed() {
        return hooks.failed();
    }

    @Override
    public void close() {
        owed.ifPresent(command -> {
            Look now = look();
            if ((before.absent() && now.absent()) || isUntouched(now)) {
                hooks.forget(command);
            } else {
                restore(command);
            }
        });
        owed = Optional.empty();
    }

    /** Tells whether the process is still the one that ran before. */
    private boolean isUntouched(Look now) {
        return before.process()
                .flatMap(old ->
                        now.process().filter(same -> same.pid() == old.pid() && same.startTicks() == old.startTicks()))
                .isPresent();
    }

    /** Has it started anew. An interruption does not cut that. */
    private void restore(OwedHook owing) {
        UserCommand command = owing.command();
        control.listener().stage("running " + command.what());
        try {
            await(hooks.begin(command, folder));
        } catch (RunFailure e) {
            hooks.told(e);
        } catch (KilnException e) {
            hooks.told(new RunFailure(Outcome.LAB_FAILED, String.valueOf(e.getMessage()), e.remedy()));
        }
        if (!Thread.currentThread().isInterrupted()) {
            hooks.forget(owing);
        }
    }

    /** Waits for the service that a command brings, and ends the command unless it is well. One that serves itself goes on. */
    private void await(BegunHook begun) {
        boolean well = false;
        try {
            Where.Running running = (Where.Running) target.where();
            new Restart(
                            hooks,
                            new Cancellation(),
                            begun,
                            Optional.empty(),
                            target.readiness().timeout())
                    .await(LOOK, () -> Attachment.toNew(running.point(), begun.beganNanos()));
            begun.await(afterStart);
            begun.failure(Outcome.LAB_FAILED).ifPresent(failure -> {
                throw failure;
            });
            Look now = look();
            if (now.absent()) {
                throw new RunFailure(
                        Outcome.LAB_FAILED,
                        "the service ran before and does not now",
                        "start it with " + begun.command().text() + " in "
                                + begun.command().folder());
            }
            well = true;
            control.listener()
                    .note(begun.command().text() + " started the service again as it was, without what was tried"
                            + now.process()
                                    .map(found -> ": process " + found.pid())
                                    .orElse(""));
        } finally {
            if (well && begun.isAlive()) {
                begun.leave();
            } else {
                begun.close();
            }
        }
    }
}
