package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What modifiers do to a run, and what is said where they cannot. */
@FullRun
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class ModifiersIT {
    private static final String LOAD = """
            load:
              url: http://localhost:${port}/
              connections: 2
            protocol: [{load: 3s}, {pause: 1s}, {load: 1s}]
            runs: 1
            """;

    private final Sandbox sandbox = new Sandbox();
    private long pid;

    @AfterEach
    void end() {
        sandbox.close();
    }

    private Answer run(String variants) {
        Path file = sandbox.file("modified.yaml", "target:\n  command: " + Kiln.CURVE_SERVER + "\n" + variants + LOAD);
        Kiln kiln = Kiln.start(
                sandbox, "run", file.toString(), "--results", sandbox.results().toString());
        pid = kiln.pid();
        return kiln.end();
    }

    private JsonNode info(String variant) throws IOException {
        return JsonMapper.shared()
                .readTree(Files.readString(sandbox.run(variant).resolve("run.json")));
    }

    private static boolean root() {
        return "root".equals(System.getProperty("user.name"));
    }

    @Test
    void modifiersTakeEffectAndAreRecorded() throws IOException {
        assumeTrue(root(), "cgroups and priorities take root");
        Answer answer = run("""
                variants:
                  all: {with: [cpus: 1, cpu-quota: 0.1, memory: 256m, compiler-priority: renice]}
                  boosted: {with: {cpu-boost: {from: 1, to: 0.2, for: 1500ms}}}
                  warm: {with: {cpu-boost: 1 to 0.2 until-warm}}
                """);
        assumeTrue(answer.exit() != 3, answer.err());

        JsonNode info = info("all");
        assertThat(info.path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(info.path("treatment").path("modifiers").valueStream().map(JsonNode::asString))
                .containsExactly("cpus: 1", "cpu-quota: 0.1", "memory: 256m", "compiler-priority: renice");
        assertThat(info.path("cpus").path("target").size()).isEqualTo(1);
        List<String> throttling = Files.readAllLines(sandbox.run("all").resolve("cgroup.csv"));
        assertThat(throttling.getFirst()).contains("throttled_periods");
        int column = List.of(throttling.getFirst().split(",", -1)).indexOf("throttled_periods");
        assertThat(Long.parseLong(throttling.getLast().split(",", -1)[column])).isPositive();
        assertThat(answer.out()).contains("modified: cpus: 1, cpu-quota: 0.1, memory: 256m");
        assertBoostsEndAtTheirTimes(answer);
        assertThat(cgroups()).isEmpty();
    }

    private void assertBoostsEndAtTheirTimes(Answer answer) throws IOException {
        JsonNode info = info("boosted");
        assertThat(info.path("outcome").asString()).as(answer.err()).isEqualTo("COMPLETED");
        assertThat(info.path("boostEndNanos").asLong() / 1e9).isBetween(1.5, 10.0);
        assertThat(answer.out())
                .contains("cpu-boost: 1 to 0.2 for 1.5s: the CPU limit was lowered")
                .containsPattern("cpu-boost: 1 to 0.2 for 1.5s: by the CPUs of its start the JVM chose \\S*");
        JsonNode warm = info("warm");
        assertThat(warm.path("boostEndNanos").isNumber())
                .as("at the latest before the load that shows the peak: " + answer.out())
                .isTrue();
        assertThat(warm.path("boostEndNanos").asLong())
                .isLessThan(warm.at("/phases/2/startNanos").asLong());
    }

    /** Those of this test's Kiln. Other tests kill theirs. */
    private List<Path> cgroups() throws IOException {
        try (Stream<Path> all = Files.walk(Path.of("/sys/fs/cgroup"), 5)) {
            return all.filter(path -> String.valueOf(path.getFileName()).startsWith("kiln-" + pid + "-"))
                    .toList();
        }
    }

    @Test
    void moreCpusThanThereAreIsToldBeforeAnythingRuns() {
        Answer answer = run("variants:\n  wide: {with: {cpus: 9999}}\n");

        assertThat(answer.exit()).isEqualTo(3);
        assertThat(answer.err())
                .containsPattern(
                        "variant wide: cpus: (asks for 9999 CPUs, but the target has only \\d+|this machine does not)")
                .doesNotContain("warming up");
    }

    @Test
    void anOldJdkIsToldBeforeAnythingRuns() {
        Optional<Path> old = new dev.kiln.jvm.JdkFinder()
                .find().stream()
                        .filter(jdk -> jdk.feature() >= 17 && jdk.feature() < 24)
                        .map(dev.kiln.jvm.Jdk::home)
                        .findFirst();
        assumeTrue(old.isPresent(), "no JDK before 24 is installed");

        Answer answer = run("variants:\n  old: {aot: {train: startup}, jdk: " + old.get() + "}\n");

        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err())
                .contains("variant old: AOT caches need JDK 25 or later; " + old.get() + " is ")
                .doesNotContain("warming up");
    }
}
