package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstAnswerTest {
    /** Of servers that keep the connection though they are asked to close it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
            })
    void anAnswerEndsWhereItsHeadersSay(String answer) throws IOException {
        assertThat(ask("GET", answer)).isInstanceOf(Probe.Answered.class);
    }

    /** Its headers are those that the answer to a GET would have. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\n"
            })
    void anAnswerToHeadEndsWithItsHeaders(String answer) throws IOException {
        assertThat(ask("HEAD", answer)).isInstanceOf(Probe.Answered.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 302 Found\r\n\r\n"})
    void whatIsNo2xxIsAskedAgain(String answer) throws IOException {
        assertThat(ask("GET", answer))
                .isInstanceOfSatisfying(
                        Probe.NoAnswer.class,
                        probe -> assertThat(probe.last().words()).isEqualTo("status " + answer.substring(9, 12)));
    }

    /** Only a status says that the URL is wrong, not a first line that reads like one. */
    @Test
    void aLineThatIsNoStatusMayPass() throws IOException {
        assertThat(ask("GET", "status 4 of 7: starting\r\n"))
                .isInstanceOfSatisfying(
                        Probe.NoAnswer.class,
                        probe -> assertThat(probe.last()).isEqualTo(AttemptResult.passing("status 4 of 7: starting")));
        assertThat(ask("GET", "HTTP/1.1 404 Not Found\r\n\r\n"))
                .isInstanceOfSatisfying(
                        Probe.NoAnswer.class, probe -> assertThat(probe.last()).isEqualTo(AttemptResult.status(404)));
    }

    /** A service may do much of its start in its first response. Were it asked anew, it would come later. */
    @Test
    void aSlowFirstAnswerIsWaitedForWhileOthersAreAskedBesideIt() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket first = server.accept();
                        Socket second = server.accept()) {
                    first.getOutputStream()
                            .write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    second.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // The test is over.
                }
            });
            URI url = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
            HttpCall call = new HttpCall(
                    "GET", url, Map.of(), Optional.empty(), 1, Optional.empty(), Optional.empty(), Optional.empty());

            assertThat(new FirstAnswer(FirstAnswer.http(call)).await(Duration.ofMinutes(5), () -> true))
                    .isInstanceOfSatisfying(
                            Probe.Answered.class,
                            answered -> assertThat(answered.attempts()).isEqualTo(2));
        }
    }

    private static Probe ask(String method, String answer) throws IOException {
        List<Socket> kept = new CopyOnWriteArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        Socket socket = server.accept();
                        kept.add(socket);
                        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                    }
                } catch (IOException e) {
                    // The test is over.
                }
            });
            URI url = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
            HttpCall call = new HttpCall(
                    method, url, Map.of(), Optional.empty(), 1, Optional.empty(), Optional.empty(), Optional.empty());
            return new FirstAnswer(FirstAnswer.http(call)).await(Duration.ofSeconds(1), () -> true);
        } finally {
            for (Socket socket : kept) {
                socket.close();
            }
        }
    }
}
