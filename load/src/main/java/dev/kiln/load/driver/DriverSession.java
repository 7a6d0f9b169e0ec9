package dev.kiln.load.driver;

import dev.kiln.evidence.LoadFile;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A DriverSession is Kiln's side of a session in the driver's process. */
final class DriverSession implements LoadSession {
    /**
     * An answer may come this much later than planned, because the machine may be under load and a disk may delay the last
     * bins.
     */
    private static final Duration GRACE = Duration.ofSeconds(90);

    private final DriverProcess process;
    private final Object closing = new Object();
    private boolean closed;

    DriverSession(DriverProcess process) {
        this.process = process;
    }

    @Override
    public Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive) {
        DriverProcess.DriverWatch watch = new DriverProcess.DriverWatch(stillAlive, tick -> {});
        return DriverLines.probe(process.ask(
                new DriverLines.MessageWriter("probe").add(timeout.toNanos()), "probed", timeout.plus(GRACE), watch));
    }

    @Override
    public PhaseResult load(Phase.Load phase, Consumer<Tick> live) {
        checkName(phase.name());
        DriverProcess.DriverWatch watch = new DriverProcess.DriverWatch(() -> true, live);
        return DriverLines.result(
                process.ask(DriverLines.line(phase), "result", phase.duration().plus(GRACE), watch));
    }

    @Override
    public void pause(Phase.Pause phase) {
        DriverLines.MessageWriter pause = new DriverLines.MessageWriter("pause")
                .add(phase.name())
                .add(phase.duration().toNanos());
        process.ask(pause, "paused", phase.duration().plus(GRACE));
    }

    private static void checkName(String name) {
        if (!LoadFile.isValidPhaseName(name)) {
            throw KilnException.usage("not a phase's name: '" + name + "'", "leave out blanks, commas, quotes and '#'");
        }
    }

    @Override
    public void finish() {
        tell("finish");
    }

    @Override
    public void cancel() {
        tell("cancel");
    }

    /** The driver takes such a word for whatever session it has open: one that comes late must not hit the next. */
    private void tell(String word) {
        synchronized (closing) {
            if (!closed) {
                process.send(new DriverLines.MessageWriter(word));
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
        process.ask(new DriverLines.MessageWriter("close"), "closed", GRACE);
    }
}
