package dev.kiln.host;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A child that a {@link Launcher} started. */
public final class PinnedProcess implements TargetProcess {
    /** For a child that stands for another, which has ended. */
    private static final Duration FRONT_LIMIT = Duration.ofSeconds(20);

    private final Process process;
    private final String what;
    private final List<String> command;
    private final long launchNanos;
    private final long launchEpochMillis;
    private final OrphanRegistry registry;
    private final ProcessTree tree;
    private final long pid;

    PinnedProcess(
            Process process,
            String what,
            List<String> command,
            long launchNanos,
            long launchEpochMillis,
            OrphanRegistry registry,
            ProcessTree tree) {
        this(process, what, command, launchNanos, launchEpochMillis, registry, tree, process.pid());
    }

    private PinnedProcess(
            Process process,
            String what,
            List<String> command,
            long launchNanos,
            long launchEpochMillis,
            OrphanRegistry registry,
            ProcessTree tree,
            long pid) {
        this.process = process;
        this.what = what;
        this.command = command;
        this.launchNanos = launchNanos;
        this.launchEpochMillis = launchEpochMillis;
        this.registry = registry;
        this.tree = tree;
        this.pid = pid;
    }

    /**
     * The same child as it stands for a process that is none of its tree, and ends with that one's exit code: the pid, what is
     * used and what is stopped are that one's.
     *
     * @param other as it was when it was recognised
     */
    PinnedProcess standingFor(ProcStat other) {
        ProcessTree others = new ProcessTree(ProcFs.ofThisMachine(), other.pid(), other.startTicks(), registry.owner());
        return new PinnedProcess(process, what, command, launchNanos, launchEpochMillis, registry, others, other.pid());
    }

    public long pid() {
        return pid;
    }

    @Override
    public List<String> command() {
        return command;
    }

    @Override
    public long launchNanos() {
        return launchNanos;
    }

    @Override
    public long launchEpochMillis() {
        return launchEpochMillis;
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public OptionalInt exitCode() {
        return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    /** Completes with the exit code when the process ends. */
    public CompletableFuture<Integer> onExit() {
        return process.onExit().thenApply(Process::exitValue);
    }

    @Override
    public void whenEnded(Runnable action) {
        var unused = process.onExit().thenRun(action);
    }

    /** What the whole tree has used so far; nothing once it has ended. */
    public ProcessTree.Usage usage() {
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
        return what + " (pid " + pid() + ")";
    }
}
