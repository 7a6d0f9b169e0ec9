package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.load.PhaseResult;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Sending.Http2;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The servers that stand in front of most services, and whether they counted what Kiln counted. */
class RealServersIT extends ServerLogs {
    private static final Duration SLOW = Duration.ofMillis(150);

    private final List<Process> servers = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        for (Process server : servers) {
            server.destroy();
            server.waitFor(20, TimeUnit.SECONDS);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void assumeInstalled(String program) {
        boolean there = List.of("/usr/sbin/", "/usr/bin/", "/sbin/").stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder + program)));
        assumeTrue(there, program + " is not installed");
    }

    private void start(String... command) throws IOException {
        servers.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        folder.resolve("server" + servers.size() + ".out").toFile())
                .start());
    }

    /** With a line in its log for each request. */
    private void nginx(String listen) throws IOException {
        Path conf = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid %1$s/nginx.pid;
                error_log %1$s/error.log;
                events { worker_connections 512; }
                http {
                  log_format plain '$status $server_protocol $request_method $request_uri';
                  access_log %1$s/access.log plain;
                  client_body_temp_path %1$s; proxy_temp_path %1$s; fastcgi_temp_path %1$s; uwsgi_temp_path %1$s; scgi_temp_path %1$s;
                  ssl_certificate %1$s/cert.pem;
                  ssl_certificate_key %1$s/key.pem;
                  keepalive_requests 100000;
                  server { listen 127.0.0.1:%2$s; location / { return 200 "Hello, kiln!"; } }
                }
                """.formatted(folder, listen));
        start(
                "nginx",
                "-p",
                folder.toString(),
                "-e",
                folder.resolve("error.log").toString(),
                "-c",
                conf.toString());
    }

    /** In front of a server in plain text. */
    private void haproxy(int port, int behind) throws IOException {
        Path conf = Files.writeString(
                folder.resolve("haproxy.cfg"), """
                defaults
                  mode http
                  timeout connect 20s
                  timeout client 60s
                  timeout server 60s
                frontend clients
                  bind 127.0.0.1:%d ssl crt %s alpn h2,http/1.1
                  default_backend service
                backend service
                  server one 127.0.0.1:%d
                """.formatted(port, folder.resolve("both.pem"), behind));
        start("haproxy", "-db", "-f", conf.toString());
    }

    @Test
    void nginxCountsTheSameInPlainText() throws Exception {
        assumeInstalled("nginx");
        int port = freePort();
        nginx(Integer.toString(port));
        agrees(spec("http://localhost:" + port + "/item"), "HTTP/1.1");
    }

    @Test
    void nginxCountsTheSameOverTls() throws Exception {
        assumeInstalled("nginx");
        int port = freePort();
        nginx(port + " ssl");
        PhaseResult result = agrees(spec("https://localhost:" + port + "/item"), "HTTP/1.1");
        assertThat(result.work().handshakes().count()).isEqualTo(CONNECTIONS);
    }

    @Test
    void nginxCountsTheSameOverHttp2() throws Exception {
        assumeInstalled("nginx");
        int port = freePort();
        nginx(port + " ssl http2");
        PhaseResult result = agrees(spec("https://localhost:" + port + "/item").with(new Http2(20)), "HTTP/2.0");
        assertThat(result.work().handshakes().count()).isEqualTo(CONNECTIONS);
    }

    @Test
    void nginxCountsTheSameOverHttp2InPlainText() throws Exception {
        assumeInstalled("nginx");
        int port = freePort();
        nginx(port + " http2");
        agrees(spec("http://localhost:" + port + "/item").with(new Http2(20)), "HTTP/2.0");
    }

    /** What a server far away, or one without a CPU, does to each handshake. */
    @Test
    void aSlowHandshakeIsTimedAndFailsNothing() throws Exception {
        assumeInstalled("nginx");
        int port = freePort();
        nginx(port + " ssl");
        try (ServerSocket slow = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> slowDown(slow, port));
            PhaseResult result = agrees(spec("https://localhost:" + slow.getLocalPort() + "/item"), "HTTP/1.1");
            assertThat(result.work().handshakes().count()).isEqualTo(CONNECTIONS);
            assertThat(result.work().handshakes().maxNanos()).isGreaterThanOrEqualTo(SLOW.toNanos());
        }
    }

    private static void slowDown(ServerSocket from, int port) {
        try {
            while (true) {
                forward(from.accept(), port);
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void forward(Socket client, int port) throws IOException {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
            Thread.ofVirtual().start(() -> copy(client, server, Duration.ZERO));
            Thread.ofVirtual().start(() -> copy(server, client, SLOW));
        } catch (ConnectException notYet) {
            client.close();
        }
    }

    private static void copy(Socket from, Socket to, Duration before) {
        try (from;
                to) {
            byte[] first = new byte[4096];
            int length = from.getInputStream().read(first);
            Thread.sleep(before);
            to.getOutputStream().write(first, 0, length);
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException | InterruptedException gone) {
            // So has the other side.
        }
    }

    @Test
    void behindHaproxyBothVersionsAreCountedTheSame() throws Exception {
        assumeInstalled("nginx");
        assumeInstalled("haproxy");
        int behind = freePort();
        int port = freePort();
        nginx(Integer.toString(behind));
        haproxy(port, behind);
        LoadSpec spec = spec("https://localhost:" + port + "/item");
        // It speaks HTTP/1.1 to the server behind it.
        agrees(spec, "HTTP/1.1");
        agrees(spec.with(new Http2(20)), "HTTP/1.1");
    }
}
