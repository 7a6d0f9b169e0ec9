package dev.kiln.load.driver;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ThreadTable;
import dev.kiln.load.LoadDriver.WarmUp;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.load.driver.NettyDriver.Trait;
import dev.kiln.model.FeedTable;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.LoadSpec.Feed;
import dev.kiln.model.LoadSpec.Http2;
import dev.kiln.model.LoadSpec.HttpCall;
import dev.kiln.model.LoadSpec.Step;
import dev.kiln.model.LoadSpec.Tls;
import dev.kiln.model.LoadSpec.Variables;
import dev.kiln.model.Protocol.Phase;
import dev.kiln.model.VariedText;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Drives all of the driver's code, its failures included, until the JIT compilers have nothing left to do. A branch that is never
 * taken here is compiled away as impossible, and the first target to take it would pay for the mistake.
 */
final class WarmUpRun {
    /** Compilers count as quiet below this share of the driver's CPU time... */
    private static final double QUIET_SHARE = 0.01;
    /** ...over this many passes in a row. */
    private static final int QUIET_PASSES = 2;

    private static final long REST_MILLIS = 10;
    /** A compiler that uses less of a rest has nothing to do. */
    private static final long IDLE_NANOS = 1_000_000;

    private static final Duration TIMEOUT = Duration.ofMillis(60);
    /** Bins of 5 ms: in a second the writer does the work of twenty. */
    private static final PhaseRecorder.Cut SHORT = new PhaseRecorder.Cut(5_000_000, 10);

    private static final FeedTable FEED = new FeedTable.Builder(List.of("name"))
            .add(List.of("apple"))
            .add(List.of("crab apple"))
            .add(List.of("Äpfel"))
            .build();

    /** A load that is driven again and again. */
    private record Round(LocalSession session, int millis) {}

    private final IoThread io;
    private final BinQueue queue;
    private final BinWriter writer;
    /** Keeps ticks from being compiled away. */
    private final AtomicLong ticked = new AtomicLong();

    private Set<Trait> traits = Set.of();
    private int port;
    private volatile boolean stopped;

    WarmUpRun(IoThread io, BinQueue queue, BinWriter writer) {
        this.io = io;
        this.queue = queue;
        this.writer = writer;
    }

    /** From any thread: the round under way is the last. */
    void stop() {
        stopped = true;
    }

