package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.report.json.ResultJson;
import dev.kiln.runner.Bench;
import dev.kiln.runner.BuiltWorkloads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The demo in small: a whole experiment with the real service and the real database. Figures that depend on speed are not asserted. */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
final class DemoIT {
    /** With this seed the first block is not in the order of the file. */
    private static final String EXPERIMENT = """
            name: small-demo
            target:
              workload: fruits-spring
              jvmFlags: -Xmx512m -XX:+UseSerialGC
            variants:
              platform:
              virtual:
                virtualThreads: true
            load:
              url: http://localhost:${port}/fruits
              connections: 20
            protocol:
              - load: 6s
              - pause: 2s
              - load: 4s
            runs: 1
            repeat: false
            seed: 3
            database: postgres
            """;

    private static final List<String> EVIDENCE = List.of(
            "run.json",
            "load.csv",
            "latency.hlog",
            "threads.csv",
            "compiler.csv",
            "memory.csv",
            "cgroup.csv",
            "parts.csv",
            "cpus.csv",
            "target.log");

    /** What a browser would fetch by itself when it shows a page. */
    private static final Pattern FETCHED = Pattern.compile(
            "<(?:script|img|iframe|link|audio|video|source|embed|object|base)\\b[^>]*\\b(?:src|href|data)\\s*="
                    + "|@import|url\\(\\s*['\"]?(?:https?:)?//|\\bimport\\s*\\(\\s*['\"]http",
            Pattern.CASE_INSENSITIVE);

    /** Another one if the tests are run again. */
    @SuppressWarnings("NullAway.Init")
    private static Sandbox sandbox;

    /** The files that one test makes anew. */
    private static final String PAGES = "pages";

    private static Path experiment = Path.of("");
    private static Path results = Path.of("");
    private static Answer ran = new Answer(-1, "", "");

    @BeforeAll
    static void runTheExperiment() throws IOException {
        sandbox = new Sandbox();
        BuiltWorkloads.ready("fruits-spring");
        experiment = sandbox.file("small-demo.yaml", EXPERIMENT);
        // In a process of its own: an experiment moves Kiln aside, to the CPUs of the load, and tests run beside this
        // one.
        ran = Kiln.start(
                        sandbox,
                        sandbox.jvm().directory(Bench.root().toFile()),
                        "run",
                        experiment.toString(),
                        "--results",
                        sandbox.results().toString(),
                        "--json",
                        sandbox.root().resolve("copy.json").toString())
                .end();
        try (Stream<Path> all = Files.list(sandbox.results())) {
            results = all.findFirst().orElseThrow();
        }
    }

    @AfterAll
    static void leaveNothing() {
        sandbox.close();
    }

    private static RunEvidence evidence(String variant) {
        return RunReader.read(results.resolve(variant).resolve("1"));
    }

    @Test
    void endsWellAndSaysWhereTheReportIs() {
        assertThat(ran.exit()).as(ran.err() + ran.out()).isIn(0, 1);
        assertThat(ran.out())
                .contains("platform", "virtual", "Report: " + results.resolve("report.html"))
                .doesNotContain("NaN");
        assertThat(ran.err()).contains("preparing PostgreSQL", "warming up the load driver");
    }

    @Test
    @ResourceLock(value = PAGES, mode = ResourceAccessMode.READ)
    void theResultFollowsItsSchema() throws IOException {
        String json = Files.readString(results.resolve("result.json"));
        var schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(shippedSchema(), InputFormat.JSON);

        assertThat(schema.validate(json, InputFormat.JSON)).isEmpty();
        assertThat(sandbox.root().resolve("copy.json")).hasContent(json);
        JsonNode result = JsonMapper.shared().readTree(json);
        assertThat(result.at("/variants")).hasSize(2);
        assertThat(result.at("/variants/0/name").asString()).isEqualTo("platform");
        assertThat(result.at("/variants/1/name").asString()).isEqualTo("virtual");
        for (JsonNode variant : result.at("/variants")) {
            JsonNode run = variant.at("/runs/0");
            assertThat(run.at("/requests").asLong()).isPositive();
            assertThat(run.at("/errors").asLong()).isZero();
            assertThat(run.at("/firstResponseSeconds").asDouble()).isPositive();
            assertThat(run.at("/phases")
                            .valueStream()
                            .map(phase -> phase.at("/name").asString()))
                    .containsExactly("warmup", "pause", "measure");
            assertThat(run.at("/valid").asBoolean())
                    .isEqualTo(run.at("/invalidReasons").isEmpty());
        }
        boolean allValid = result.at("/variants")
                .valueStream()
                .allMatch(v -> v.at("/runs/0/valid").asBoolean());
        assertThat(ran.exit()).isEqualTo(allValid ? 0 : 1);
    }

