package dev.kiln.engines;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.kiln.model.KilnException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A HyperfoilController calls the REST interface of a controller, as its {@code openapi.yaml} and its handlers define it. */
final class HyperfoilController implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** An answer that is kept in memory has at most this many bytes. */
    private static final long MOST_BYTES = 16 << 20;

    /** The figures of a whole run have at most this many bytes; no more of them could be read. */
    private static final long MOST_OF_ALL = 256 << 20;

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** This header has the controller's clock; of all answers only its own description has it to the millisecond. */
    private static final String CLOCK = "x-epoch-millis";

    private static final int CLOCK_READINGS = 5;
    private static final long MILLI = 1_000_000;

    private final URI base;
    private final Duration patience;
    private volatile long uncertaintyNanos;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .build();

    /** Unanswered says that the controller did not answer, or not as a controller does. */
    static final class Unanswered extends Exception {
        private static final long serialVersionUID = 1L;

        /** This is true if asking again is of no use. */
        private final boolean lasting;

        Unanswered(String message) {
            this(message, false);
        }

        Unanswered(String message, boolean lasting) {
            super(message);
            this.lasting = lasting;
        }

        boolean lasting() {
            return lasting;
        }
    }

    /** A Clock is the controller's at {@link System#nanoTime} 0, within half the quickest answer and 1 ms. */
    record Clock(long zeroEpochNanos, long uncertaintyNanos) {}

    /** @param base without a slash at its end */
    HyperfoilController(URI base) {
        this(base, ANSWER);
    }

    /** @param patience with an answer, and with the rest of one that does not go on */
    HyperfoilController(URI base, Duration patience) {
        this.base = base;
        this.patience = patience;
    }

    @Override
    public String toString() {
        return base.toString();
    }

    KilnException unreachable(Unanswered why) {
        return KilnException.machine(
                "load: no controller of Hyperfoil answers at " + base + ": " + why.getMessage(),
                "start one (bin/standalone.sh, or bin/controller.sh for agents on other machines), or correct"
                        + " load: {hyperfoil: {controller: URL}}");
    }

    String version() throws Unanswered {
        JsonNode answer = json(get("/version"), "/version");
        String version = answer.path("version").asString("");
        if (version.isEmpty()) {
            throw new Unanswered("it is not a controller of Hyperfoil: /version has no version");
        }
        return version;
    }

    /** Reads the controller's clock afresh, because clocks drift over the length of an experiment. */
    Clock clock() throws Unanswered {
        Clock best = new Clock(0, Long.MAX_VALUE);
        for (int i = 0; i < CLOCK_READINGS; i++) {
            long before = System.nanoTime();
            HttpResponse<String> answer = get("/openapi");
            long half = (System.nanoTime() - before) / 2;
            long millis = answer.headers().firstValueAsLong(CLOCK).orElse(-1);
            if (millis < 0) {
                throw new Unanswered("/openapi has no header " + CLOCK);
            }
            if (half + MILLI < best.uncertaintyNanos()) {
                best = new Clock(millis * MILLI + MILLI / 2 - (before + half), half + MILLI);
            }
        }
        uncertaintyNanos = best.uncertaintyNanos();
        return best;
    }

    /** Returns the uncertainty of the last reading of the clock, in ns. */
    long uncertaintyNanos() {
        return uncertaintyNanos;
    }

    /** Sends a benchmark to the controller, where it replaces one of the same name. */
    void upload(String yaml) throws Unanswered {
        HttpRequest request = request("/benchmark")
                .header("Content-Type", "text/vnd.yaml")
                .POST(HttpRequest.BodyPublishers.ofString(yaml))
                .build();
        HttpResponse<String> answer = send(request);
        if (answer.statusCode() / 100 != 2) {
            throw KilnException.usage(
                    "load: the controller " + base + " refuses the benchmark (" + answer.statusCode() + "): "
                            + said(answer),
                    "correct what it names: the agents in load: {hyperfoil: {agents: [...]}}, or your own benchmark in its file");
        }
    }

    /** Starts a benchmark and returns the id of its run. */
    String start(String benchmark, String description, Map<String, String> parameters) throws Unanswered {
        String query = parameters.entrySet().stream()
                .map(e -> "&templateParam=" + encoded(e.getKey() + "=" + e.getValue()))
                .collect(Collectors.joining("", "?desc=" + encoded(description), ""));
        HttpResponse<String> answer = get("/benchmark/" + encoded(benchmark) + "/start" + query);
        return switch (answer.statusCode()) {
            case 202 -> json(answer, "start").path("id").asString("");
            case 403 ->
                throw KilnException.machine(
                        "load: the controller " + base + " is busy: " + said(answer),
                        "wait until the run there has ended, or end it: " + base + "/run lists them, " + base
                                + "/run/ID/kill ends one");
            case 301 ->
                throw KilnException.machine(
                        "load: the controller " + base + " leaves the start of runs to a CI server (triggerUrl)",
                        "use a controller that starts its runs itself");
            case 400 ->
                throw KilnException.usage(
                        "load: the controller " + base + " cannot start " + benchmark + ": " + said(answer),
                        "correct the benchmark; kiln help load names the parameters that Kiln passes");
            default -> throw new Unanswered("start was answered with " + answer.statusCode() + ": " + said(answer));
        };
    }

    /** Returns a run's state, in JSON. */
    JsonNode run(String id) throws Unanswered {
        HttpResponse<String> answer = get("/run/" + encoded(id));
        if (answer.statusCode() == 404) {
            throw new Unanswered("it does not know run " + id + " any more: it was restarted", true);
        }
        return json(answer, "/run/" + id);
    }

    /** Returns the last whole second of each metric of a run, in JSON. */
    String recent(String id) throws Unanswered {
        HttpResponse<String> answer = get("/run/" + encoded(id) + "/stats/recent");
        if (answer.statusCode() != 200) {
            throw new Unanswered("stats/recent was answered with " + answer.statusCode());
        }
        return answer.body();
    }

    /** Writes all figures of a run that has ended into a file, as JSON. */
    void all(String id, Path file) throws Unanswered {
        HttpRequest request =
                request("/run/" + encoded(id) + "/stats/all/json").GET().build();
        HttpResponse<Path> answer = whole(
                request,
                BoundedBody.of(BodyHandlers.ofFile(file, CREATE, WRITE, TRUNCATE_EXISTING), MOST_OF_ALL),
                () -> file.toFile().length());
        if (answer.statusCode() != 200) {
            throw new Unanswered("stats/all/json was answered with " + answer.statusCode());
        }
    }

    /** Returns each agent's CPU time in the run's phases, in the controller's words; empty if it does not report it. */
    List<String> agentCpu(String id) {
        try {
            HttpResponse<String> answer = get("/run/" + encoded(id) + "/agentCpu");
            return answer.statusCode() != 200
                    ? List.of()
                    : json(answer, "agentCpu")
                            .valueStream()
                            .flatMap(phase -> phase.propertyStream())
                            .map(agent ->
                                    agent.getKey() + " " + agent.getValue().asString(""))
                            .distinct()
                            .toList();
        } catch (Unanswered e) {
            return List.of();
        }
    }

    /** Asks for a run's end; the answer would come with it and is not waited for. */
    void kill(String id) {
        var unused =
                client.sendAsync(request("/run/" + encoded(id) + "/kill").GET().build(), BodyHandlers.discarding());
    }

    /** Deletes a benchmark, if it is there and the controller answers. */
    void delete(String benchmark) {
        try {
            send(request("/benchmark/" + encoded(benchmark)).DELETE().build());
        } catch (Unanswered e) {
            // It stays there, which harms nobody.
        }
    }

    private HttpResponse<String> get(String path) throws Unanswered {
        return send(request(path).GET().build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(patience);
    }

    private HttpResponse<String> send(HttpRequest request) throws Unanswered {
        HttpResponse<String> answer = whole(request, BoundedBody.of(BodyHandlers.ofString(), MOST_BYTES), () -> 0);
        if (answer.statusCode() == 401) {
            throw KilnException.machine(
                    "load: the controller " + base + " needs a password",
                    "use a controller without one: Kiln sends no password");
        }
        return answer;
    }

    /**
     * Waits for a whole answer. The request's own timeout ends with the headers (until JDK 26), and a controller may be lost in
     * the midst of a body.
     *
     * @param arrived bytes of the body so far, or 0 for one that is to come at once
     */
    private <T> HttpResponse<T> whole(HttpRequest request, BodyHandler<T> handler, LongSupplier arrived)
            throws Unanswered {
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, handler);
        long seen = 0;
        while (true) {
            try {
                return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                long now = arrived.getAsLong();
                if (now == seen) {
                    answer.cancel(true);
                    throw new Unanswered("no complete answer within " + patience.toSeconds() + " s");
                }
                seen = now;
            } catch (ExecutionException e) {
                Throwable why = Objects.requireNonNullElse(e.getCause(), e);
                // Asked again, it would be as long, and take as much of the network and the disk.
                throw new Unanswered(reason(why), why instanceof BoundedBody.TooLong);
            } catch (InterruptedException e) {
                answer.cancel(true);
                Thread.currentThread().interrupt();
                throw new Unanswered("interrupted");
            }
        }
    }

    private String reason(Throwable e) {
        if (e instanceof HttpTimeoutException) {
            return "no answer within " + patience.toSeconds() + " s";
        }
        if (e instanceof ConnectException) {
            return "no connection: "
                    + (e.getMessage() == null ? "refused" : e.getMessage().toLowerCase(Locale.ROOT));
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static JsonNode json(HttpResponse<String> answer, String what) throws Unanswered {
        if (answer.statusCode() / 100 != 2) {
            throw new Unanswered(what + " was answered with " + answer.statusCode());
        }
        try {
            return JSON.readTree(answer.body());
        } catch (tools.jackson.core.JacksonException e) {
            throw new Unanswered("it is not a controller of Hyperfoil: " + what + " is not JSON");
        }
    }

    private static String said(HttpResponse<String> answer) {
        String text = answer.body().strip();
        return text.isEmpty() ? "it does not say why" : text;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
