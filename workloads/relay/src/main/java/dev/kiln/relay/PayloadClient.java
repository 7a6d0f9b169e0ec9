package dev.kiln.relay;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Calls the service behind, one call after the other. */
final class PayloadClient implements AutoCloseable {
    /** More than Tomcat has requests in flight in any experiment: nobody waits for a connection. */
    private static final int CONNECTIONS = 1000;

    private final ConnectionProvider connections = ConnectionProvider.builder("relay")
            .maxConnections(CONNECTIONS)
            .pendingAcquireTimeout(Duration.ofSeconds(30))
            .build();
    private final HttpClient client;

    PayloadClient(int port) {
        client = HttpClient.create(connections).host("127.0.0.1").port(port);
    }

    /** All payloads, one behind the other. */
    CompletableFuture<byte[]> payloads(int calls, int delayMillis, int size) {
        String path = "/payload/" + delayMillis + "/" + size;
        return Flux.range(0, calls)
                .concatMap(
                        call -> client.get()
                                .uri(path)
                                .responseSingle((response, body) -> body.asByteArray()),
                        0)
                .reduce(new ByteArrayOutputStream(calls * size), (all, payload) -> {
                    all.writeBytes(payload);
                    return all;
                })
                .map(ByteArrayOutputStream::toByteArray)
                .toFuture();
    }

    @Override
    public void close() {
        connections.dispose();
    }
}
