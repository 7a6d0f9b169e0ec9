package dev.kiln.relay;

import io.netty.buffer.Unpooled;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** A PayloadClient calls the service behind, one call after the other. */
final class PayloadClient implements AutoCloseable {
    /** More than Tomcat has requests in flight in any experiment: nobody waits for a connection. */
    private static final int CONNECTIONS = 1000;

    private final ConnectionProvider connections = ConnectionProvider.builder("relay")
            .maxConnections(CONNECTIONS)
            .pendingAcquireTimeout(Duration.ofSeconds(30))
            .build();
    private final HttpClient client;

    PayloadClient(URI service) {
        client = HttpClient.create(connections).baseUrl(service.toString());
    }

    /** Sends the payload so many times, and returns the strings that come back, in their order. */
    CompletableFuture<List<String>> echoes(int calls, int delayMillis, byte[] payload) {
        return Flux.range(0, calls)
                .concatMap(call -> echo(delayMillis, payload), 0)
                .collectList()
                .toFuture();
    }

    private Mono<String> echo(int delayMillis, byte[] payload) {
        return client.post()
                .uri("/payload/" + delayMillis)
                .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(payload)))
                .responseSingle((response, body) -> response.status().code() == 200
                        ? body.asString(StandardCharsets.UTF_8)
                        : Mono.error(new IllegalStateException("the payload service answered " + response.status())));
    }

    @Override
    public void close() {
        connections.dispose();
    }
}
