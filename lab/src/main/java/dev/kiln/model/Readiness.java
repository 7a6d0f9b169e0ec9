package dev.kiln.model;

import java.net.URI;
import java.time.Duration;

/** When a target counts as started. Every form gives up after its timeout. */
public sealed interface Readiness {
    Duration timeout();

    /** The first successful response to the load's first call. */
    record FirstResponse(Duration timeout) implements Readiness {}

    /** {@code url} answers with {@code status}. */
    record HttpStatus(URI url, int status, Duration timeout) implements Readiness {}

    /** A TCP connection to {@code host:port} is accepted. */
    record TcpPort(String host, int port, Duration timeout) implements Readiness {}

    /** A line of the target's output in which the regular expression is found. */
    record LogPattern(String regex, Duration timeout) implements Readiness {}
}
