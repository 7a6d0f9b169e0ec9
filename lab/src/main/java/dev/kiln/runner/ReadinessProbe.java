package dev.kiln.runner;

import dev.kiln.host.process.Ports;
import dev.kiln.load.PlainHttp;
import dev.kiln.load.Statuses;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;

/** A ReadinessProbe asks a target once whether it is ready. Every wait for a start asks by one of these. */
interface ReadinessProbe extends AutoCloseable {
    /** Returns what is still missing, in words; empty once the target is ready. */
    Optional<String> missing() throws InterruptedException;

    @Override
    default void close() {}

    /**
     * Returns a probe that checks whether a URL answers with a status. A login in the URL is sent, and never printed.
     *
     * @param attempt how long one answer is waited for: a service may do much of its start in its first response
     */
    static ReadinessProbe ofStatus(URI url, int status, Duration attempt) {
        HttpCall call = HttpCall.get(url);
        return "https".equalsIgnoreCase(url.getScheme())
                ? new OverTls(call, status, attempt)
                : new Plain(call, status, attempt);
    }

    static ReadinessProbe ofPort(String host, int port) {
        return () -> Ports.accepts(host, port)
                ? Optional.empty()
                : Optional.of("port " + port + " does not accept connections");
    }

    /** Checks that no other program answers where readiness is checked: it would pass for this one. */
    static void requireFree(ReadySign ready, Placeholders values) {
        switch (ready) {
            case ReadySign.HttpStatus http -> Ports.requireFree(URI.create(values.fill(http.url())));
            case ReadySign.TcpPort tcp ->
                tcp.port().ifPresent(port -> Ports.requireFree(URI.create("http://" + RunContext.HERE + ":" + port)));
            case ReadySign.FirstResponse first -> {}
            case ReadySign.LogPattern pattern -> {}
        }
    }

    private static Optional<String> judged(URI url, int wanted, String answer, boolean fits) {
        return fits ? Optional.empty() : Optional.of(url + " answered " + answer + " instead of " + wanted);
    }

    /** A Plain asks without TLS, over a new connection each time. */
    record Plain(HttpCall call, int status, Duration attempt) implements ReadinessProbe {
        @Override
        public Optional<String> missing() {
            try (Socket socket = new Socket()) {
                socket.setSoTimeout(Math.toIntExact(attempt.toMillis()));
                PlainHttp.PlainAnswer answer = new PlainHttp(call).ask(socket);
                String said = answer.status().isPresent()
                        ? Integer.toString(answer.status().getAsInt())
                        : answer.firstLine().map(line -> "'" + line + "'").orElse("nothing");
                return judged(call.url(), status, said, answer.status().orElse(0) == status);
            } catch (IOException e) {
                return Optional.of(call.url() + ": " + IoReason.of(e));
            }
        }
    }

    /** An OverTls asks over TLS, for which it needs the JDK's own client. */
    final class OverTls implements ReadinessProbe {
        private final HttpClient client;
        private final HttpRequest request;
        private final int status;
        private final Duration attempt;

        OverTls(HttpCall call, int status, Duration attempt) {
            client = HttpClient.newBuilder()
                    // Without asking for HTTP/2: small servers stumble over the question.
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(attempt)
                    .build();
            HttpRequest.Builder get = HttpRequest.newBuilder(call.url()).timeout(attempt);
            call.headers().forEach(get::header);
            request = get.build();
            this.status = status;
            this.attempt = attempt;
        }

        @Override
        public Optional<String> missing() throws InterruptedException {
            try {
                int got = Statuses.of(client, request, attempt);
                return judged(request.uri(), status, Integer.toString(got), got == status);
            } catch (IOException e) {
                return Optional.of(request.uri() + ": " + IoReason.of(e));
            }
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }
}
