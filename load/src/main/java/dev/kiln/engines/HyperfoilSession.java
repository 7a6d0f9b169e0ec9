package dev.kiln.engines;

import dev.kiln.engines.HyperfoilController.Clock;
import dev.kiln.engines.HyperfoilController.Unanswered;
import dev.kiln.engines.HyperfoilFollower.RunEnd;
import dev.kiln.importer.ToolOutput;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.hyperfoil.HyperfoilJson;
import dev.kiln.importer.hyperfoil.HyperfoilLive;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;

/** A HyperfoilSession is the load of one run by a Hyperfoil controller. Its connections do not outlive a phase. */
final class HyperfoilSession extends ForeignSession {
    /** A run gets this much time beyond its phase's own length and a request's timeout. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    /** A controller that is under load itself may answer late. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** A Setup is what a driver's sessions share, with a unique name of benchmarks and a folder to fill. */
    record Setup(HyperfoilController controller, String version, Hyperfoil settings, String name, Path folder) {
        private HyperfoilBenchmark benchmark(LoadSpec spec, Phase.Load phase) {
            return settings.benchmark()
                    .map(file -> HyperfoilBenchmark.own(file, spec, phase, settings))
                    .orElseGet(() -> HyperfoilBenchmark.of(name, spec, phase, settings, version));
        }
    }

    private final Setup setup;
    private final HyperfoilController controller;
    private final Duration patience;
    private volatile boolean finished;

    HyperfoilSession(Setup setup, LoadSpec spec, Path runDirectory, long launchNanos) {
        this(setup, spec, runDirectory, launchNanos, PATIENCE);
    }

    /** @param patience with a controller that does not answer */
    HyperfoilSession(Setup setup, LoadSpec spec, Path runDirectory, long launchNanos, Duration patience) {
        super(one(spec), runDirectory, launchNanos, true);
        this.setup = setup;
        controller = setup.controller();
        this.patience = patience;
    }

    private static LoadSpec one(LoadSpec spec) {
        if (spec.calls().size() > 1) {
            throw HyperfoilBenchmark.cannot("to several services at once, or several calls");
        }
        return spec;
    }

    @Override
    public PhaseResult load(Phase.Load phase, Consumer<Tick> live) {
        finished = false;
        long startNanos = System.nanoTime();
        HyperfoilBenchmark benchmark = setup.benchmark(spec, phase);
        Clock clock;
        String run;
        try {
            clock = controller.clock();
            controller.upload(benchmark.yaml());
            if (cancelled()) {
                return new HyperfoilResult(phase, spec, controller, "").cancelled(startNanos - launchNanos);
            }
            run = controller.start(benchmark.name(), "Kiln, phase " + phase.name(), benchmark.parameters());
        } catch (Unanswered e) {
            throw controller.unreachable(e);
        }
        HyperfoilFollower follower = new HyperfoilFollower(controller, run, phase.name(), patience);
        boolean ended = false;
        try {
            RunEnd end = follower.follow(limitNanos(phase), () -> cancelled() || finished, live);
            ended = end != RunEnd.STUCK;
            HyperfoilFigures figures =
                    new HyperfoilFigures(controller, run, phase, clock.zeroEpochNanos() + launchNanos, busy());
            Optional<ToolOutput.ToolPhase> read = read(end, figures, follower);
            read.ifPresent(this::record);
            HyperfoilResult result = new HyperfoilResult(phase, spec, controller, run);
            result.check(
                    end,
                    follower,
                    read,
                    cancelled(),
                    finished,
                    setup.settings().benchmark().isPresent());
            return result.of(follower, read, startNanos - launchNanos, clock.uncertaintyNanos(), cancelled());
        } finally {
            if (!ended) {
                controller.kill(run);
            }
        }
    }

    /** Returns the time that a run gets: for the user's own benchmark the phase's length and no more. */
    private long limitNanos(Phase.Load phase) {
        return setup.settings().benchmark().isPresent()
                ? phase.duration().toNanos()
                : phase.duration().plus(spec.timeout()).plus(GRACE).toNanos();
    }

    private Optional<ToolOutput.ToolPhase> read(RunEnd end, HyperfoilFigures figures, HyperfoilFollower follower) {
        if (end != RunEnd.WRITTEN) {
            return figures.told(follower.live());
        }
        try {
            return figures.all(setup.folder().resolve("all.json"), patience);
        } catch (KilnException e) {
            figures.told(follower.live()).ifPresent(this::record);
            throw e;
        }
    }

    /** Returns how many connections are busy all the time; 0 where the loop is not closed, so that it is not known. */
    private int busy() {
        boolean closed = spec.rate().isEmpty() && setup.settings().benchmark().isEmpty();
        return closed ? spec.connections() : 0;
    }

    @Override
    public void finish() {
        finished = true;
    }

    /** A HyperfoilFigures fetches a run's records, by the launch on the controller's clock. */
    private record HyperfoilFigures(
            HyperfoilController controller, String run, Phase.Load phase, long zeroEpochNanos, int connections) {
        private static final long AGAIN_NANOS = 250_000_000;

        /** Returns what the controller reported during the run. */
        Optional<ToolOutput.ToolPhase> told(HyperfoilLive live) {
            return live.series().map(this::phase);
        }

        /**
         * Returns all figures of a run that has ended. Hyperfoil has no row for a second in which no request began, and none
         * begins while the service hangs: such seconds at the phase's end are added.
         *
         * @param file to fetch it into
         * @throws KilnException where it cannot be had, or not be read
         */
        Optional<ToolOutput.ToolPhase> all(Path file, Duration patience) {
            return fetched(file, patience).map(read -> {
                // The last answers come after the phase's time.
                long due =
                        read.bins().getFirst().startNanos() + phase.duration().toNanos();
                return read.filledUntil(Math.min(read.endNanos(), due));
            });
        }

        private Optional<ToolOutput.ToolPhase> fetched(Path file, Duration patience) {
            long until = System.nanoTime() + patience.toNanos();
            while (true) {
                Exception why;
                try {
                    controller.all(run, file);
                    return HyperfoilJson.maybe(file).map(this::phase);
                } catch (Unanswered e) {
                    if (e.lasting()) {
                        throw lost("does not return the figures of run ", e);
                    }
                    why = e;
                } catch (KilnException e) {
                    // Older versions do not say when their file is complete. Only an incomplete file is worth another
                    // try.
                    if (!(e.getCause() instanceof JacksonException)) {
                        throw lost("returned unreadable figures of run ", e);
                    }
                    why = e;
                }
                if (System.nanoTime() > until) {
                    throw lost("does not return the figures of run ", why);
                }
                LockSupport.parkNanos(AGAIN_NANOS);
            }
        }

        private ToolOutput.ToolPhase phase(LoadSource source) {
            return ToolOutput.of(List.of(source), phase.name(), zeroEpochNanos, connections);
        }

        private KilnException lost(String what, Exception why) {
            return KilnException.machine(
                    "load: the controller " + controller + " " + what + run + " (phase " + phase.name() + "): "
                            + why.getMessage(),
                    "see its log and the folder of the run there; Kiln keeps what it reported before",
                    why);
        }
    }
}
