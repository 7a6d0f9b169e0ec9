package dev.kiln.load.driver;

import dev.kiln.load.LoadDriver.WarmUp;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.model.FeedTable;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.LoadSpec.Feed;
import dev.kiln.model.LoadSpec.HttpCall;
import dev.kiln.model.LoadSpec.Variables;
import dev.kiln.model.Protocol.Phase;
import dev.kiln.model.VariedText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Drives all of the driver's code, its failures included, until the JIT compilers have nothing left to do. A branch that is never
 * taken here is compiled away as impossible, and the first target to take it would pay for the mistake.
 */
final class WarmUpRun {
    /** Compilers count as quiet below this share of the driver's CPU time... */
    private static final double QUIET_SHARE = 0.01;
    /** ...over this many looks in a row. */
    private static final int QUIET_LOOKS = 2;

    private static final long LOOK_NANOS = 1_000_000_000;
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

    WarmUp run(Duration limit) {
        try {
            Path scratch = Files.createTempDirectory("kiln-warm-up");
            try (WarmUpServer server = new WarmUpServer()) {
                return run(server.port(), scratch, limit);
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

    private WarmUp run(int port, Path scratch, Duration limit) throws IOException {
        long began = System.nanoTime();
        long lookAt = began + LOOK_NANOS;
        Cost seen = Cost.ofThisJvm();
        double[] shares = new double[QUIET_LOOKS];
        int looks = 0;
        int quiet = 0;
        List<Round> rounds = rounds(port, scratch);
        for (int i = 0; !stopped && quiet < QUIET_LOOKS && System.nanoTime() - began < limit.toNanos(); i++) {
            drive(rounds.get(i % rounds.size()));
            if (System.nanoTime() >= lookAt) {
                Cost now = Cost.ofThisJvm();
                double share = now.minus(seen).jitShare();
                shares[looks++ % QUIET_LOOKS] = share;
                quiet = share < QUIET_SHARE ? quiet + 1 : 0;
                seen = now;
                lookAt = System.nanoTime() + LOOK_NANOS;
            }
        }
        rounds.forEach(round -> round.session().close());
        System.gc();
        double share = (shares[0] + shares[1]) / QUIET_LOOKS;
        return new WarmUp(Duration.ofNanos(System.nanoTime() - began), share, quiet >= QUIET_LOOKS);
    }

    /** A port on which nobody listens. */
    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Sessions stay open over all rounds: opening them is not what is to be compiled. */
    private List<Round> rounds(int port, Path scratch) throws IOException {
        OptionalDouble closed = OptionalDouble.empty();
        int nobody = closedPort();
        return List.of(
                new Round(open(scratch, mixed(port, closed)), 300),
                new Round(open(scratch, mixed(port, OptionalDouble.of(3000))), 150),
                new Round(open(scratch, plain(port, "small", 50, closed)), 250),
                new Round(open(scratch, plain(port, "tomcat", 100, closed)), 250),
                new Round(open(scratch, plain(port, "big", 50, closed)), 150),
                new Round(open(scratch, varied(port)), 150),
                new Round(open(scratch, plain(port, "netty", 5, OptionalDouble.of(2000))), 100),
                new Round(open(scratch, plain(nobody, "small", 20, closed)), 30),
                new Round(open(scratch, plain(nobody, "small", 20, OptionalDouble.of(1000))), 30));
    }

    private LocalSession open(Path scratch, LoadSpec spec) {
        // Reading the real cost in each short phase would have the file system's code compiled.
        return new LocalSession(
                io, queue, writer, spec, Optional.of(FEED), scratch, System.nanoTime(), SHORT, () -> Cost.NONE);
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

    private static LoadSpec plain(int port, String path, int connections, OptionalDouble rate) {
        return new LoadSpec(List.of(call(port, "GET", path, 1)), connections, rate, TIMEOUT);
    }

    /** Requests that are assembled one by one. */
    private static LoadSpec varied(int port) {
        HttpCall get = new HttpCall(
                "GET",
                URI.create("http://127.0.0.1:" + port + VariedText.inUrl("/small?q=${name}&n=${random:1-1000000}")),
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

    private static LoadSpec mixed(int port, OptionalDouble rate) {
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

    private static HttpCall call(int port, String method, String path, int weight) {
        boolean post = method.equals("POST");
        return new HttpCall(
                method,
                URI.create("http://127.0.0.1:" + port + "/" + path),
                Map.of("Accept", "*/*"),
                post ? Optional.of("{\"question\":\"warm?\"}") : Optional.empty(),
                weight,
                post || path.equals("chunked") ? Optional.of("kiln!") : Optional.empty());
    }
}
