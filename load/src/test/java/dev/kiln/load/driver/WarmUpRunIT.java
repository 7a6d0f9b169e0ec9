package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.PhaseResult.Requests;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.http.IoThread;
import dev.kiln.load.driver.http.IoThread.Transport;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Sending.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class WarmUpRunIT {
    @Test
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void itEndsAtItsLimitAndSaysThatTheCompilersWereBusy() throws InterruptedException {
        IoThread io = new IoThread(Transport.pick());
        BinQueue queue = new BinQueue();
        BinWriter writer = new BinWriter(queue);
        LoadDriver.WarmUp warm =
                new WarmUpRun(io, queue, writer, LoopCpus.always(2)).run(Duration.ofMillis(1500), Set.of());
        assertThat(warm.quiet()).as("two quiet seconds do not fit into 1.5 s").isFalse();
        assertThat(warm.duration()).isGreaterThan(Duration.ofMillis(1400));
        assertThat(warm.jitShare()).isBetween(0.0, 1.0);
        io.stop();
        writer.stop();
    }

    /** Each answer leads to what it is meant to lead to: else the warm-up would leave a path cold unnoticed. */
    @Test
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void itsServerAnswersAsMeant(@TempDir Path run) throws Exception {
        Map<String, String> expected = Map.ofEntries(
                Map.entry("small", "completed"),
                Map.entry("tomcat", "completed"),
                Map.entry("netty", "completed"),
                Map.entry("json", "completed"),
                Map.entry("big", "completed"),
                Map.entry("huge", "completed"),
                Map.entry("chunked", "completed"),
                Map.entry("empty", "completed"),
                Map.entry("last", "completed"),
                Map.entry("leave", "completed"),
                Map.entry("open-end", "completed"),
                Map.entry("error", "status 503"),
                Map.entry("garbage", "an answer that is not HTTP"),
                Map.entry("cut", "an answer that was cut short"),
                Map.entry("nothing", "connection closed without an answer"),
                Map.entry("reset", "connection reset"),
                Map.entry("hang", "no answer within 0.2 s"));
        LocalDriver driver = new LocalDriver(Transport.pick());
        for (boolean tls : List.of(false, true)) {
            try (WarmUpServer server = new WarmUpServer(tls)) {
                // The first handshake loads the library.
                try (LoadSession session = driver.open(
                        LoadKit.closed(1, url(server, tls, "small")).with(new Tls(Optional.empty(), true)), run)) {
                    session.awaitFirstResponse(Duration.ofSeconds(60), () -> true);
                }
                for (Map.Entry<String, String> e : expected.entrySet()) {
                    LoadSpec spec = LoadKit.timingOut(LoadKit.closed(1, url(server, tls, e.getKey())), 50)
                            .with(new Tls(Optional.empty(), true));
                    try (LoadSession session = driver.open(spec, run)) {
                        Probe probe = session.awaitFirstResponse(Duration.ofMillis(200), () -> true);
                        String seen =
                                probe instanceof Probe.NoAnswer u ? u.last().words() : "completed";
                        assertThat(seen).as(e.getKey() + " " + tls).isEqualTo(e.getValue());
                    }
                }
            }
        }
        driver.close();
    }

    @Test
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void itsServerSpeaksHttp2(@TempDir Path run) throws Exception {
        LocalDriver driver = new LocalDriver(Transport.pick());
        for (boolean tls : List.of(false, true)) {
            try (WarmUpServer server = new WarmUpServer(tls)) {
                LoadSpec spec = LoadKit.closed(3, url(server, tls, "small"))
                        .with(new Tls(Optional.empty(), true))
                        .with(new Http2(20));
                long completed = 0;
                // More than all three connections serve: it goes on over others.
                while (completed < 10_000) {
                    try (LoadSession session = driver.open(spec, run)) {
                        Requests requests = session.load(new Phase.Load("load", Duration.ofSeconds(2)), tick -> {})
                                .requests();
                        assertThat(requests.errors().total()).isZero();
                        assertThat(requests.completed()).isPositive();
                        completed += requests.completed();
                    }
                }
            }
        }
        driver.close();
    }

    private static URI url(WarmUpServer server, boolean tls, String path) {
        return URI.create((tls ? "https" : "http") + "://127.0.0.1:" + server.port() + "/" + path);
    }
}
