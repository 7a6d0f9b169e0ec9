package dev.kiln.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kiln.console.Console;
import dev.kiln.host.process.Ports;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.report.html.Html;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A WebServer answers {@code GET} and nothing else. On this machine alone it needs no login, but refuses pages of other
 * sites that reach it under another host name; if other machines can reach it, each request needs the token. A client
 * that sends or reads nothing only occupies a thread of its own, for some minutes.
 */
public final class WebServer implements AutoCloseable {
    /** An event stream ends after so many seconds, before the server would cut it; the browser asks for the rest. */
    static final int LONGEST_STREAM_SECONDS = 240;

    private static final String COOKIE = "kiln-token";

    static {
        // The JDK's server reads these once. Times are in seconds.
        Map.of(
                        "sun.net.httpserver.maxReqTime", "10",
                        "sun.net.httpserver.maxRspTime", "300",
                        "jdk.httpserver.maxConnections", "500")
                .forEach((name, value) -> {
                    if (System.getProperty(name) == null) {
                        System.setProperty(name, value);
                    }
                });
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final Optional<String> token;
    private final Site site;
    private final PrintWriter log;

    /**
     * A WebRequest is what a client asks for.
     *
     * @param path decoded
     * @param query decoded, in its order
     * @param lastEvent the number of the last event that a viewer has seen; empty for a new one
     */
    record WebRequest(String path, Map<String, List<String>> query, Optional<String> lastEvent) {
        Optional<String> first(String name) {
            return query.getOrDefault(name, List.of()).stream().findFirst();
        }
    }

    /** A WebAnswer is a document, a redirect, or a stream of events. */
    sealed interface WebAnswer {}

    /** @param policy what the page may load and do, as a Content-Security-Policy; empty for what is no page */
    record Document(int status, String type, byte[] body, String policy) implements WebAnswer {}

    record Redirect(String to) implements WebAnswer {}

    /** An EventStream is server-sent events, written until the writer returns. */
    record EventStream(EventWriter writer) implements WebAnswer {}

    /** An EventWriter writes events to one viewer. */
    interface EventWriter {
        void write(OutputStream out) throws IOException;
    }

    /** A Site answers the requests that the server lets through. */
    interface Site {
        WebAnswer answer(WebRequest request);
    }

    private WebServer(HttpServer server, ExecutorService threads, Optional<String> token, Site site, PrintWriter log) {
        this.server = server;
        this.threads = threads;
        this.token = token;
        this.site = site;
        this.log = log;
    }

    /** Starts a server, which answers at once; each request needs the token, if there is one. */
    static WebServer start(InetSocketAddress address, Optional<String> token, Site site, PrintWriter log) {
        try {
            HttpServer server = HttpServer.create(address, 0);
            ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
            WebServer web = new WebServer(server, threads, token, site, log);
            server.setExecutor(threads);
            server.createContext("/", web::handle);
            server.start();
            return web;
        } catch (IOException | RuntimeException e) {
            throw KilnException.machine(
                    "cannot listen at " + address.getHostString() + ":" + address.getPort() + ": "
                            + (e instanceof IOException io ? IoReason.of(io) : String.valueOf(e.getMessage())),
                    "give another address: --listen 127.0.0.1:8322",
                    e);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            send(exchange, answer(exchange));
        } catch (IOException e) {
            // The client is gone, or reads no more.
            return;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            bug(exchange, e);
        }
    }

    private void bug(HttpExchange exchange, Throwable e) {
        log.println("kiln: " + exchange.getRequestURI().getRawPath() + ": a bug in Kiln, please report it");
        Console.trace(log, e);
    }

    private WebAnswer answer(HttpExchange exchange) {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            return text(405, "Kiln only answers GET.");
        }
        switch (Asker.of(exchange.getRequestHeaders())) {
            case OTHER_SITE -> {
                return text(403, "Kiln answers its own pages, and links to them.");
            }
            case LED_BY_OTHER_SITE -> {
                return crossing(here(exchange));
            }
            case SOMEBODY -> {}
        }
        Map<String, List<String>> query = query(exchange.getRequestURI().getRawQuery());
        if (token.isEmpty()
                && !Ports.isThisMachine(
                        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Host")))) {
            return text(421, "Kiln answers for this machine alone: ask for localhost.");
        }
        if (token.isPresent() && query.containsKey("token")) {
            return isToken(query.getOrDefault("token", List.of()).getFirst())
                    ? loggedIn(exchange)
                    : text(401, "This is not the token that kiln serve printed.");
        }
        if (token.isPresent() && !mayRead(exchange)) {
            return text(401, "Open the URL with the token that kiln serve printed.");
        }
        try {
            return site.answer(new WebRequest(
                    exchange.getRequestURI().getPath(),
                    query,
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Last-Event-ID"))));
        } catch (KilnException e) {
            return text(e.exit() == Exit.USAGE ? 404 : 500, e.getMessage() + "\n" + e.remedy());
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // It costs this page, and no other.
            bug(exchange, e);
            return text(500, "Kiln failed to make this page; its log says more.");
        }
    }

    /** Returns a page that costs nothing, with the link to the one that was asked for: who wants it clicks once. */
    private static Document crossing(String to) {
        String page =
                "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Kiln</title></head><body>"
                        + "<p>A page of another site led here without a click.</p><p><a href=\"" + Html.escape(to)
                        + "\">Show this page of Kiln</a></p></body></html>\n";
        return new Document(403, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8), "");
    }

    /** Returns the path that was asked for; two slashes at its beginning would be another server. */
    private static String path(HttpExchange exchange) {
        return "/" + exchange.getRequestURI().getRawPath().replaceFirst("^/+", "");
    }

    private static String here(HttpExchange exchange) {
        String query = exchange.getRequestURI().getRawQuery();
        return path(exchange) + (query == null ? "" : "?" + query);
    }

    private boolean isToken(String given) {
        return MessageDigest.isEqual(
                given.getBytes(StandardCharsets.UTF_8), token.orElseThrow().getBytes(StandardCharsets.UTF_8));
    }

    private boolean mayRead(HttpExchange exchange) {
        List<String> given = new ArrayList<>();
        for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            for (String cookie : header.split(";", -1)) {
                if (cookie.strip().startsWith(COOKIE + "=")) {
                    given.add(cookie.strip().substring(COOKIE.length() + 1));
                }
            }
        }
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .filter(header -> header.startsWith("Bearer "))
                .ifPresent(header -> given.add(header.substring("Bearer ".length())));
        return given.stream().anyMatch(this::isToken);
    }

    /** Returns a redirect without the token, which may be stored; a link in a report, without an origin, keeps it. */
    private WebAnswer loggedIn(HttpExchange exchange) {
        exchange.getResponseHeaders()
                .set("Set-Cookie", COOKIE + "=" + token.orElseThrow() + "; HttpOnly; SameSite=Lax; Path=/");
        return new Redirect(path(exchange));
    }

    private static Map<String, List<String>> query(@Nullable String raw) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            decoded(name)
                    .ifPresent(key -> query.computeIfAbsent(key, n -> new ArrayList<>())
                            .add(decoded(value).orElse("")));
        }
        return query;
    }

    /** Decodes text of an address; empty if it is not encoded as Kiln's own addresses are. */
    private static Optional<String> decoded(String text) {
        try {
            return Optional.of(URLDecoder.decode(text, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static Document text(int status, String text) {
        return new Document(
                status, "text/plain; charset=utf-8", (text.strip() + "\n").getBytes(StandardCharsets.UTF_8), "");
    }

    private void send(HttpExchange exchange, WebAnswer answer) throws IOException {
        var headers = exchange.getResponseHeaders();
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        switch (answer) {
            case Redirect redirect -> {
                headers.set("Location", redirect.to());
                exchange.sendResponseHeaders(303, -1);
            }
            case Document document -> {
                headers.set("Content-Type", document.type());
                headers.set(
                        "Content-Security-Policy",
                        document.policy().isEmpty() ? "default-src 'none'" : document.policy());
                exchange.sendResponseHeaders(document.status(), head ? -1 : document.body().length);
                if (!head) {
                    try (OutputStream out = exchange.getResponseBody()) {
                        out.write(document.body());
                    }
                }
            }
            case EventStream events -> {
                headers.set("Content-Type", "text/event-stream; charset=utf-8");
                exchange.sendResponseHeaders(200, head ? -1 : 0);
                if (!head) {
                    try (OutputStream out = exchange.getResponseBody()) {
                        events.writer().write(out);
                    }
                }
            }
        }
    }

    /** Ends when all current answers are sent, or after so many seconds. */
    public void closeWithin(int seconds) {
        server.stop(seconds);
        threads.shutdownNow();
    }

    @Override
    public void close() {
        closeWithin(0);
    }
}
