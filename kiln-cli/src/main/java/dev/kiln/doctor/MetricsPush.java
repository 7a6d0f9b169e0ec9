package dev.kiln.doctor;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Sends metrics to an OpenTelemetry collector over HTTP. A collector that is away is told once, and tried again. */
public final class MetricsPush implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final URI collector;
    private final Supplier<String> body;
    private final Consumer<String> log;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final Thread thread;
    private Optional<String> trouble = Optional.empty();

    private MetricsPush(URI collector, Duration every, Supplier<String> body, Consumer<String> log) {
        this.collector = collector;
        this.body = body;
        this.log = log;
        this.thread = Thread.ofVirtual().name("kiln-otlp").unstarted(() -> pushEach(every));
    }

    /**
     * Starts at once.
     *
     * @param url of the collector; without a path, {@code /v1/metrics} is its path
     * @param body the next request
     * @param log takes a line when the collector begins to refuse, and when it takes metrics again
     */
    public static MetricsPush start(String url, Duration every, Supplier<String> body, Consumer<String> log) {
        MetricsPush push = new MetricsPush(parse(url), every, body, log);
        push.thread.start();
        return push;
    }

    private static URI parse(String url) {
        try {
            URI uri = new URI(url);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                boolean bare = uri.getPath().isEmpty() || uri.getPath().equals("/");
                return bare ? uri.resolve("/v1/metrics") : uri;
            }
        } catch (URISyntaxException e) {
            // Told below.
        }
        throw KilnException.usage("--otlp: found '" + url + "'", "give a URL such as http://localhost:4318");
    }

    private void pushEach(Duration every) {
        try {
            while (true) {
                Thread.sleep(every);
                tell(push());
            }
        } catch (InterruptedException e) {
            // Closed.
            return;
        }
    }

    /** Empty when the collector took it. */
    private Optional<String> push() throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(collector)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.get()))
                .build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() / 100 == 2 ? Optional.empty() : Optional.of("status " + answer.statusCode());
        } catch (IOException e) {
            return Optional.of(IoReason.of(e));
        }
    }

    private void tell(Optional<String> now) {
        if (!now.equals(trouble)) {
            log.accept(now.map(why -> "the collector at " + collector + " does not take the metrics (" + why
                            + "); Kiln goes on trying")
                    .orElse("the collector at " + collector + " takes the metrics again"));
        }
        trouble = now;
    }

    @Override
    public void close() {
        thread.interrupt();
        client.shutdownNow();
    }
}
