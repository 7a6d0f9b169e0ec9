package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.kiln.engines.HyperfoilEngine.HyperfoilDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.run.Provenance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A controller's interface, followed over whole phases against a server that counts. */
@Execution(ExecutionMode.CONCURRENT)
class HyperfoilDriverIT {
    private static final int CONNECTIONS = 3;

    @TempDir
    Path dir;

    private final AtomicLong answered = new AtomicLong();
    private HttpServer service;
    private StandInController controller;

    HyperfoilDriverIT() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        controller = new StandInController();
    }

    @BeforeEach
    void serve() {
        service.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        service.createContext("/", exchange -> {
            byte[] answer = "hello".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/bad") ? 503 : 200, answer.length);
            exchange.getResponseBody().write(answer);
            answered.incrementAndGet();
            exchange.close();
        });
        service.start();
    }

    @AfterEach
    void stop() {
        controller.close();
        service.stop(0);
    }

    private String url(String path) {
        return "http://127.0.0.1:" + service.getAddress().getPort() + path;
    }

    private LoadSpec spec(String path) {
        return new LoadSpec(
                List.of(HttpCall.get(URI.create(url(path)))),
                CONNECTIONS,
                OptionalDouble.empty(),
                Duration.ofSeconds(5));
    }

    private HyperfoilDriver driver(Optional<Path> benchmark) {
        Hyperfoil settings = new Hyperfoil(controller.url(), Optional.empty(), List.of(), 1, benchmark);
        return new HyperfoilDriver(settings, dir);
    }

    private static Phase.Load seconds(int seconds) {
        return new Phase.Load("load", Duration.ofSeconds(seconds));
    }

    /** Of a column of load.csv. */
    private LongStream column(int index) throws IOException {
        return Files.readAllLines(dir.resolve("load.csv")).stream()
                .skip(1)
                .mapToLong(line -> Long.parseLong(line.split(",", -1)[index]));
    }

    private static KilnException failure(LoadSession session, Phase.Load phase) {
        return catchThrowableOfType(KilnException.class, () -> session.load(phase, tick -> {}));
    }

    @Test
    void aPhaseIsARunWhoseSecondsAreReadWhenItHasEnded() throws IOException {
        long launch = System.nanoTime();
        List<Tick> ticks = new ArrayList<>();
        PhaseResult result;
        try (HyperfoilDriver driver = driver(Optional.empty())) {
            assertThat(driver.info().version()).isEqualTo("0.30-stand-in at " + controller.url());
            assertThat(driver.info().meaning()).contains("1 s bins, by request start");
            assertThat(driver.pid()).isEmpty();
            assertThat(driver.warmUp().quiet()).isTrue();
            Provenance provenance = driver.provenance().orElseThrow();
            assertThat(provenance.bins())
                    .isEqualTo(new Provenance.SourceBins(1_000_000_000L, true, Provenance.SourceKind.TIME));
            assertThat(provenance.alignmentNanos().orElseThrow()).isBetween(1_000_000L, 60_000_000_000L);
            try (LoadSession session = driver.open(spec("/"), dir, launch)) {
                assertThat(session.awaitFirstResponse(Duration.ofSeconds(10), () -> true))
                        .isInstanceOf(Probe.Answered.class);
                result = session.load(seconds(4), ticks::add);
            }
            assertThat(controller.lastBenchmark().at("/http/sharedConnections").asInt())
                    .isEqualTo(CONNECTIONS);
        }
        assertThat(result.requests().completed()).isEqualTo(answered.get() - 1).isPositive();
        assertThat(result.requests().errors().total()).isZero();
        assertThat(result.requests().unfinished()).isZero();
        assertThat(result.startNanos()).isBetween(0L, result.endNanos() - 3_900_000_000L);
        assertThat(result.endNanos()).isLessThan(System.nanoTime() - launch);
        assertThat(result.warnings())
                .containsExactly(
                        "CPU of the agents, as Hyperfoil reports it: in-vm 12.5% (0.3/2 cores), 1 core max 25%");
        assertThat(column(4).sum()).isEqualTo(result.requests().completed());
        assertThat(column(4).count()).isBetween(4L, 5L);
        assertThat(ticks).isNotEmpty().allMatch(tick -> tick.phase().equals("load") && tick.requestsPerSecond() > 0);
        assertThat(Files.readAllLines(dir.resolve("latency.csv")))
                .hasSizeBetween(6, 7)
                .anyMatch(line -> line.startsWith("load,phase,"));
        assertThat(controller.starts).singleElement().asString().startsWith("desc=Kiln, phase load");
        assertThat(controller.deleted).singleElement().asString().startsWith("kiln-");
    }

    @Test
    void aShorterPhaseIsReadForItself() throws IOException {
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/"), dir, System.nanoTime())) {
            PhaseResult first = session.load(seconds(3), tick -> {});
            session.pause(new Phase.Pause("pause", Duration.ofMillis(20)));
            PhaseResult second = session.load(seconds(1), tick -> {});
            assertThat(second.startNanos()).isGreaterThan(first.endNanos());
            assertThat(first.requests().completed() + second.requests().completed())
                    .isEqualTo(answered.get());
            assertThat(column(4).sum()).isEqualTo(answered.get());
        }
    }

    /** Its clock may differ by any amount: it is asked for, and times are those of the launch. */
    @Test
    void theControllersClockIsTakenToOurs() {
        controller.aheadMillis = 3_600_000;
        long launch = System.nanoTime();
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/"), dir, launch)) {
            PhaseResult result = session.load(seconds(1), tick -> {});
            assertThat(result.startNanos()).isBetween(0L, System.nanoTime() - launch);
            assertThat(result.warnings()).noneMatch(text -> text.contains("clocks"));
        }
    }

    @Test
    void aBadStatusIsAnError() {
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/bad"), dir, System.nanoTime())) {
            PhaseResult result = session.load(seconds(1), tick -> {});
            assertThat(result.requests().completed()).isZero();
            assertThat(result.requests().errors().non2xx())
                    .isEqualTo(answered.get())
                    .isPositive();
        }
    }

    @Test
    void cancellingKillsTheRunEvenBeforeItsPhasesBegin() throws InterruptedException {
        controller.deployMillis = 1_500;
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/"), dir, System.nanoTime())) {
            Thread canceller = Thread.ofVirtual().start(() -> {
                while (controller.runs().isEmpty()) {
                    Thread.onSpinWait();
                }
                session.cancel();
            });
            PhaseResult result = session.load(seconds(600), tick -> {});
            canceller.join();
            assertThat(result.cancelled()).isTrue();
            assertThat(controller.runs()).allMatch(run -> run.terminated() && run.cancelled());
        }
    }

    @Test
    void finishingAPhaseKeepsWhatItSent() throws IOException {
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/"), dir, System.nanoTime())) {
            PhaseResult result = session.load(seconds(600), tick -> session.finish());
            assertThat(result.cancelled()).isFalse();
            assertThat(result.requests().completed()).isPositive();
            assertThat(column(4).sum()).isEqualTo(result.requests().completed());
        }
    }

    @Test
    void aBusyControllerIsToldInItsOwnWords() {
        controller.busy = true;
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/"), dir, System.nanoTime())) {
            KilnException e = failure(session, seconds(1));
            assertThat(e.exit()).isEqualTo(Exit.MACHINE);
            assertThat(e)
                    .hasMessage("load: the controller " + controller.url()
                            + " is busy: Agent a is already used; try starting the benchmark later");
            assertThat(e.remedy()).contains("/run/ID/kill");
        }
    }

    @Test
    void aControllerThatIsLostLeavesWhatItHadTold() throws IOException {
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = new HyperfoilSession(
                        driver.setup(), spec("/"), dir, System.nanoTime(), Duration.ofMillis(700))) {
            KilnException e = catchThrowableOfType(
                    KilnException.class,
                    () -> session.load(seconds(600), tick -> {
                        if (tick.second() == 2) {
                            controller.close();
                        }
                    }));
            assertThat(e.exit()).isEqualTo(Exit.MACHINE);
            assertThat(e.getMessage())
                    .matches("load: the controller " + controller.url()
                            + " was lost, after \\d+ of 600 s: .*\\(phase load, run 0000\\)");
            assertThat(e.remedy()).contains("/run/0000/kill ends it");
        }
        assertThat(column(4).boxed()).hasSizeGreaterThanOrEqualTo(2).allMatch(completed -> completed > 0);
    }

    /** Nothing begins then, and of such seconds there are no rows. */
    @Test
    void aServiceThatHangsAtAPhasesEndHasEmptySeconds() throws IOException {
        AtomicLong first = new AtomicLong();
        service.createContext("/hangs", exchange -> {
            first.compareAndSet(0, System.nanoTime());
            if (System.nanoTime() - first.get() > 500_000_000) {
                LockSupport.parkNanos(3_000_000_000L);
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/hangs"), dir, System.nanoTime())) {
            PhaseResult result = session.load(seconds(3), tick -> {});
            assertThat(result.endNanos() - result.startNanos()).isEqualTo(3_000_000_000L);
            assertThat(result.requests().completed()).isPositive();
        }
        assertThat(column(3).boxed().toList()).endsWith(0L);
    }

    /** They are whole and no figures: asking again is of no use. */
    @Test
    void figuresThatCannotBeReadLeaveWhatWasTold() throws IOException {
        controller.figures = Optional.of("{\"stats\": [{\"name\": \"load\", \"series\": [{}]}]}");
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/"), dir, System.nanoTime())) {
            assertThat(failure(session, seconds(3)).getMessage())
                    .startsWith("load: the controller " + controller.url()
                            + " returned unreadable figures of run 0000 (phase load): ");
        }
        assertThat(controller.asked).hasValue(1);
        assertThat(column(4).sum()).isPositive();
    }

    @Test
    void figuresThatAreNotWholeAreAskedForAgain() {
        controller.figures = Optional.of("{\"stats\": [{\"name\": \"lo");
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = new HyperfoilSession(
                        driver.setup(), spec("/"), dir, System.nanoTime(), Duration.ofMillis(700))) {
            assertThat(failure(session, seconds(1)).getMessage())
                    .startsWith("load: the controller " + controller.url()
                            + " does not return the figures of run 0000 (phase load): ");
        }
        assertThat(controller.asked.get()).isGreaterThan(1);
    }

    @Test
    void aRunThatFailsTellsItsErrors() {
        controller.failing = Optional.of("in-vm: Connection refused");
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/"), dir, System.nanoTime())) {
            assertThat(failure(session, seconds(1)))
                    .hasMessage("load: the controller " + controller.url()
                            + " ended its run without a request: in-vm: Connection refused (phase load, run 0000)");
        }
    }

    @Test
    void aRunThatSomebodyElseKillsFails() throws IOException {
        try (HyperfoilDriver driver = driver(Optional.empty());
                LoadSession session = driver.open(spec("/"), dir, System.nanoTime())) {
            KilnException e = catchThrowableOfType(
                    KilnException.class,
                    () -> session.load(seconds(600), tick -> controller.runs().forEach(StandInRun::kill)));
            assertThat(e.getMessage())
                    .contains("was told to end its run, after ")
                    .contains(" of 600 s");
        }
        assertThat(column(4).sum()).isPositive();
    }

    /** Looked at before the first target starts. */
    @Test
    void aBenchmarkThatTheControllerRefusesIsToldInItsWords() throws IOException {
        Path own = Files.writeString(dir.resolve("own.hf.yaml"), "name: fruits\nusrs: 3\n");
        try (HyperfoilDriver driver = driver(Optional.of(own))) {
            KilnException e = catchThrowableOfType(KilnException.class, driver::warmUp);
            assertThat(e.exit()).isEqualTo(Exit.USAGE);
            assertThat(e.getMessage()).contains("refuses the benchmark (400): Cannot read benchmark: line 2, column 1");
        }
    }

    @Test
    void aBenchmarkOfOnesOwnGetsItsParametersAndNoMoreThanThePhasesTime() throws IOException {
        Path own = Files.writeString(dir.resolve("own.hf.yaml"), """
                {
                "name": "fruits", "http": {"host": "%s"},
                 "phases": [{"main": {"always": {"users": 2, "duration": "60000ms",
                   "scenario": [{"r": [{"httpRequest": {"GET": {"value": "/"}}}]}]}}}]}
                """.formatted(url("")));
        try (HyperfoilDriver driver = driver(Optional.of(own));
                LoadSession session = driver.open(spec("/"), dir, System.nanoTime())) {
            driver.warmUp();
            PhaseResult result = session.load(seconds(2), tick -> {});
            assertThat(result.requests().completed()).isPositive();
            assertThat(result.cancelled()).isFalse();
            assertThat(result.endNanos() - result.startNanos()).isBetween(1_500_000_000L, 59_000_000_000L);
        }
        assertThat(controller.starts)
                .singleElement()
                .asString()
                .contains("templateParam=TARGET=" + url("").replaceFirst("/$", ""))
                .contains("templateParam=CONNECTIONS=3")
                .contains("templateParam=DURATION=2000ms");
        assertThat(controller.deleted).isEmpty();
    }

    @Test
    void aControllerThatIsNotThereIsToldBeforeAnythingStarts() {
        controller.close();
        KilnException e = catchThrowableOfType(KilnException.class, () -> driver(Optional.empty()));
        assertThat(e.exit()).isEqualTo(Exit.MACHINE);
        assertThat(e.getMessage()).startsWith("load: no controller of Hyperfoil answers at " + controller.url());
    }
}
