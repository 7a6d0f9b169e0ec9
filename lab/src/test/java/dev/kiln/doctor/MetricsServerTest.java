package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
    private static HttpResponse<String> get(MetricsServer server, String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void servesFiguresAndReadiness() throws Exception {
        AtomicBoolean warm = new AtomicBoolean();
        try (MetricsServer server = MetricsServer.start("127.0.0.1:0", () -> "# EOF\n", warm::get)) {
            assertThat(get(server, "/metrics").body()).isEqualTo("# EOF\n");
            assertThat(get(server, "/metrics")
                            .headers()
                            .firstValue("Content-Type")
                            .orElse(""))
                    .startsWith("application/openmetrics-text; version=1.0.0");
            assertThat(get(server, "/ready").statusCode()).isEqualTo(503);
            warm.set(true);
            assertThat(get(server, "/ready").statusCode()).isEqualTo(200);
            assertThat(get(server, "/other").statusCode()).isEqualTo(404);
            assertThatThrownBy(() -> MetricsServer.start("127.0.0.1:" + server.port(), () -> "", warm::get))
                    .hasMessageContaining("cannot serve metrics at");
        }
    }

    @Test
    void anAddressThatIsNoneIsSaid() {
        assertThatThrownBy(() -> MetricsServer.start("9404x", () -> "", () -> true))
                .hasMessage("--metrics: found '9404x'");
        assertThatThrownBy(() -> MetricsServer.start(":99999", () -> "", () -> true))
                .hasMessage("--metrics: found ':99999'");
    }
}
