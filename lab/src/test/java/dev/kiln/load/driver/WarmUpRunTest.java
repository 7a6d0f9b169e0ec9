package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.driver.IoThread.Transport;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class WarmUpRunTest {
    @Test
    @Timeout(value = 600, unit = TimeUnit.SECONDS)
    void itEndsAtItsLimitAndSaysThatTheCompilersWereBusy() throws InterruptedException {
        IoThread io = new IoThread(Transport.pick());
        BinQueue queue = new BinQueue();
        BinWriter writer = new BinWriter(queue);
        LoadDriver.WarmUp warm = new WarmUpRun(io, queue, writer).run(Duration.ofMillis(1500));
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
        try (WarmUpServer server = new WarmUpServer()) {
            for (Map.Entry<String, String> e : expected.entrySet()) {
                URI url = URI.create("http://127.0.0.1:" + server.port() + "/" + e.getKey());
                try (LoadSession session = driver.open(LoadKit.timingOut(LoadKit.closed(1, url), 50), run)) {
                    Probe probe = session.awaitFirstResponse(Duration.ofMillis(200), () -> true);
                    String seen = probe instanceof Probe.Unanswered u ? u.lastSeen() : "completed";
                    assertThat(seen).as(e.getKey()).isEqualTo(e.getValue());
                }
            }
        }
        driver.close();
    }
}
