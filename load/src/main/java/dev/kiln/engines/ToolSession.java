package dev.kiln.engines;

import dev.kiln.engines.Tool.Ended;
import dev.kiln.engines.Tool.Job;
import dev.kiln.engines.Tool.LiveSeconds;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.host.process.ExitCode;
import dev.kiln.importer.ToolOutput;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A ToolSession is the load of one run by a program. Its connections do not outlive a phase. */
final class ToolSession extends ForeignSession {
    private static final long POLL_NANOS = 10_000_000;

    /** The CPU time of a JVM's threads is read once in this many polls. */
    private static final int THREADS_EVERY = 20;

    /** A program that waits for its last answers ends some seconds late. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final Tool tool;
    private final ToolShell shell;
    private final Path folder;
    private final Duration grace;
    private volatile boolean finished;

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
        prepare(job);
        finished = false;
        Running running = shell.start(tool.engine().id(), tool.command(job));
        Cost cost;
        boolean stopped;
        try (LiveSeconds told = tool.live(job, running)) {
            cost = await(running, job, told, tick -> {
                live.accept(tick);
                if (tool.endless() && tick.second() > phase.duration().toSeconds()) {
                    finish();
                }
            });
            // What is told of its last second comes too late to stop it.
            stopped = cancelled() || finished;
            tool.settle(job);
            told.tell(true, live);
        }
        long endNanos = System.nanoTime();
        Ended ended = new Ended(running, ToolShell.exitCode(running), launchNanos, launchEpochNanos, stopped);
        if (!tool.done(ended.exit()) && !ended.stopped()) {
            keep(ended, job);
            throw failed(ended, job);
        }
        Optional<ToolOutput.ToolPhase> read = tool.read(job, ended);
        List<String> warnings = new ArrayList<>();
        read.ifPresent(some -> {
            record(some);
            // Where Kiln stopped it, that its log breaks off is no news.
            warnings.addAll(ended.stopped() ? List.of() : some.gaps());
            warnings.addAll(tool.notes(job, ended, some));
        });
        return result(phase, read, running.startNanos(), endNanos, cost, warnings);
    }

    private void prepare(Job job) {
        try {
            tool.prepare(job);
        } catch (IOException e) {
            throw job.noRoom(e);
        }
    }

    /** Records what a program reported before it failed. */
    private void keep(Ended ended, Job job) {
        try {
            tool.read(job, ended).ifPresent(this::record);
        } catch (KilnException e) {
            // That the program failed says more than that its output is damaged.
        }
    }

    /** Returns the error for a failed program. That of a killed one quotes no output, which would not say why it ended. */
    private KilnException failed(Ended ended, Job job) {
        ExitCode exit = ExitCode.unsure(ended.exit());
        String how = tool.engine().id() + " " + exit.text();
        return exit.signal().isPresent()
                ? KilnException.machine(
                        how + " in phase " + job.phase().name(), "if the machine killed it, free memory")
                : KilnException.machine(how + ": " + tool.why(ended.running().output()), tool.remedy(job));
    }

    private PhaseResult result(
            Phase.Load phase,
            Optional<ToolOutput.ToolPhase> read,
            long startNanos,
            long endNanos,
            Cost cost,
            List<String> warnings) {
        List<LoadBin> bins = read.map(ToolOutput.ToolPhase::bins).orElse(List.of());
        if (bins.isEmpty() && !cancelled()) {
            warnings.add(tool.engine().id() + " reported no request");
        }
        return result(
                phase, bins, startNanos - launchNanos, endNanos - launchNanos, false, cancelled(), cost, warnings);
    }

    /** Waits until the program has ended, reports its seconds meanwhile, and returns the cost that was read last. */
    private Cost await(Running running, Job job, LiveSeconds told, Consumer<Tick> live) {
        long deadline = System.nanoTime() + job.phase().duration().plus(grace).toNanos();
        long cpu = 0;
        boolean ending = false;
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
            if (!ending) {
                told.tell(false, live);
            }
            if ((finished || cancelled()) && !ending) {
                ending = true;
                deadline = Math.min(deadline, System.nanoTime() + grace.toNanos());
                ToolShell.stop(running, tool.ending());
            }
            if (System.nanoTime() > deadline) {
                ToolShell.stop(running);
                if (!cancelled()) {
                    throw late(job, ending);
                }
                deadline = Long.MAX_VALUE;
            } else if (cancelled()) {
                // Again, where it was not there yet.
                ToolShell.stop(running, tool.ending());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return larger(seen, new Cost(cpu, 0, 0));
    }

    private KilnException late(Job job, boolean early) {
        return KilnException.machine(
                tool.engine().id() + " did not end within " + grace.toSeconds() + " s after the end of its time"
                        + (early ? ", which came early," : "") + " (phase "
                        + job.phase().name() + ")",
                tool.remedy(job));
    }

    /** Returns the larger of each figure: costs only grow, and read as 0 when the process has ended. */
    private static Cost larger(Cost a, Cost b) {
        return new Cost(
                Math.max(a.cpuNanos(), b.cpuNanos()),
                Math.max(a.jitNanos(), b.jitNanos()),
                Math.max(a.gcNanos(), b.gcNanos()));
    }

    @Override
    FirstAnswer.Question question() {
        return tool.question(spec.calls().getFirst());
    }

    private static long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Override
    public void finish() {
        finished = true;
    }
}
