package dev.kiln.load.driver;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.load.driver.BinWriter.PhaseLog;
import dev.kiln.load.driver.BinWriter.PhaseLog.CallLog;
import dev.kiln.load.driver.PhaseRecorder.LoopEnding;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.http.Calls;
import dev.kiln.load.driver.http.IoThread;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Variables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A LocalSession is a session within the driver's own process. */
final class LocalSession implements LoadSession {
    /** DISK is what may delay the evidence of a driver beside Kiln. */
    static final String DISK = "the disk";

    private static final String CHECK_DISK = "check the disk's space";
    private static final long ALIVE_MILLIS = 10;
    /** The load of the event loops is checked once in this time. */
    private static final long WATCH_MILLIS = 1000;
    /** A phase may end this much later than planned, because a disk may delay the last bins. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final IoThread io;
    private final BinWriter writer;
    private final List<Calls> targets;
    private final PhaseRecorder.Cut cut;
    private final Supplier<Cost> usage;
    private final String sink;
    private final long launchNanos;
    private final LoadFile loadFile;
    private final LatencyLog latencyFile;
    private final CallLog calls;
    private final Loops loops;
    private final Optional<Feed> feed;
    private final CountDownLatch cancelled = new CountDownLatch(1);

    /**
     * Opens the evidence files and resolves the target's address.
     *
     * @param launchNanos the target's launch by the clock of this process
     * @param launchMillis the wall clock at the same moment
     * @param feed for the variables of the load's calls
     * @param cpus for the event loops
     * @param usage the process's CPU time so far
     * @param sink what may delay the evidence, in words
     */
    LocalSession(
            IoThread io,
            BinQueue queue,
            BinWriter writer,
            LoadSpec spec,
            Optional<FeedTable> feed,
            Path directory,
            long launchNanos,
            long launchMillis,
            PhaseRecorder.Cut cut,
            LoopCpus cpus,
            Supplier<Cost> usage,
            String sink) {
        this.io = io;
        this.writer = writer;
        this.cut = cut;
        this.usage = usage;
        this.sink = sink;
        this.launchNanos = launchNanos;
        targets = Calls.ofEach(spec, feed);
        this.feed = spec.variables().flatMap(Variables::feed);
        loadFile = new LoadFile(directory);
        latencyFile = new LatencyLog(directory, launchMillis);
        calls = CallLog.of(targets.getFirst(), directory);
        // The last, because they have threads.
        loops = new Loops(io, queue, writer.bins(), spec, targets, cpus);
    }

    @Override
    public Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive) {
        Prober prober = new Prober(io, targets.getFirst(), timeout.toNanos());
        io.execute(() -> io.workFor(prober));
        CompletableFuture<Probe> result = prober.result();
        try {
            while (true) {
                if (!stillAlive.getAsBoolean()) {
                    cancel();
                }
                if (isCancelled()) {
                    io.execute(prober::stop);
                    return result.get();
                }
                try {
                    return result.get(ALIVE_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    // Look again.
                }
            }
        } catch (InterruptedException e) {
            io.execute(prober::stop);
            Thread.currentThread().interrupt();
            return result.join();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            io.execute(io::rest);
        }
    }

    @Override
    public PhaseResult load(Phase.Load phase, Consumer<Tick> live) {
        Cost before = usage.get();
        PhaseLog log = new PhaseLog(phase.name(), launchNanos, cut.binNanos(), loadFile, latencyFile, calls, live);
        writer.begin(log);
        loops.start(phase, cut);
        if (isCancelled()) {
            loops.stop();
        }
        PhaseLog.PhaseTotals totals = await(log, phase.duration());
        Cost cost = usage.get().minus(before);
        LoopEnding ending = loops.ending();
        if (ending.feedUsedUp()) {
            throw usedUp(phase, ending);
        }
        return result(phase.name(), ending, totals, cost);
    }

    private KilnException usedUp(Phase.Load phase, LoopEnding ending) {
        return KilnException.usage(
                String.format(
                        Locale.ROOT,
                        "all %d rows of %s were used %.1f s after phase %s began, and none is sent twice (order: unique)",
                        feed.map(Feed::rows).orElse(0L),
                        feed.map(Feed::name).orElse("the feed"),
                        (ending.endNanos() - ending.startNanos()) / 1e9,
                        phase.name()),
                "add rows, send less, or let the rows come again: order: sequential");
    }

    private PhaseLog.PhaseTotals await(PhaseLog log, Duration duration) {
        long end = System.nanoTime() + duration.plus(GRACE).toNanos();
        try {
            while (System.nanoTime() < end) {
                try {
                    return log.totals().get(WATCH_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    loops.watch();
                }
            }
            throw new IllegalStateException("the phase did not end");
        } catch (InterruptedException e) {
            cancel();
            Thread.currentThread().interrupt();
            return log.totals().join();
        } catch (ExecutionException e) {
            throw KilnException.machine(
                    "cannot write the evidence: "
                            + Objects.requireNonNull(e.getCause()).getMessage(),
                    CHECK_DISK,
                    e);
        }
    }

    private PhaseResult result(String phase, LoopEnding end, PhaseLog.PhaseTotals totals, Cost cost) {
        List<String> warnings = new ArrayList<>(end.warnings());
        loops.notPinned()
                .ifPresent(why -> warnings.add("the load driver's event loops are not pinned to a CPU each: " + why));
        if (totals.longBins() > 0) {
            warnings.add(totals.longBins() + " bins are longer than the others: " + sink
                    + " delayed the writing of evidence");
        }
        return new PhaseResult(
                phase,
                end.startNanos() - launchNanos,
                end.endNanos() - launchNanos,
                new PhaseResult.Requests(
                        totals.started(),
                        totals.completed(),
                        totals.errors(),
                        end.left().unfinished(),
                        end.left().unsent(),
                        end.left().resent(),
                        Optional.of(end.left().hung())),
                isCancelled(),
                new PhaseResult.DriverWork(end.handshakes(), cost, loops.shares(), end.maxLagNanos()),
                warnings);
    }

    @Override
    public void pause(Phase.Pause phase) {
        try {
            if (cancelled.await(phase.duration().toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            cancel();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void finish() {
        loops.stop();
    }

    @Override
    public void cancel() {
        cancelled.countDown();
        loops.stop();
    }

    /** Adds an event loop to the phase that goes on, as happens when a loop is busy; for tests. */
    void addLoop() {
        loops.add();
    }

    /** Returns how many connections each event loop has; for tests. */
    List<Integer> connections() {
        return loops.connections();
    }

    private boolean isCancelled() {
        return cancelled.getCount() == 0;
    }

    @Override
    public void close() {
        loops.close();
        try (loadFile;
                latencyFile;
                calls) {
            // Closing them writes what is left.
        }
    }
}
