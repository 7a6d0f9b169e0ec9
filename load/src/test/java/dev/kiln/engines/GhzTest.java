package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.kiln.host.process.Programs;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.GhzCall;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.GhzData;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending;
import dev.kiln.model.load.Sending.Http2;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real ghz against a small server of gRPC. */
@Timeout(600)
class GhzTest {
    private static final int CONNECTIONS = 2;
    private static final Phase.Load TWO_SECONDS = new Phase.Load("load", Duration.ofSeconds(2));

    private static final String PROTO = """
            syntax = "proto3";
            package test;
            service Greeter { rpc Hello (Question) returns (Answer); }
            message Question { string name = 1; }
            message Answer {}
            """;

    @TempDir
    Path dir;

    private final List<Tick> ticks = new ArrayList<>();

    private Ghz ghz(String call, String data) throws IOException {
        assumeTrue(Programs.find("ghz").isPresent(), "no ghz here");
        Path proto = Files.writeString(dir.resolve("test.proto"), PROTO);
        return new Ghz(new GhzCall(
                call, Optional.of(proto), List.of(), new GhzData.Json(data), Map.of("tenant", "it's \"one\"")));
    }

    private static LoadSpec spec(int port, OptionalDouble rate) {
        URI url = URI.create("http://127.0.0.1:" + port + "/");
        return new LoadSpec(List.of(HttpCall.get(url)), CONNECTIONS, rate, Duration.ofSeconds(5));
    }

    private PhaseResult load(Ghz ghz, LoadSpec spec) {
        try (LoadDriver driver = new ToolEngine(ghz).driver(List.of(), dir);
                LoadSession session = driver.open(spec, dir, System.nanoTime())) {
            return session.load(TWO_SECONDS, ticks::add);
        }
    }

    @Test
    void eachCallIsCountedWithItsStatus() throws IOException {
        try (GrpcServer server = new GrpcServer(0, 5, 5)) {
            PhaseResult result =
                    load(ghz("test.Greeter/Hello", "{\"name\": \"a\"}"), spec(server.port(), OptionalDouble.empty()));
            long good = result.requests().completed();
            assertThat(good).isPositive();
            assertThat(result.requests().errors().total())
                    .isEqualTo(result.requests().errors().non2xx())
                    .isBetween(good / 4 - CONNECTIONS, good / 4 + CONNECTIONS);
            assertThat(result.warnings()).isEmpty();
            assertThat(result.work().cost().cpuNanos()).isPositive();
            assertThat(ticks).isEmpty();
            assertThat(Files.readAllLines(dir.resolve("load.csv")).stream()
                            .skip(1)
                            .mapToLong(line -> Long.parseLong(line.split(",", -1)[4]))
                            .sum())
                    .isEqualTo(good);
            assertThat(Files.readAllLines(dir.resolve("latency.hlog")))
                    .filteredOn(line -> line.startsWith("Tag=load,"))
                    .hasSizeBetween(2, 3);
        }
    }

    @Test
    void aRateIsKeptWhileCallsAreUnderWay() throws IOException {
        try (GrpcServer server = new GrpcServer(0, 0, 1)) {
            PhaseResult result = load(ghz("test.Greeter/Hello", "{}"), spec(server.port(), OptionalDouble.of(30)));
            assertThat(result.requests().completed()).isBetween(1L, 61L);
        }
    }

    @Test
    void streamsShareAConnection() throws IOException {
        LoadSpec spec = spec(1, OptionalDouble.empty()).with(new Http2(10));
        assertThat(ghz("test.Greeter/Hello", "{}").command(new Tool.Job(spec, TWO_SECONDS, dir)))
                .contains("--concurrency=20", "--connections=2");
    }

    @Test
    void aCallThatIsNotDescribedEndsThePhaseWithTheProgramsOwnWords() throws IOException {
        try (GrpcServer server = new GrpcServer(0, 0, 0)) {
            LoadSpec spec = spec(server.port(), OptionalDouble.empty());
            Ghz ghz = ghz("test.Greeter/Bye", "{}");
            KilnException e = catchThrowableOfType(KilnException.class, () -> load(ghz, spec));
            assertThat(e.getMessage()).startsWith("ghz exited with code 1: ").contains("Bye");
        }
    }

    @Test
    void theServiceIsUpWhenItSpeaksHttp2() throws IOException {
        FirstAnswer.Question question;
        Ghz ghz = new Ghz(new GhzCall("a.B/C", Optional.empty(), List.of(), new GhzData.Json("{}"), Map.of()));
        try (GrpcServer server = new GrpcServer(0, 0, 0)) {
            question = ghz.question(
                    spec(server.port(), OptionalDouble.empty()).calls().getFirst());
            assertThat(new FirstAnswer(question).await(Duration.ofMinutes(5), () -> true))
                    .isInstanceOf(Probe.Answered.class);
        }
        assertThat(new FirstAnswer(question).await(Duration.ofMillis(200), () -> true))
                .isInstanceOf(Probe.NoAnswer.class);
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.start();
        try {
            question = ghz.question(spec(http.getAddress().getPort(), OptionalDouble.empty())
                    .calls()
                    .getFirst());
            assertThat(new FirstAnswer(question).await(Duration.ofSeconds(1), () -> true))
                    .isInstanceOfSatisfying(
                            Probe.NoAnswer.class,
                            probe -> assertThat(probe.last().words())
                                    .isEqualTo("the server does not speak HTTP/2, as gRPC does"));
        } finally {
            http.stop(0);
        }
    }

    @Test
    void whatItCannotTellOrSendIsRefused() throws IOException {
        Ghz ghz = ghz("test.Greeter/Hello", "{}");
        Protocol steady = new Protocol(
                "test",
                List.of(new Phase.Load(
                        "warm",
                        Duration.ofSeconds(90),
                        Optional.of(Duration.ofSeconds(60)),
                        Optional.empty(),
                        Optional.empty())));
        Protocol usual = new Protocol("test", List.of(TWO_SECONDS));
        assertThat(refused(ghz, "GET", OptionalDouble.of(2.5), usual))
                .isEqualTo("load: ghz cannot send a rate that is no whole number of calls a second");
        assertThat(refused(ghz, "GET", OptionalDouble.empty(), steady))
                .isEqualTo("load: ghz cannot send load until it is steady, because ghz reports nothing before its end"
                        + " (phase warm)");
        assertThat(refused(ghz, "POST", OptionalDouble.empty(), usual))
                .isEqualTo(
                        "load: ghz cannot send a method, headers or a body of HTTP: ghz has call, metadata and data");
    }

    private static String refused(Ghz ghz, String method, OptionalDouble rate, Protocol protocol) {
        Sending sending = new Sending(1, rate, Duration.ofSeconds(1));
        LoadTemplate load =
                EngineLoads.of(LoadTemplate.LoadEngine.KILN, sending, EngineLoads.call(method, "http://localhost:1/"));
        return String.valueOf(catchThrowableOfType(KilnException.class, () -> new ToolEngine(ghz).check(load, protocol))
                .getMessage());
    }
}
