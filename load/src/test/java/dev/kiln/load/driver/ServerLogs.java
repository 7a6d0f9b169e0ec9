package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.PhaseResult.Requests;
import dev.kiln.load.driver.http.IoThread.Transport;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Sending.Tls;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A load on a server that others wrote, with a certificate, and a line in its log for each request. */
abstract class ServerLogs {
    static final int CONNECTIONS = 10;
    private static final int RATE = 400;

    @TempDir
    Path folder;

    LocalDriver driver;
    /** With lines such as {@code 200 HTTP/1.1 GET /item}. */
    Path log;

    private String issuer;

    @BeforeEach
    void certificate() throws Exception {
        driver = new LocalDriver(Transport.pick());
        log = folder.resolve("access.log");
        X509Bundle server = new CertificateBuilder()
                .subject("CN=localhost")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        issuer = Files.writeString(folder.resolve("cert.pem"), server.getCertificatePEM())
                .toString();
        Files.writeString(folder.resolve("key.pem"), server.getPrivateKeyPEM());
        // HAProxy wants both in one file.
        Files.writeString(folder.resolve("both.pem"), server.getCertificatePEM() + "\n" + server.getPrivateKeyPEM());
    }

    @AfterEach
    void closeDriver() throws InterruptedException {
        driver.close();
    }

    LoadSpec spec(String url) {
        return LoadKit.open(RATE, CONNECTIONS, URI.create(url)).with(new Tls(Optional.of(issuer), false));
    }

    /** Sends load over a new session, and compares with what the server wrote meanwhile. */
    PhaseResult agrees(LoadSpec spec, String protocol) throws IOException, InterruptedException {
        PhaseResult result;
        long before;
        try (LoadSession session = driver.open(spec, folder)) {
            assertThat(session.awaitFirstResponse(Duration.ofSeconds(60), () -> true))
                    .isInstanceOf(Probe.Answered.class);
            before = settled();
            result = session.load(new Phase.Load("load", Duration.ofMillis(1500)), tick -> {});
        }
        Requests requests = result.requests();
        assertThat(requests.errors()).isEqualTo(LoadBin.Errors.NONE);
        assertThat(requests.completed()).isPositive();
        long least = before + requests.completed();
        for (int look = 0; look < 100 && Files.readAllLines(log).size() < least; look++) {
            Thread.sleep(200);
        }
        assertThat(settled() - before)
                .as("requests in the server's log")
                .isBetween(requests.completed(), requests.started());
        assertThat(requests.started() - requests.completed()).isEqualTo(requests.unfinished());
        // One that the end of the load cut short may fail on its way.
        assertThat(Files.readAllLines(log).stream().filter(line -> !line.equals("200 " + protocol + " GET /item")))
                .hasSizeLessThanOrEqualTo((int) requests.unfinished());
        return result;
    }

    /** Lines in the log, once it grows no more. */
    long settled() throws IOException, InterruptedException {
        long lines = -1;
        for (long now = Files.readAllLines(log).size();
                now != lines;
                now = Files.readAllLines(log).size()) {
            lines = now;
            Thread.sleep(300);
        }
        return lines;
    }
}
