package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.overHttp2;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending.Tls;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Load over TLS, from a real server with certificates good and bad. */
class TlsIT {
    private static final int CONNECTIONS = 4;

    @TempDir
    static Path keys;

    private static X509Bundle issuer;
    private static Path issuerFile;
    private static NettyDriver driver;

    @TempDir
    Path run;

    @BeforeAll
    static void start() throws Exception {
        issuer = new CertificateBuilder()
                .subject("CN=Issuer")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        issuerFile = Files.writeString(keys.resolve("ca.pem"), issuer.getCertificatePEM());
        driver = new NettyDriver(List.of(), NettyDriver.JVM_FLAGS);
    }

    @AfterAll
    static void stop() {
        driver.close();
    }

    /** Answers every request with a few bytes, and counts them. */
    private static final class Server implements AutoCloseable {
        final AtomicLong requests = new AtomicLong();
        private final HttpsServer server;

        Server(SSLContext context) throws IOException {
            server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(context));
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", exchange -> {
                requests.incrementAndGet();
                exchange.sendResponseHeaders(200, 2);
                exchange.getResponseBody().write(new byte[] {'o', 'k'});
                exchange.close();
            });
            server.start();
        }

        URI url() {
            return URI.create("https://localhost:" + server.getAddress().getPort() + "/");
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    /** Of a server of this name, valid from and to so many days from now. */
    private static SSLContext certificate(String host, int from, int to) throws Exception {
        X509Bundle server = new CertificateBuilder()
                .subject("CN=server")
                .addSanDnsName(host)
                .notBefore(Instant.now().plus(Duration.ofDays(from)))
                .notAfter(Instant.now().plus(Duration.ofDays(to)))
                .buildIssuedBy(issuer);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(server.toKeyManagerFactory().getKeyManagers(), null, null);
        return context;
    }

    private static LoadSpec spec(URI url, Optional<Tls> tls) {
        LoadSpec plain =
                new LoadSpec(List.of(HttpCall.get(url)), CONNECTIONS, OptionalDouble.empty(), Duration.ofSeconds(5));
        return tls.map(plain::with).orElse(plain);
    }

    private static Optional<Tls> ca() {
        return Optional.of(new Tls(Optional.of(issuerFile.toString()), false));
    }

    /** What is seen of a server that is not trusted. */
    private String refused(URI url, Optional<Tls> tls) {
        return refused(spec(url, tls));
    }

    private String refused(LoadSpec spec) {
        try (LoadSession session = driver.open(spec, run, System.nanoTime())) {
            Probe probe = session.awaitFirstResponse(Duration.ofMillis(1500), () -> true);
            assertThat(probe).isInstanceOf(Probe.NoAnswer.class);
            AttemptResult last = ((Probe.NoAnswer) probe).last();
            assertThat(last.kind()).as(last.words()).isEqualTo(AttemptResult.AttemptKind.NO_AGREEMENT);
            return last.words();
        }
    }

    private PhaseResult loaded(Server server, Optional<Tls> tls) {
        try (LoadSession session = driver.open(spec(server.url(), tls), run, System.nanoTime())) {
            assertThat(session.awaitFirstResponse(Duration.ofSeconds(20), () -> true))
                    .isInstanceOf(Probe.Answered.class);
            return session.load(new Phase.Load("warmup", Duration.ofMillis(700)), tick -> {});
        }
    }

    @Test
    void aServerWhoseIssuerIsNamedIsTrusted() throws Exception {
        try (Server server = new Server(certificate("localhost", -1, 30))) {
            PhaseResult result = loaded(server, ca());

            assertThat(result.requests().errors()).isEqualTo(LoadBin.Errors.NONE);
            assertThat(result.requests().completed()).isPositive();
            assertThat(server.requests.get())
                    .as("one of the probe, the others of the load")
                    .isBetween(
                            1 + result.requests().completed(),
                            1 + result.requests().started());
            assertThat(result.work().handshakes().count()).isEqualTo(CONNECTIONS);
            assertThat(result.work().handshakes().maxNanos()).isPositive();
            assertThat(result.work().handshakes().nanos())
                    .isGreaterThanOrEqualTo(result.work().handshakes().maxNanos());
        }
    }

    @Test
    void anybodyIsTrustedIfAsked() throws Exception {
        try (Server server = new Server(certificate("example.org", -10, -9))) {
            PhaseResult result = loaded(server, Optional.of(new Tls(Optional.empty(), true)));

            assertThat(result.requests().errors()).isEqualTo(LoadBin.Errors.NONE);
            assertThat(result.requests().completed()).isPositive();
        }
    }

    /** A server of HTTP/2, or of HTTP/1.1 in name only. */
    private static Http2Server alpn(String protocol) throws Exception {
        X509Bundle server = new CertificateBuilder()
                .subject("CN=server")
                .addSanDnsName("localhost")
                .buildIssuedBy(issuer);
        SslContext context = SslContextBuilder.forServer(server.toKeyManagerFactory())
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        protocol))
                .build();
        return new Http2Server(new Http2Settings(), Optional.of(context), Http2Server.Exchange::ok);
    }

    @Test
    void http2IsChosenInTheHandshake() throws Exception {
        try (Http2Server server = alpn("h2");
                LoadSession session = driver.open(
                        overHttp2(spec(URI.create("https://localhost:" + server.port() + "/"), ca()), 5),
                        run,
                        System.nanoTime())) {
            assertThat(session.awaitFirstResponse(Duration.ofSeconds(20), () -> true))
                    .isInstanceOf(Probe.Answered.class);
            PhaseResult result = session.load(new Phase.Load("warmup", Duration.ofMillis(700)), tick -> {});

            assertThat(result.requests().errors()).isEqualTo(LoadBin.Errors.NONE);
            assertThat(result.requests().completed()).isPositive();
            assertThat((long) server.requests.get())
                    .isBetween(
                            1 + result.requests().completed(),
                            1 + result.requests().started());
            assertThat(server.connections.get()).as("and that of the probe").isEqualTo(1 + CONNECTIONS);
            assertThat(result.work().handshakes().count()).isEqualTo(CONNECTIONS);
        }
    }

    @Test
    void aServerThatDoesNotChooseHttp2IsTold() throws Exception {
        try (Http2Server server = alpn("http/1.1")) {
            URI url = URI.create("https://localhost:" + server.port() + "/");
            assertThat(refused(overHttp2(spec(url, ca()), 5)))
                    .isEqualTo("the server does not speak HTTP/2: it chose http/1.1");
        }
        try (Server server = new Server(certificate("localhost", -1, 30))) {
            assertThat(refused(overHttp2(spec(server.url(), ca()), 5)))
                    .isEqualTo("the server does not speak HTTP/2: it chose no protocol");
        }
    }

    @Test
    void anUnknownIssuerIsTold() throws Exception {
        try (Server server = new Server(certificate("localhost", -1, 30))) {
            assertThat(refused(server.url(), Optional.empty()))
                    .isEqualTo(
                            "certificate refused: its issuer is not known; --ca FILE names it, --insecure trusts anybody");
        }
    }

    @Test
    void anExpiredCertificateIsTold() throws Exception {
        try (Server server = new Server(certificate("localhost", -10, -9))) {
            assertThat(refused(server.url(), ca())).startsWith("certificate refused: it has expired (");
        }
    }

    @Test
    void aCertificateForAnotherHostIsTold() throws Exception {
        try (Server server = new Server(certificate("example.org", -1, 30))) {
            assertThat(refused(server.url(), ca())).isEqualTo("certificate refused: it is not for localhost");
        }
    }

    @Test
    void aPortWithoutTlsIsTold() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!plain.isClosed()) {
                    try (Socket socket = plain.accept()) {
                        socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
                    } catch (IOException e) {
                        // The test is over.
                        return;
                    }
                }
            });

            assertThat(refused(URI.create("https://localhost:" + plain.getLocalPort() + "/"), ca()))
                    .isEqualTo("no TLS: the port answers in plain text, so the URL begins with http");
        }
    }

    @Test
    void aFileWithoutACertificateIsTold() throws IOException {
        Path file = Files.writeString(run.resolve("no.pem"), "nothing\n");
        LoadSpec spec =
                spec(URI.create("https://localhost:1/"), Optional.of(new Tls(Optional.of(file.toString()), false)));

        assertThatThrownBy(() -> driver.open(spec, run, System.nanoTime()))
                .isInstanceOfSatisfying(KilnException.class, e -> {
                    assertThat(e.exit()).isEqualTo(KilnException.Exit.USAGE);
                    assertThat(e).hasMessage("cannot read the certificates in " + file + ": it holds no certificate");
                });
    }
}
