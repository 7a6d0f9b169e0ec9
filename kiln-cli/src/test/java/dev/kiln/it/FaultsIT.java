package dev.kiln.it;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.proc.Topology;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.testing.FullRun;
import java.nio.file.Path;
import java.util.HashMap;
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
@FullRun
@Isolated("measures")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FaultsIT {
    private static final List<Integer> CPUS = Topology.ofThisMachine().ids();

    private static final String ENVIRONMENT =
            "  environment: {DB_URL: '${db.url}', DB_USER: '${db.user}', DB_PASSWORD: '${db.password}'}\n";

    /** Some 20 ms of the database's CPU, and next to nothing of the target's. */
    private static final String QUERY = "query:select sum(i) from generate_series(1, 300000) i";

    /**
     * A variant with its fault.
     *
     * @param more keys of the variant
     * @param held the findings that must be held, and no others
     */
    record Fault(String name, int jdk, String more, String work, Set<String> held) {
        @Override
        public String toString() {
            return name + " on " + jdk;
        }

        String variant() {
            return name + "-" + jdk;
        }
    }

    /** A generator that still compiles is a fault of its own. */
    private static final String HOT = "10";

    private final Sandbox sandbox = new Sandbox();
    private final Map<Integer, Jdk> jdks = new TreeMap<>();
    private final Map<Fault, Answer> answers = new HashMap<>();

    private static List<Fault> faultsOfTheJvm(int jdk) {
        return List.of(
                new Fault("healthy", jdk, "", "methods:20", Set.of()),
                new Fault("starved", jdk, "", "methods:50 --idle-c2", Set.of("c2-starved")),
                new Fault("tiny-heap", jdk, "jvmFlags: -Xmx16m", "garbage:70", Set.of("heap-too-small")),
                new Fault("asking-for-collections", jdk, "jvmFlags: -Xmx256m", "collects:8", Set.of("explicit-gc")),
                new Fault(
                        "tiny-code-cache",
                        jdk,
                        "jvmFlags: -XX:InitialCodeCacheSize=2100k -XX:ReservedCodeCacheSize=2100k -XX:-UseCodeCacheFlushing",
                        "methods:200",
                        Set.of("code-cache-full")),
                new Fault("deoptimising", jdk, "", "traps:8", Set.of("deoptimisation-storm")),
                new Fault("yielding", jdk, "", "yield", Set.of("spinning")));
    }

    private static List<Fault> faultsAroundIt() {
        return List.of(
                new Fault("slow-generator", 25, "", "chunks:500000", Set.of("generator-limit")),
                new Fault("rejected-cache", 25, "aot: {of: given}", "methods:20", Set.of("aot-rejected")));
    }

    private static List<Fault> faultsOfTheCgroup() {
        return Stream.of(17, 25)
                .map(jdk -> new Fault(
                        "throttled", jdk, "with: {cpu-quota: 0.5}", "methods:20", Set.of("cgroup-throttling")))
                .toList();
    }

    private static List<Fault> faultsBehindIt() {
        return List.of(new Fault("slow-database", 17, "", "'" + QUERY + "'", Set.of("database-limit")));
    }

    private static List<Fault> faultsAlone() {
        return Stream.of(faultsOfTheJvm(17), faultsOfTheJvm(25), faultsAroundIt())
                .flatMap(List::stream)
                .toList();
    }

    static List<Fault> faults() {
        return Stream.of(faultsAlone(), faultsOfTheCgroup(), faultsBehindIt())
                .flatMap(List::stream)
                .toList();
    }

    @BeforeAll
    void runAll() {
        for (Jdk jdk : new JdkFinder().find()) {
            jdks.putIfAbsent(jdk.feature(), jdk);
        }
        String usual = System.setProperty(Sandbox.WARM_UP, HOT);
        if (CPUS.size() > 1) {
            sandbox.file("broken.aot", "no cache");
            // The load driver is made hot once for an experiment. Where limits are refused nothing of it runs: then
            // what
            // needs none does. A database is started anew for every run, so only the fault that is behind one has it.
            List<Fault> withoutDatabase = Stream.of(faultsAlone(), faultsOfTheCgroup())
                    .flatMap(List::stream)
                    .toList();
            run("all", withoutDatabase, "", "");
            if (requireNonNull(answers.get(withoutDatabase.getFirst())).exit() == 3) {
                run("alone", faultsAlone(), "", "");
            }
            run("behind", faultsBehindIt(), ENVIRONMENT, "database: postgres\n");
        }
        System.setProperty(Sandbox.WARM_UP, usual == null ? HOT : usual);
    }

    @AfterAll
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    private void run(String name, List<Fault> faults, String environment, String more) {
        StringBuilder yaml = new StringBuilder("target:\n  command: ").append(Kiln.FAULT_SERVER);
        yaml.append("\n  jvmFlags: -XX:+UseSerialGC\n").append(environment).append("variants:\n");
        if (faults.stream().anyMatch(fault -> fault.more().contains("of: given"))) {
            // Only a cache that is lent may be rejected.
            yaml.append("  given: {jdk: 25, aot: {file: broken.aot}, arguments: --work methods:20, optional: true}\n");
        }
        faults.stream().filter(fault -> jdks.containsKey(fault.jdk())).forEach(fault -> yaml.append(variant(fault)));
        yaml.append("load:\n  url: http://localhost:${port}/\n  connections: 1\n")
                .append("cpus:\n  target: " + CPUS.getFirst() + "\n  load: " + CPUS.getLast())
                .append("\n  database: " + CPUS.getLast() + "\n")
                .append("protocol: [{load: 4s}]\nruns: 1\n")
                .append(more);
        Answer answer = Kiln.inProcess(
                "run",
                sandbox.file(name + ".yaml", yaml.toString()).toString(),
                "--results",
                sandbox.results().toString());
        faults.forEach(fault -> answers.put(fault, answer));
    }

    private String variant(Fault fault) {
        return "  " + fault.variant() + ":\n    jdk: "
                + requireNonNull(jdks.get(fault.jdk())).home() + "\n"
                + (fault.more().isEmpty() ? "" : "    " + fault.more() + "\n")
                + "    arguments: --work " + fault.work() + "\n";
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isToldAsItselfAndAsNoOther(Fault fault) {
        assumeTrue(jdks.containsKey(fault.jdk()), "no JDK " + fault.jdk() + " here");
        assumeTrue(CPUS.size() > 1, "target and load would share the only CPU");
        Answer answer = requireNonNull(answers.get(fault));
        assumeTrue(answer.exit() != 3, answer.err());
        Path run = sandbox.run(fault.variant());
        assertThat(run.resolve("run.json")).as(answer.err()).exists();
        JsonNode explained = explain(run);
        Set<String> held = new TreeSet<>();
        for (JsonNode finding : explained.get("findings")) {
            if (finding.get("state").asString().equals("held")) {
                held.add(finding.get("id").asString());
            }
        }
        // The queue of a C2 that gets no CPU is the symptom of that: in a few seconds it may or may not come to its
        // threshold.
        if (held.contains("c2-starved")) {
            held.remove("c2-backlog");
        }
        // What others on this machine take can hide any fault, and it is told.
        boolean crowded = held.remove("noisy-neighbour") || machineToBlame(explained);
        assumeTrue(!crowded || held.equals(fault.held()), "other programs took the CPU: " + held);
        assertThat(held).as(explained.toPrettyString()).isEqualTo(fault.held());
    }

    private static boolean machineToBlame(JsonNode explained) {
        return explained
                .path("verdictReasons")
                .valueStream()
                .map(JsonNode::asString)
                .anyMatch(Kiln::blamesTheMachine);
    }

    private static JsonNode explain(Path run) {
        Answer explained = Kiln.inProcess("explain", run.toString(), "--json", "-");
        assertThat(explained.exit()).as(explained.err()).isLessThan(2);
        return JsonMapper.builder().build().readTree(explained.out());
    }
}
