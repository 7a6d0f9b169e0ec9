package dev.kiln.engines;

import dev.kiln.engines.Tool.Ended;
import dev.kiln.engines.Tool.Job;
import dev.kiln.engines.ToolShell.LastWords;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.importer.ToolOutput;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadBin;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Protocol.Phase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The load of one run by a program. Its connections do not outlive a phase. */
final class ToolSession extends ForeignSession {
    private static final long POLL_NANOS = 10_000_000;

    /** Polls from one look at its threads to the next. */
    private static final int THREADS_EVERY = 20;

    /** A program that waits for its last answers ends some seconds late. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final Tool tool;
    private final ToolShell shell;
    private final Path folder;
    private final Duration grace;

    ToolSession(Tool tool, ToolShell shell, Path folder, LoadSpec spec, Path runDirectory, long launchNanos) {
        this(tool, shell, folder, spec, runDirectory, launchNanos, GRACE);
    }

    /** @param grace that a program gets beyond a phase's time */
    ToolSession(
            Tool tool,
            ToolShell shell,
            Path folder,
            LoadSpec spec,
            Path runDirectory,
            long launchNanos,
            Duration grace) {
        super(one(tool, spec), runDirectory, launchNanos, tool.totals());
        this.grace = grace;
        this.tool = tool;
        this.shell = shell;
        this.folder = folder;
    }

    private static LoadSpec one(Tool tool, LoadSpec spec) {
        if (spec.calls().size() > 1) {
            throw tool.cannot("several calls, or to several services at once");
        }
        return spec;
    }

    @Override
    public PhaseResult load(Phase.Load phase, Consumer<Tick> live) {
        long launchEpochNanos = launchNanos + wallNanos() - System.nanoTime();
        Job job = new Job(spec, phase, folder);
        tool.prepare(job);
        Running running = shell.start(tool.engine().id(), tool.command(job));
        Cost cost = await(running, job);
        long endNanos = System.nanoTime();
        Ended ended = new Ended(running, ToolShell.exitCode(running), launchNanos, launchEpochNanos, cancelled());
        if (!tool.done(ended.exit()) && !ended.stopped()) {
            throw new KilnException(
                    Exit.MACHINE,
                    tool.engine().id() + " ended with exit code " + ended.exit() + ": "
                            + LastWords.last(running.output()),
                    tool.remedy(job));
        }
        Optional<ToolOutput.Phase> read = tool.read(job, ended);
        List<String> warnings = new ArrayList<>();
        read.ifPresent(some -> {
            record(some);
            warnings.addAll(some.gaps());
            warnings.addAll(tool.notes(job, ended, some));
        });
        return result(phase, read, running.startNanos(), endNanos, cost, warnings);
    }

    private PhaseResult result(
            Phase.Load phase,
            Optional<ToolOutput.Phase> read,
            long startNanos,
            long endNanos,
            Cost cost,
            List<String> warnings) {
        List<LoadBin> bins = read.map(ToolOutput.Phase::bins).orElse(List.of());
        if (bins.isEmpty() && !cancelled()) {
            warnings.add(tool.engine().id() + " reported no request");
        }
        return result(
                phase, bins, startNanos - launchNanos, endNanos - launchNanos, false, cancelled(), cost, warnings);
    }

    /** Returns the cost that was read last. */
    private Cost await(Running running, Job job) {
        long deadline = System.nanoTime() + job.phase().duration().plus(grace).toNanos();
        long cpu = 0;
        Cost seen = Cost.NONE;
        for (int poll = 0; !running.ended(); poll++) {
            cpu = Math.max(cpu, ToolShell.cpuNanos(running));
            if (tool.jvm() && poll % THREADS_EVERY == 0) {
                seen = larger(
                        seen,
                        ToolShell.program(running)
                                .map(program -> Cost.ofJvm(program.pid()))
                                .orElse(seen));
            }
            boolean late = System.nanoTime() > deadline;
            if (cancelled() || late) {
                // Again, where it was not there yet.
                ToolShell.stop(running);
            }
            if (late && !cancelled()) {
                throw new KilnException(
                        Exit.MACHINE,
                        tool.engine().id() + " did not end within " + grace.toSeconds()
                                + " s after the end of its time (phase "
                                + job.phase().name() + ")",
                        tool.remedy(job));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return larger(seen, new Cost(cpu, 0, 0));
    }

    /** They only grow, and are 0 when the process is gone. */
    private static Cost larger(Cost a, Cost b) {
        return new Cost(
                Math.max(a.cpuNanos(), b.cpuNanos()),
                Math.max(a.jitNanos(), b.jitNanos()),
                Math.max(a.gcNanos(), b.gcNanos()));
    }

    private static long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Override
    public void finish() {
        throw new IllegalStateException("a phase until steady needs ticks, which no program gives");
    }
}
