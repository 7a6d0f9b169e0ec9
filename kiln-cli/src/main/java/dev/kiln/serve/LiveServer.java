package dev.kiln.serve;

import dev.kiln.console.Console;
import dev.kiln.host.process.Ports;
import dev.kiln.model.KilnException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/** A LiveServer serves the pages of a folder of results, at an address that was given on the command line. */
public final class LiveServer implements AutoCloseable {
    public static final String DEFAULT = "127.0.0.1:8321";

    private static final int TOKEN_BYTES = 16;

    /** The last event has the times of the report, which is judged anew for it: of many runs that takes seconds. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    /** The server waits so many seconds: the end of a stream goes to its viewer after the last event. */
    private static final int LAST_BYTES = 1;

    private final WebServer server;
    private final Pages pages;
    private final String host;
    private final Optional<String> token;

    private LiveServer(WebServer server, Pages pages, String host, Optional<String> token) {
        this.server = server;
        this.pages = pages;
        this.host = host;
        this.token = token;
    }

    /** Starts to serve; without a token, one is drawn where other machines can reach the address. */
    public static LiveServer start(Path root, String listen, String token, PrintWriter log) {
        if (!token.matches("[A-Za-z0-9._~-]*")) {
            throw KilnException.usage(
                    "--token: only letters, digits and . _ ~ - can stand in an address",
                    "give another, or none: Kiln draws one where it is needed");
        }
        InetSocketAddress address = Ports.listen(listen);
        InetAddress ip = address.getAddress();
        Optional<String> needed = !token.isEmpty()
                ? Optional.of(token)
                : ip.isLoopbackAddress() ? Optional.empty() : Optional.of(drawn());
        Pages pages = new Pages(new Library(root), Console.leftOut(log));
        String host = ip.isAnyLocalAddress() ? "localhost" : address.getHostString();
        return new LiveServer(
                pages.start(address, needed, log), pages, host.contains(":") ? "[" + host + "]" : host, needed);
    }

    private static String drawn() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns the address of a page, with the token if there is one. */
    public String url(String path) {
        return "http://" + host + ":" + server.port() + path
                + token.map(secret -> "?token=" + secret).orElse("");
    }

    /**
     * Answers until each viewer of an experiment knows what it came to, or a short time has passed. Others may go on in the same
     * folder: who watches them watches no end.
     *
     * @param id of the experiment
     */
    public void awaitViewers(String id) {
        pages.awaitViewers(id, LAST_WORDS);
    }

    @Override
    public void close() {
        server.closeWithin(LAST_BYTES);
    }
}