    private static String shippedSchema() throws IOException {
        try (InputStream in = ResultJson.class.getResourceAsStream("/dev/kiln/report/result.schema.json")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"platform", "virtual"})
    void theEvidenceIsAllThere(String variant) {
        assertThat(EVIDENCE)
                .allSatisfy(
                        file -> assertThat(results.resolve(variant).resolve("1").resolve(file))
                                .isNotEmptyFile());
        RunEvidence evidence = evidence(variant);
        RunInfo info = evidence.info();
        assertThat(evidence.gaps()).isEmpty();
        assertThat(info.outcome()).isEqualTo(Course.Outcome.COMPLETED);
        assertThat(info.command().toString().contains("-Dspring.threads.virtual.enabled=true"))
                .isEqualTo(variant.equals("virtual"));
        assertThat(info.jvm().orElseThrow().flags()).contains("-XX:+UseSerialGC");
        assertThat(evidence.latency().seconds()).isNotEmpty();
        assertThat(evidence.memory()).isNotEmpty().allMatch(sample -> sample.rssBytes() > 0);
        assertThat(evidence.load().stream().mapToLong(bin -> bin.completed()).sum())
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"platform", "virtual"})
    void compilersAndThreadsWereWatched(String variant) {
        RunEvidence evidence = evidence(variant);
        List<CompilerSample> compiler = evidence.compiler();

        assertThat(compiler).isSortedAccordingTo(Comparator.comparingLong(CompilerSample::timeNanos));
        assertThat(compiler).isSortedAccordingTo(Comparator.comparingLong(CompilerSample::compilations));
        assertThat(compiler.getLast().compilations())
                .isGreaterThan(compiler.getFirst().compilations());
        assertThat(compiler.getLast().compileNanos()).isPositive();
        assertThat(evidence.threads())
                .extracting(ThreadSample::role)
                .contains(ThreadRole.C1, ThreadRole.C2, ThreadRole.WORKER);
        assertThat(cpuOf(evidence, ThreadRole.C2)).isPositive();
        assertThat(cpuOf(evidence, ThreadRole.WORKER)).isPositive();
    }

    private static long cpuOf(RunEvidence evidence, ThreadRole role) {
        return evidence.threads().stream()
                .filter(sample -> sample.role() == role)
                .mapToLong(ThreadSample::cpuNanos)
                .max()
                .orElse(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"target", "load", "database", "kiln"})
    void everyPartUsedACpu(String part) {
        for (String variant : List.of("platform", "virtual")) {
            List<PartSample> samples = evidence(variant).parts().stream()
                    .filter(sample -> sample.part().equals(part))
                    .toList();
            assertThat(samples).isSortedAccordingTo(Comparator.comparingLong(PartSample::cpuNanos));
            assertThat(samples.getLast().cpuNanos())
                    .isGreaterThan(samples.getFirst().cpuNanos());
        }
    }

    @Test
    @ResourceLock(value = PAGES, mode = ResourceAccessMode.READ)
    void theReportFetchesNothing() throws IOException {
        String report = Files.readString(results.resolve("report.html"));
        String markup = report.replaceAll("(?s)<script>.*?</script>", "");

        assertThat(report).contains("small-demo", "function placing(", "</html>");
        assertThat(markup).hasSizeLessThan(report.length()).doesNotContainPattern(FETCHED);
        // Whatever the scripts might try, the browser is told to refuse.
        assertThat(markup).contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';");
    }

    @Test
    @ResourceLock(PAGES)
    void reportRendersTheSameAgain() throws IOException {
        byte[] before = Files.readAllBytes(results.resolve("result.json"));
        byte[] report = Files.readAllBytes(results.resolve("report.html"));
        Files.delete(results.resolve("result.json"));
        Files.delete(results.resolve("report.html"));

        Answer again = Kiln.inProcess("report", results.toString());

        // Both end with 1 where a crowded machine made a run invalid.
        assertThat(again.exit()).as(again.err()).isEqualTo(ran.exit());
        assertThat(results.resolve("result.json")).hasBinaryContent(before);
        assertThat(results.resolve("report.html")).hasBinaryContent(report);
        assertThat(again.out()).isEqualTo(ran.out());
    }

    @Test
    void planPrintsTheOrderThatWasRun() {
        Answer plan = Kiln.inProcess("plan", experiment.toString());

        List<String> ran = Stream.of("platform", "virtual")
                .map(DemoIT::evidence)
                .map(RunEvidence::info)
                .sorted(Comparator.comparingLong(RunInfo::launchEpochMillis))
                .map(RunInfo::variant)
                .toList();
        assertThat(plan.exit()).isZero();
        assertThat(plan.out()).containsPattern("block 1\\s+" + String.join(", ", ran));
        assertThat(ran).isEqualTo(List.of("virtual", "platform"));
    }
}
