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
        assertThat(Connection.refusal(annotated(new ConnectException("Connection refused")))
                        .words())
                .isEqualTo("connection refused");
        assertThat(Connection.refusal(annotated(new IOException("Network is unreachable")))
                        .words())
                .isEqualTo("could not connect: Network is unreachable: localhost/127.0.0.1:8080");
        assertThat(Connection.refusal(annotated(new ClosedChannelException())).words())
                .isEqualTo("could not connect: ClosedChannelException: localhost/127.0.0.1:8080");
        assertThat(Connection.refusal(null).words()).isEqualTo("could not connect: unknown cause");
    }
}
