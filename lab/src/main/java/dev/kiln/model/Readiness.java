package dev.kiln.model;

import java.time.Duration;
import java.util.OptionalInt;

/** When a target counts as started. Every form gives up after its timeout. */
public sealed interface Readiness {
    Duration timeout();

    /** The first successful response to the load's first call. */
    record FirstResponse(Duration timeout) implements Readiness {}

    /** {@code url}, which may have placeholders in it, answers with {@code status}. */
    record HttpStatus(String url, int status, Duration timeout) implements Readiness {}

    /** A TCP connection to {@code port} of this machine is accepted; empty is the port that Kiln gave the target. */
    record TcpPort(OptionalInt port, Duration timeout) implements Readiness {}

    /** A line of the target's output in which the regular expression is found. */
    record LogPattern(String regex, Duration timeout) implements Readiness {}
}
