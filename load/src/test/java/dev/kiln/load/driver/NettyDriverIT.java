package dev.kiln.load.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver as Kiln uses it: a process of its own. */
class NettyDriverIT {
    private static NettyDriver driver;

    @TempDir
    Path run;

    @BeforeAll
    static void start() {
        driver = new NettyDriver(List.of(), NettyDriver.JVM_FLAGS);
    }

    @AfterAll
    static void stop() {
        driver.close();
    }

    private static LoadSpec closed(URI url) {
        return new LoadSpec(List.of(HttpCall.get(url)), 4, OptionalDouble.empty(), Duration.ofSeconds(5));
    }

    private static Phase.Load phase(String name, int millis) {
        return new Phase.Load(name, Duration.ofMillis(millis));
    }

    @Test
    void itsLoopsSayHowBusyTheyWere() throws IOException {
        try (NettyDriver two = new NettyDriver(List.of(), List.of("-D" + LoopCpus.PROPERTY + "=2"));
                ScriptedServer server = new ScriptedServer(e -> e.send(ScriptedServer.OK));
                LoadSession session = two.open(closed(server.url("/")), run, System.nanoTime())) {
            PhaseResult r = session.load(phase("load", 500), tick -> {});
            assertThat(r.work().loops()).hasSize(2).allMatch(share -> share > 0 && share < 1.5);
            assertThat(r.requests().errors()).isEqualTo(LoadBin.Errors.NONE);
            assertThat(r.requests().started())
                    .isEqualTo(r.requests().completed() + r.requests().unfinished());
            assertThat(r.warnings())
                    .as("where it is not permitted")
                    .allMatch(warning -> warning.contains("not pinned to a CPU each"));
        }
    }

    @Test
    void whatItReportsIsWhatIsInTheFiles() throws IOException {
        long launch = System.nanoTime() - 5_000_000_000L;
        List<Tick> ticks = new ArrayList<>();
        PhaseResult first;
        PhaseResult second;
        try (ScriptedServer server = new ScriptedServer(e -> e.send(ScriptedServer.OK));
                LoadSession session = driver.open(closed(server.url("/")), run, launch)) {
            Probe probe = session.awaitFirstResponse(Duration.ofSeconds(10), () -> true);
            assertThat(probe).isInstanceOf(Probe.Answered.class);
            assertThat(((Probe.Answered) probe).nanoTime()).isBetween(launch, System.nanoTime());
            first = session.load(phase("warm-up", 1250), ticks::add);
            session.pause(new Phase.Pause("rest", Duration.ofMillis(100)));
            second = session.load(phase("measure", 300), tick -> {});
            assertThat(server.connections.get())
                    .as("one of the probe, four of the load")
                    .isEqualTo(5);
        }
        assertThat(first.requests().errors()).isEqualTo(LoadBin.Errors.NONE);
        assertThat(first.cancelled()).isFalse();
        assertThat(first.requests().started())
                .isEqualTo(first.requests().completed() + first.requests().unfinished());
        assertThat(first.endNanos() - first.startNanos()).isEqualTo(1_250_000_000L);
        assertThat(first.startNanos()).isGreaterThan(5_000_000_000L);
        assertThat(first.work().cost().cpuNanos()).isPositive();
        assertThat(ticks).extracting(Tick::second).containsExactly(1, 2);
        assertThat(ticks.stream().mapToDouble(Tick::requestsPerSecond).min().orElse(0))
                .isPositive();

        LoadFile.LoadBins load = LoadFile.read(run.resolve("load.csv"));
        assertThat(load.gaps()).isEmpty();
        List<LoadBin> bins =
                load.bins().stream().filter(b -> b.phase().equals("warm-up")).toList();
        assertThat(bins).hasSize(13);
        assertThat(bins.getFirst().startNanos()).isEqualTo(first.startNanos());
        assertThat(bins.getLast().endNanos()).isEqualTo(first.endNanos());
        for (int i = 1; i < bins.size(); i++) {
            assertThat(bins.get(i).startNanos()).isEqualTo(bins.get(i - 1).endNanos());
        }
        assertThat(bins.stream().mapToLong(LoadBin::completed).sum())
                .isEqualTo(first.requests().completed());
        assertThat(bins.stream().mapToLong(LoadBin::started).sum())
                .isEqualTo(first.requests().started());
        assertThat(bins).allMatch(b -> b.backlog() == 4);
        assertThat(load.bins().stream()
                        .filter(b -> b.phase().equals("measure"))
                        .mapToLong(LoadBin::completed)
                        .sum())
                .isEqualTo(second.requests().completed());

        LatencyLog.Result latency = LatencyLog.read(run.resolve("latency.hlog"), Long.MAX_VALUE);
        assertThat(latency.gaps()).isEmpty();
        assertThat(latency.latencies().seconds())
                .extracting(LatencyInterval::phase)
                .containsExactly("warm-up", "warm-up", "measure");
        assertThat(latency.latencies().seconds().stream()
                        .mapToLong(LatencyInterval::count)
                        .sum())
                .isEqualTo(first.requests().completed() + second.requests().completed());
    }

