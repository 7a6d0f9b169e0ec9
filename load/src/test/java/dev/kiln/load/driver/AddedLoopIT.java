package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.open;
import static dev.kiln.load.driver.LoadKit.overHttp2;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.LoadFile;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.http.IoThread.Transport;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Tls;
import dev.kiln.model.load.VariedText;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Event loops that come into a phase that goes on: connections go over to them open, and no request is lost or sent twice. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class AddedLoopIT {
    private static final LoopCpus ONE = LoopCpus.always(1);

    @TempDir
    Path run;

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(2);
        }
    }

    /** Adds two loops while a load goes on, and ends it after as many more requests. */
    private static PhaseResult load(LocalSession session, IntSupplier requests, List<Integer> connections)
            throws InterruptedException {
        AtomicReference<List<Integer>> moved = new AtomicReference<>(List.of());
        Thread adding = Thread.ofPlatform().daemon().start(() -> {
            try {
                for (int loops = 2; loops <= 3; loops++) {
                    int before = requests.getAsInt();
                    await(() -> requests.getAsInt() >= before + 200);
                    session.addLoop();
                    int number = loops;
                    // Until they have all gone over.
                    await(() -> session.connections().size() == number
                            && session.connections().stream().mapToInt(i -> i).sum()
                                    == connections.stream().mapToInt(i -> i).sum());
                }
                moved.set(session.connections());
                int before = requests.getAsInt();
                await(() -> requests.getAsInt() >= before + 1000);
            } catch (InterruptedException e) {
                return;
            }
            session.finish();
        });
        PhaseResult r = session.load(new Phase.Load("load", Duration.ofHours(1)), tick -> {});
        adding.join();
        assertThat(moved.get()).isEqualTo(connections);
        assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
        assertThat(r.requests().resent()).isZero();
        assertThat(r.requests().started())
                .isEqualTo(r.requests().completed() + r.requests().unfinished());
        return r;
    }

    /** To the request, in this phase and in the next, and over the same connections. */
    private void assertExact(LocalSession session, AtomicInteger requests, AtomicInteger connections, int of)
            throws Exception {
        PhaseResult r = load(session, requests::get, List.of(of / 3, of / 3, of / 3));
        await(() -> requests.get() >= r.requests().started());
        assertThat(requests.get()).isEqualTo((int) r.requests().started());
        PhaseResult next = session.load(phase("next", 300), tick -> {});
        assertThat(next.requests().errors()).isEqualTo(Errors.NONE);
        assertThat(next.requests().completed()).isPositive();
        await(() -> requests.get() >= r.requests().started() + next.requests().started());
        assertThat(requests.get())
                .isEqualTo((int) (r.requests().started() + next.requests().started()));
        assertThat(connections.get()).as("none was opened again").isEqualTo(of);
        List<LoadBin> bins = LoadFile.read(run.resolve("load.csv")).bins();
        assertThat(bins.stream().mapToLong(LoadBin::completed).sum())
                .isEqualTo(r.requests().completed() + next.requests().completed());
        for (int i = 1; i < bins.size(); i++) {
            assertThat(bins.get(i).startNanos() == bins.get(i - 1).endNanos()
                            || !bins.get(i).phase().equals(bins.get(i - 1).phase()))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void inTheClosedLoop(Transport transport) throws Exception {
        LocalDriver driver = new LocalDriver(transport, ONE);
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                LocalSession session = driver.open(closed(12, server.url("/")), run)) {
            assertExact(session, server.requests, server.connections, 12);
        }
        driver.close();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void atARate(Transport transport) throws Exception {
        LocalDriver driver = new LocalDriver(transport, ONE);
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                LocalSession session = driver.open(open(2000, 12, server.url("/")), run)) {
            assertExact(session, server.requests, server.connections, 12);
        }
        driver.close();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void overTls(Transport transport) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(certificate().toKeyManagerFactory().getKeyManagers(), null, null);
        LocalDriver driver = new LocalDriver(transport, ONE);
        ServerSocket socket = context.getServerSocketFactory().createServerSocket();
        try (ScriptedServer server = new ScriptedServer(socket, 0, e -> e.send(OK));
                LocalSession session = driver.open(insecure(closed(12, https(server.port()))), run)) {
            assertExact(session, server.requests, server.connections, 12);
        }
        driver.close();
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void overHttp2WithAndWithoutTls(Transport transport) throws Exception {
        SslContext context = SslContextBuilder.forServer(certificate().toKeyManagerFactory())
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        "h2"))
                .build();
        LocalDriver driver = new LocalDriver(transport, ONE);
        try (Http2Server server = new Http2Server(new Http2Settings(), Optional.of(context), Http2Server.Exchange::ok);
                LocalSession session = driver.open(overHttp2(insecure(closed(6, https(server.port()))), 8), run)) {
            assertExact(session, server.requests, server.connections, 6);
        }
        Path other = Files.createDirectory(run.resolve("plain"));
        try (Http2Server server = new Http2Server(Http2Server.Exchange::ok);
                LocalSession session = driver.open(overHttp2(open(3000, 6, server.url("/")), 8), other)) {
            load(session, server.requests::get, List.of(2, 2, 2));
            assertThat(server.connections.get()).isEqualTo(6);
        }
        driver.close();
    }

    private static X509Bundle certificate() throws Exception {
        return new CertificateBuilder()
                .subject("CN=server")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    private static URI https(int port) {
        return URI.create("https://127.0.0.1:" + port + "/");
    }

    private static LoadSpec insecure(LoadSpec spec) {
        return spec.with(new Tls(Optional.empty(), true));
    }

    /** A user's second and third request have what the answer to the first said, whichever loop sends them. */
    @Test
    void usersGoOnWithTheirSessions() throws Exception {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        AtomicInteger logins = new AtomicInteger();
        LocalDriver driver = new LocalDriver(Transport.pick(), ONE);
        try (ScriptedServer server = new ScriptedServer(e -> {
            seen.add(e.path());
            String token = e.path().equals("/login") ? "t" + logins.incrementAndGet() : "none";
            e.send("HTTP/1.1 200 OK\r\nX-Token: " + token + "\r\nContent-Length: 2\r\n\r\nok");
        })) {
            HttpCall login = HttpCall.get(server.url("/login"))
                    .with(new Step(true, Duration.ofMillis(2), Map.of("token", "header:X-Token")));
            LoadSpec spec = closed(6, login, step(server, "/first/${token}"), step(server, "/second/${token}"))
                    .with(new Variables(1, Optional.empty()));
            try (LocalSession session = driver.open(spec, run)) {
                load(session, server.requests::get, List.of(2, 2, 2));
            }
        }
        driver.close();
        assertThat(seen).doesNotContain("/first/none", "/second/none", "/first/", "/second/");
        List<String> steps =
                seen.stream().filter(path -> !path.equals("/login")).toList();
        assertThat(steps).doesNotHaveDuplicates();
        assertThat(steps.stream()
                        .filter(path -> path.startsWith("/second/"))
                        .map(path -> path.replace("second", "first")))
                .isSubsetOf(steps);
    }

    private static HttpCall step(ScriptedServer server, String path) {
        return HttpCall.get(URI.create(VariedText.inUrl(server.url("") + path)))
                .with(new Step(true, Duration.ZERO, Map.of()));
    }

    /** The session is closed while connections are on their way. */
    @Test
    void aSessionThatEndsAtTheSameTimeLeavesNoConnection() throws Exception {
        LocalDriver driver = new LocalDriver(Transport.pick(), ONE);
        for (int i = 0; i < 20; i++) {
            try (ScriptedServer server = new ScriptedServer(e -> e.send(OK))) {
                try (LocalSession session = driver.open(closed(50, server.url("/")), run)) {
                    Thread adding = Thread.ofPlatform().daemon().start(() -> {
                        try {
                            await(() -> server.requests.get() >= 200);
                        } catch (InterruptedException e) {
                            return;
                        }
                        session.addLoop();
                        session.cancel();
                    });
                    session.load(new Phase.Load("load", Duration.ofHours(1)), tick -> {});
                    adding.join();
                }
                await(() -> server.open() == 0);
            }
        }
        driver.close();
    }

    /** With a limit that every loop is above, the second one comes by itself, and no third, because there are two CPUs. */
    @Test
    void aBusyLoopGetsAnotherBesideIt() throws Exception {
        LocalDriver driver = new LocalDriver(Transport.pick(), new LoopCpus(1, List.of(0, 0), -1));
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                LocalSession session = driver.open(closed(4, server.url("/")), run)) {
            Thread ending = Thread.ofPlatform().daemon().start(() -> {
                try {
                    await(() -> session.connections().equals(List.of(2, 2)));
                    Thread.sleep(2500);
                } catch (InterruptedException e) {
                    return;
                }
                session.finish();
            });
            PhaseResult r = session.load(new Phase.Load("load", Duration.ofHours(1)), tick -> {});
            ending.join();
            assertThat(r.work().loops()).hasSize(2).allMatch(share -> share >= 0 && share < 1.5);
            assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
            assertThat(session.connections()).containsExactly(2, 2);
        }
        driver.close();
    }
}
