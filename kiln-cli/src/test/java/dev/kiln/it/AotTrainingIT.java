package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.aot.AotVerdict;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.AotCheck;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.AotSight;
import dev.kiln.model.AotSight.Reason;
import dev.kiln.testing.FullRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code kiln aot train} makes a cache of a command or of a JVM that runs, or says why there can be none. */
@FullRun
@Order(4)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AotTrainingIT extends AotTrial {
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
}
