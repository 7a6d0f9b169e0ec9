package dev.kiln.engines;

import dev.kiln.load.LoadSession.Probe;
import dev.kiln.model.LoadSpec.HttpCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** Waits for a target to come up, by bare sockets: an HTTP client costs more than some starts take. */
final class FirstAnswer {
    private static final int CONNECT_MILLIS = 500;

    /** A service may do much of its start in its first response. */
    private static final int ANSWER_MILLIS = 5_000;

    private static final long BETWEEN_ATTEMPTS_NANOS = 3_000_000;
    private static final Pattern GOOD = Pattern.compile("HTTP/1\\.[01] 2\\d\\d.*");

    private final HttpCall call;
    private final byte[] request;
    private String lastSeen = "nothing: no attempt ended in time";

    FirstAnswer(HttpCall call) {
        this.call = call;
        URI url = call.url();
        StringBuilder text = new StringBuilder(call.method() + " " + target(url) + " HTTP/1.1\r\nHost: "
                + url.getAuthority() + "\r\nConnection: close\r\n");
        call.headers().forEach((name, value) -> text.append(name + ": " + value + "\r\n"));
        String body = call.body().orElse("");
        call.body()
                .ifPresent(some ->
                        text.append("Content-Length: " + some.getBytes(StandardCharsets.UTF_8).length + "\r\n"));
        request = text.append("\r\n").append(body).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String target(URI url) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    Probe await(Duration timeout, BooleanSupplier go) {
        long end = System.nanoTime() + timeout.toNanos();
        long attempts = 0;
        while (System.nanoTime() < end && go.getAsBoolean()) {
            attempts++;
            if (once()) {
                return new Probe.Answered(System.nanoTime(), attempts);
            }
            LockSupport.parkNanos(BETWEEN_ATTEMPTS_NANOS);
        }
        return new Probe.Unanswered(lastSeen, attempts);
    }

    private boolean once() {
        URI url = call.url();
        try (Socket socket = new Socket()) {
            int port = url.getPort() < 0 ? 80 : url.getPort();
            socket.connect(new InetSocketAddress(url.getHost(), port), CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(request);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            String line = in.readLine();
            if (line != null && GOOD.matcher(line).matches()) {
                readToEnd(in, bodiless(line));
                return true;
            }
            lastSeen = line == null ? "connection closed before an answer" : seen(line);
        } catch (IOException e) {
            lastSeen = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        return false;
    }

    /** RFC 9110, 6.4.1, of those that are good; what the headers say of a length is that of another answer. */
    private boolean bodiless(String line) {
        return call.method().equals("HEAD") || line.split(" ", 3)[1].startsWith("204");
    }

    /** In the words of Kiln's own driver, so that a wrong URL is recognised. */
    private static String seen(String line) {
        return line.startsWith("HTTP/1.") && line.indexOf(' ') > 0 ? "status " + line.split(" ", 3)[1] : line;
    }

    /** Many servers keep the connection though they are asked to close it: the headers say where the answer ends. */
    private static void readToEnd(BufferedReader in, boolean bodiless) throws IOException {
        long length = -1;
        boolean chunked = false;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            String header = line.toLowerCase(Locale.ROOT).replace(" ", "");
            chunked |= header.equals("transfer-encoding:chunked");
            if (header.matches("content-length:\\d{1,18}")) {
                length = Long.parseLong(header.substring("content-length:".length()));
            }
        }
        if (bodiless) {
            return;
        }
        if (chunked) {
            String size = in.readLine();
            while (size != null && !size.strip().equals("0")) {
                size = in.readLine();
            }
        } else if (length >= 0) {
            in.skip(length);
        } else {
            in.transferTo(Writer.nullWriter());
        }
    }
}
