package dev.kiln.engines;

import dev.kiln.engines.HyperfoilController.Clock;
import dev.kiln.engines.HyperfoilController.Unanswered;
import dev.kiln.engines.HyperfoilFollower.End;
import dev.kiln.importer.ToolOutput;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.Probe;
import dev.kiln.load.Tick;
import dev.kiln.model.KilnException;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Phase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The load of one run by a Hyperfoil controller. Its connections do not outlive a phase. */
final class HyperfoilSession implements LoadSession {
    /** Beyond a phase's own time and a request's timeout. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    /** A controller that is under load itself may answer late. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final HyperfoilDriver driver;
    private final HyperfoilController controller;
    private final LoadSpec spec;
    private final long launchNanos;
    private final Duration patience;
    private final ToolEvidence evidence;
    private volatile boolean cancelled;
    private volatile boolean finished;

    HyperfoilSession(HyperfoilDriver driver, LoadSpec spec, Path runDirectory, long launchNanos) {
        this(driver, spec, runDirectory, launchNanos, PATIENCE);
    }

    /** @param patience with a controller that does not answer */
    HyperfoilSession(HyperfoilDriver driver, LoadSpec spec, Path runDirectory, long launchNanos, Duration patience) {
        if (spec.calls().size() > 1) {
            throw HyperfoilRules.cannot("to several services at once, or several calls");
        }
        this.driver = driver;
        this.controller = driver.controller();
        this.spec = spec;
        this.launchNanos = launchNanos;
        this.patience = patience;
        this.evidence = new ToolEvidence(runDirectory, launchNanos, true);
    }

    @Override
    public Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive) {
        return new FirstAnswer(spec.calls().getFirst()).await(timeout, () -> !cancelled && stillAlive.getAsBoolean());
    }

    @Override
    public PhaseResult load(Phase.Load phase, Consumer<Tick> live) {
        finished = false;
        long startNanos = System.nanoTime();
        HyperfoilBenchmark benchmark = driver.benchmark(spec, phase);
        Clock clock;
        String run;
        try {
            clock = driver.clock();
            controller.upload(benchmark.yaml());
            if (cancelled) {
                return new HyperfoilResult(phase, spec, controller, "").cancelled(startNanos - launchNanos);
            }
            run = controller.start(benchmark.name(), "Kiln, phase " + phase.name(), benchmark.parameters());
        } catch (Unanswered e) {
            throw driver.unreachable(e);
        }
        HyperfoilFollower follower = new HyperfoilFollower(controller, run, phase.name(), patience);
        boolean ended = false;
        try {
            End end = follower.follow(limitNanos(phase), () -> cancelled || finished, live);
            ended = end != End.STUCK;
            HyperfoilFigures figures =
                    new HyperfoilFigures(controller, run, phase, clock.zeroEpochNanos() + launchNanos, busy());
            Optional<ToolOutput.Phase> read = read(end, figures, follower);
            read.ifPresent(evidence::write);
            HyperfoilResult result = new HyperfoilResult(phase, spec, controller, run);
            result.check(
                    end,
                    follower,
                    read,
                    cancelled,
                    finished,
                    driver.settings().benchmark().isPresent());
            return result.of(follower, read, startNanos - launchNanos, clock.uncertaintyNanos(), cancelled);
        } finally {
            if (!ended) {
                controller.kill(run);
            }
        }
    }

    /** A benchmark of the user's own gets the phase's time and no more. */
    private long limitNanos(Phase.Load phase) {
        return driver.settings().benchmark().isPresent()
                ? phase.duration().toNanos()
                : phase.duration().plus(spec.timeout()).plus(GRACE).toNanos();
    }

    private Optional<ToolOutput.Phase> read(End end, HyperfoilFigures figures, HyperfoilFollower follower) {
        if (end != End.WRITTEN) {
            return figures.told(follower.live());
        }
        try {
            return figures.all(driver.folder().resolve("all.json"), patience);
        } catch (KilnException e) {
            figures.told(follower.live()).ifPresent(evidence::write);
            throw e;
        }
    }

    /** Of other loops than the closed one it is not known how many are busy. */
    private int busy() {
        boolean closed = spec.rate().isEmpty() && driver.settings().benchmark().isEmpty();
        return closed ? spec.connections() : 0;
    }

    @Override
    public void pause(Phase.Pause phase) {
        Silence.keep(phase, () -> cancelled);
    }

    @Override
    public void finish() {
        finished = true;
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
