package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import dev.kiln.engines.Engines;
import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whole runs whose load a simulation of Gatling sends, of the Gatling that a user's build would take. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
final class GatlingIT extends InSandbox {
    private static final Path ROOT = FixtureBuild.ROOT;
    private static final Path JARS = ROOT.resolve("fixtures/gatling/target/dependency");
    private static final Pattern CLASS = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static final String EXPERIMENT = """
            target:
              command: %s --curve step:at=1,from=200,to=600
            load:
              url: http://localhost:${port}/
              connections: 4
              engine: gatling
              gatling:
                simulation: com.acme.SIMULATION
                classpath: [classes, %s/*]
                jvmFlags: -XX:TieredStopAtLevel=1
            protocol: PROTOCOL
            runs: 1
            """.formatted(Kiln.CURVE_SERVER, JARS);

    /** Sends for a second, whatever it is told, and finds nothing good. */
    private static final String HASTY = """
            package com.acme;

            import static io.gatling.javaapi.core.CoreDsl.*;
            import static io.gatling.javaapi.http.HttpDsl.*;

            import io.gatling.javaapi.core.Simulation;

            public class Hasty extends Simulation {
                public Hasty() {
                    setUp(scenario("users")
                                    .during(1)
                                    .on(exec(http("missing")
                                            .get(System.getProperty("kiln.url"))
                                            .check(status().is(404))))
                                    .injectOpen(atOnceUsers(2)))
                            .assertions(global().successfulRequests().percent().is(100.0));
                }
            }
            """;

    private static final String BROKEN = """
            package com.acme;

            public class Broken extends io.gatling.javaapi.core.Simulation {
                public Broken() {
                    throw new IllegalArgumentException("no users.csv");
                }
            }
            """;

    @BeforeAll
    static void getGatling() throws IOException, InterruptedException {
        assertThat(FixtureBuild.of("gatling", "target/dependency")).isEqualTo(JARS);
    }

    /** The experiment file, beside the compiled class. */
    private String experiment(String simulation, String source, String protocol) throws IOException {
        Path classes = Files.createDirectories(sandbox.root().resolve("classes"));
        Path file = sandbox.file(simulation + ".java", source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> jars = Files.list(JARS)) {
            String classPath = String.join(":", jars.map(Path::toString).toList());
            boolean compiled = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of("-cp", classPath, "-d", classes.toString(), "-proc:none"),
                            null,
                            files.getJavaFileObjects(file))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
        return sandbox.file(
                        "e.yaml", EXPERIMENT.replace("SIMULATION", simulation).replace("PROTOCOL", protocol))
                .toString();
    }

