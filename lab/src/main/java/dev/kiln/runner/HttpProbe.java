package dev.kiln.runner;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Asks a URL for its status with a bare socket: an HTTP client costs more than some starts take, on first use even in
 * CPU time beside the target.
 */
final class HttpProbe {
    private static final int CONNECT_MILLIS = 500;

    /** A service may do much of its start in its first response. */
    private static final int ANSWER_MILLIS = 5_000;

    private final URI url;
    private final int status;
    private final byte[] request;

    HttpProbe(URI url, int status) {
        this.url = url;
        this.status = status;
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        String text = "GET " + path + query + " HTTP/1.1\r\nHost: " + url.getAuthority()
                + "\r\nAccept: */*\r\nConnection: close\r\n\r\n";
        request = text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Nothing when the wanted status was the answer, else what was wrong. */
    String once() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(url.getHost(), Ports.portOf(url)), CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(request);
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            String said = line == null ? "nothing" : line;
            return said.startsWith("HTTP/1") && said.contains(" " + status)
                    ? ""
                    : url + " answered '" + said + "' instead of " + status;
        } catch (IOException e) {
            return url + ": " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }
}
