package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.kiln.host.process.Programs;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the real programs tell while they run, against a server that stops to answer after so many requests. */
@Timeout(600)
class ToolLiveIT {
    private static final int CONNECTIONS = 4;

    /** Longer than any test waits: who returns before was stopped. */
    private static final Phase.Load LONG = new Phase.Load("load", Duration.ofHours(1));

    @TempDir
    Path dir;

    private final AtomicLong asked = new AtomicLong();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Tick> ticks = new ArrayList<>();
    private volatile long most = Long.MAX_VALUE;
    private final HttpServer server = server();

    private static HttpServer server() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void serve() {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                if (asked.incrementAndGet() > most) {
                    end.await();
                }
                // Slow enough for the same rate whatever else the machine does.
                Thread.sleep(5);
                exchange.sendResponseHeaders(204, -1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
    }

    private LoadDriver driver(LoadEngine engine) {
        assumeTrue(Programs.find(engine.id()).isPresent(), "no " + engine.id() + " here");
        return Engines.of(EngineLoads.of(
                                LoadTemplate.LoadEngine.KILN,
                                new Sending(CONNECTIONS, OptionalDouble.empty(), Duration.ofSeconds(60)))
                        .with(engine))
                .driver(List.of(), dir);
    }

    private LoadSession session(LoadDriver driver) {
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        LoadSpec spec =
                new LoadSpec(List.of(HttpCall.get(url)), CONNECTIONS, OptionalDouble.empty(), Duration.ofSeconds(60));
        return driver.open(spec, dir, System.nanoTime());
    }

    private PhaseResult load(LoadEngine engine, Phase.Load phase, Consumer<LoadSession> atTick) {
        try (LoadDriver driver = driver(engine);
                LoadSession session = session(driver)) {
            return session.load(phase, tick -> {
                ticks.add(tick);
                atTick.accept(session);
            });
        }
    }

    private double sum() {
        return ticks.stream().mapToDouble(Tick::requestsPerSecond).sum();
    }

    private void secondsFollowOneAnother() {
        assertThat(ticks)
                .extracting(Tick::second)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, ticks.size()).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2load", "wrk", "vegeta"})
    void theSecondsOfAPhaseSumUpToItsRequests(String name) {
        LoadEngine engine = new LoadEngine(name);
        PhaseResult result = load(engine, new Phase.Load("load", Duration.ofSeconds(3)), session -> {});
        double second =
                ticks.stream().mapToDouble(Tick::requestsPerSecond).max().orElseThrow();
        assertThat(sum()).isCloseTo(result.requests().completed(), within(second + CONNECTIONS));
        secondsFollowOneAnother();
    }

    /** h2load logs each request at once: a log that does not grow tells of a server that hangs. */
    @Test
    void aHangShowsAndFinishingKeepsAllThatH2loadLogged() {
        most = 200;
        PhaseResult result = load(H2load.NAME, LONG, session -> {
            if (sum() > most - 0.5 && ticks.getLast().requestsPerSecond() == 0) {
                session.finish();
            }
        });
        assertThat(sum()).isCloseTo(most, within(0.01));
        assertThat(ticks.getFirst().p99Nanos()).isGreaterThan(5_000_000);
        assertThat(ticks.getLast().p99Nanos()).isZero();
        assertThat(result.requests().completed()).isEqualTo(most);
        assertThat(result.cancelled()).isFalse();
        assertThat(result.warnings()).isEmpty();
        secondsFollowOneAnother();
    }

    /** What it has sent and has no answer to is no part of its seconds. */
    @Test
    void aHangShowsAndFinishingHasWrkTellItsTotals() {
        most = 200;
        PhaseResult result = load(Wrk.NAME, LONG, session -> {
            if (asked.get() == most + CONNECTIONS && ticks.getLast().requestsPerSecond() == 0) {
                session.finish();
            }
        });
        assertThat(sum()).isPositive();
        assertThat(ticks).allMatch(tick -> tick.p99Nanos() == 0);
        assertThat(result.requests().completed()).isEqualTo(most);
        assertThat(result.cancelled()).isFalse();
        assertThat(result.warnings()).isEmpty();
        secondsFollowOneAnother();
    }

    @Test
    void finishingOnePhaseLeavesTheNextAlone() {
        try (LoadDriver driver = driver(Wrk.NAME);
                LoadSession session = session(driver)) {
            session.load(LONG, tick -> session.finish());
            PhaseResult next = session.load(new Phase.Load("next", Duration.ofSeconds(2)), ticks::add);
            assertThat(next.endNanos() - next.startNanos())
                    .isGreaterThan(Duration.ofMillis(1900).toNanos());
            assertThat(ticks).isNotEmpty().allMatch(tick -> tick.phase().equals("next"));
        }
    }

    /** What it had told of its requests by then is kept; wrk tells nothing before its end. */
    @ParameterizedTest
    @ValueSource(strings = {"h2load", "wrk", "vegeta"})
    void aProgramThatSomebodyKillsEndsThePhaseWithThatReason(String name) throws IOException {
        LoadEngine engine = new LoadEngine(name);
        try (LoadDriver driver = driver(engine);
                LoadSession session = session(driver)) {
            KilnException e = catchThrowableOfType(
                    KilnException.class,
                    () -> session.load(
                            LONG,
                            tick -> ProcessHandle.of(driver.pid().orElseThrow()).stream()
                                    .flatMap(ProcessHandle::descendants)
                                    .filter(child ->
                                            child.info().command().orElse("").endsWith("/" + name))
                                    .forEach(ProcessHandle::destroyForcibly)));
            assertThat(e).hasMessage(name + " exited with code 137 (as after signal 9, SIGKILL) in phase load");
            assertThat(e.exit()).isEqualTo(Exit.MACHINE);
        }
        assertThat(Files.readAllLines(dir.resolve("load.csv")).size() > 1).isEqualTo(!engine.equals(Wrk.NAME));
    }
}
