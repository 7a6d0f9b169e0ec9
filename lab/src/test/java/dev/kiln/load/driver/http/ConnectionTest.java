package dev.kiln.load.driver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    /** As Netty annotates an exception with the address. */
    private static Throwable annotated(IOException cause) {
        return new ConnectException(cause.getMessage() + ": localhost/127.0.0.1:8080").initCause(cause);
    }

    @Test
    void saysWhyItCouldNotConnect() {
        assertThat(Connection.words(annotated(new ConnectException("Connection refused"))))
                .isEqualTo("connection refused");
        assertThat(Connection.words(annotated(new IOException("Network is unreachable"))))
                .isEqualTo("could not connect: Network is unreachable: localhost/127.0.0.1:8080");
        assertThat(Connection.words(annotated(new ClosedChannelException())))
                .isEqualTo("could not connect: ClosedChannelException: localhost/127.0.0.1:8080");
        assertThat(Connection.words(null)).isEqualTo("could not connect: unknown cause");
    }
}
