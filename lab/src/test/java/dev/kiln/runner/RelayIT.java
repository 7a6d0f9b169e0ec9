package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Workload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The relay and the service behind it, built and launched as experiments do. */
final class RelayIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration GRACE = Duration.ofSeconds(10);

    /** As long as that of the study. What JSON must escape, and what UTF-8 writes as several bytes, is in it too. */
    private static final String PAYLOAD = "0123456789".repeat(9_999) + "\"\\\n\u00fc\u20ac.....";

    private static final Bench BENCH = new Bench();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Workload WORKLOAD = BuiltWorkloads.ready("relay");
    private static final int PORT = Ports.free();
    private static final List<Runnable> END = new ArrayList<>();

    @BeforeAll
    static void launch() throws IOException, InterruptedException {
        Target target = new Target(
                new Target.Program(WORKLOAD.launch().command(), List.of(), Map.of(), Optional.of(WORKLOAD.directory()))
                        .with(WORKLOAD.backend()),
                Target.Jvm.USUAL,
                new ReadySign.FirstResponse(PATIENCE));
        Backend backend = Backend.start(BENCH.launcher(), List.of(), target, BENCH.folder(), new Cancellation())
                .orElseThrow();
        END.add(backend::stop);
        Placeholders values = new Placeholders(Map.of(
                Placeholders.PORT,
                Integer.toString(PORT),
                Placeholders.BACKEND_PORT,
                Integer.toString(backend.port())));
        Map<String, String> environment = new TreeMap<>(WORKLOAD.launch().environment());
        environment.replaceAll((name, value) -> values.fill(value));
        List<String> command = new ArrayList<>(WORKLOAD.launch().command());
        command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(1, List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        Path log = BENCH.folder().resolve("relay.log");
        PinnedProcess relay = BENCH.start(WORKLOAD.directory(), environment, command, log);
        END.add(() -> relay.stop(GRACE));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Ports.accepts("localhost", PORT)) {
            assertThat(relay.isAlive() && System.nanoTime() < deadline)
                    .as(LogTail.lastLines(log, 30))
                    .isTrue();
            Thread.sleep(100);
        }
    }

    @AfterAll
    static void end() {
        END.reversed().forEach(Runnable::run);
        CLIENT.close();
        BENCH.close();
    }

    private static HttpResponse<String> ask(String query, Optional<String> body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + PORT + "/echo" + query))
                .timeout(PATIENCE);
        body.ifPresent(text -> request.header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(text, StandardCharsets.UTF_8)));
        return CLIENT.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    private static List<?> strings(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        return JsonMapper.shared().readValue(answer.body(), List.class);
    }

    @Test
    void answersWithTheStringThatItGotFromEachCall() throws Exception {
        HttpResponse<String> answer = ask("?calls=5&delay=10", Optional.of(PAYLOAD));

        assertThat(strings(answer).equals(Collections.nCopies(5, PAYLOAD))).isTrue();
        assertThat(answer.body().getBytes(StandardCharsets.UTF_8)).hasSizeGreaterThan(500_000);
    }

    @Test
    void callsOneAfterTheOtherAndEachIsDelayed() throws Exception {
        long begin = System.nanoTime();
        strings(ask("?calls=3&delay=100&size=1", Optional.empty()));

        assertThat(System.nanoTime() - begin)
                .isGreaterThanOrEqualTo(Duration.ofMillis(300).toNanos());
    }

    @Test
    void makesThePayloadOfARequestWithoutABody() throws Exception {
        assertThat(strings(ask("?calls=2&delay=0&size=1000", Optional.empty()))
                        .equals(Collections.nCopies(2, "x".repeat(1000))))
                .isTrue();
        assertThat(strings(ask("", Optional.empty()))).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ?calls=0           |   | calls: found 0, expected a whole number from 1 to 100
            ?calls=101         |   | calls: found 101, expected a whole number from 1 to 100
            ?calls=many        |   | calls: found 'many', expected a whole number
            ?delay=-1          |   | delay: found -1, expected a whole number from 0 to 60000
            ?delay=1e3         | a | delay: found '1e3', expected a whole number
            ?size=0            |   | size: found 0, expected a whole number from 1 to 2000000
            ?calls=4&size=2500001 | | size: found 2500001, expected a whole number from 1 to 2500000
            ?calls=5           | "" | payload: found 0 bytes, expected 1 to 2000000
            """)
    void refusesWhatIsOutOfBoundsInOneLine(String query, String body, String said) throws Exception {
        HttpResponse<String> answer = ask(query, Optional.ofNullable(body));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo(said);
    }

    @Test
    void refusesAPayloadThatIsTooLong() throws Exception {
        HttpResponse<String> answer = ask("?calls=100", Optional.of("y".repeat(100_001)));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("payload: found 100001 bytes, expected 1 to 100000");
    }

    /** The report's hot method is Jackson 2's. */
    @Test
    void writesItsJsonByJackson2() throws IOException {
        try (Stream<Path> libraries = Files.list(WORKLOAD.build().product().resolveSibling("lib"))) {
            assertThat(libraries.map(jar -> jar.getFileName().toString()))
                    .anyMatch(jar -> jar.startsWith("jackson-core-2."))
                    .noneMatch(jar -> jar.startsWith("jackson-core-3."));
        }
    }
}
