package dev.kiln.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Niceness;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.jvm.Serving;
import dev.kiln.jvm.ThreadRoles;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.runner.Bench;
import dev.kiln.testing.SmallProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerFavourIT {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** Compiles a program again and again, so that the JVM's queues are long and it adds compilers to work them off. */
    private static final String CHURN = """
            import java.net.URI;
            import java.util.List;
            import javax.tools.*;
            public class Churn {
                public static void main(String[] args) throws Exception {
                    StringBuilder text = new StringBuilder("class Big {");
                    for (int i = 0; i < 300; i++) {
                        text.append("int m").append(i).append("(int x) { return x * ").append(i).append("; }");
                    }
                    String source = text.append("}").toString();
                    while (true) {
                        for (int i = 0; i < 20; i++) {
                            var file = new SimpleJavaFileObject(URI.create("string:///Big.java"), JavaFileObject.Kind.SOURCE) {
                                @Override
                                public CharSequence getCharContent(boolean ignore) {
                                    return source;
                                }
                            };
                            ToolProvider.getSystemJavaCompiler()
                                    .getTask(null, null, null, List.of("-proc:none", "-d", args[0]), null, List.of(file))
                                    .call();
                        }
                    }
                }
            }
            """;

    /** Starts the JVM that serves after a while, and another one when that has ended. */
    private static final String FORKS = """
            import java.net.*;
            public class Forks {
                public static void main(String[] args) throws Exception {
                    if (args.length == 1) {
                        ServerSocket server = new ServerSocket(Integer.parseInt(args[0]), 50, InetAddress.getLoopbackAddress());
                        while (true) {
                            server.accept().close();
                        }
                    }
                    Thread.sleep(1_000);
                    while (true) {
                        new ProcessBuilder(
                                        System.getProperty("java.home") + "/bin/java",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        "Forks",
                                        args[1])
                                .start()
                                .waitFor();
                    }
                }
            }
            """;

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private static Path classes = Path.of("");

    private final ProcFs fs = ProcFs.ofThisMachine();

    @BeforeAll
    static void compile() throws IOException {
        SmallProgram.compile(classes, "Churn", CHURN);
        SmallProgram.compile(classes, "Forks", FORKS);
    }

    /** Nice values of all compiler threads, by thread. */
    private Map<Integer, Integer> compilers(long pid) {
        Map<Integer, Integer> nice = new TreeMap<>();
        for (int tid : fs.tids(pid)) {
            String name = fs.threadName(pid, tid);
            ThreadRole role = ThreadRoles.of(name);
            if (role == ThreadRole.C1 || role == ThreadRole.C2) {
                Niceness.of(fs, pid, tid).ifPresent(value -> nice.put(tid, value));
            }
        }
        return nice;
    }

    private Map<Integer, Integer> awaitCompilers(long pid, Predicate<Map<Integer, Integer>> condition)
            throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        Map<Integer, Integer> seen = compilers(pid);
        while (!condition.test(seen) && System.nanoTime() < deadline) {
            Thread.sleep(20);
            seen = compilers(pid);
        }
        return seen;
    }

    private static PinnedProcess churn(Bench bench, String... flags) {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(List.of(flags));
        command.addAll(
                List.of("-cp", classes.toString(), "Churn", bench.folder().toString()));
        return bench.start(bench.folder(), Map.of(), command, bench.folder().resolve("log"));
    }

    @Test
    void everyCompilerIsFavouredAndPutBack() throws Exception {
        assumeTrue(Niceness.mayFavour(), "not permitted to favour threads");
        try (Bench bench = new Bench()) {
            // Begins with one thread of each kind and adds up to six more.
            PinnedProcess jvm = churn(bench, "-XX:CICompilerCount=8");
            try {
                CompilerFavour favour = CompilerFavour.of(jvm.pid());
                Map<Integer, Integer> first = awaitCompilers(
                        jvm.pid(),
                        seen -> seen.size() >= 2 && seen.values().stream().allMatch(n -> n == -20));
                assertThat(first.values()).hasSizeGreaterThanOrEqualTo(2).containsOnly(-20);

                Map<Integer, Integer> later = awaitCompilers(
                        jvm.pid(),
                        seen -> seen.keySet().stream().anyMatch(tid -> !first.containsKey(tid))
                                && seen.values().stream().allMatch(n -> n == -20));
                assertThat(later.keySet()).anyMatch(tid -> !first.containsKey(tid));
                assertThat(later.values()).containsOnly(-20);

                favour.close();
                Map<Integer, Integer> after =
                        awaitCompilers(jvm.pid(), seen -> seen.values().stream().allMatch(n -> n == 0));
                assertThat(after.keySet()).containsAnyElementsOf(later.keySet());
                assertThat(after.values()).containsOnly(0);
            } finally {
                jvm.stop(Duration.ZERO);
            }
        }
    }

    @Test
    void theOneThatServesIsFavouredAndNotTheOneThatStartedIt() throws Exception {
        assumeTrue(Niceness.mayFavour(), "not permitted to favour threads");
        try (Bench bench = new Bench()) {
            int port = Ports.free();
            PinnedProcess parent = bench.start(
                    bench.folder(),
                    Map.of(),
                    List.of(JAVA, "-cp", classes.toString(), "Forks", "parent", Integer.toString(port)),
                    bench.folder().resolve("log"));
            try (CompilerFavour favour = CompilerFavour.of(parent.pid())) {
                favour.serving(Set.of(port));
                long first = awaitServing(parent, port, -1);
                assertFavoured(first, parent.pid());

                ProcessHandle.of(first).orElseThrow().destroyForcibly();
                assertFavoured(awaitServing(parent, port, first), parent.pid());
            } finally {
                parent.stop(Duration.ZERO);
            }
        }
    }

    private long awaitServing(PinnedProcess parent, int port, long butNot) throws InterruptedException {
        Serving serving = new Serving(fs, parent.pid(), Set.of(port));
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            if (serving.look() instanceof Serving.Serves found && found.pid() != butNot) {
                return found.pid();
            }
            Thread.sleep(50);
        }
        throw new AssertionError("nobody serves");
    }

    private void assertFavoured(long pid, long parent) throws InterruptedException {
        assertThat(awaitCompilers(
                                pid,
                                seen -> seen.size() >= 2
                                        && seen.values().stream().allMatch(n -> n == -20))
                        .values())
                .hasSizeGreaterThanOrEqualTo(2)
                .containsOnly(-20);
        assertThat(awaitCompilers(parent, seen -> seen.values().stream().allMatch(n -> n == 0))
                        .values())
                .isNotEmpty()
                .containsOnly(0);
    }

    @Test
    void theFlagsDoTheSame() throws Exception {
        assumeTrue(Niceness.mayFavour(), "not permitted to favour threads");
        try (Bench bench = new Bench()) {
            PinnedProcess jvm = churn(bench, "-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=-20");
            try {
                Map<Integer, Integer> seen = awaitCompilers(
                        jvm.pid(),
                        found -> found.size() >= 2 && found.values().stream().allMatch(n -> n == -20));
                assertThat(seen.values()).hasSizeGreaterThanOrEqualTo(2).containsOnly(-20);
            } finally {
                jvm.stop(Duration.ZERO);
            }
        }
    }
}