    private static String documented() throws IOException {
        Matcher matcher = CLASS.matcher(Files.readString(ROOT.resolve("docs/reference/load.md")));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    private Answer run(String file) {
        return start(file).end();
    }

    @Test
    void theDocumentedSimulationMakesACurve() throws IOException {
        Answer answer = run(experiment("FruitsSimulation", documented(), "[{load: 3s}, {pause: 1s}, {load: 2s}]"));
        assertThat(ForeignCurve.assertMade(sandbox, answer, "gatling").info().driver())
                .startsWith("gatling 3.15.1: com.acme.FruitsSimulation says what is sent");
    }

    /** Compiled alone: it wants a service that takes what it sends. */
    @Test
    void theSimulationOfTheRelayFitsThisGatling() throws IOException {
        Path source = ROOT.resolve("workloads/relay/gatling/RelaySimulation.java");
        experiment("RelaySimulation", Files.readString(source), "[{load: 1s}]");
        assertThat(sandbox.root().resolve("classes/dev/kiln/relay/RelaySimulation.class"))
                .exists();
    }

    @Test
    void whatTheSimulationDidOtherwiseIsTold() throws IOException {
        Answer answer = run(experiment("Hasty", HASTY, "[{load: 4s}]"));
        RunEvidence evidence = RunReader.read(sandbox.run("baseline"));
        assertThat(evidence.info().notes())
                .as(answer.err())
                .anyMatch(note -> note.contains("gatling sent for ") && note.contains("in place of 4 s"))
                .contains("warmup: assertions of the simulation failed: Global: percentage of successful events is"
                        + " 100.0 : false (actual : 0.0)");
        assertThat(evidence.load())
                .allMatch(bin -> bin.completed() == 0
                        && bin.errors().total() == bin.errors().non2xx());
        assertThat(evidence.load().stream()
                        .mapToLong(bin -> bin.errors().non2xx())
                        .sum())
                .isPositive();
    }

    @Test
    void aSimulationThatCannotBeginSaysWhy() throws IOException {
        Answer answer = run(experiment("Broken", BROKEN, "[{load: 2s}]"));
        assertThat(answer.exit()).as(answer.err()).isEqualTo(3);
        assertThat(answer.err())
                .contains("gatling exited with code 1: ", "no users.csv", "-Dkiln.phase=warmup -Dkiln.seconds=2")
                .doesNotContain("\tat ");
    }

    /** Its log is what it has written by then, and so are the seconds. */
    @Test
    void finishingKeepsWhatItHasLogged() throws IOException {
        experiment("FruitsSimulation", documented(), "[{load: 2s}]");
        List<Path> classPath = new ArrayList<>(List.of(sandbox.root().resolve("classes")));
        try (Stream<Path> jars = Files.list(JARS)) {
            jars.forEach(classPath::add);
        }
        LoadTemplate load = new LoadTemplate(
                        List.of(),
                        new Sending(4, OptionalDouble.empty(), Duration.ofSeconds(10)),
                        EngineSettings.GatlingTemplate.ENGINE,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())
                .with(new EngineSettings.GatlingTemplate(
                        "com.acme.FruitsSimulation", classPath, Optional.empty(), List.of("-XX:TieredStopAtLevel=1")));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        List<Tick> ticks = new ArrayList<>();
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        LoadSpec spec = new LoadSpec(List.of(HttpCall.get(url)), 4, OptionalDouble.empty(), Duration.ofSeconds(10));
        try (LoadDriver driver = Engines.of(load).driver(List.of(), sandbox.root());
                LoadSession session = driver.open(spec, sandbox.root(), System.nanoTime())) {
            PhaseResult result = session.load(new Phase.Load("warmup", Duration.ofHours(1)), tick -> {
                ticks.add(tick);
                if (tick.second() == 3) {
                    session.finish();
                }
            });
            assertThat(result.cancelled()).isFalse();
            assertThat(result.warnings()).singleElement().asString().startsWith("gatling took ");
            double most =
                    ticks.stream().mapToDouble(Tick::requestsPerSecond).max().orElseThrow();
            assertThat(ticks.stream().mapToDouble(Tick::requestsPerSecond).sum())
                    .isCloseTo(result.requests().completed(), within(most));
        } finally {
            server.stop(0);
        }
        assertThat(ticks).anyMatch(tick -> tick.p99Nanos() > 0);
    }

    @Test
    void nothingIsLeftOfIt() throws IOException {
        String file = experiment("FruitsSimulation", documented(), "[{load: 300s}]");
        Kiln interrupted = startAndAwaitGatling(file).signal("INT");
        assertThat(interrupted.end().exit()).isEqualTo(130);
        sandbox.awaitNoProcess();
        assertThat(sandbox.remains()).isEmpty();

        startAndAwaitGatling(file).signal("KILL");
        sandbox.awaitNoProcess();
    }

    private Kiln start(String file) {
        return Kiln.start(sandbox, "run", file, "--results", sandbox.results().toString());
    }

    private Kiln startAndAwaitGatling(String file) {
        return start(file)
                .await(
                        "Gatling",
                        () -> !sandbox.pids(" io.gatling.app.Gatling ").isEmpty());
    }
}
