package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.phase;
import static dev.kiln.load.driver.ScriptedServer.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.host.process.Killed;
import dev.kiln.load.LoadSession;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is left when processes die. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class DriverProcessIT {
    @TempDir
    Path run;

    /** A Kiln that can be killed: loads the given URL until it is. Tells the driver's pid, then each second. */
    static final class StandIn {
        private StandIn() {}

        public static void main(String[] args) {
            try (NettyDriver driver = new NettyDriver(List.of(), NettyDriver.JVM_FLAGS);
                    LoadSession session =
                            driver.open(closed(2, URI.create(args[0])), Path.of(args[1]), System.nanoTime())) {
                System.out.println(driver.pid().getAsLong());
                session.load(phase("long", 600_000), tick -> System.out.println("second " + tick.second()));
            }
        }
    }

    /** A Kiln whose load has a call with a name that is not ASCII. */
    static final class Namer {
        private Namer() {}

        public static void main(String[] args) {
            URI url = URI.create(args[0]);
            HttpCall size = new HttpCall(
                    "GET",
                    url,
                    Map.of(),
                    Optional.empty(),
                    1,
                    Optional.empty(),
                    Optional.of("Größe"),
                    Optional.empty());
            try (NettyDriver driver = new NettyDriver(List.of(), NettyDriver.JVM_FLAGS);
                    LoadSession session =
                            driver.open(closed(2, size, HttpCall.get(url)), Path.of(args[1]), System.nanoTime())) {
                session.load(phase("load", 1000), tick -> {});
            }
        }
    }

    /** The locale of a service or a container is often none, and a JVM then takes ASCII for its own. */
    @Test
    void namesOutlastALocaleWithoutThem() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK))) {
            ProcessBuilder kiln = kiln(Namer.class, server).inheritIO();
            kiln.environment().put("LC_ALL", "C");
            assertThat(kiln.start().waitFor()).isZero();
        }
        assertThat(run.resolve(LoadFile.CallFile.NAME)).content().contains(",Größe,");
    }

    private ProcessBuilder kiln(Class<?> main, ScriptedServer server) {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                server.url("/").toString(),
                run.toString());
    }

    private static ProcessHandle driver(long pid) {
        return ProcessHandle.of(pid).orElseThrow();
    }

    /** All of the seconds that were told of are in the files. */
    private void assertRecorded(int seconds) throws IOException {
        List<LoadBin> bins = LoadFile.read(run.resolve("load.csv")).bins();
        assertThat(bins).hasSizeGreaterThanOrEqualTo(10 * (seconds - 1));
        assertThat(bins.stream().mapToLong(LoadBin::completed).sum()).isPositive();
        assertThat(LatencyLog.read(run.resolve("latency.hlog"), Long.MAX_VALUE)
                        .latencies()
                        .seconds())
                .hasSizeGreaterThanOrEqualTo(seconds - 1);
    }

    @Test
    void aDriverThatDiesIsToldWithItsExitCode() throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                NettyDriver driver = new NettyDriver(List.of(), NettyDriver.JVM_FLAGS)) {
            LoadSession session = driver.open(closed(2, server.url("/")), run, System.nanoTime());
            assertThatThrownBy(() -> session.load(phase("long", 600_000), tick -> {
                        if (tick.second() == 2) {
                            driver(driver.pid().getAsLong()).destroyForcibly();
                        }
                    }))
                    .isInstanceOfSatisfying(KilnException.class, e -> {
                        assertThat(e.exit()).isEqualTo(KilnException.Exit.MACHINE);
                        assertThat(e)
                                .hasMessageContaining("(process " + driver.pid().getAsLong() + ") " + Killed.text());
                    });
            assertThatThrownBy(session::close).isInstanceOf(KilnException.class);
            assertThatThrownBy(driver::warmUp).isInstanceOf(KilnException.class);
            assertRecorded(2);
        }
    }

    @Test
    void aDriverThatCannotStartIsToldWithItsLastWords() {
        assertThatThrownBy(() -> new NettyDriver(List.of(), List.of("-XX:NoSuchFlag=1")))
                .isInstanceOfSatisfying(
                        KilnException.class,
                        e -> assertThat(e).hasMessageContaining("Unrecognized VM option 'NoSuchFlag=1'"));
        assertThatThrownBy(() -> new NettyDriver(List.of("/no/such/program"), NettyDriver.JVM_FLAGS))
                .isInstanceOfSatisfying(
                        KilnException.class, e -> assertThat(e).hasMessageContaining("/no/such/program"));
    }

    @Test
    void theDriverDoesNotOutliveAKilnThatIsKilled() throws Exception {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK))) {
            Process kiln = kiln(StandIn.class, server)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader out = kiln.inputReader()) {
                ProcessHandle driver = driver(Long.parseLong(out.readLine()));
                assertThat(out.readLine()).isEqualTo("second 1");
                assertThat(out.readLine()).isEqualTo("second 2");
                kiln.destroyForcibly();
                driver.onExit().get(300, TimeUnit.SECONDS);
            }
            assertRecorded(2);
            assertThat(LoadFile.read(run.resolve("load.csv")).gaps())
                    .as("it had the time to end in good order")
                    .isEmpty();
        }
    }

    @Test
    void theEndOfItsInputEndsTheDriver() throws Exception {
        NettyDriver driver = new NettyDriver(List.of(), NettyDriver.JVM_FLAGS);
        ProcessHandle process = driver(driver.pid().getAsLong());
        driver.close();
        process.onExit().get(300, TimeUnit.SECONDS);
    }

    @Test
    void theDriverOutlivesTheThreadThatStartedIt() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")) && Files.isExecutable(Path.of("/usr/bin/setsid")));
        CompletableFuture<NettyDriver> started = new CompletableFuture<>();
        Thread.ofPlatform()
                .start(() -> started.complete(new NettyDriver(
                        List.of("setsid", "setpriv", "--pdeathsig", "KILL", "--"), NettyDriver.JVM_FLAGS)))
                .join();
        try (NettyDriver driver = started.get();
                ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                LoadSession session = driver.open(closed(1, server.url("/")), run, System.nanoTime())) {
            assertThat(session.load(phase("load", 300), tick -> {}).requests().errors())
                    .isEqualTo(LoadBin.Errors.NONE);
            assertThat(driver(driver.pid().getAsLong()).isAlive()).isTrue();
        }
    }

    @Test
    void twoSessionsOneAfterTheOtherShareADriver() throws IOException {
        try (ScriptedServer server = new ScriptedServer(e -> e.send(OK));
                NettyDriver driver = new NettyDriver(List.of(), NettyDriver.JVM_FLAGS)) {
            for (String name : new String[] {"1", "2"}) {
                Path directory = Files.createDirectory(run.resolve(name));
                try (LoadSession session = driver.open(closed(1, server.url("/")), directory, System.nanoTime())) {
                    session.load(phase("load", 200), tick -> {});
                }
                assertThat(LoadFile.read(directory.resolve("load.csv")).bins()).hasSize(2);
            }
        }
    }
}
