package dev.kiln.doctor;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kiln.host.process.Ports;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A MetricsServer answers {@code GET /metrics} for Prometheus and {@code GET /ready} for a probe. A client that sends
 * or reads nothing must not keep a probe waiting: each request has a thread and a few seconds, and the number of
 * connections is limited.
 */
public final class MetricsServer implements AutoCloseable {
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /** The content type is for scrapers that do not ask for OpenMetrics. */
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    static {
        // The JDK's server reads these once. Times are in seconds.
        Map.of(
                        "sun.net.httpserver.maxReqTime", "5",
                        "sun.net.httpserver.maxRspTime", "5",
                        "jdk.httpserver.maxConnections", "100")
                .forEach((name, value) -> {
                    if (System.getProperty(name) == null) {
                        System.setProperty(name, value);
                    }
                });
    }

    private final HttpServer server;
    private final ExecutorService threads;

    private MetricsServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Starts the server.
     *
     * @param address {@code :9404} for clients on this machine, {@code 0.0.0.0:9404} for all; port 0 takes a free one
     * @param metrics as OpenMetrics text
     */
    public static MetricsServer start(String address, Supplier<String> metrics, BooleanSupplier ready) {
        InetSocketAddress socket = Ports.listen(address);
        try {
            HttpServer server = HttpServer.create(socket, 0);
            ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
            server.setExecutor(threads);
            boolean alone = socket.getAddress().isLoopbackAddress();
            server.createContext("/metrics", exchange -> {
                if (mayAsk(exchange, alone)) {
                    metrics(exchange, metrics.get());
                }
            });
            server.createContext("/ready", exchange -> {
                if (!mayAsk(exchange, alone)) {
                    return;
                }
                boolean warm = ready.getAsBoolean();
                answer(exchange, warm ? 200 : 503, "text/plain; charset=utf-8", warm ? "warm\n" : "not warm\n");
            });
            server.start();
            return new MetricsServer(server, threads);
        } catch (IOException e) {
            throw KilnException.machine(
                    e, "cannot serve metrics at " + address, "give another address: --metrics :9405");
        }
    }

    /**
     * Tells whether a request may be answered: a server for this machine alone refuses pages of other sites, which
     * would learn names of processes. A refused request is answered here.
     */
    private static boolean mayAsk(HttpExchange exchange, boolean alone) throws IOException {
        boolean may = !alone
                || Ports.isThisMachine(
                        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Host")));
        if (!may) {
            answer(
                    exchange,
                    421,
                    "text/plain; charset=utf-8",
                    "Kiln answers for this machine alone: ask for localhost.\n");
        }
        return may;
    }

    private static void metrics(HttpExchange exchange, String text) throws IOException {
        String accepted = String.join(",", exchange.getRequestHeaders().getOrDefault("Accept", List.of()));
        if (accepted.contains("application/openmetrics-text")) {
            answer(exchange, 200, OPEN_METRICS, text);
        } else {
            answer(exchange, 200, TEXT, older(text));
        }
    }

    /** Returns Prometheus' older text: no units, state sets or end mark, and counters under their samples' names. */
    private static String older(String openMetrics) {
        return openMetrics
                .lines()
                .filter(line -> !line.startsWith("# UNIT ") && !line.equals("# EOF"))
                .map(line -> line.startsWith("# TYPE ")
                        ? line.replace(" stateset", " gauge").replace(" counter", "_total counter")
                        : line)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            if (!head) {
                out.write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
