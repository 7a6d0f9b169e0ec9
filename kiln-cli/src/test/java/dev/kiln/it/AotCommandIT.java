package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.aot.AotVerdict;
import dev.kiln.fixtures.CurveServer;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.AotCheck;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.model.AotSight;
import dev.kiln.model.AotSight.Reason;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A cache that {@code kiln aot train} makes is accepted, and of each planted mismatch its reason is named. */
@FullRun
@Order(4)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AotCommandIT {
    /** JDK 25.0.5 keeps no machine code in caches: see the fault JDK-8388703. */
    private static final boolean HAS_CODE =
            Runtime.version().feature() > 25 || Runtime.version().compareTo(Runtime.Version.parse("25.0.5")) < 0;

    private static final String SERIAL = "-XX:+UseSerialGC";

    private final Sandbox sandbox = new Sandbox();
    private final Path cache = sandbox.root().resolve("app.aot");
    private Path jar = sandbox.root();
    private Path other = sandbox.root();
    private Answer trained = new Answer(-1, "", "");

    @BeforeAll
    void train() throws IOException {
        jar = jar();
        // Older than the cache, as the first one is.
        other = Files.copy(jar, sandbox.root().resolve("other.jar"), StandardCopyOption.COPY_ATTRIBUTES);
        List<String> words =
                new ArrayList<>(List.of("aot", "train", "--out", cache.toString(), "--for", "2s", "--json"));
        words.addAll(List.of("-", "--url", "http://localhost:${port}/", "--"));
        words.addAll(command(SERIAL));
        trained = Kiln.start(sandbox, words.toArray(String[]::new)).end();
    }

    private List<String> command(String... options) {
        List<String> words = new ArrayList<>(List.of(Kiln.JAVA));
        words.addAll(List.of(options));
        words.addAll(List.of("-cp", jar + ":" + other, CurveServer.class.getName(), "--port", "${port}"));
        return words;
    }

    private AotSight check(Path file, String... options) {
        List<String> words = command(options);
        words.add(1, "-XX:AOTCache=" + file);
        return check(words);
    }

    private AotSight check(List<String> words) {
        return AotCheck.of(JdkFinder.current(), words, sandbox.root(), Map.of());
    }

    @Test
    void theCacheIsAcceptedAndHasWhatTheLoadTaught() {
        assertThat(trained.exit()).as(trained.err()).isZero();
        JsonNode told = JsonMapper.shared().readTree(trained.out());
        assertThat(told.path("accepted").asBoolean()).isTrue();
        assertThat(told.path("reasons")).isEmpty();
        assertThat(told.path("used").path("classes").asInt()).isGreaterThan(500);
        assertThat(told.path("used").path("profiles").asInt()).isGreaterThan(100);
        assertThat(told.path("used").path("heapBytes").asLong()).isGreaterThan(100_000);
        if (HAS_CODE) {
            assertThat(told.path("used").path("code").asInt()).isPositive();
        }
        assertThat(sandbox.root().resolve("app.aot.training/baseline/record.log"))
                .exists();
    }

    /** Of a service that would not end by itself. */
    @Test
    void aCommandSendsTheLoadOnceTheServiceIsReady() throws IOException {
        sandbox.file("drive.sh", """
                exec 3<>/dev/tcp/127.0.0.1/$1
                printf 'GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n' >&3
                head -n 1 <&3 >answered
                """);
        Answer answer = byCommand("bash drive.sh ${port}");
        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.err()).contains("1 of 2: recording a start and the load of 'bash drive.sh ${port}'");
        assertThat(Files.readString(sandbox.root().resolve("answered"))).startsWith("HTTP/1.1 200");
        assertThat(answer.out()).contains("driven.aot.\n", "It takes from it: ");
        Answer started = train("--ready", "port:${port}");
        assertThat(started.exit()).as(started.err()).isZero();
        assertThat(started.err()).contains("1 of 2: recording a start\n");
        Answer failed = byCommand("exit 3");
        assertThat(failed.exit()).isEqualTo(1);
        assertThat(failed.err())
                .contains("the AOT cache could not be made: the command of --load exited with code 3 (full output: ");
    }

    private Answer byCommand(String load) {
        return train("--ready", "port:${port}", "--load", load);
    }

    private Answer train(String... options) {
        List<String> words = new ArrayList<>(List.of("aot", "train", "--out", "driven.aot"));
        words.addAll(List.of(options));
        words.add("--");
        words.addAll(command(SERIAL));
        return Kiln.start(sandbox, words.toArray(String[]::new)).end();
    }

    @Test
    void anAgentThatStartsWithTheJvmIsNamed() throws IOException {
        Path manifest = Files.writeString(
                sandbox.root().resolve("agent.txt"), "Premain-Class: " + Nothing.class.getName() + "\n");
        Path agent = sandbox.root().resolve("agent.jar");
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        assertThat(tool.run(
                        System.out,
                        System.err,
                        "cfm",
                        agent.toString(),
                        manifest.toString(),
                        "-C",
                        classes(Nothing.class).toString(),
                        Nothing.class.getName().replace('.', '/') + ".class"))
                .isZero();
        AotSight sight = check(cache, SERIAL, "-javaagent:" + agent);
        assertThat(sight.reasons()).extracting(Reason::id).containsExactly("agent");
    }

    /** A jar whose program does nothing and ends. */
    private Path toolJar() {
        Path made = sandbox.root().resolve("tool.jar");
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        assertThat(tool.run(
                        System.out,
                        System.err,
                        "cfe",
                        made.toString(),
                        Nothing.class.getName(),
                        "-C",
                        classes(Nothing.class).toString(),
                        Nothing.class.getName().replace('.', '/') + ".class"))
                .isZero();
        return made;
    }

    /** Ends at once. */
    static final class Nothing {
        private Nothing() {}

        public static void main(String[] args) {
            System.out.println("done");
        }

        public static void premain(String arguments) {}
    }

    @ParameterizedTest
    @CsvSource({
        "flight-recorder, -XX:+UseSerialGC -XX:StartFlightRecording",
        "modules, -XX:+UseSerialGC --add-modules=jdk.httpserver",
        "modules, -XX:+UseSerialGC --add-opens=java.base/java.lang=ALL-UNNAMED",
        "modules, -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED",
        "'agent', '-XX:+UseSerialGC -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0'",
        "pointers, -XX:+UseZGC",
        "pointers, -XX:+UseSerialGC -XX:-UseCompressedOops",
        "object-headers, -XX:+UseSerialGC -XX:NOTUseCompactObjectHeaders",
        "alignment, -XX:+UseSerialGC -XX:ObjectAlignmentInBytes=16",
        "switched-off, -XX:+UseSerialGC -Xshare:off",
        "no-cache, -XX:+UseSerialGC -XX:AOTMode=off",
        "training, -XX:+UseSerialGC -XX:AOTMode=create"
    })
    void optionsThatDiffer(String reason, String options) {
        // JDK 27 has compact headers by default.
        String not = Runtime.version().feature() < 27 ? "+" : "-";
        AotSight sight = check(cache, options.replace("NOT", not).split(" ", 0));
        assertThat(sight.reasons()).extracting(Reason::id).containsExactly(reason);
        assertThat(sight.accepted()).isFalse();
        assertThat(sight.used()).isEmpty();
    }

    @Test
    void anotherCollectorCostsTheMachineCodeAlone() {
        AotSight sight = check(cache, "-XX:+UseParallelGC");
        assertThat(sight.accepted()).isTrue();
        assertThat(sight.reasons()).extracting(Reason::id).isEqualTo(HAS_CODE ? List.of("collector") : List.of());
        assertThat(sight.used().orElseThrow().code()).isEmpty();
        assertThat(sight.used().orElseThrow().classes()).isPresent();
    }

    @Test
    void filesThatAreNone() throws IOException {
        byte[] good = Files.readAllBytes(cache);
        assertThat(reasons(file("half.aot", Arrays.copyOf(good, good.length / 2))))
                .containsExactly("damaged");
        byte[] flipped = good.clone();
        flipped[good.length / 3] ^= 0x55;
        assertThat(reasons(file("flipped.aot", flipped))).containsExactly("damaged");
        assertThat(reasons(file("text.aot", "no cache".repeat(10_000).getBytes(StandardCharsets.UTF_8))))
                .containsExactly("no-cache-format");
        assertThat(reasons(sandbox.root().resolve("none.aot"))).containsExactly("no-file");
    }

    private Path file(String name, byte[] bytes) throws IOException {
        return Files.write(sandbox.root().resolve(name), bytes);
    }

    private List<String> reasons(Path file) {
        return check(file, SERIAL).reasons().stream().map(Reason::id).toList();
    }

    /** JDK 25.0.3 takes the cache all the same. */
    @Test
    void jarsThatDiffer() throws IOException {
        Path copies = Files.createDirectory(sandbox.root().resolve("copies"));
        Path copy = Files.copy(jar, copies.resolve(jar.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        Path second = Files.copy(other, copies.resolve("other.jar"), StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(withClassPath(copy + ":" + second)).isEmpty();
        // It is newer than the cache, but no class of it is in there.
        assertThat(withClassPath(jar + ":" + other + ":" + toolJar())).isEmpty();
        assertThat(withClassPath(second + ":" + copy)).containsExactly("class-path");
        assertThat(withClassPath(copy.toString())).containsExactly("class-path");
        Files.setLastModifiedTime(copy, FileTime.from(Instant.now().plusSeconds(2)));
        assertThat(withClassPath(copy + ":" + second)).containsExactly("changed-jar");
    }

    private List<String> withClassPath(String path) {
        return check(List.of(Kiln.JAVA, "-XX:AOTCache=" + cache, SERIAL, "-cp", path, CurveServer.class.getName()))
                .reasons()
                .stream()
                .map(Reason::id)
                .toList();
    }

    /** The archive that every JDK has is none. */
    @Test
    void aCommandWithoutACacheHasNone() {
        for (String option : List.of(SERIAL, "-XX:AOTMode=auto")) {
            AotSight sight = check(command(option));
            assertThat(sight.accepted()).isFalse();
            assertThat(sight.cache()).isEmpty();
            assertThat(AotVerdict.text(sight)).startsWith("This command uses no AOT cache with JDK ");
            assertThat(sight.reasons()).extracting(Reason::id).containsExactly("no-cache");
        }
    }

    @Test
    void whatTheCommandWritesIsLeftAlone() throws IOException {
        Path log = Files.writeString(sandbox.root().resolve("gc log.txt"), "kept");
        Path recording = Files.writeString(sandbox.root().resolve("kept.jfr"), "kept");
        AotSight sight = check(
                cache,
                SERIAL,
                "-Xlog:gc*:file=" + log,
                "-XX:StartFlightRecording:dumponexit=true,filename=" + recording);
        assertThat(sight.reasons()).extracting(Reason::id).containsExactly("flight-recorder");
        assertThat(log).hasContent("kept");
        assertThat(recording).hasContent("kept");
    }

    @Test
    void aJarOfAManifestThatChangedIsNamed() throws IOException {
        Path folder = Files.createDirectory(sandbox.root().resolve("manifest"));
        Path library = Files.copy(toolJar(), folder.resolve("library.jar"));
        Path manifest = Files.writeString(
                folder.resolve("m.txt"), "Class-Path: library.jar\nMain-Class: " + Nothing.class.getName() + "\n");
        Path main = folder.resolve("main.jar");
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        assertThat(tool.run(System.out, System.err, "cfm", main.toString(), manifest.toString()))
                .isZero();
        Path made = folder.resolve("main.aot");
        Answer answer = Kiln.start(
                        sandbox,
                        "aot",
                        "train",
                        "--out",
                        made.toString(),
                        "--",
                        Kiln.JAVA,
                        SERIAL,
                        "-jar",
                        main.toString())
                .end();
        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.out())
                .contains(" accepts " + made + ".\n", "It takes from it: ", "\nNext:\n  ")
                .contains("kiln startup '" + Kiln.JAVA + " " + SERIAL + " -jar " + main + "' '" + Kiln.JAVA
                        + " -XX:AOTCache=" + made + " " + SERIAL + " -jar " + main + "'\n");
        List<String> words = List.of(Kiln.JAVA, "-XX:AOTCache=" + made, SERIAL, "-jar", main.toString());
        assertThat(check(words).reasons()).isEmpty();
        Files.setLastModifiedTime(library, FileTime.from(Instant.now().plusSeconds(2)));
        AotSight changed = check(words);
        assertThat(changed.reasons()).extracting(Reason::id).containsExactly("changed-jar");
        // This JVM takes it all the same.
        assertThat(AotVerdict.text(changed)).startsWith(made + " does not fit this command with JDK ");
    }

    @Test
    void aCacheThatIsNotThereCanBeMade() {
        String none = sandbox.root().resolve("none.aot").toString();
        Answer answer = Kiln.inProcess("aot", "check", "--", Kiln.JAVA, "-XX:AOTCache=" + none, "-version");
        assertThat(answer.exit()).as(answer.err()).isEqualTo(1);
        assertThat(answer.out())
                .endsWith("kiln aot train --out " + none + " --for 20s -- " + Kiln.JAVA + " -version\n");
    }

    @Test
    void anOlderJdkHasNone() {
        Jdk current = JdkFinder.current();
        AotSight sight = AotCheck.of(
                new Jdk(current.home(), "21.0.5", 21, current.vendor()), command(), sandbox.root(), Map.of());
        assertThat(sight.reasons()).extracting(Reason::id).containsExactly("jdk");
        assertThat(sight.faults()).isEmpty();
    }

    @Test
    void aRunningJvmIsAskedTheSame() throws IOException {
        for (String option : List.of("-XX:AOTCache=" + cache, "-XX:+UseSerialGC")) {
            Process server = server(option);
            try {
                awaitStart(server.pid());
                Answer answer = Kiln.start(sandbox, "aot", "check", "--json", "-", "--pid", Long.toString(server.pid()))
                        .end();
                boolean cached = option.contains("AOTCache");
                JsonNode told = JsonMapper.shared().readTree(answer.out());
                assertThat(answer.exit()).as(answer.err()).isEqualTo(cached ? 0 : 1);
                assertThat(told.path("accepted").asBoolean()).isEqualTo(cached);
                assertThat(told.path("reasons").findValuesAsString("id"))
                        .isEqualTo(cached ? List.of() : List.of("no-cache"));
            } finally {
                server.destroyForcibly();
            }
        }
    }

    private Process server(String option) throws IOException {
        return new ProcessBuilder(
                        JdkFinder.current().java().toString(),
                        SERIAL,
                        option,
                        "-cp",
                        jar + ":" + other,
                        CurveServer.class.getName(),
                        "--port",
                        "0")
                .redirectErrorStream(true)
                .redirectOutput(sandbox.root().resolve("server.log").toFile())
                .start();
    }

    @Test
    void aServiceThatRunsEndsItsRecordingAndGoesOn() throws IOException {
        Path recorded = sandbox.root().resolve("recorded.aot");
        Path out = sandbox.root().resolve("copy.aot");
        Process server = server("-XX:AOTCacheOutput=" + recorded);
        String pid = Long.toString(server.pid());
        try {
            awaitStart(server.pid());
            Answer answer = Kiln.start(sandbox, "aot", "train", "--out", out.toString(), "--for", "1s", "--pid", pid)
                    .end();
            assertThat(answer.exit()).as(answer.err()).isZero();
            assertThat(answer.out()).contains(" accepts " + out + ".\n");
            assertThat(server.isAlive()).isTrue();
            assertThat(reasons(out)).isEmpty();
            Answer again = Kiln.start(sandbox, "aot", "train", "--out", out.toString(), "--pid", pid)
                    .end();
            assertThat(again.exit()).isEqualTo(1);
            assertThat(again.err()).contains("the recording of process " + pid + " had ended before");
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void aServiceThatRecordsNothingIsTold() throws IOException {
        Process server = server(SERIAL);
        try {
            awaitStart(server.pid());
            Answer answer = Kiln.start(
                            sandbox, "aot", "train", "--out", "none.aot", "--pid", Long.toString(server.pid()))
                    .end();
            assertThat(answer.exit()).isEqualTo(2);
            assertThat(answer.err())
                    .contains("process " + server.pid() + " was not started with -XX:AOTCacheOutput=FILE");
        } finally {
            server.destroyForcibly();
        }
    }

    /** Until it has mapped what it will. */
    private static void awaitStart(long pid) {
        while (new JvmProbe(ProcFs.ofThisMachine(), pid).counters().isEmpty()) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Test
    void wrongUsageIsTold() {
        assertThat(refused("check", "--", "./start.sh")).contains("'./start.sh' is not java", "--pid");
        assertThat(refused()).contains("kiln aot needs 'check' or 'train'");
        assertThat(notTrained("--pid", "1", "--url", "http://localhost:1/")).contains("--pid was given with --url");
        assertThat(notTrained("--pid", "1", "--ready", "port:1")).contains("--pid was given with --ready");
        assertThat(notTrained("--pid", "1", "-c", "5")).contains("--connections needs --url");
        assertThat(notTrained("--load", "x", "--for", "2s", "--", "java", "A")).contains("--load was given with --for");
        assertThat(notTrained("--ready", "log:${db.url}", "--", "java", "A")).contains("--ready: found ${db.url}");
    }

    /** What answers there would pass for the program. */
    @Test
    void aPortThatIsTakenIsTold() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Answer answer = train("--ready", "port:" + taken.getLocalPort());
            assertThat(answer.exit()).isEqualTo(3);
            assertThat(answer.err()).contains("port " + taken.getLocalPort() + " is taken");
        }
    }

    private static String notTrained(String... words) {
        return refused(Stream.concat(Stream.of("train", "--out", "x.aot"), Stream.of(words))
                .toArray(String[]::new));
    }

    private static String refused(String... words) {
        Answer answer =
                Kiln.inProcess(Stream.concat(Stream.of("aot"), Stream.of(words)).toArray(String[]::new));
        assertThat(answer.exit()).as(answer.err()).isEqualTo(2);
        return answer.err();
    }

    @AfterAll
    void end() {
        sandbox.close();
    }

    private static Path classes(Class<?> of) {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** A cache takes class paths of jars alone. All are in one folder: a JVM that looks lets them move together alone. */
    private Path jar() throws IOException {
        Path classes = classes(CurveServer.class);
        Path made = sandbox.root().resolve("fixtures.jar");
        if (!Files.isDirectory(classes)) {
            return Files.copy(classes, made, StandardCopyOption.COPY_ATTRIBUTES);
        }
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        assertThat(tool.run(System.out, System.err, "cf", made.toString(), "-C", classes.toString(), "."))
                .isZero();
        return made;
    }
}
