package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
    private static final String METRICS =
            "# TYPE a stateset\n# HELP a stateset of a\na{a=\"b\"} 1\n# TYPE c_seconds gauge\n# UNIT c_seconds seconds\nc_seconds 2\n# TYPE d counter\nd_total 3\n# EOF\n";

    private static HttpResponse<String> get(MetricsServer server, String path) throws Exception {
        return get(server, path, "*/*");
    }

    private static HttpResponse<String> get(MetricsServer server, String path, String accept) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
            return client.send(
                    HttpRequest.newBuilder(uri).header("Accept", accept).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String type(HttpResponse<String> response) {
        return response.headers().firstValue("Content-Type").orElse("");
    }

    @Test
    void servesFiguresAndReadiness() throws Exception {
        AtomicBoolean warm = new AtomicBoolean();
        try (MetricsServer server = MetricsServer.start("127.0.0.1:0", () -> METRICS, warm::get)) {
            HttpResponse<String> open =
                    get(server, "/metrics", "text/html, application/openmetrics-text;version=1.0.0;q=0.5");
            assertThat(open.body()).isEqualTo(METRICS);
            assertThat(type(open)).startsWith("application/openmetrics-text; version=1.0.0");
            HttpResponse<String> older = get(server, "/metrics");
            assertThat(older.body())
                    .isEqualTo(
                            "# TYPE a gauge\n# HELP a stateset of a\na{a=\"b\"} 1\n# TYPE c_seconds gauge\nc_seconds 2\n# TYPE d_total counter\nd_total 3\n");
            assertThat(type(older)).startsWith("text/plain; version=0.0.4");
            assertThat(get(server, "/ready").statusCode()).isEqualTo(503);
            warm.set(true);
            assertThat(get(server, "/ready").statusCode()).isEqualTo(200);
            assertThat(get(server, "/other").statusCode()).isEqualTo(404);
            assertThatThrownBy(() -> MetricsServer.start("127.0.0.1:" + server.port(), () -> "", warm::get))
                    .hasMessageContaining("cannot serve metrics at");
        }
    }

    /** Kubernetes would restart a service whose probe gets no answer. */
    @Test
    void aClientThatSendsHalfARequestKeepsNobodyWaiting() throws Exception {
        try (MetricsServer server = MetricsServer.start("127.0.0.1:0", () -> METRICS, () -> true);
                Socket idle = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Socket half = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            half.setSoTimeout(120_000);
            half.getOutputStream().write("GET /ready HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));

            assertThat(get(server, "/ready").statusCode()).isEqualTo(200);
            assertThat(half.getInputStream().read())
                    .as("closed after some seconds")
                    .isEqualTo(-1);
            assertThat(idle.isConnected()).isTrue();
        }
    }

    @Test
    void withoutAHostItIsForThisMachineAlone() throws Exception {
        try (MetricsServer server = MetricsServer.start(":0", () -> METRICS, () -> true)) {
            assertThat(get(server, "/ready").statusCode()).isEqualTo(200);
            InetAddress outside = NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && address instanceof Inet4Address)
                    .findFirst()
                    .orElse(null);
            assumeTrue(outside != null, "this machine has no other address");
            assertThatThrownBy(() -> new Socket(outside, server.port()).close()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void anAddressThatIsNoneIsSaid() {
        assertThatThrownBy(() -> MetricsServer.start("9404x", () -> "", () -> true))
                .hasMessage("cannot listen at '9404x': it is no address with a port");
        assertThatThrownBy(() -> MetricsServer.start("no such host:9404", () -> "", () -> true))
                .hasMessage("cannot listen at 'no such host:9404': no such host is known");
        assertThatThrownBy(() -> MetricsServer.start(":99999", () -> "", () -> true))
                .hasMessage("cannot listen at ':99999': it is no address with a port");
    }

    /** A page of another site makes a name of its own point to this machine. */
    @Test
    void answersNoOtherNameThanThisMachines() throws Exception {
        try (MetricsServer server = MetricsServer.start("127.0.0.1:0", () -> METRICS, () -> true)) {
            for (String path : java.util.List.of("/metrics", "/ready")) {
                assertThat(asked(server, path, "Host: evil.example\r\n")).startsWith("HTTP/1.1 421");
                assertThat(asked(server, path, "Host: localhost:" + server.port() + "\r\n"))
                        .startsWith("HTTP/1.1 200");
            }
        }
        try (MetricsServer server = MetricsServer.start("0.0.0.0:0", () -> METRICS, () -> true)) {
            assertThat(asked(server, "/metrics", "Host: pod.example\r\n")).startsWith("HTTP/1.1 200");
        }
    }

    private static String asked(MetricsServer server, String path, String host) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