    /** What a read of 64 KB unpacks to has no room in the driver's heap. */
    @Test
    void aPackedBodyAThousandTimesAsLargeAsItIsSent() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            for (int megabytes = 0; megabytes < 200; megabytes++) {
                out.write(new byte[1 << 20]);
            }
        }
        try (ScriptedServer server = new ScriptedServer(e -> {
                    e.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + packed.size()
                            + "\r\n\r\n");
                    packed.writeTo(e.socket().getOutputStream());
                });
                LoadSession session = driver.open(
                        LoadKit.closed(4, LoadKit.containing(server.url("/"), "x")), run, System.nanoTime())) {
            PhaseResult r = LoadKit.loadUntil(session, () -> server.requests.get() > 8);
            assertThat(r.requests().errors().badBody()).isPositive();
            assertThat(r.requests().errors().total())
                    .isEqualTo(r.requests().errors().badBody());
        }
    }

    @Test
    void whatTheDriverRefusesIsToldAsItSaidIt() {
        LoadSpec spec = closed(URI.create("http://127.0.0.1:1/"));
        assertThatThrownBy(() -> driver.open(spec, run.resolve("no/such/directory"), System.nanoTime()))
                .isInstanceOfSatisfying(KilnException.class, e -> {
                    assertThat(e.exit()).isEqualTo(KilnException.Exit.MACHINE);
                    assertThat(e).hasMessageContaining("cannot write ").hasMessageContaining("no/such/directory");
                });
    }

    @Test
    void aPhaseIsCancelledFromAnotherThread() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(ScriptedServer.OK));
                LoadSession session = driver.open(closed(server.url("/")), run, System.nanoTime())) {
            PhaseResult result = session.load(phase("long", 600_000), tick -> session.cancel());
            assertThat(result.cancelled()).isTrue();
            assertThat(result.requests().completed()).isPositive();
            PhaseResult next = session.load(phase("next", 600_000), tick -> {});
            assertThat(next.cancelled()).isTrue();
            session.pause(new Phase.Pause("rest", Duration.ofMinutes(10)));
        }
    }

    /** The death of one run's target may be told when the next run has already begun. */
    @Test
    void aCancelThatComesLateDoesNotHitTheNextSession() throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(ScriptedServer.OK))) {
            LoadSession over = driver.open(closed(server.url("/")), run, System.nanoTime());
            over.close();
            try (LoadSession next = driver.open(
                    closed(server.url("/")), Files.createDirectory(run.resolve("next")), System.nanoTime())) {
                over.cancel();
                assertThat(next.load(phase("warm-up", 200), tick -> {}).cancelled())
                        .isFalse();
            }
        }
    }

    @Test
    void aDisplayThatFailsEndsThePhaseAndLeavesTheDriverUsable() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(ScriptedServer.OK))) {
            LoadSession session = driver.open(closed(server.url("/")), run, System.nanoTime());
            assertThatThrownBy(() -> session.load(phase("long", 600_000), tick -> {
                        throw new IllegalStateException("no terminal");
                    }))
                    .hasMessage("no terminal");
            session.close();
            try (LoadSession next = driver.open(closed(server.url("/")), run, System.nanoTime())) {
                assertThat(next.load(phase("next", 200), tick -> {}).requests().completed())
                        .isPositive();
            }
        }
    }

    @Test
    void anInterruptEndsThePhaseAndIsKept() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(ScriptedServer.OK));
                LoadSession session = driver.open(closed(server.url("/")), run, System.nanoTime())) {
            Thread self = Thread.currentThread();
            PhaseResult result = session.load(phase("long", 600_000), tick -> self.interrupt());
            assertThat(Thread.interrupted()).isTrue();
            assertThat(result.cancelled()).isTrue();
            assertThat(result.requests().completed()).isPositive();
        }
    }
}
