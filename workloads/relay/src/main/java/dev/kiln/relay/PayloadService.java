package dev.kiln.relay;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.time.Duration;
import java.util.Objects;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** {@code POST /payload/DELAY}, in a JVM of its own: answers with the body, after so many milliseconds. */
public final class PayloadService {
    private PayloadService() {}

    /** @param args the port to listen on, of this machine alone */
    public static void main(String[] args) {
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(port(args))
                .route(routes -> routes.post("/payload/{delay}", PayloadService::answer))
                .bindNow();
        server.onDispose().block();
    }

    private static int port(String[] args) {
        if (args.length != 1 || !args[0].matches("\\d{1,5}") || Integer.parseInt(args[0]) > 65_535) {
            System.err.println("found '" + String.join(" ", args) + "', expected a port such as 8081");
            System.exit(2);
        }
        return Integer.parseInt(args[0]);
    }

    private static Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        Duration delay = Duration.ofMillis(Long.parseLong(Objects.requireNonNull(request.param("delay"))));
        return request.receive()
                .aggregate()
                .asByteArray()
                .delayElement(delay)
                .flatMap(payload -> response.header(HttpHeaderNames.CONTENT_LENGTH, String.valueOf(payload.length))
                        .sendByteArray(Mono.just(payload))
                        .then());
    }
}
