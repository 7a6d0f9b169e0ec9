package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.kiln.host.process.Programs;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending;
import dev.kiln.model.run.Provenance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real programs against a server that counts. */
class ToolSessionIT {
    private static final int CONNECTIONS = 4;

    @TempDir
    Path dir;

    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong posted = new AtomicLong();
    private int port;
    private Optional<HttpServer> server = Optional.empty();

    @BeforeEach
    void serve() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            posted.addAndGet(body.length == 0 ? 0 : 1);
            int status = exchange.getRequestURI().getPath().equals("/bad") ? 503 : 200;
            byte[] answer = "hello".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, answer.length);
            exchange.getResponseBody().write(answer);
            answered.incrementAndGet();
            exchange.close();
        });
        http.start();
        port = http.getAddress().getPort();
        server = Optional.of(http);
    }

    @AfterEach
    void stop() {
        server.ifPresent(http -> http.stop(0));
    }

    private LoadSpec spec(String path, Optional<String> body) {
        return new LoadSpec(
                List.of(new HttpCall(
                        body.isPresent() ? "POST" : "GET",
                        URI.create("http://127.0.0.1:" + port + path),
                        Map.of("X-Test", "it's quoted"),
                        body,
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())),
                CONNECTIONS,
                OptionalDouble.empty(),
                Duration.ofSeconds(5));
    }

    private static Phase.Load seconds(int seconds) {
        return new Phase.Load("load", Duration.ofSeconds(seconds));
    }

    private static LoadTemplate template(LoadEngine engine) {
        return EngineLoads.of(
                        LoadTemplate.LoadEngine.KILN,
                        new Sending(CONNECTIONS, OptionalDouble.empty(), Duration.ofSeconds(5)))
                .with(engine);
    }

    private LoadDriver driver(LoadEngine engine) {
        assumeTrue(Programs.find(engine.id()).isPresent(), "no " + engine.id() + " here");
        return Engines.of(template(engine)).driver(List.of(), dir);
    }

    /** Of a column of load.csv. */
    private LongStream column(int index) throws IOException {
        return Files.readAllLines(dir.resolve("load.csv")).stream()
                .skip(1)
                .mapToLong(line -> Long.parseLong(line.split(",", -1)[index]));
    }

    @Test
    void h2loadTellsOfEachRequest() throws IOException {
        long launch = System.nanoTime();
        try (LoadDriver driver = driver(H2load.NAME)) {
            assertThat(driver.info().version()).matches("nghttp2/.*|\\d.*");
            assertThat(driver.provenance()).isEmpty();
            PhaseResult first;
            PhaseResult second;
            try (LoadSession session = driver.open(spec("/", Optional.empty()), dir, launch)) {
                assertThat(session.awaitFirstResponse(Duration.ofSeconds(10), () -> true))
                        .isInstanceOf(Probe.Answered.class);
                first = session.load(seconds(2), tick -> {});
                session.pause(new Phase.Pause("pause", Duration.ofMillis(20)));
                second = session.load(new Phase.Load("again", Duration.ofSeconds(1)), tick -> {});
            }
            long now = System.nanoTime() - launch;
            assertThat(first.requests().completed()).isPositive();
            assertThat(first.requests().errors().total()).isZero();
            assertThat(first.startNanos()).isBetween(0L, second.startNanos());
            assertThat(second.endNanos()).isBetween(first.endNanos(), now);
            // What was in flight when a phase ended may have been answered and not logged.
            assertThat(answered.get()
                            - first.requests().completed()
                            - second.requests().completed())
                    .isBetween(1L, 1L + 2 * CONNECTIONS);
            assertThat(column(4).sum())
                    .isEqualTo(first.requests().completed() + second.requests().completed());
            assertThat(Files.readString(dir.resolve("load.csv"))).contains("\nload,", "\nagain,");
            assertThat(Files.readAllLines(dir.resolve("latency.hlog")).stream()
                            .filter(line -> line.startsWith("Tag=load,")))
                    .hasSizeBetween(2, 3);
        }
    }

    @Test
    void whatIsNo2xxIsAnError() {
        try (LoadDriver driver = driver(H2load.NAME);
                LoadSession session = driver.open(spec("/bad", Optional.empty()), dir, System.nanoTime())) {
            PhaseResult result = session.load(seconds(1), tick -> {});
            assertThat(result.requests().completed()).isZero();
            assertThat(result.requests().errors().non2xx()).isPositive();
        }
    }

    @Test
    void h2loadPosts() {
        try (LoadDriver driver = driver(H2load.NAME);
                LoadSession session = driver.open(spec("/", Optional.of("{}")), dir, System.nanoTime())) {
            assertThat(session.load(seconds(1), tick -> {}).requests().completed())
                    .isPositive();
            assertThat(posted.get()).isEqualTo(answered.get());
        }
    }

    @Test
    void wrkTellsTotals() throws IOException {
        try (LoadDriver driver = driver(Wrk.NAME)) {
            Provenance provenance = driver.provenance().orElseThrow();
            assertThat(provenance.bins().kind()).isEqualTo(Provenance.SourceKind.TOTAL);
            PhaseResult result;
            try (LoadSession session = driver.open(spec("/", Optional.empty()), dir, System.nanoTime())) {
                result = session.load(seconds(1), tick -> {});
            }
            assertThat(result.requests().completed()).isPositive();
            assertThat(answered.get() - result.requests().completed()).isBetween(0L, (long) CONNECTIONS);
            assertThat(column(4).toArray()).containsExactly(result.requests().completed());
            assertThat(Files.readAllLines(dir.resolve("latency.csv"))).hasSize(2);
        }
    }

    @Test
    void aServerThatIsGoneEndsThePhaseWithTheProgramsOwnWords() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (LoadDriver driver = driver(Wrk.NAME);
                LoadSession session = driver.open(spec("/", Optional.empty()), dir, System.nanoTime())) {
            assertThat(session.awaitFirstResponse(Duration.ofMillis(50), () -> true))
                    .isInstanceOf(Probe.NoAnswer.class);
            KilnException e = catchThrowableOfType(KilnException.class, () -> session.load(seconds(1), tick -> {}));
            assertThat(e.getMessage()).startsWith("wrk exited with code 1: unable to connect to 127.0.0.1");
        }
        try (LoadDriver driver = driver(H2load.NAME);
                LoadSession session = driver.open(spec("/", Optional.empty()), dir, System.nanoTime())) {
            assertThat(session.load(seconds(1), tick -> {}).warnings()).containsExactly("h2load reported no request");
        }
    }

    /** By another signal than its own, wrk would tell nothing. */
    @Test
    void aCancelledProgramStillTellsWhatItSent() throws InterruptedException {
        try (LoadDriver driver = driver(Wrk.NAME);
                LoadSession session = driver.open(spec("/", Optional.empty()), dir, System.nanoTime())) {
            Thread canceller = Thread.ofVirtual().start(() -> {
                while (answered.get() < 500) {
                    Thread.onSpinWait();
                }
                session.cancel();
            });
            PhaseResult result = session.load(seconds(600), tick -> {});
            canceller.join();
            assertThat(result.cancelled()).isTrue();
            assertThat(result.requests().completed()).isGreaterThanOrEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2load", "wrk", "vegeta"})
    void cancellingEndsTheProgram(String name) throws InterruptedException {
        try (LoadDriver driver = driver(new LoadEngine(name));
                LoadSession session = driver.open(spec("/", Optional.empty()), dir, System.nanoTime())) {
            Thread canceller = Thread.ofVirtual().start(() -> {
                while (answered.get() < 10) {
                    Thread.onSpinWait();
                }
                session.cancel();
            });
            PhaseResult result = session.load(seconds(600), tick -> {});
            canceller.join();
            assertThat(result.cancelled()).isTrue();
            assertThat(ProcessHandle.of(driver.pid().getAsLong())
                            .orElseThrow()
                            .descendants()
                            .filter(child -> child.info().command().orElse("").endsWith(name)))
                    .isEmpty();
        }
    }
}
