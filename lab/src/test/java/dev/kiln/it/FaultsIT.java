package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.Topology;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Targets with one known fault, each told as itself and as no other. The target has one CPU, whatever the machine has: so
 * one busy thread is enough to fill it.
 */
@Isolated("measures")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FaultsIT {
    /**
     * A variant with its fault.
     *
     * @param held the findings that must be held, and no others
     */
    private record Fault(String name, int jdk, String jvmFlags, String arguments, Set<String> held) {
        @Override
        public String toString() {
            return name + " on " + jdk;
        }

        String variant() {
            return name + "-" + jdk;
        }
    }

    private final Sandbox sandbox = new Sandbox();
    private final Map<Integer, Jdk> jdks = new TreeMap<>();
    private Answer answer = new Answer(-1, "", "");

    static List<Fault> faults() {
        return Stream.of(17, 25).flatMap(FaultsIT::faults).toList();
    }

    private static Stream<Fault> faults(int jdk) {
        return Stream.of(
                new Fault("healthy", jdk, "", "--work methods:20", Set.of()),
                new Fault("starved", jdk, "", "--work methods:50 --idle-c2", Set.of("c2-starved")),
                new Fault("tiny-heap", jdk, "-Xmx16m", "--work garbage:70", Set.of("heap-too-small")),
                new Fault(
                        "tiny-code-cache",
                        jdk,
                        "-XX:ReservedCodeCacheSize=3m -XX:-UseCodeCacheFlushing",
                        "--work methods:2000",
                        Set.of("code-cache-full")),
                new Fault("deoptimising", jdk, "", "--work traps:4", Set.of("deoptimisation-storm")),
                new Fault("yielding", jdk, "", "--work yield", Set.of("spinning")),
                new Fault("slow-generator", jdk, "", "--work chunks:50000", Set.of("generator-limit")));
    }

    @BeforeAll
    void runAll() {
        for (Jdk jdk : new JdkFinder().find()) {
            jdks.putIfAbsent(jdk.feature(), jdk);
        }
        answer = Kiln.inProcess(
                "run",
                sandbox.file("faults.yaml", yaml()).toString(),
                "--results",
                sandbox.results().toString());
    }

    @AfterAll
    void leaveNothing() {
        assertThat(sandbox.processes()).isEmpty();
        sandbox.close();
    }

    private String yaml() {
        StringBuilder yaml = new StringBuilder(
                "target:\n  command: " + Kiln.FAULT_SERVER + "\n  jvmFlags: -XX:+UseSerialGC\nvariants:\n");
        for (Fault fault : faults()) {
            if (jdks.containsKey(fault.jdk())) {
                yaml.append("  " + fault.variant() + ":\n")
                        .append("    jdk: " + jdks.get(fault.jdk()).home() + "\n")
                        .append(fault.jvmFlags().isEmpty() ? "" : "    jvmFlags: " + fault.jvmFlags() + "\n")
                        .append("    arguments: " + fault.arguments() + "\n");
            }
        }
        List<Integer> cpus = Topology.ofThisMachine().ids();
        yaml.append("load:\n  url: http://localhost:${port}/\n  connections: 1\n")
                .append("cpus:\n  target: " + cpus.getFirst() + "\n  load: " + cpus.getLast() + "\n  database: "
                        + cpus.getLast() + "\n")
                .append("protocol: [{load: 4s}]\nruns: 1\n");
        return yaml.toString();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isToldAsItselfAndAsNoOther(Fault fault) throws Exception {
        assumeTrue(jdks.containsKey(fault.jdk()), "no JDK " + fault.jdk() + " here");
        assumeTrue(Topology.ofThisMachine().ids().size() > 1, "target and load would share the only CPU");
        Path run = sandbox.run(fault.variant());
        assertThat(run.resolve("run.json")).as(answer.err()).exists();
        JsonNode explained = explain(run);
        Set<String> held = new TreeSet<>();
        for (JsonNode finding : explained.get("findings")) {
            if (finding.get("state").asString().equals("held")) {
                held.add(finding.get("id").asString());
            }
        }
        // Others on this machine are no fault of the target, and truly there.
        held.remove("noisy-neighbour");
        assertThat(held).as(explained.toPrettyString()).isEqualTo(fault.held());
    }

    private static JsonNode explain(Path run) throws Exception {
        Answer explained = Kiln.inProcess("explain", run.toString(), "--json", "-");
        assertThat(explained.humane()).as(explained.err()).isTrue();
        return JsonMapper.builder().build().readTree(explained.out());
    }
}
