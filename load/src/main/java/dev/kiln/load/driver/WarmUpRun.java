package dev.kiln.load.driver;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ThreadTable;
import dev.kiln.load.LoadDriver.WarmUp;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.load.driver.WarmUpLoads.Round;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.http.IoThread;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A WarmUpRun runs all of the driver's code, its failures included, until the JIT compilers have nothing left to do. A branch
 * that is never taken here is compiled away as impossible, and the first target to take it would pay for the mistake.
 */
final class WarmUpRun {
    /** Compilers count as quiet below this share of the driver's CPU time... */
    private static final double QUIET_SHARE = 0.01;
    /** ...over this many passes in a row. */
    private static final int QUIET_PASSES = 2;

    private static final long REST_MILLIS = 10;
    /** Compilers that use less CPU time than this during a rest have nothing to do. */
    private static final long IDLE_NANOS = 1_000_000;

    /** The bins are of 5 ms, so that in a second the writer does the work of twenty. */
    private static final PhaseRecorder.Cut SHORT = new PhaseRecorder.Cut(5_000_000, 10);

    /** A Driven is a load that is sent again and again. */
    private record Driven(LocalSession session, Phase.Load phase) {}

    private final IoThread io;
    private final BinQueue queue;
    private final BinWriter writer;
    /** The sum keeps ticks from being compiled away. */
    private final AtomicLong ticked = new AtomicLong();

    private final boolean several;
    private volatile boolean stopped;

    /** @param cpus where there are several, two event loops are driven too */
    WarmUpRun(IoThread io, BinQueue queue, BinWriter writer, LoopCpus cpus) {
        several = cpus.most(2) > 1;
        this.io = io;
        this.queue = queue;
        this.writer = writer;
    }

    /** Makes the round under way the last one. Any thread may call it. */
    void stop() {
        stopped = true;
    }

    /** @param traits of the loads to come: code for others is left alone */
    WarmUp run(Duration limit, Set<Trait> traits) {
        try {
            Path scratch = Files.createTempDirectory("kiln-warm-up");
            try (WarmUpServer server = new WarmUpServer(traits.contains(Trait.TLS))) {
                return run(new WarmUpLoads(server.port(), closedPort(), traits, several), scratch, limit);
            } finally {
                delete(scratch);
            }
        } catch (IOException e) {
            throw KilnException.machine(
                    "the load driver cannot warm up: " + e, "check the temporary directory and its space", e);
        }
    }

    private static void delete(Path scratch) throws IOException {
        Files.deleteIfExists(scratch.resolve("load.csv"));
        Files.deleteIfExists(scratch.resolve("latency.hlog"));
        Files.deleteIfExists(scratch.resolve("calls.csv"));
        Files.delete(scratch);
    }

    private WarmUp run(WarmUpLoads loads, Path scratch, Duration limit) {
        long began = System.nanoTime();
        long end = began + limit.toNanos();
        List<Driven> rounds = open(scratch, loads.rounds());
        double share = 1;
        int quiet = 0;
        try (Compilers compilers = new Compilers()) {
            Cost before = Cost.ofThisJvm();
            while (quiet < QUIET_PASSES && goesOn(end)) {
                for (Driven round : rounds) {
                    drive(round);
                    while (compilers.work() && goesOn(end)) {}
                }
                Cost after = Cost.ofThisJvm();
                share = after.minus(before).jitShare();
                quiet = share < QUIET_SHARE ? quiet + 1 : 0;
                before = after;
            }
        }
        rounds.forEach(round -> round.session().close());
        System.gc();
        return new WarmUp(Duration.ofNanos(System.nanoTime() - began), share, quiet >= QUIET_PASSES);
    }

    private boolean goesOn(long end) {
        return !stopped && System.nanoTime() < end;
    }

    /**
     * Compilers are the JIT compilers' threads. The load rests while they work: it would take the CPU that they need, and call
     * small methods so often that those are compiled one by one, before the loops that take them in.
     */
    private static final class Compilers implements Closeable {
        private final ThreadTable threads =
                new ThreadTable(ProcFs.ofThisMachine(), ProcessHandle.current().pid(), 0, Cost::compiles);

        Compilers() {
            threads.refresh();
        }

        /** Rests for some ms, and tells whether the compilers worked meanwhile. */
        boolean work() {
            long before = cpuNanos();
            LockSupport.parkNanos(REST_MILLIS * 1_000_000);
            return cpuNanos() - before > IDLE_NANOS;
        }

        private long cpuNanos() {
            long sum = 0;
            for (int tid : threads.tids()) {
                sum += threads.read(tid).map(thread -> thread.cpuNanos()).orElse(0L);
            }
            return sum;
        }

        @Override
        public void close() {
            threads.close();
        }
    }

    /** Finds a port on which nobody listens. */
    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Opens a session for each round. They stay open over all passes, because opening them is not what is to be compiled. */
    private List<Driven> open(Path scratch, List<Round> rounds) {
        // Reading the real cost in each short phase would have the file system's code compiled.
        return rounds.stream()
                .map(round -> new Driven(
                        new LocalSession(
                                io,
                                queue,
                                writer,
                                round.spec(),
                                Optional.of(WarmUpLoads.FEED),
                                scratch,
                                System.nanoTime(),
                                System.currentTimeMillis(),
                                SHORT,
                                LoopCpus.always(round.loops()),
                                () -> Cost.NONE,
                                LocalSession.DISK),
                        new Phase.Load("warm-up", Duration.ofMillis(round.millis()))))
                .toList();
    }

    private void drive(Driven driven) {
        LocalSession session = driven.session();
        Probe probe = session.awaitFirstResponse(Duration.ofMillis(20), () -> true);
        ticked.addAndGet(DriverLines.line(probe).toString().length());
        PhaseResult result = session.load(
                driven.phase(),
                tick -> ticked.addAndGet(DriverLines.line(tick).toString().length()));
        ticked.addAndGet(DriverLines.line(result).toString().length());
        session.pause(new Phase.Pause("rest", Duration.ofMillis(2)));
    }
}
