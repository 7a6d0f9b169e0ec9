package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.fixtures.CurveServer;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.AotSight;
import dev.kiln.model.AotSight.Reason;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
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
final class AotCommandIT extends AotTrial {
    /** JDK 25.0.5 keeps no machine code in caches: see the fault JDK-8388703. */
    private static final boolean HAS_CODE =
            Runtime.version().feature() > 25 || Runtime.version().compareTo(Runtime.Version.parse("25.0.5")) < 0;

    private final Path cache = sandbox.root().resolve("app.aot");
    private Answer trained = new Answer(-1, "", "");

    @BeforeAll
    void train() {
        List<String> words =
                new ArrayList<>(List.of("aot", "train", "--out", cache.toString(), "--for", "2s", "--json"));
        words.addAll(List.of("-", "--url", "http://localhost:${port}/", "--"));
        words.addAll(command(SERIAL));
        trained = Kiln.start(sandbox, words.toArray(String[]::new)).end();
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
}
