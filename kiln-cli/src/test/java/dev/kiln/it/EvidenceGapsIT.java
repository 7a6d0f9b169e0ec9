package dev.kiln.it;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JVMs that cannot be asked, or not all: what is missing is said with its reason, and all the rest works. */
@FullRun
@Order(5)
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EvidenceGapsIT {
    private static final String COUNTERS = "JIT, collections and safepoints";
    private static final String JIT = "compile queues, methods by level and code cache";
    private static final String DUMPS = "thread dumps";
    private static final String CLOSING = "closing recording";
    private static final String UNKNOWN = "the JVM did not say what it is";
    private static final List<String> FROM_COUNTERS = List.of("gc", "growing-live-set", "heap-too-small");
    private static final List<String> FROM_ATTACHING = List.of("code-cache-full");

    /** Root, but without what lets it look into other users' processes. */
    private static final List<String> NO_PRIVILEGE = List.of(
            "setpriv",
            "--bounding-set=-sys_ptrace,-dac_override,-dac_read_search",
            "--inh-caps=-sys_ptrace,-dac_override,-dac_read_search",
            "env",
            "--default-signal=INT");

    /**
     * A variant from which something is kept.
     *
     * @param missing what is not recorded, each with a part of the reason
     * @param notObservable findings that cannot be made
     */
    record Gap(String name, int jdk, Map<String, String> missing, List<String> notObservable) {
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
    private final Map<String, Answer> answers = new HashMap<>();

    static List<Gap> gaps() {
        return Stream.of(17, 25).flatMap(EvidenceGapsIT::gaps).toList();
    }

    private static Stream<Gap> gaps(int jdk) {
        List<String> both =
                Stream.concat(FROM_COUNTERS.stream(), FROM_ATTACHING.stream()).toList();
        return Stream.of(
                new Gap("all", jdk, Map.of(), List.of()),
                new Gap("no-counters", jdk, Map.of(COUNTERS, "-XX:-UsePerfData", CLOSING, UNKNOWN), FROM_COUNTERS),
                new Gap(
                        "no-attaching",
                        jdk,
                        Map.of(
                                JIT,
                                "-XX:+DisableAttachMechanism",
                                DUMPS,
                                "-XX:+DisableAttachMechanism",
                                CLOSING,
                                "-XX:+DisableAttachMechanism"),
                        FROM_ATTACHING),
                new Gap(
                        "container",
                        jdk,
                        Map.of(COUNTERS, "hsperfdata file was not found", CLOSING, UNKNOWN),
                        FROM_COUNTERS),
                new Gap(
                        "stranger",
                        jdk,
                        Map.of(
                                COUNTERS,
                                "not permitted",
                                JIT,
                                "not permitted",
                                DUMPS,
                                "not permitted",
                                CLOSING,
                                UNKNOWN),
                        both));
    }

    @BeforeAll
    void runAll() throws IOException {
        for (Jdk jdk : new JdkFinder().find()) {
            jdks.putIfAbsent(jdk.feature(), jdk);
        }
        sandbox.file("container.sh", """
                folder=/tmp/hsperfdata_$(id -un)
                mkdir -p $folder
                mount -t tmpfs -o ro tmpfs $folder && exec "$@"
                """);
        copyFixtures();
        List<Gap> strangers =
                gaps().stream().filter(gap -> gap.name().equals("stranger")).toList();
        List<Gap> others =
                gaps().stream().filter(gap -> !strangers.contains(gap)).toList();
        run("others", others, List.of("env", "--default-signal=INT"));
        if (whyNot(strangers.getFirst()).isEmpty()) {
            run("strangers", strangers, NO_PRIVILEGE);
        }
    }

    @AfterAll
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    /** To where any user can read them. */
    private void copyFixtures() throws IOException {
        Path from = Path.of(Kiln.fixtures());
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(
                        path,
                        sandbox.root()
                                .resolve("fixtures")
                                .resolve(from.relativize(path).toString()));
            }
        }
    }

    private void run(String name, List<Gap> gaps, List<String> prefix) {
        StringBuilder yaml = new StringBuilder("target: {}\nvariants:\n");
        gaps.stream()
                .filter(gap -> whyNot(gap).isEmpty())
                .forEach(gap -> yaml.append("  " + gap.variant() + ":\n    command: " + command(gap) + "\n"));
        yaml.append("load:\n  url: http://localhost:${port}/\n  connections: 2\n  rate: 50\n")
                .append("protocol: [{load: 6s}]\nruns: 1\n");
        String file = sandbox.file(name + ".yaml", yaml.toString()).toString();
        ProcessBuilder jvm = sandbox.jvm(prefix);
        Answer answer = Kiln.start(
                        sandbox,
                        jvm,
                        "run",
                        file,
                        "--results",
                        sandbox.results().toString())
                .end();
        gaps.forEach(gap -> answers.put(gap.variant(), answer));
    }

    private String command(Gap gap) {
        String java = requireNonNull(jdks.get(gap.jdk())).java().toString();
        String server = " -cp " + sandbox.root().resolve("fixtures")
                + " dev.kiln.fixtures.CurveServer --port ${port} --curve flat:rate=1000";
        return switch (gap.name()) {
            case "no-counters" -> java + " -XX:-UsePerfData" + server;
            case "no-attaching" -> java + " -XX:+DisableAttachMechanism" + server;
            case "container" -> "unshare --mount sh " + sandbox.root().resolve("container.sh") + " " + java + server;
            case "stranger" -> "setpriv --reuid=65534 --regid=65534 --clear-groups " + java + server;
            default -> java + server;
        };
    }

    /** Why a variant cannot run on this machine; empty if it can. */
    private String whyNot(Gap gap) {
        if (!jdks.containsKey(gap.jdk())) {
            return "no JDK " + gap.jdk() + " here";
        }
        return switch (gap.name()) {
            case "container" ->
                Sandbox.works("unshare", "--mount", "true") ? "" : "not permitted to make a mount namespace";
            case "stranger" ->
                Sandbox.works("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "true")
                        ? ""
                        : "not permitted to become another user";
            default -> "";
        };
    }

    @ParameterizedTest
    @MethodSource("gaps")
    void whatIsMissingIsSaidAndTheRestWorks(Gap gap) throws IOException {
        assumeTrue(whyNot(gap).isEmpty(), whyNot(gap));
        Answer answer = requireNonNull(answers.get(gap.variant()));
        assertThat(answer.humane()).as(answer.err()).isTrue();
        Path run = sandbox.run(gap.variant());
        JsonNode info = JsonMapper.builder().build().readTree(Files.readString(run.resolve("run.json")));
        Map<String, String> missing = new TreeMap<>();
        info.get("notRecorded")
                .forEach(entry -> missing.put(
                        entry.get("what").asString(), entry.get("why").asString()));
        // After a dump that takes long, as on a busy machine, the next one comes later, or never.
        missing.remove(DUMPS + ", some of them");
        missing.remove(DUMPS + ", the later ones");
        if (gap.name().equals("container")) {
            // The mount that makes it one is a child for a moment, and may be seen.
            missing.remove("threads, JIT and memory of the target's other processes");
        }
        if (gap.name().equals("stranger")) {
            // It is one's own process until it becomes another user's, and may be looked into just before.
            missing.remove("proportional memory (PSS)");
        }
        assertThat(missing.keySet())
                .containsExactlyInAnyOrderElementsOf(gap.missing().keySet());
        gap.missing().forEach((what, why) -> assertThat(missing.get(what)).contains(why));
        assertThat(serverIsDumped(run))
                .as("rows of the server")
                .isEqualTo(!gap.missing().containsKey(DUMPS));
    }

    /** Tells whether dumps found the one thread that serves, in whatever part of the server it was. */
    private static boolean serverIsDumped(Path run) throws IOException {
        try (Stream<String> rows = Files.lines(run.resolve("blocked.csv"))) {
            return rows.skip(1).anyMatch(row -> row.contains(",dev.kiln.fixtures."));
        }
    }

    @ParameterizedTest
    @MethodSource("gaps")
    void findingsThatNeedItAreNotObservableAndNoneIsHeld(Gap gap) {
        assumeTrue(whyNot(gap).isEmpty(), whyNot(gap));
        Answer explained = Kiln.inProcess("explain", sandbox.run(gap.variant()).toString(), "--json", "-");
        assertThat(explained.err()).isEmpty();
        Map<String, String> states = new TreeMap<>();
        JsonMapper.builder()
                .build()
                .readTree(explained.out())
                .get("findings")
                .forEach(finding -> states.put(
                        finding.get("id").asString(), finding.get("state").asString()));
        gap.notObservable().forEach(id -> assertThat(states).containsEntry(id, "not-observable"));
        assertThat(states).containsEntry("c2-starved", "ruled-out");
    }
}
