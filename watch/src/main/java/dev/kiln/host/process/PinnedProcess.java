package dev.kiln.host.process;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.process.ExitCode.WaitStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A PinnedProcess is a child that a {@link Launcher} started. */
public final class PinnedProcess implements TargetProcess {
    /** A child has this long to end after the process that it stands for. */
    private static final Duration FRONT_LIMIT = Duration.ofSeconds(20);

    private final Process process;
    private final WaitStatus status;

    /** The child stands for another process: its own wait status is not that one's. */
    private final boolean stands;

    private final ChildLaunch launch;
    private final OrphanRegistry registry;
    private final ProcessTree tree;

    /** A ChildLaunch says how and when, by both clocks, a child was launched, and has its mark. */
    record ChildLaunch(String what, List<String> command, String mark, long nanos, long epochMillis) {}

    PinnedProcess(Process process, ChildLaunch launch, OrphanRegistry registry, ProcessTree tree) {
        this(process, WaitStatus.of(process), false, launch, registry, tree);
    }

    private PinnedProcess(
            Process process,
            WaitStatus status,
            boolean stands,
            ChildLaunch launch,
            OrphanRegistry registry,
            ProcessTree tree) {
        this.process = process;
        this.status = status;
        this.stands = stands;
        this.launch = launch;
        this.registry = registry;
        this.tree = tree;
    }

    /** Returns the child as it stands for a process outside its tree, whose pid, usage and stop it then has. */
    public PinnedProcess standingFor(ProcStat other) {
        ProcessTree others = new ProcessTree(ProcFs.ofThisMachine(), other.pid(), other.startTicks(), launch.mark());
        return new PinnedProcess(process, status, true, launch, registry, others);
    }

    public long pid() {
        return tree.root();
    }

    @Override
    public List<String> command() {
        return launch.command();
    }

    @Override
    public long launchNanos() {
        return launch.nanos();
    }

    @Override
    public long launchEpochMillis() {
        return launch.epochMillis();
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public Optional<ExitCode> exit() {
        return stands ? status.exit().map(exit -> ExitCode.unsure(exit.code())) : status.exit();
    }

    /** Completes with the exit code when the process ends. */
    public CompletableFuture<Integer> onExit() {
        return process.onExit().thenApply(Process::exitValue);
    }

    @Override
    public void whenEnded(Runnable action) {
        var unused = process.onExit().thenRun(action);
    }

    /** Returns what the whole tree has used so far; zero once it has ended. */
    public ProcessTree.TreeUsage usage() {
        return tree.usage();
    }

    @Override
    public void stop(Duration grace) {
        tree.signal(Signal.TERM);
        end(grace);
    }

    /** Sends {@code signal} to the process alone, and kills what is left of its tree after {@code grace}. */
    public void stop(Signal signal, Duration grace) {
        tree.signalRoot(signal);
        end(grace);
    }

    private void end(Duration grace) {
        tree.awaitEnd(grace);
        tree.kill();
        try {
            if (!process.waitFor(FRONT_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        registry.childEnded(process.pid());
    }

    @Override
    public String toString() {
        return launch.what() + " (pid " + pid() + ")";
    }
}
