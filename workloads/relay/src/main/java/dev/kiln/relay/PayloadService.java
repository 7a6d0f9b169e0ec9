package dev.kiln.relay;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;

/** {@code /payload/DELAY/SIZE}: so many bytes after so many milliseconds. */
final class PayloadService implements AutoCloseable {
    private final Map<Integer, byte[]> payloads = new ConcurrentHashMap<>();
    private final DisposableServer server = HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .route(routes -> routes.get(
                    "/payload/{delay}/{size}",
                    (request, response) -> response.header("Content-Type", "application/octet-stream")
                            .header("Content-Length", request.param("size"))
                            .sendByteArray(Mono.delay(Duration.ofMillis(number(request, "delay")))
                                    .map(tick -> payload(number(request, "size"))))))
            .bindNow();

    int port() {
        return server.port();
    }

    private static int number(HttpServerRequest request, String name) {
        return Integer.parseInt(Objects.requireNonNull(request.param(name)));
    }

    private byte[] payload(int size) {
        return payloads.computeIfAbsent(size, bytes -> {
            byte[] payload = new byte[bytes];
            Arrays.fill(payload, (byte) 'x');
            return payload;
        });
    }

    @Override
    public void close() {
        server.disposeNow();
    }
}