    /** @param traits of the loads to come: code for others is left alone */
    WarmUp run(Duration limit, Set<Trait> traits) {
        this.traits = traits;
        try {
            Path scratch = Files.createTempDirectory("kiln-warm-up");
            try (WarmUpServer server = new WarmUpServer(traits.contains(Trait.TLS))) {
                port = server.port();
                return run(scratch, limit);
            } finally {
                delete(scratch);
            }
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "the load driver cannot warm up: " + e,
                    "check the temporary directory and its space",
                    e);
        }
    }

    private static void delete(Path scratch) throws IOException {
        Files.deleteIfExists(scratch.resolve("load.csv"));
        Files.deleteIfExists(scratch.resolve("latency.hlog"));
        Files.deleteIfExists(scratch.resolve("calls.csv"));
        Files.delete(scratch);
    }

    private WarmUp run(Path scratch, Duration limit) throws IOException {
        long began = System.nanoTime();
        long end = began + limit.toNanos();
        List<Round> rounds = rounds(scratch);
        double share = 1;
        int quiet = 0;
        try (Compilers compilers = new Compilers()) {
            Cost before = Cost.ofThisJvm();
            while (quiet < QUIET_PASSES && goesOn(end)) {
                for (Round round : rounds) {
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
     * The JIT compilers' threads. The load rests while they work: it would take the CPU that they need, and call small methods so
     * often that those are compiled one by one, before the loops that take them in.
     */
    private static final class Compilers implements Closeable {
        private final ThreadTable threads =
                new ThreadTable(ProcFs.ofThisMachine(), ProcessHandle.current().pid(), 0, Cost::compiles);

        Compilers() {
            threads.refresh();
        }

        /** Rests a while. Whether they worked meanwhile. */
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

    /** A port on which nobody listens. */
    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Sessions stay open over all rounds: opening them is not what is to be compiled. */
    private List<Round> rounds(Path scratch) throws IOException {
        OptionalDouble closed = OptionalDouble.empty();
        List<Round> rounds = new ArrayList<>();
        if (traits.contains(Trait.HTTP2)) {
            rounds.add(new Round(open(scratch, plain(port, "small", 10, closed)), 150));
            rounds.add(new Round(open(scratch, plain(port, "small", 2, OptionalDouble.of(3000))), 50));
        } else {
            rounds.add(new Round(open(scratch, mixed(closed)), 30));
            rounds.add(new Round(open(scratch, mixed(OptionalDouble.of(3000))), 20));
            rounds.add(new Round(open(scratch, plain(port, "small", 50, closed)), 120));
            rounds.add(new Round(open(scratch, plain(port, "tomcat", 100, closed)), 120));
            rounds.add(new Round(open(scratch, plain(port, "big", 50, closed)), 50));
            rounds.add(new Round(open(scratch, plain(port, "netty", 5, OptionalDouble.of(2000))), 40));
        }
        if (traits.contains(Trait.VARIED)) {
            rounds.add(new Round(open(scratch, varied()), 80));
        }
        if (traits.contains(Trait.SESSION)) {
            rounds.add(new Round(open(scratch, session()), 80));
        }
        int nobody = closedPort();
        rounds.add(new Round(open(scratch, plain(nobody, "small", 20, closed)), 10));
        rounds.add(new Round(open(scratch, plain(nobody, "small", 20, OptionalDouble.of(1000))), 10));
        return rounds;
    }

    private LocalSession open(Path scratch, LoadSpec spec) {
        // Reading the real cost in each short phase would have the file system's code compiled.
        LoadSpec meant = spec;
        if (traits.contains(Trait.TLS)) {
            meant = meant.with(new Tls(Optional.empty(), true));
        }
        if (traits.contains(Trait.HTTP2)) {
            meant = meant.with(new Http2(10));
        }
        return new LocalSession(
                io, queue, writer, meant, Optional.of(FEED), scratch, System.nanoTime(), SHORT, () -> Cost.NONE);
    }

    private void drive(Round round) {
        LocalSession session = round.session();
        Probe probe = session.awaitFirstResponse(Duration.ofMillis(20), () -> true);
        ticked.addAndGet(DriverLines.line(probe).toString().length());
        PhaseResult result = session.load(
                new Phase.Load("warm-up", Duration.ofMillis(round.millis())),
                tick -> ticked.addAndGet(DriverLines.line(tick).toString().length()));
        ticked.addAndGet(DriverLines.line(result).toString().length());
        session.pause(new Phase.Pause("rest", Duration.ofMillis(2)));
    }

    private LoadSpec plain(int to, String path, int connections, OptionalDouble rate) {
        return new LoadSpec(List.of(call(to, "GET", path, 1)), connections, rate, TIMEOUT);
    }

    /** Requests that are assembled one by one. */
    private LoadSpec varied() {
        HttpCall get = new HttpCall(
                "GET",
                URI.create(target(port) + VariedText.inUrl("/small?q=${name}&n=${random:1-1000000}")),
                Map.of("Accept", "*/*", "X-Request-Id", "${uuid}"),
                Optional.empty(),
                1,
                Optional.empty());
        HttpCall post = new HttpCall(
                "POST",
                get.url(),
                get.headers(),
                Optional.of("{\"id\":${sequence},\"name\":\"${name}\"}"),
                1,
                Optional.of("kiln!"));
        Feed feed = new Feed("warm-up", FEED.rows(), Feed.Order.SHUFFLED, "");
        return new LoadSpec(List.of(get, post), 50, OptionalDouble.empty(), TIMEOUT)
                .with(new Variables(1, Optional.of(feed)));
    }

    /** A user who keeps a cookie, takes a value of each kind, and thinks. */
    private LoadSpec session() {
        HttpCall begin = call(port, "GET", "tomcat", 1)
                .with(new Step(true, Duration.ZERO, Map.of("word", "regex:(k[a-z]+)", "kind", "header:Content-Type")));
        HttpCall json = call(port, "GET", "json", 1)
                .with(new Step(true, Duration.ofMillis(1), Map.of("id", "json:/user/ids/0")));
        HttpCall end = new HttpCall(
                        "POST",
                        URI.create(target(port) + VariedText.inUrl("/small?q=${word}")),
                        Map.of("X-Kind", "${kind}"),
                        Optional.of("{\"id\":${id}}"),
                        1,
                        Optional.empty())
                .with(new Step(true, Duration.ZERO, Map.of()));
        return new LoadSpec(List.of(begin, json, end), 50, OptionalDouble.empty(), TIMEOUT)
                .with(new Variables(1, Optional.empty()));
    }

    private LoadSpec mixed(OptionalDouble rate) {
        return new LoadSpec(
                List.of(
                        call(port, "GET", "small", 400),
                        call(port, "GET", "big", 200),
                        call(port, "GET", "chunked", 200),
                        call(port, "GET", "tomcat", 100),
                        call(port, "GET", "netty", 100),
                        call(port, "POST", "small", 50),
                        call(port, "HEAD", "head", 20),
                        call(port, "GET", "empty", 20),
                        call(port, "GET", "huge", 5),
                        call(port, "GET", "last", 50),
                        call(port, "GET", "leave", 20),
                        call(port, "GET", "open-end", 5),
                        call(port, "GET", "error", 20),
                        call(port, "GET", "garbage", 5),
                        call(port, "GET", "cut", 5),
                        call(port, "GET", "nothing", 5),
                        call(port, "GET", "reset", 20),
                        call(port, "GET", "hang", 1)),
                50,
                rate,
                TIMEOUT);
    }

    private String target(int to) {
        return (traits.contains(Trait.TLS) ? "https" : "http") + "://127.0.0.1:" + to;
    }

    private HttpCall call(int to, String method, String path, int weight) {
        boolean post = method.equals("POST");
        return new HttpCall(
                method,
                URI.create(target(to) + "/" + path),
                Map.of("Accept", "*/*"),
                post ? Optional.of("{\"question\":\"warm?\"}") : Optional.empty(),
                weight,
                post || path.equals("chunked") ? Optional.of("kiln!") : Optional.empty());
    }
}
