package dev.kiln.engines;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks a Hyperfoil controller's interface as its {@code openapi.yaml} and its handlers have it (0.30), and really sends what a
 * benchmark of Kiln's asks for: one phase with one GET, in a closed loop.
 */
public final class StandInController implements AutoCloseable {
    static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpServer server;
    private final Map<String, JsonNode> benchmarks = new ConcurrentHashMap<>();
    private final Map<String, StandInRun> runs = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();

    /** Requests that start a run, with their queries. */
    final List<String> starts = new CopyOnWriteArrayList<>();

    /** Names of benchmarks that were taken away. */
    final List<String> deleted = new CopyOnWriteArrayList<>();

    /** Whether each run is refused as an agent is in use. */
    volatile boolean busy;

    /** How long agents take to start, in ms. */
    volatile long deployMillis = 50;

    /** Errors that each run ends with, instead of sending anything. */
    volatile Optional<String> failing = Optional.empty();

    /** In place of the figures of each run that has ended. */
    volatile Optional<String> figures = Optional.empty();

    /** How often the figures of a run that has ended were asked for. */
    final AtomicInteger asked = new AtomicInteger();

    /** How far the clock of controller and agents is ahead, in ms. */
    volatile long aheadMillis;

    public StandInController() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    List<StandInRun> runs() {
        return List.copyOf(runs.values());
    }

    JsonNode lastBenchmark() {
        return benchmarks.values().iterator().next();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            List<String> path =
                    List.of(exchange.getRequestURI().getPath().substring(1).split("/"));
            switch (path.getFirst()) {
                case "version" -> send(exchange, 200, "{\"version\": \"0.30-stand-in\"}");
                case "openapi" -> {
                    exchange.getResponseHeaders()
                            .add("x-epoch-millis", Long.toString(System.currentTimeMillis() + aheadMillis));
                    send(exchange, 200, "openapi: 3.0.0");
                }
                case "benchmark" -> benchmark(exchange, path);
                case "run" -> run(exchange, path);
                default -> send(exchange, 404, "");
            }
        }
    }

    private void benchmark(HttpExchange exchange, List<String> path) throws IOException {
        if (exchange.getRequestMethod().equals("POST")) {
            upload(exchange);
        } else if (exchange.getRequestMethod().equals("DELETE")) {
            deleted.add(path.get(1));
            send(exchange, benchmarks.remove(path.get(1)) == null ? 404 : 204, "");
        } else if (!benchmarks.containsKey(path.get(1))) {
            send(exchange, 404, "Benchmark not found");
        } else if (busy) {
            send(exchange, 403, "Agent a is already used; try starting the benchmark later");
        } else {
            starts.add(exchange.getRequestURI().getQuery());
            String id = String.format("%04X", ids.getAndIncrement());
            StandInRun run = new StandInRun(id, this, Objects.requireNonNull(benchmarks.get(path.get(1))));
            runs.put(id, run);
            run.start();
            send(exchange, 202, run.state());
        }
    }

    private void upload(HttpExchange exchange) throws IOException {
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (!"text/vnd.yaml".equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
            send(exchange, 406, "");
        } else if (text.startsWith("{")) {
            JsonNode benchmark = JSON.readTree(text.replace("\n#", "\n"));
            benchmarks.put(benchmark.path("name").asString(""), benchmark);
            send(exchange, 204, "");
        } else {
            send(exchange, 400, "Cannot read benchmark: line 2, column 1: Invalid configuration label: 'usrs'");
        }
    }

    private void run(HttpExchange exchange, List<String> path) throws IOException {
        StandInRun run = runs.get(path.get(1));
        if (run == null) {
            send(exchange, 404, "");
            return;
        }
        switch (String.join("/", path.subList(2, path.size()))) {
            case "" -> send(exchange, 200, run.state());
            case "stats/recent" -> send(exchange, 200, run.recent());
            case "stats/all/json" -> {
                asked.incrementAndGet();
                send(exchange, run.terminated() ? 200 : 303, run.terminated() ? figures.orElseGet(run::all) : "");
            }
            case "agentCpu" -> send(exchange, 200, "{\"load\": {\"in-vm\": \"12.5% (0.3/2 cores), 1 core max 25%\"}}");
            case "kill" -> {
                run.kill();
                run.awaitEnd();
                send(exchange, 202, "");
            }
            default -> send(exchange, 404, "");
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    /** One GET; returns the status. */
    static int get(URI url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            if (in != null) {
                in.readAllBytes();
            }
        }
        return status;
    }

    /** Goes away as a machine does, in the midst of what it does. */
    @Override
    public void close() {
        server.stop(0);
        runs.values().forEach(StandInRun::kill);
    }
}
