package dev.kiln.runner;

import dev.kiln.model.Placeholders;
import dev.kiln.model.Readiness;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** Waits until a target says that it has started. Polling is sparse enough not to slow a start on one CPU. */
final class ReadinessWait {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration ATTEMPT = Duration.ofSeconds(2);

    /** How a wait ended; {@code lastSeen} says what came of the last attempt. */
    record Outcome(boolean ready, String lastSeen) {}

    private ReadinessWait() {}

    /** Not for {@link Readiness.FirstResponse}, which the load driver finds itself. */
    static Outcome await(
            Readiness readiness, Placeholders values, int targetPort, Path log, BooleanSupplier stillWanted)
            throws InterruptedException {
        long deadline = System.nanoTime() + readiness.timeout().toNanos();
        try (Attempt attempt = attempt(readiness, values, targetPort, log)) {
            String lastSeen = "nothing was tried";
            while (System.nanoTime() < deadline && stillWanted.getAsBoolean()) {
                lastSeen = attempt.once();
                if (lastSeen.isEmpty()) {
                    return new Outcome(true, "");
                }
                Thread.sleep(POLL);
            }
            return new Outcome(false, lastSeen);
        }
    }

    /** One try; says what was wrong, or nothing when the target is ready. */
    private interface Attempt extends AutoCloseable {
        String once() throws InterruptedException;

        @Override
        default void close() {}
    }

    private static Attempt attempt(Readiness readiness, Placeholders values, int targetPort, Path log) {
        return switch (readiness) {
            case Readiness.FirstResponse first -> throw new IllegalArgumentException("found by the load driver");
            case Readiness.HttpStatus http -> new HttpAttempt(URI.create(values.fill(http.url())), http.status());
            case Readiness.TcpPort tcp -> {
                int port = tcp.port().orElse(targetPort);
                yield () -> Ports.accepts(values.fill("${host}"), port)
                        ? ""
                        : "port " + port + " does not accept connections";
            }
            case Readiness.LogPattern pattern -> {
                Pattern regex = Pattern.compile(pattern.regex(), Pattern.MULTILINE);
                yield () -> LogTail.contains(log, regex) ? "" : "no line with '" + pattern.regex() + "' in " + log;
            }
        };
    }

    private static final class HttpAttempt implements Attempt {
        private final HttpClient client = HttpClient.newBuilder()
                // Without asking for HTTP/2: small servers stumble over the question.
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(ATTEMPT)
                .build();
        private final HttpRequest request;
        private final int status;

        HttpAttempt(URI url, int status) {
            this.request = HttpRequest.newBuilder(url).timeout(ATTEMPT).build();
            this.status = status;
        }

        @Override
        public String once() throws InterruptedException {
            try {
                int got = client.send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode();
                return got == status ? "" : request.uri() + " answered " + got + " instead of " + status;
            } catch (IOException e) {
                String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
                return request.uri() + ": " + why;
            }
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }
}
