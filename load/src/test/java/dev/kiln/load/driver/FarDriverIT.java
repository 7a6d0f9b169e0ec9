package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.open;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.VariedText;
import dev.kiln.model.run.Machine.LoadHost;
import dev.kiln.model.run.Sample.PartSample;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A driver at the far end of a pipe, which ends on this machine. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class FarDriverIT {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    Path run;

    @TempDir
    Path there;

    private FarDriver driver(String... prefix) {
        return new FarDriver(new FarPipe(there, prefix), Optional.empty(), Set.of());
    }

    private List<LoadBin> bins() throws IOException {
        return LoadFile.read(run.resolve("load.csv")).bins();
    }

    @Test
    void binsLatenciesAndCpuTimeComeBack() throws IOException {
        List<PartSample> cpu = new ArrayList<>();
        List<Tick> ticks = new ArrayList<>();
        long launch = System.nanoTime();
        PhaseResult result;
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                FarDriver driver = driver()) {
            assertThat(driver.pid()).isEmpty();
            assertThat(driver.isAlive()).isTrue();
            try (LoadSession session = driver.open(closed(2, server.url("/")), run, launch)) {
                session.watchCpu(cpu::add);
                Probe probe = session.awaitFirstResponse(LoadKit.LONG, () -> true);
                assertThat(probe)
                        .isInstanceOfSatisfying(
                                Probe.Answered.class,
                                answered -> assertThat(answered.nanoTime()).isBetween(launch, System.nanoTime()));
                result = session.load(phase("load", 3000), ticks::add);
            }
            LoadHost host = driver.from().orElseThrow();
            assertThat(host.name()).isEqualTo("the far end of a pipe");
            assertThat(host.host()).isNotBlank();
            assertThat(host.cpus()).isPositive();
            assertThat(host.uncertaintyNanos()).isBetween(1L, SECOND);
            assertThat(host.driftNanos()).isPresent();
        }
        assertThat(result.requests().completed()).isPositive();
        assertThat(result.work().cost().cpuNanos()).isPositive();
        assertThat(bins().stream().mapToLong(LoadBin::completed).sum())
                .isEqualTo(result.requests().completed());
        assertThat(bins().getFirst().startNanos()).isEqualTo(result.startNanos());
        assertThat(ticks).hasSize(3);
        assertThat(LatencyLog.read(run.resolve("latency.hlog"), Long.MAX_VALUE).gaps())
                .isEmpty();
        assertThat(LatencyLog.read(run.resolve("latency.hlog"), Long.MAX_VALUE)
                        .latencies()
                        .seconds())
                .hasSize(3);
        assertThat(cpu)
                .hasSizeGreaterThanOrEqualTo(2)
                .allMatch(sample -> sample.part().equals("load"));
        assertThat(cpu.getLast().cpuNanos())
                .isGreaterThanOrEqualTo(cpu.getFirst().cpuNanos());
        assertThat(there).as("it deleted what it had written").isEmptyDirectory();
    }

    /** Nobody who presses Ctrl-C waits for what a dead network was told. */
    @Test
    void aDriverThatSaysNothingAfterACancelIsLost() throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                FarDriver driver = driver()) {
            long far = ProcessHandle.current()
                    .descendants()
                    .map(ProcessHandle::pid)
                    .filter(this::isThere)
                    .findFirst()
                    .orElseThrow();
            LoadSession session = driver.open(closed(1, server.url("/")), run, System.nanoTime());

            assertThatThrownBy(() -> session.load(phase("load", 600_000), tick -> {
                        stop(far);
                        session.cancel();
                    }))
                    .isInstanceOf(KilnException.class)
                    .hasMessageStartingWith("the load driver is lost: nothing has come from the far end of a pipe since"
                            + " Kiln cancelled the load, for 4 s");
            assertThat(driver.isAlive()).isFalse();
        }
    }

    private boolean isThere(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .contains(there.toString());
        } catch (IOException e) {
            return false;
        }
    }

    private static void stop(long pid) {
        try {
            new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor();
            // Until it is, other threads of it still answer.
            while (!Files.readString(Path.of("/proc/" + pid + "/status")).contains("State:\tT")) {
                Thread.sleep(5);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What takes round trips is over before a target is launched. */
    @Test
    void aPreparedSessionIsOpenedWithoutAskingForTheClock() throws IOException {
        Path asked = run.resolve("asked");
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                FarDriver driver = driver("sh", "-c", "tee " + asked + " | \"$@\"", "sh")) {
            LoadSpec load = closed(1, server.url("/"));
            driver.prepare(load);
            long before = questions(asked);
            // tee passes a question on before it writes it down.
            assertThat(before).isGreaterThanOrEqualTo(99);
            assertThat(driver.from().orElseThrow().uncertaintyNanos()).isPositive();
            driver.open(load, run, System.nanoTime()).close();
            assertThat(questions(asked)).as("those of the end alone").isLessThan(before + 90);
            long first = questions(asked);
            driver.open(load, run, System.nanoTime()).close();
            assertThat(questions(asked)).as("this one was not prepared").isGreaterThanOrEqualTo(first + 100);
        }
    }

    private static long questions(Path asked) throws IOException {
        return Files.readAllLines(asked).stream()
                .filter(line -> line.startsWith("clock\t"))
                .count();
    }

    @Test
    void aRateAndASecondSessionAreServedByTheSameDriver() throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                FarDriver driver = driver()) {
            for (String name : List.of("1", "2")) {
                Path folder = Files.createDirectory(run.resolve(name));
                try (LoadSession session = driver.open(open(100, 2, server.url("/")), folder, System.nanoTime())) {
                    PhaseResult result = session.load(phase("load", 1000), tick -> {});
                    assertThat(result.requests().started() + result.requests().unsent())
                            .isEqualTo(100);
                }
                assertThat(LoadFile.read(folder.resolve("load.csv")).bins()).hasSize(10);
                assertThat(LoadFile.read(folder.resolve("load.csv")).gaps()).isEmpty();
            }
        }
    }

    /** A clock that a time namespace has set apart: the times are those of the clock here all the same. */
    @Test
    void anotherClockIsToldAndCorrected() throws Exception {
        String[] apart = {"unshare", "--time", "--monotonic", "5000", "--fork"};
        assumeTrue(
                new ProcessBuilder(Stream.concat(Stream.of(apart), Stream.of("true"))
                                        .toList())
                                .start()
                                .waitFor()
                        == 0,
                "no time namespaces here");
        long launch = System.nanoTime();
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                FarDriver driver = driver(apart);
                LoadSession session = driver.open(closed(1, server.url("/")), run, launch)) {
            assertThat(session.awaitFirstResponse(LoadKit.LONG, () -> true))
                    .isInstanceOfSatisfying(
                            Probe.Answered.class,
                            answered -> assertThat(answered.nanoTime()).isBetween(launch, System.nanoTime()));
            session.load(phase("load", 500), tick -> {});
        }
        long now = System.nanoTime() - launch;
        assertThat(bins()).allMatch(bin -> bin.startNanos() >= 0 && bin.endNanos() <= now);
        assertThat(Files.readString(run.resolve("latency.hlog")))
                .as("the wall clock of the launch is the one here")
                .contains("#[StartTime: " + (System.currentTimeMillis() - now / 1_000_000) / 100_000);
    }

    @Test
    void aConnectionThatIsLostIsToldAndWhatWasRecordedIsKept() throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                FarDriver driver = driver()) {
            LoadSession session = driver.open(closed(2, server.url("/")), run, System.nanoTime());
            assertThatThrownBy(() -> session.load(phase("long", 600_000), tick -> {
                        if (tick.second() == 2) {
                            kill();
                        }
                    }))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("the load driver is lost: the connection to the far end of a pipe was lost");
            assertThat(driver.isAlive()).isFalse();
            assertThatThrownBy(session::close).isInstanceOf(KilnException.class);
        }
        assertThat(bins()).hasSizeGreaterThanOrEqualTo(10);
        assertThat(LoadFile.read(run.resolve("load.csv")).gaps()).isEmpty();
    }

    private void kill() {
        drivers().forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> drivers() {
        return ProcessHandle.allProcesses()
                .filter(process -> command(process.pid()).contains("-Djava.io.tmpdir=" + there))
                .toList();
    }

    /** Longer than what a ProcessHandle tells. */
    private static String command(long pid) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static void end(FarDriver driver) {
        driver.close();
    }

    @Test
    void closingTheDriverInTheMiddleOfALoadEndsItAtOnce() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                FarDriver driver = driver()) {
            LoadSession session = driver.open(closed(2, server.url("/")), run, System.nanoTime());
            List<ProcessHandle> running = drivers();
            assertThat(running).hasSize(1);
            assertThat(session.load(phase("long", 600_000), tick -> end(driver)).cancelled())
                    .isTrue();
            assertThatThrownBy(session::close)
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("Kiln ended the connection");
            running.getFirst().onExit().get(300, TimeUnit.SECONDS);
        }
        assertThat(there).isEmptyDirectory();
    }

    @Test
    void whatIsNoDriverIsTold() {
        assertThatThrownBy(() -> driver("sh", "-c", "echo 'Welcome to box!'; exec cat >/dev/null"))
                .isInstanceOf(KilnException.class)
                .hasMessage(
                        "no load driver of this Kiln answers (the far end of a pipe): not understood: Welcome to box!");
        assertThatThrownBy(() -> driver("sh", "-c", "echo; exec cat >/dev/null"))
                .isInstanceOf(KilnException.class)
                .hasMessageEndingWith("not understood: an empty line");
        assertThatThrownBy(() -> driver("sh", "-c", "echo 'box: no space left' >&2"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("the load driver did not start: the connection to the far end of a pipe was lost")
                .hasMessageContaining("box: no space left");
        assertThatThrownBy(() -> driver("sh", "-c", "head -c 5000000 /dev/zero; exec cat >/dev/null"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("a line has more than 4194304 characters");
    }

    /** The table takes several messages. */
    @Test
    void theRowsOfAFeedAreSentThere() throws IOException {
        Queue<String> paths = new ConcurrentLinkedQueue<>();
        FeedTable.FeedTableBuilder table = new FeedTable.FeedTableBuilder(List.of("id", "more"));
        List.of("a", "b", "c").forEach(id -> table.add(List.of(id, id.repeat(100_000))));
        try (ScriptedServer server = new ScriptedServer(e -> {
                    paths.add(e.path());
                    e.send(OK);
                });
                FarDriver driver =
                        new FarDriver(new FarPipe(there), Optional.of(table.build()), Set.of(Trait.VARIED))) {
            LoadSpec spec = closed(1, HttpCall.get(URI.create(VariedText.inUrl(server.url("") + "/${id}"))))
                    .with(new Variables(1, Optional.of(new Feed("ids.csv", 3, Feed.Order.SEQUENTIAL, ""))));
            try (LoadSession session = driver.open(spec, run, System.nanoTime())) {
                session.load(phase("load", 3000), tick -> {});
            }
        }
        assertThat(paths.stream().limit(4)).containsExactly("/a", "/b", "/c", "/a");
    }
}
