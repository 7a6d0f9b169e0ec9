package dev.kiln.engines;

import dev.kiln.engines.ToolShell.Running;
import dev.kiln.importer.ToolOutput;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.Probe;
import dev.kiln.load.Tick;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadBin;
import dev.kiln.model.LoadEngine;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The load of one run by an installed program. Its connections do not outlive a phase. */
final class ToolSession implements LoadSession {
    private static final long POLL_NANOS = 10_000_000;

    /** A program that waits for its last answers ends some seconds late. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final Tool tool;
    private final ToolShell shell;
    private final Path folder;
    private final LoadSpec spec;
    private final long launchNanos;
    private final ToolEvidence evidence;
    private volatile boolean cancelled;

    ToolSession(Tool tool, ToolShell shell, Path folder, LoadSpec spec, Path runDirectory, long launchNanos) {
        this.tool = tool;
        this.shell = shell;
        this.folder = folder;
        this.spec = spec;
        this.launchNanos = launchNanos;
        this.evidence = new ToolEvidence(runDirectory, launchNanos, tool.engine() == LoadEngine.WRK);
    }

    @Override
    public Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive) {
        return new FirstAnswer(spec.calls().getFirst()).await(timeout, () -> !cancelled && stillAlive.getAsBoolean());
    }

    @Override
    public PhaseResult load(Phase.Load phase, Consumer<Tick> live) {
        long wall = wallNanos() - System.nanoTime();
        Path log = folder.resolve("requests.log");
        delete(log);
        Running running = shell.start(tool.engine().id(), tool.command(spec, phase.duration(), log, body()));
        long cpu = await(running, phase.duration());
        long endNanos = System.nanoTime();
        boolean stopped = cancelled;
        int exit = ToolShell.exitCode(running);
        if (exit != 0 && !stopped) {
            throw new KilnException(
                    Exit.MACHINE,
                    tool.engine().id() + " ended with exit code " + exit + ": " + lastWords(running.output()),
                    "see whether the target still answers; the command was: "
                            + String.join(" ", tool.command(spec, phase.duration(), log, body())));
        }
        long zero = launchNanos + wall;
        Optional<ToolOutput.Phase> read = read(phase, running, log, zero, stopped);
        return result(phase, read, running.startNanos(), endNanos, cpu);
    }

    private Optional<ToolOutput.Phase> read(Phase.Load phase, Running running, Path log, long zero, boolean stopped) {
        return switch (tool.engine()) {
            case WRK ->
                stopped
                        ? Optional.empty()
                        : Optional.of(ToolOutput.wrk(
                                running.output(),
                                phase.name(),
                                running.startNanos() - launchNanos,
                                spec.connections()));
            case H2LOAD -> ToolOutput.h2load(log, phase.name(), zero, spec.connections());
            case KILN, HYPERFOIL ->
                throw new IllegalStateException(tool.engine().id() + " is no program");
        };
    }

    private PhaseResult result(
            Phase.Load phase, Optional<ToolOutput.Phase> read, long startNanos, long endNanos, long cpuNanos) {
        read.ifPresent(evidence::write);
        List<String> warnings = new ArrayList<>();
        read.ifPresent(some -> warnings.addAll(some.gaps()));
        List<LoadBin> bins = read.map(ToolOutput.Phase::bins).orElse(List.of());
        if (bins.isEmpty() && !cancelled) {
            warnings.add(tool.engine().id() + " told of no request");
        }
        LoadBin.Errors errors = bins.stream().map(LoadBin::errors).reduce(LoadBin.Errors.NONE, LoadBin.Errors::plus);
        return new PhaseResult(
                phase.name(),
                bins.isEmpty() ? startNanos - launchNanos : bins.getFirst().startNanos(),
                bins.isEmpty() ? endNanos - launchNanos : bins.getLast().endNanos(),
                bins.stream().mapToLong(LoadBin::started).sum(),
                bins.stream().mapToLong(LoadBin::completed).sum(),
                errors,
                0,
                0,
                0,
                cancelled,
                new PhaseResult.Cost(cpuNanos, 0, 0),
                0,
                warnings);
    }

    /** Returns the CPU time that was seen last, in ns. */
    private long await(Running running, Duration duration) {
        long deadline = System.nanoTime() + duration.plus(GRACE).toNanos();
        long cpu = 0;
        while (!running.ended()) {
            cpu = Math.max(cpu, ToolShell.cpuNanos(running));
            boolean late = System.nanoTime() > deadline;
            if (cancelled || late) {
                // Again, where it was not there yet.
                ToolShell.stop(running);
            }
            if (late && !cancelled) {
                throw new KilnException(
                        Exit.MACHINE,
                        tool.engine().id() + " did not end within " + GRACE.toSeconds() + " s of its time",
                        "look at the machine's load; see whether the target holds its connections");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return cpu;
    }

    private Optional<Path> body() {
        return spec.calls().getFirst().body().map(text -> {
            try {
                return Files.writeString(folder.resolve("body"), text);
            } catch (IOException e) {
                throw noRoom(e);
            }
        });
    }

    private KilnException noRoom(IOException e) {
        return new KilnException(
                Exit.MACHINE, "cannot write to " + folder + ": " + IoReason.of(e), "check the disk's space", e);
    }

    private void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    private static String lastWords(Path output) {
        try {
            List<String> lines = Files.readString(output)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
            return lines.isEmpty() ? "it said nothing" : lines.getLast().strip();
        } catch (IOException e) {
            return "it said nothing";
        }
    }

    private static long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Override
    public void pause(Phase.Pause phase) {
        long end = System.nanoTime() + phase.duration().toNanos();
        while (!cancelled && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    @Override
    public void finish() {
        throw new IllegalStateException("a phase until steady needs ticks, which no program gives");
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public void close() {
        evidence.close();
    }
}
