package dev.kiln.runner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.process.AttachedProcess;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Target.ReadySign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TargetStartTest {
    private static final Placeholders NONE = new Placeholders(Map.of());

    private Bench bench;
    private PinnedProcess target;
    private Path log;

    @BeforeEach
    void launch() {
        bench = new Bench();
        log = bench.folder().resolve("target.log");
        target = bench.start(bench.folder(), Map.of(), List.of("sleep", "600"), log);
    }

    @AfterEach
    void end() {
        target.stop(Duration.ofSeconds(10));
        bench.close();
    }

    /** Its command starts it again for the next run, so nobody else need. */
    @Test
    void aServiceThatARestartBroughtIsNotToBeStartedByHand() throws IOException {
        ProcFs fs = ProcFs.ofThisMachine();
        ProcStat found = fs.stat(target.pid()).orElseThrow();
        Files.writeString(log, "no such database\n");

        RunFailure fresh = new TargetStart(
                        new AttachedProcess(fs, found, System.nanoTime(), true), log, new Cancellation())
                .died();
        RunFailure old = new TargetStart(
                        new AttachedProcess(fs, found, System.nanoTime(), false), log, new Cancellation())
                .died();

        assertThat(fresh)
                .hasMessage("process " + target.pid()
                        + ", which the restart had brought, ended during the run; only the one"
                        + " that started it knows how: see its log");
        assertThat(fresh.said()).isEqualTo("no such database");
        assertThat(old).hasMessageContaining("to which Kiln had attached").hasMessageEndingWith(", and start it again");
    }

    /** What Java makes of {@code System.exit(-1)}. */
    @Test
    void anExitWithAHighCodeIsNoSignal() {
        PinnedProcess other = bench.start(bench.folder(), Map.of(), List.of("sh", "-c", "exit 255"), log);
        other.onExit().join();
        assertThat(new TargetStart(other, log, new Cancellation()).died())
                .hasMessage("the target exited with code 255");
    }

    /** The user's java may be older than the service: what to do is said, and no other JDK is taken. */
    @Test
    void classesThatAreTooNewSayWhichJdkTheyNeed() throws IOException {
        int next = Runtime.version().feature() + 1;
        ClassFile file = ClassFile.of();
        Files.write(
                bench.folder().resolve("Next.class"),
                file.build(ClassDesc.of("Next"), type -> type.withVersion(44 + next, 0)));
        PinnedProcess other = bench.start(
                bench.folder(),
                Map.of(),
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", ".", "Next"),
                log);
        other.onExit().join();
        assertThat(new TargetStart(other, log, new Cancellation()).died())
                .hasMessage("the target exited with code 1; its classes need JDK " + next
                        + " or later: name one with --jdk " + next + "+, or jdk: " + next + "+ in the experiment file");
    }

    /** A Greedy wants more than its heap has. */
    static final class Greedy {
        public static void main(String[] args) {
            System.exit(new long[1 << 24].length > 0 ? 0 : 2);
        }
    }

    @Test
    void aTargetThatRanOutOfMemorySaysSo() throws Exception {
        Path classes = Path.of(
                Greedy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        PinnedProcess other = bench.start(
                bench.folder(),
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-cp",
                        classes.toString(),
                        Greedy.class.getName()),
                log);
        other.onExit().join();
        assertThat(new TargetStart(other, log, new Cancellation()).died())
                .hasMessage("the target exited with code 1: its log says java.lang.OutOfMemoryError: Java heap space");
    }

    /** Another JDK would not help. */
    @Test
    void classesWithPreviewFeaturesAreNotTooNew() {
        String said =
                "java.lang.UnsupportedClassVersionError: Preview features are not enabled for X (class file version"
                        + " 61.65535). Try running with '--enable-preview'";
        PinnedProcess other =
                bench.start(bench.folder(), Map.of(), List.of("sh", "-c", "echo \"" + said + "\"; exit 1"), log);
        other.onExit().join();
        assertThat(new TargetStart(other, log, new Cancellation()).died()).hasMessage("the target exited with code 1");
    }

    private TargetStart start() {
        return new TargetStart(target, log, new Cancellation());
    }

    /** Answers each wait with what is next in the list, and ends the target when there is no more. */
    private final class Waits implements LoadSession {
        final List<Duration> asked = new ArrayList<>();
        private final List<AttemptResult> seen;

        Waits(AttemptResult... seen) {
            this.seen = List.of(seen);
        }

        @Override
        public Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive) {
            asked.add(timeout);
            if (asked.size() > seen.size()) {
                target.stop(Duration.ZERO);
                return new Probe.NoAnswer(AttemptResult.passing("gone"), 1);
            }
            return new Probe.NoAnswer(seen.get(asked.size() - 1), 1);
        }

        @Override
        public PhaseResult load(Phase.Load phase, Consumer<Tick> live) {
            throw new AssertionError("no load before the target is ready");
        }

        @Override
        public void pause(Phase.Pause phase) {}

        @Override
        public void finish() {}

        @Override
        public void cancel() {}

        @Override
        public void close() {}
    }

    /** A new wait begins with a new request: were a wait short, a slower first response would never come. */
    @Test
    void waitsForTheFirstResponseAsLongAsTheReadinessAllows() {
        Waits waits = new Waits(AttemptResult.passing("no answer"));

        assertThatThrownBy(() -> await(new ReadySign.FirstResponse(Duration.ofHours(1)), waits))
                .isInstanceOf(RunFailure.class)
                .hasMessageContaining("no answer");
        assertThat(waits.asked).hasSize(1);
        assertThat(waits.asked.getFirst()).isGreaterThan(Duration.ofMinutes(59));
    }

    @Test
    void aRefusalBeforeTheEndIsAWrongUrl() {
        assertThatThrownBy(() ->
                        await(new ReadySign.FirstResponse(Duration.ofHours(1)), new Waits(AttemptResult.status(404))))
                .isInstanceOf(RunFailure.class)
                .hasMessageContaining("status 404, so the URL may be wrong");
    }

    @Test
    void aServiceThatWantsALoginSaysSo() {
        assertThatThrownBy(() ->
                        await(new ReadySign.FirstResponse(Duration.ofHours(1)), new Waits(AttemptResult.status(401))))
                .isInstanceOf(RunFailure.class)
                .hasMessageContaining(
                        "status 401, so the service wants a login, or refuses the one that it got: give it in the URL");
    }

    @Test
    void onlyRefusalsForTenSecondsAreAWrongUrl() {
        LoadSession.WrongUrl wrong = new LoadSession.WrongUrl();

        assertThat(wrong.after(AttemptResult.status(404), 0)).isFalse();
        assertThat(wrong.after(AttemptResult.status(404), 9_900_000_000L)).isFalse();
        assertThat(wrong.after(AttemptResult.status(503), 9_950_000_000L)).isFalse();
        assertThat(wrong.after(AttemptResult.status(404), 11_000_000_000L)).isFalse();
        assertThat(wrong.after(AttemptResult.status(404), 21_000_000_000L)).isTrue();
    }

    /** The number that is looked for may stand in the reason of another status. */
    @Test
    void aStatusIsTheNumberAfterTheProtocol() throws Exception {
        for (String line : List.of("HTTP/1.1 503 at most 200 users", "HTTP/1.1 200 OK")) {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread.ofVirtual().start(() -> {
                    try (Socket one = server.accept()) {
                        one.getInputStream().read(new byte[4096]);
                        one.getOutputStream().write((line + "\r\nContent-Length: 0\r\n\r\n").getBytes(UTF_8));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                URI url = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
                try (ReadinessProbe probe = ReadinessProbe.ofStatus(url, 200, Duration.ofSeconds(5))) {
                    assertThat(probe.missing())
                            .isEqualTo(
                                    line.endsWith("OK")
                                            ? Optional.empty()
                                            : Optional.of(url + " answered 503 instead of 200"));
                }
            }
        }
    }

    @Test
    void readinessAndFirstResponseShareOneTimeout() throws Exception {
        HttpServer slow = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        slow.createContext("/", exchange -> {
            LockSupport.parkNanos(600_000_000);
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        slow.start();
        String url = "http://127.0.0.1:" + slow.getAddress().getPort() + "/";
        // An attempt is given up after 2 s: what is asked for is what the readiness has left.
        Waits waits = new Waits();

        assertThatThrownBy(() -> await(new ReadySign.HttpStatus(url, 200, Duration.ofSeconds(4)), waits))
                .isInstanceOf(RunFailure.class);
        slow.stop(0);

        assertThat(waits.asked.size()).isLessThanOrEqualTo(1);
        assertThat(waits.asked).allMatch(asked -> asked.compareTo(Duration.ofMillis(3_500)) < 0);
    }

    private void await(ReadySign readiness, LoadSession session) {
        start().await(readiness, NONE, 1, session, TargetStart.UNTOLD);
    }
}
