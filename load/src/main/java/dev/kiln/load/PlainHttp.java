package dev.kiln.load;

import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * PlainHttp sends one request of HTTP/1.1 over a socket of its own, without TLS. It waits for services that start: the first
 * use of an HTTP client takes longer than some starts, and takes CPU time from the target.
 */
public final class PlainHttp {
    private static final int CONNECT_MILLIS = 500;
    private static final int PORT = 80;
    private static final int MOST_KEPT = 8 << 10;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.\\d (\\d{3})(?: .*)?");

    private final HttpCall call;
    private final byte[] request;

    public PlainHttp(HttpCall call) {
        this.call = call;
        URI url = call.url();
        StringBuilder text = new StringBuilder(call.method() + " " + target(url) + " HTTP/1.1\r\nHost: "
                + url.getAuthority() + "\r\nConnection: close\r\n");
        call.headers().forEach((name, value) -> text.append(name + ": " + value + "\r\n"));
        String body = call.body().orElse("");
        if (call.body().isPresent() || List.of("POST", "PUT", "PATCH").contains(call.method())) {
            text.append("Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n");
        }
        request = text.append("\r\n").append(body).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String target(URI url) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    /** Sends the request and reads the answer's first line; the socket's maker may close it to end that. */
    public PlainAnswer ask(Socket socket) throws IOException {
        URI url = call.url();
        socket.connect(new InetSocketAddress(url.getHost(), url.getPort() < 0 ? PORT : url.getPort()), CONNECT_MILLIS);
        socket.getOutputStream().write(request);
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        return new PlainAnswer(line(in), in, call.method().equals("HEAD"));
    }

    /** Reads a line, and keeps as much of it as matters: one without an end must not fill memory. */
    private static Optional<String> line(BufferedReader in) throws IOException {
        StringBuilder line = new StringBuilder();
        int c = in.read();
        while (c >= 0 && c != '\n') {
            if (line.length() < MOST_KEPT) {
                line.append((char) c);
            }
            c = in.read();
        }
        boolean returned = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
        line.setLength(line.length() - (returned ? 1 : 0));
        return c < 0 && line.isEmpty() ? Optional.empty() : Optional.of(line.toString());
    }

    /** A PlainAnswer is an answer that has begun, without a first line where the connection was closed. */
    public record PlainAnswer(Optional<String> firstLine, BufferedReader rest, boolean toHead) {
        private static final int NO_CONTENT = 204;

        /** Returns the status; empty where the first line is none of HTTP/1. */
        public OptionalInt status() {
            return firstLine.map(STATUS::matcher).filter(Matcher::matches).stream()
                    .mapToInt(found -> Integer.parseInt(found.group(1)))
                    .findFirst();
        }

        /** Reads the answer to its end by its headers: many servers keep the connection despite being asked. */
        public void readToEnd() throws IOException {
            long length = -1;
            boolean chunked = false;
            for (Optional<String> line = line(rest);
                    line.isPresent() && !line.get().isEmpty();
                    line = line(rest)) {
                String header = line.get().toLowerCase(Locale.ROOT).replace(" ", "");
                chunked |= header.equals("transfer-encoding:chunked");
                if (header.matches("content-length:\\d{1,18}")) {
                    length = Long.parseLong(header.substring("content-length:".length()));
                }
            }
            // RFC 9110, 6.4.1, of answers that are good; what the headers say of a length is that of another answer.
            if (toHead || status().orElse(0) == NO_CONTENT) {
                return;
            }
            if (chunked) {
                Optional<String> size = line(rest);
                while (size.isPresent() && !size.get().strip().equals("0")) {
                    size = line(rest);
                }
            } else if (length >= 0) {
                rest.skip(length);
            } else {
                rest.transferTo(Writer.nullWriter());
            }
        }
    }
}
