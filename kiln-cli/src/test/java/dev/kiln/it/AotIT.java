package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.kiln.fixtures.CurveServer;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Caches that are trained, given, and rejected, and variants that are modified: what each run proves of it. */
@FullRun
@Order(3)
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AotIT {
    private static final String LOAD = """
            load:
              url: http://localhost:${port}/
              connections: 2
            protocol: [{load: 2s}, {pause: 1s}, {load: 1s}]
            runs: 1
            """;

    private final Sandbox sandbox = new Sandbox();
    private Answer answer = new Answer(-1, "", "");

    @BeforeAll
    void runAll() {
        // A cache for other modules than those of the variant it is given to.
        String cache = sandbox.root().resolve("given.aot").toString();
        java("-XX:AOTMode=record", "-XX:AOTConfiguration=" + cache + "conf");
        java("-XX:AOTMode=create", "-XX:AOTConfiguration=" + cache + "conf", "-XX:AOTCache=" + cache);
        Path file = sandbox.file(
                "aot.yaml",
                "target:\n  command: " + Kiln.JAVA + " -cp " + jar() + " dev.kiln.fixtures.CurveServer --port ${port}\n"
                        + "variants:\n"
                        + "  started: {aot: {train: startup}, jvmFlags: '-Xlog:startuptime:file=start-%p.log'}\n"
                        // A start alone, as frameworks can be told to make; here the JVM's own.
                        + "  alone: {aot: {train: startup, flags: -version}, jvmFlags: '-XX:-UsePerfData'}\n"
                        + "  served: {aot: {train: traffic, for: 2s}, with: [no-aot-replay, xbatch]}\n"
                        + "  watched:\n    command: " + Kiln.JAVA + " -cp " + jar()
                        + " dev.kiln.fixtures.faults.FaultServer --port ${port}"
                        + " --work methods:20\n    aot: {train: traffic, for: 2s}\n    observe: {flight-recorder: on}\n"
                        + "  rejected: {aot: {file: given.aot}, jvmFlags: --add-modules=jdk.jfr}\n"
                        + "  lent: {aot: {of: alone}, jvmFlags: -XX:StartFlightRecording}\n"
                        + "claims:\n"
                        + "  - {text: Classes come from it, check: aot-classes(started) > 100}\n"
                        + "  - {text: And from the other, check: aot-classes(rejected) > 100}\n"
                        + "  - {text: It knows what is hot, check: aot-coverage(watched) >= 0}\n"
                        + "  - {text: A recorder drops it, check: aot-classes(lent) <= 0}\n"
                        + LOAD);
        answer = Kiln.start(
                        sandbox,
                        "run",
                        file.toString(),
                        "--results",
                        sandbox.results().toString())
                .end();
    }

    @Test
    void whatTheJvmLoggedOfItsOwnStartIsInTheResult() throws IOException {
        JsonNode result =
                JsonMapper.shared().readTree(Files.readString(experiment().resolve("result.json")));
        for (JsonNode variant : result.path("variants")) {
            JsonNode phases = variant.path("runs").get(0).path("startupPhases");
            List<String> names = phases.valueStream()
                    .map(phase -> phase.path("name").asString())
                    .toList();
            if (variant.path("name").asString().equals("started")) {
                assertThat(names).contains("Genesis", "Create VM");
            } else {
                assertThat(names).isEmpty();
            }
            phases.forEach(phase -> assertThat(phase.path("millis").asDouble()).isNotNegative());
        }
    }

    @Test
    void theStartsOfVariantsAreComparedWithTheirCachesAndCpus() throws IOException {
        Path file = sandbox.file(
                "starts.yaml",
                "target:\n  command: " + Kiln.JAVA + " -cp " + jar() + " dev.kiln.fixtures.CurveServer --port ${port}\n"
                        + "variants:\n"
                        + "  plain:\n"
                        + "  cached:\n"
                        + "    aot: {train: startup}\n"
                        + "    with: [cpus: 1]\n"
                        + "    jvmFlags: -Xlog:startuptime:file=start-%p.log\n"
                        + LOAD);
        Path results = sandbox.root().resolve("starts");

        Answer starts = Kiln.start(
                        sandbox,
                        "startup",
                        file.toString(),
                        "--pairs",
                        "2",
                        "--discard",
                        "0",
                        "--verbose",
                        "--results",
                        results.toString())
                .end();

        assertThat(starts.exit()).as(starts.err()).isZero();
        assertThat(starts.out())
                .contains(" until http://localhost:${port}/ answers 200\n", "\nRun,plain,cached\n1,", "\n2,")
                .containsPattern("\ncached: .*-XX:AOTCache=.*app\\.aot .*--port \\$\\{port} \\(cpus: 1\\)\n")
                .containsPattern("\nCreate VM ms Geomean,,\\d");
        assertThat(starts.err()).contains("AOT cache of cached: recorded in ");
    }

    /** The second variant's cache is for other modules. */
    @Test
    void aStartWithoutItsCacheIsNone() {
        Path file = sandbox.file(
                "rejected.yaml",
                "target:\n  command: " + Kiln.JAVA + " -cp " + jar() + " dev.kiln.fixtures.CurveServer --port ${port}\n"
                        + "variants:\n"
                        + "  plain:\n"
                        + "  rejected: {aot: {file: given.aot}, jvmFlags: --add-modules=jdk.jfr}\n"
                        + LOAD);

        Answer starts = Kiln.start(
                        sandbox,
                        "startup",
                        file.toString(),
                        "--results",
                        sandbox.root().resolve("none").toString())
                .end();

        assertThat(starts.exit()).isEqualTo(1);
        assertThat(starts.err()).contains("rejected, pair 1: it did not use its AOT cache: ");
    }

    private Path jar() {
        return jar(sandbox);
    }

    /** A cache takes class paths of jars alone. */
    static Path jar(Sandbox sandbox) {
        Path jar = sandbox.root().resolve("fixtures.jar");
        Path classes = Path.of(CurveServer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        if (!Files.isDirectory(classes)) {
            return classes;
        }
        // A cache is for a jar that has not changed.
        if (Files.exists(jar)) {
            return jar;
        }
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        assertThat(tool.run(System.out, System.err, "cf", jar.toString(), "-C", classes.toString(), "."))
                .isZero();
        return jar;
    }

    private void java(String... flags) {
        Stream<String> java = Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        List<String> command = Stream.concat(java, Stream.concat(Stream.of(flags), Stream.of("-version")))
                .toList();
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(sandbox.root().resolve("made.log").toFile())
                    .start();
            assertThat(process.waitFor()).isZero();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @AfterAll
    void end() {
        sandbox.close();
    }

    private JsonNode treatment(String variant) throws IOException {
        return JsonMapper.shared()
                .readTree(Files.readString(sandbox.run(variant).resolve("run.json")))
                .path("treatment");
    }

    private Path experiment() {
        return sandbox.run("started").resolve("../..").normalize();
    }

    @Test
    void aTrainedCacheIsMadeInTwoStepsAndUsed() throws IOException {
        JsonNode aot = treatment("started").path("aot");
        assertThat(aot.path("mapped").asBoolean()).as(answer.err()).isTrue();
        assertThat(aot.path("sharedClasses").asInt()).isGreaterThan(100);
        assertThat(aot.path("trained").asString()).isEqualTo("startup");
        assertThat(aot.path("replaysTraining").asBoolean()).isTrue();
        assertThat(aot.path("rejection").isNull()).isTrue();
        assertThat(aot.path("training").path("recordNanos").asLong()).isPositive();
        assertThat(aot.path("training").path("createNanos").asLong()).isPositive();
        Path folder = experiment().resolve("aot/started");
        assertThat(folder.resolve("record.log")).content().contains("AOTConfiguration recorded");
        assertThat(folder.resolve("create.log")).content().contains("AOTCache creation is complete");
        assertThat(Files.size(folder.resolve("app.aot")))
                .isEqualTo(aot.path("training").path("cacheBytes").asLong());
        assertThat(folder.resolve("app.aotconf")).doesNotExist();
        assertThat(answer.err())
                .contains("AOT cache of started, 1 of 2: recording a start\n")
                .contains("AOT cache of started, 2 of 2: creating it");
    }

    @Test
    void aTrainingThatEndsByItselfMakesACacheToo() throws IOException {
        JsonNode aot = treatment("alone").path("aot");
        assertThat(aot.path("mapped").asBoolean()).as(answer.err()).isTrue();
        assertThat(experiment().resolve("aot/alone/record.log")).content().contains("version \"");
        assertThat(sandbox.run("alone").resolve("target.log")).content().doesNotContain("version \"");
        assertThat(aot.path("sharedClasses").isNull())
                .as("a JVM without counters does not tell")
                .isTrue();
        assertThat(aot.path("replaysTraining").isNull()).isTrue();
    }

    @Test
    void trafficIsTheExperimentsOwnLoadAndModifiersAreRecorded() throws IOException {
        JsonNode treatment = treatment("served");
        assertThat(treatment.path("aot").path("trained").asString()).isEqualTo("traffic");
        assertThat(treatment.path("aot").path("mapped").asBoolean())
                .as(answer.err())
                .isTrue();
        assertThat(treatment.path("aot").path("replaysTraining").asBoolean()).isFalse();
        assertThat(treatment.path("modifiers").valueStream().map(JsonNode::asString))
                .containsExactly("no-aot-replay", "xbatch");
        assertThat(answer.err()).contains("1 of 2: recording a start and 2 s of load");
        assertThat(Files.readAllLines(experiment().resolve("aot/served/load.csv")))
                .hasSizeGreaterThan(1);
        assertThat(answer.out()).contains("modified: no-aot-replay, xbatch");
    }

    @Test
    void ofARecordedRunTheCacheTellsHowMuchOfWhatWasHotItKnew() throws IOException {
        JsonNode aot = treatment("watched").path("aot");
        assertThat(aot.path("mapped").asBoolean()).as(answer.err()).isTrue();
        assertThat(aot.path("coverage").isNumber()).as(aot.toString()).isTrue();
        assertThat(aot.path("coverage").asDouble()).isBetween(0.0, 1.0);
        assertThat(experiment().resolve("aot/watched/profiles.log")).doesNotExist();
        assertThat(treatment("started").path("aot").path("coverage").isNull()).isTrue();
        assumeFalse(answer.out().contains("watched: run 1 is invalid"), "the machine is too crowded");
        assertThat(answer.out())
                .containsPattern("methods\\s+whose\\s+profile\\s+the\\s+AOT\\s+cache\\s+has:\\s+watched\\s+\\d+\\s%");
    }

    @Test
    void aRejectedCacheEndsTheRunBeforeItsLoadWithTheJvmsReason() throws IOException {
        JsonNode aot = treatment("rejected").path("aot");
        assertThat(aot.path("mapped").asBoolean()).isFalse();
        assertThat(aot.path("sharedClasses").asInt()).isZero();
        assertThat(aot.path("rejection").asString())
                .isEqualTo("Mismatched values for property jdk.module.addmods: jdk.jfr specified during runtime but"
                        + " not during dump time");
        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(Files.readString(experiment().resolve("result.json")))
                .contains("the target failed: the AOT cache was not used: Mismatched values for property");
        assertThat(answer.err()).contains("not during dump time; 'kiln aot check -- java -XX:AOTCache=");
        assertThat(Files.readAllLines(sandbox.run("rejected").resolve("load.csv")))
                .as("no load")
                .hasSize(1);
    }

    @Test
    void theCacheOfAnotherVariantMayBeRejectedInAValidRun() throws IOException {
        JsonNode aot = treatment("lent").path("aot");
        assertThat(aot.path("file").asString()).endsWith("/aot/alone/app.aot");
        assertThat(aot.path("trained").asString()).isEqualTo("variant");
        assertThat(aot.path("sharedClasses").asInt()).isZero();
        assertThat(aot.path("rejection").asString()).startsWith("Mismatched values for property jdk.module.addmods");
        assertThat(experiment().resolve("aot/lent")).doesNotExist();
        assertThat(answer.out())
                .contains("the AOT cache of another variant was not used: Mismatched values", "agrees: A recorder");
    }

    @Test
    void claimsAreAnsweredInTheReport() throws IOException {
        JsonNode claims = JsonMapper.shared()
                .readTree(Files.readString(experiment().resolve("result.json")))
                .path("claims");
        assertThat(claims.path(0).path("state").asString()).isEqualTo("agrees");
        assertThat(claims.path(1).path("state").asString()).isEqualTo("not-observable");
        assertThat(answer.out()).contains("agrees: Classes come from it");
        assertThat(answer.humane()).as(answer.out() + answer.err()).isTrue();

        Answer again = Kiln.inProcess("report", experiment().toString());
        assertThat(again.out()).contains("agrees: Classes come from it");
    }
}
