package dev.kiln.engines;

import dev.kiln.load.AttemptResult;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.WrongUrl;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Waits for a target to come up, by bare sockets: an HTTP client costs more than some starts take. */
final class FirstAnswer {
    private static final int CONNECT_MILLIS = 500;

    private static final long LOOK_NANOS = 1_000_000;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.\\d (\\d{3})(?: .*)?");
    private static final Pattern GOOD = Pattern.compile("HTTP/1\\.[01] 2\\d\\d.*");

    private final HttpCall call;
    private final byte[] request;
    private AttemptResult last = AttemptResult.NOTHING_YET;

    FirstAnswer(HttpCall call) {
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

    Probe await(Duration timeout, BooleanSupplier go) {
        long end = System.nanoTime() + timeout.toNanos();
        List<Attempt> open = new ArrayList<>();
        WrongUrl wrongUrl = new WrongUrl();
        long attempts = 0;
        long next = System.nanoTime();
        try {
            while (System.nanoTime() < end && go.getAsBoolean()) {
                long now = System.nanoTime();
                if (now >= next && open.size() < Probe.MOST_OPEN) {
                    attempts++;
                    open.add(new Attempt());
                    next = now + Probe.BESIDE_NANOS;
                }
                for (Attempt attempt : List.copyOf(open)) {
                    if (attempt.answeredAt.isPresent()) {
                        return new Probe.Answered(attempt.answeredAt.getAsLong(), attempts);
                    }
                    if (attempt.failed()) {
                        open.remove(attempt);
                        last = attempt.result;
                        next = now + Probe.BETWEEN_ATTEMPTS_NANOS;
                        if (wrongUrl.after(last, now)) {
                            return new Probe.Unanswered(last, attempts);
                        }
                    }
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
            long over = System.nanoTime();
            OptionalLong waiting =
                    open.stream().mapToLong(attempt -> over - attempt.begun).max();
            return new Probe.Unanswered(last.atTheEnd(waiting), attempts);
        } finally {
            open.forEach(Attempt::close);
        }
    }

    /** One call, on a thread of its own. */
    private final class Attempt {
        private final long begun = System.nanoTime();
        private final Socket socket = new Socket();
        private volatile OptionalLong answeredAt = OptionalLong.empty();
        private volatile AttemptResult result = AttemptResult.NOTHING_YET;
        // The last field: the thread sees the others set.
        private final Thread thread = Thread.ofVirtual().start(this::call);

        private void call() {
            URI url = call.url();
            try (socket) {
                int port = url.getPort() < 0 ? 80 : url.getPort();
                socket.connect(new InetSocketAddress(url.getHost(), port), CONNECT_MILLIS);
                socket.getOutputStream().write(request);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                String line = in.readLine();
                if (line != null && GOOD.matcher(line).matches()) {
                    readToEnd(in, bodiless(line));
                    answeredAt = OptionalLong.of(System.nanoTime());
                } else {
                    result =
                            line == null ? AttemptResult.passing("connection closed before an answer") : answered(line);
                }
            } catch (IOException e) {
                result = AttemptResult.passing(
                        e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
            }
        }

        boolean failed() {
            return !thread.isAlive() && answeredAt.isEmpty();
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // Nobody waits for it.
                return;
            }
        }
    }

    /** RFC 9110, 6.4.1, of those that are good; what the headers say of a length is that of another answer. */
    private boolean bodiless(String line) {
        return call.method().equals("HEAD") || line.split(" ", 3)[1].startsWith("204");
    }

    private static AttemptResult answered(String line) {
        Matcher status = STATUS.matcher(line);
        return status.matches() ? AttemptResult.status(Integer.parseInt(status.group(1))) : AttemptResult.passing(line);
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
