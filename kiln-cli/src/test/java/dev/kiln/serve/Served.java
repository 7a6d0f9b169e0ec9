package dev.kiln.serve;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.console.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A folder of results with its server, as {@code kiln serve} starts it. */
public final class Served implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final StringWriter log = new StringWriter();
    private final WebServer server;

    public Served(Path root) {
        this(root, Optional.empty());
    }

    Served(Path root, Optional<String> token) {
        PrintWriter errors = new PrintWriter(log);
        server = new Pages(new Library(root), Console.leftOut(errors))
                .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), token, errors);
    }

    /** An experiment with a report: the second variant peaks higher. */
    public static Path judged(Path folder, String... variants) {
        RecordedRuns runs = new RecordedRuns(folder);
        List<String> all = List.of(variants);
        for (int i = 0; i < all.size(); i++) {
            runs.variant(all, all.get(i), 3, 20 + 10 * i, 1000 + 200 * i);
        }
        Kiln reported = Kiln.run("report", folder.toString());
        if (!reported.err().isEmpty()) {
            throw new IllegalStateException(reported.err());
        }
        return folder;
    }

    public String url(String path) {
        return "http://localhost:" + server.port() + path;
    }

    int port() {
        return server.port();
    }

    HttpResponse<String> get(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(path)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Bugs that it met. */
    String log() {
        return log.toString();
    }

    @Override
    public void close() {
        server.close();
        client.close();
    }
}
