package dev.kiln.load;

import dev.kiln.evidence.LoadWriter;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Phase;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Kiln's side of a session in the driver's process. */
final class NettySession implements LoadSession {
    /** Beyond what was asked for: for a machine under load, and a disk that holds up the last bins. */
    private static final Duration GRACE = Duration.ofSeconds(90);

    private final DriverProcess process;
    private final Object closing = new Object();
    private boolean closed;

    NettySession(DriverProcess process) {
        this.process = process;
    }

    @Override
    public Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive) {
        DriverProcess.Watch watch = new DriverProcess.Watch(stillAlive, tick -> {});
        return Wire.probe(
                process.ask(new Wire.Line("probe").add(timeout.toNanos()), "probed", timeout.plus(GRACE), watch));
    }

    @Override
    public PhaseResult load(Phase.Load phase, Consumer<Tick> live) {
        checkName(phase.name());
        DriverProcess.Watch watch = new DriverProcess.Watch(() -> true, live);
        return Wire.result(
                process.ask(line("load", phase), "result", phase.duration().plus(GRACE), watch));
    }

    @Override
    public void pause(Phase.Pause phase) {
        process.ask(line("pause", phase), "paused", phase.duration().plus(GRACE));
    }

    private static Wire.Line line(String command, Phase phase) {
        return new Wire.Line(command).add(phase.name()).add(phase.duration().toNanos());
    }

    private static void checkName(String name) {
        if (!LoadWriter.isValidPhaseName(name)) {
            throw new KilnException(
                    Exit.USAGE, "not a phase's name: '" + name + "'", "leave out blanks, commas, quotes and '#'");
        }
    }

    /** The driver cancels whatever session it has open: one that comes late must not hit the next. */
    @Override
    public void finish() {
        process.send(new Wire.Line("finish"));
    }

    @Override
    public void cancel() {
        synchronized (closing) {
            if (!closed) {
                process.send(new Wire.Line("cancel"));
            }
        }
    }

    @Override
    public void close() {
        synchronized (closing) {
            if (closed) {
                return;
            }
            closed = true;
        }
        process.ask(new Wire.Line("close"), "closed", GRACE);
    }
}
