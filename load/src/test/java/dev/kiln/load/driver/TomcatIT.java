package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.PhaseResult.Requests;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Sending.Http2;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.AccessLogValve;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A JVM server: Tomcat as services embed it, and whether it counted what Kiln counted. */
class TomcatIT extends ServerLogs {
    private static final int STREAMS = 20;

    private static final Logger LOGGER = Logger.getLogger("org.apache");
    private static final int LARGE = 64 * 1024;

    private final Tomcat tomcat = new Tomcat();

    @AfterEach
    void stopTomcat() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }

    private Connector start(boolean tls, boolean http2) throws LifecycleException {
        LOGGER.setLevel(Level.SEVERE);
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "-1");
        // Or it would listen until it is destroyed.
        connector.setProperty("bindOnInit", "false");
        connector.setProperty("maxHttpResponseHeaderSize", Integer.toString(2 * LARGE));
        if (tls) {
            secure(connector);
        }
        if (http2) {
            connector.addUpgradeProtocol(new Http2Protocol());
        }
        tomcat.setBaseDir(folder.toString());
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "item", new Item());
        context.addServletMappingDecoded("/item", "item");
        tomcat.getHost().getPipeline().addValve(accessLog());
        tomcat.start();
        return connector;
    }

    private void secure(Connector connector) {
        connector.setSecure(true);
        connector.setScheme("https");
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateFile(folder.resolve("cert.pem").toString());
        certificate.setCertificateKeyFile(folder.resolve("key.pem").toString());
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
    }

    private AccessLogValve accessLog() {
        AccessLogValve valve = new AccessLogValve();
        valve.setDirectory(folder.toString());
        valve.setPrefix("access");
        valve.setSuffix(".log");
        valve.setRotatable(false);
        valve.setBuffered(false);
        valve.setPattern("%s %H %m %U");
        return valve;
    }

    /** With 64 KB of headers, if the query says how many headers they are. */
    private static final class Item extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String headers = request.getParameter("headers");
            if (headers != null) {
                String each = "x".repeat(LARGE / Integer.parseInt(headers));
                for (int i = 0; i < Integer.parseInt(headers); i++) {
                    response.setHeader("X-Large-" + i, each);
                }
            }
            response.setContentType("text/plain");
            response.getWriter().print("Hello, kiln!");
        }
    }

    private LoadSpec spec(Connector connector, String path) {
        return spec(connector.getScheme() + "://localhost:" + connector.getLocalPort() + path);
    }

    @Test
    void itCountsTheSameInPlainText() throws Exception {
        agrees(spec(start(false, false), "/item"), "HTTP/1.1");
    }

    @Test
    void itCountsTheSameOverTls() throws Exception {
        PhaseResult result = agrees(spec(start(true, false), "/item"), "HTTP/1.1");
        assertThat(result.work().handshakes().count()).isEqualTo(CONNECTIONS);
    }

    @Test
    void itCountsTheSameOverHttp2() throws Exception {
        PhaseResult result = agrees(spec(start(true, true), "/item").with(new Http2(STREAMS)), "HTTP/2.0");
        assertThat(result.work().handshakes().count()).isEqualTo(CONNECTIONS);
    }

    @Test
    void itCountsTheSameOverHttp2InPlainText() throws Exception {
        agrees(spec(start(false, true), "/item").with(new Http2(STREAMS)), "HTTP/2.0");
    }

    @Test
    void largeHeadersAreRead() throws Exception {
        agrees(spec(start(true, true), "/item?headers=1"), "HTTP/1.1");
    }

    /** It sends them in many frames. One header of 64 KB it sends in a frame that is larger than HTTP/2 allows. */
    @Test
    void largeHeadersAreReadOverHttp2() throws Exception {
        agrees(spec(start(true, true), "/item?headers=64").with(new Http2(STREAMS)), "HTTP/2.0");
    }

    /** It says GOAWAY on each connection: requests that it has are answered, further ones go over new connections. */
    @Test
    void connectionsThatItEndsGracefullyLoseNothing() throws Exception {
        Connector connector = start(true, true);
        LoadSpec spec = spec(connector, "/item").with(new Http2(STREAMS));
        Thread ending = Thread.ofPlatform().start(() -> {
            await(() -> lines() > 200);
            connector.pause();
            connector.resume();
        });
        PhaseResult result = agrees(spec, "HTTP/2.0");
        ending.join();
        assertThat(result.work().handshakes().count()).isGreaterThan(CONNECTIONS);
    }

    /** Requests that no server takes any more are refused, and each that was sent is accounted for. */
    @Test
    void afterItHasStoppedRequestsAreRefused() throws Exception {
        Connector connector = start(true, true);
        LoadSpec spec = spec(connector, "/item").with(new Http2(STREAMS));
        PhaseResult result;
        long before;
        try (LoadSession session = driver.open(spec, folder)) {
            assertThat(session.awaitFirstResponse(Duration.ofSeconds(60), () -> true))
                    .isInstanceOf(Probe.Answered.class);
            before = settled();
            result = LoadKit.loadUntil(session, () -> {
                await(() -> lines() > before + 200);
                try {
                    tomcat.stop();
                    // Long enough for requests to come to nobody.
                    Thread.sleep(500);
                } catch (LifecycleException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return true;
            });
        }
        Requests requests = result.requests();
        assertThat(requests.errors().refused()).isPositive();
        // While it stops, it still says no to some.
        assertThat(requests.errors().total())
                .isEqualTo(requests.errors().refused()
                        + requests.errors().reset()
                        + requests.errors().non2xx());
        assertThat(requests.started())
                .isEqualTo(requests.completed() + requests.errors().total() + requests.unfinished());
        // What it answers as it stops, it need no longer write into its log.
        assertThat(settled() - before).isBetween(requests.completed() - STREAMS, requests.started());
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private long lines() {
        try {
            return Files.exists(log) ? Files.readAllLines(log).size() : 0;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
