package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.kiln.host.process.Programs;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending;
import dev.kiln.model.load.Sending.Arrivals;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real vegeta against a server that counts; what it shares with others is in the tests of all of them. */
@Timeout(600)
class VegetaTest {
    private static final int CONNECTIONS = 4;
    private static final Phase.Load TWO_SECONDS = new Phase.Load("load", Duration.ofSeconds(2));

    @TempDir
    Path dir;

    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong asTold = new AtomicLong();
    private final CountDownLatch open = new CountDownLatch(1);
    private volatile int status = 200;
    private int port;
    private Optional<HttpServer> server = Optional.empty();

    @BeforeEach
    void serve() throws IOException {
        assumeTrue(Programs.find("vegeta").isPresent(), "no vegeta here");
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                boolean told = exchange.getRequestMethod().equals("PUT")
                        && body.equals("{\"a\": \"it's\"}\n")
                        && "@ \"b".equals(exchange.getRequestHeaders().getFirst("X-Test"));
                asTold.addAndGet(told ? 1 : 0);
                asked.incrementAndGet();
                if (exchange.getRequestURI().getPath().equals("/slow")) {
                    open.await();
                }
                exchange.getResponseHeaders().add("Location", "/elsewhere");
                exchange.sendResponseHeaders(status, -1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        http.start();
        port = http.getAddress().getPort();
        server = Optional.of(http);
    }

    @AfterEach
    void stop() {
        open.countDown();
        server.ifPresent(http -> http.stop(0));
    }

    private HttpCall get(String path) {
        return HttpCall.get(URI.create("http://127.0.0.1:" + port + path));
    }

    private PhaseResult load(HttpCall call, OptionalDouble rate, Duration timeout) {
        LoadTemplate template = EngineLoads.of(LoadTemplate.LoadEngine.KILN, new Sending(CONNECTIONS, rate, timeout))
                .with(Vegeta.NAME);
        LoadSpec spec = new LoadSpec(List.of(call), CONNECTIONS, rate, timeout);
        try (LoadDriver driver = Engines.of(template).driver(List.of(), dir);
                LoadSession session = driver.open(spec, dir, System.nanoTime())) {
            return session.load(TWO_SECONDS, tick -> {});
        }
    }

    private PhaseResult load(HttpCall call) {
        return load(call, OptionalDouble.empty(), Duration.ofSeconds(5));
    }

    @Test
    void eachRequestIsCountedAsTheServiceSawIt() throws IOException {
        PhaseResult result = load(get("/"));
        assertThat(result.requests().completed()).isPositive().isEqualTo(asked.get());
        assertThat(result.requests().errors().total()).isZero();
        assertThat(result.warnings()).isEmpty();
        assertThat(result.endNanos() - result.startNanos())
                .isGreaterThan(Duration.ofMillis(1900).toNanos());
        assertThat(Files.readAllLines(dir.resolve("load.csv")).stream()
                        .skip(1)
                        .mapToLong(line -> Long.parseLong(line.split(",", -1)[4]))
                        .sum())
                .isEqualTo(asked.get());
    }

    /** The encoder is a process of its own, and a part of the load generator. */
    @Test
    void itsCpuIsThatOfTheAttackAndOfTheEncoder() {
        PhaseResult result = load(get("/"));
        assertThat(result.work().cost().cpuNanos()).isPositive();
    }

    @Test
    void methodHeadersAndBodyAreThoseOfTheCall() {
        URI url = URI.create("http://127.0.0.1:" + port + "/?a=b");
        PhaseResult result = load(new HttpCall(
                "PUT",
                url,
                Map.of("X-Test", "@ \"b"),
                Optional.of("{\"a\": \"it's\"}\n"),
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
        assertThat(asTold.get()).isPositive().isEqualTo(asked.get());
        assertThat(result.requests().completed()).isEqualTo(asked.get());
    }

    @Test
    void onlyA2xxIsGoodAndNoRedirectIsFollowed() {
        status = 302;
        PhaseResult result = load(get("/"));
        assertThat(result.requests().completed()).isZero();
        assertThat(result.requests().errors().non2xx()).isPositive().isEqualTo(asked.get());
    }

    /** In the closed loop no more than the connections would be under way. */
    @Test
    void theOpenLoopGoesOnWhileTheServiceHangs() {
        Thread opener = Thread.ofVirtual().start(() -> {
            while (asked.get() < 3 * CONNECTIONS) {
                Thread.onSpinWait();
            }
            open.countDown();
        });
        PhaseResult result = load(get("/slow"), OptionalDouble.of(50.5), Duration.ofSeconds(60));
        assertThat(opener.isAlive()).isFalse();
        assertThat(result.requests().completed()).isBetween(3L * CONNECTIONS, 103L);
    }

    @Test
    void whatIsTooSlowOrRefusedSaysSo() throws IOException {
        PhaseResult slow = load(get("/slow"), OptionalDouble.empty(), Duration.ofMillis(300));
        assertThat(slow.requests().errors().timeout()).isPositive().isEqualTo(asked.get());
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        PhaseResult gone = load(get("/"), OptionalDouble.of(20), Duration.ofSeconds(5));
        assertThat(gone.requests().errors().refused())
                .isPositive()
                .isEqualTo(gone.requests().errors().total());
    }

    @Test
    void equalDistancesAreAllItKnows() {
        LoadTemplate load = EngineLoads.of(
                        LoadTemplate.LoadEngine.KILN,
                        new Sending(1, OptionalDouble.of(5), Duration.ofSeconds(1)),
                        EngineLoads.call("GET", "http://localhost:1/"))
                .with(Vegeta.NAME);
        Protocol protocol = new Protocol("test", List.of(TWO_SECONDS));
        Engines.of(load).check(load, protocol);
        assertThatThrownBy(() -> Engines.of(load).check(load.with(Arrivals.POISSON), protocol))
                .isInstanceOf(KilnException.class)
                .hasMessage("load: vegeta cannot send poisson arrivals");
    }
}
