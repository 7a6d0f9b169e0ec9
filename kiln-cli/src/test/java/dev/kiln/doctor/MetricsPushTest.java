package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetricsPushTest {
    private static final Duration OFTEN = Duration.ofMillis(20);

    private final BlockingQueue<String> got = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    private static String next(BlockingQueue<String> from) throws InterruptedException {
        return String.valueOf(from.poll(60, TimeUnit.SECONDS));
    }

    @Test
    void aCollectorThatRefusesIsToldOnceAndTriedAgain() throws Exception {
        AtomicInteger status = new AtomicInteger(503);
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            got.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " " + body);
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        collector.start();
        String url = "http://127.0.0.1:" + collector.getAddress().getPort();
        try (MetricsPush push = MetricsPush.start(url, OFTEN, () -> "{}", said::add)) {
            assertThat(next(got)).isEqualTo("/v1/metrics application/json {}");
            assertThat(next(said))
                    .isEqualTo("the collector at " + url
                            + "/v1/metrics does not take the metrics (status 503); Kiln goes on trying");
            next(got);
            assertThat(said).isEmpty();
            status.set(200);
            assertThat(next(said)).isEqualTo("the collector at " + url + "/v1/metrics takes the metrics again");
            collector.stop(0);
            assertThat(next(said)).contains("does not take the metrics (");
            assertThat(push).isNotNull();
        }
    }

    @Test
    void aKeyInTheAddressIsNotTold() throws Exception {
        try (MetricsPush push =
                MetricsPush.start("http://127.0.0.1:1/v1/metrics?api-key=hunter2", OFTEN, () -> "{}", said::add)) {
            assertThat(next(said))
                    .startsWith(
                            "the collector at http://127.0.0.1:1/v1/metrics?api-key=*** does not take the metrics (");
            assertThat(push).isNotNull();
        }
    }

    /** Neither memory nor the next push waits for its end. */
    @Test
    void anAnswerWithoutAnEndIsGivenUp() throws Exception {
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.setExecutor(command -> Thread.ofVirtual().start(command));
        collector.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            while (true) {
                exchange.getResponseBody().write(new byte[1 << 16]);
            }
        });
        collector.start();
        String url = "http://127.0.0.1:" + collector.getAddress().getPort();
        try (MetricsPush push = MetricsPush.start(url, OFTEN, () -> "{}", said::add)) {
            assertThat(next(said)).contains("does not take the metrics (no complete answer within 5 s)");
            assertThat(push).isNotNull();
        } finally {
            collector.stop(0);
        }
    }

    @Test
    void whatIsNoUrlIsRefused() {
        for (String url : new String[] {"localhost:4318", "ftp://localhost", "http://", ":"}) {
            assertThatThrownBy(() -> MetricsPush.start(url, OFTEN, () -> "{}", said::add))
                    .as(url)
                    .hasMessage("--otlp: found '" + url + "'");
        }
    }
}
