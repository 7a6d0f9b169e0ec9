package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.Course.StartPhase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On what the JVMs of the files' names printed; only the form of the Leyden block is taken from its source. */
class StartupLogTest {
    @TempDir
    private Path directory;

    @Test
    void readsThePhasesOf17() {
        List<StartPhase> phases = StartupLog.parse(text("startuptime-17.0.15.txt"));

        assertThat(phases)
                .extracting(StartPhase::name)
                .containsExactly(
                        "StubRoutines generation 1",
                        "Genesis",
                        "Interpreter generation",
                        "StubRoutines generation 2",
                        "MethodHandles adapters generation",
                        "Start VMThread",
                        "Initialize java.lang classes",
                        "Initialize java.lang.invoke classes",
                        "Initialize module system",
                        "Create VM");
        assertThat(phases).allMatch(phase -> phase.nanos() > 0 && phase.nanos() < 10_000_000_000L);
    }

    @Test
    void addsUpWhat25SaysSeveralTimes() {
        String log = text("startuptime-25.0.3.txt");
        String name = "SharedRuntime generate_throw_exception";

        assertThat(log.lines().filter(line -> line.contains(name))).hasSizeGreaterThan(1);
        assertThat(StartupLog.parse(log))
                .extracting(StartPhase::name)
                .doesNotHaveDuplicates()
                .contains(name, "Create VM");
        assertThat(StartupLog.parse("[startuptime] a, 0.0000010 secs\n[startuptime] a, 0.0000020 secs\n"))
                .containsExactly(new StartPhase("a", 3_000));
    }

    @Test
    void needsNoDecorations() {
        assertThat(StartupLog.parse(text("startuptime-25.0.3-undecorated.txt")))
                .extracting(StartPhase::name)
                .contains("Genesis", "Create VM");
    }

    @Test
    void readsTheBlocksOfLeydenBuildsAndNothingElseThatLooksLikeATime() {
        assertThat(StartupLog.parse(text("init-leyden.txt")))
                .containsExactly(
                        new StartPhase("SC Load Time", 202_000_000),
                        new StartPhase("nmethod register", 135_000_000),
                        new StartPhase("find cached code", 7_000_000));
    }

    @Test
    void findsNothingInOtherOutput() {
        assertThat(StartupLog.parse("Started App in 1.234 seconds\nload: 0.100 s\n"))
                .isEmpty();
        assertThat(StartupLog.parse("")).isEmpty();
    }

    /** The log of an earlier start has the same name, or one with another pid. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xlog:startuptime:file=logs/start.log",
                "-Xlog:startuptime:logs/start.log",
                "-Xlog:gc*,startuptime=info:file=logs/start.log:uptime,tags:filecount=0",
                "-Xlog:startuptime:file=\"logs/start.log\"",
                "-Xlog:startuptime:file=logs/st%p.log",
                "-Xlog:all:file=${logs}/start.log"
            })
    void readsTheFileThatTheFlagNames(String flag) throws IOException {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        Path output = Files.writeString(directory.resolve("out"), "[startuptime] Genesis, 0.0000010 secs\n");
        String word = flag.replace("${logs}", logs.toString());
        String name = flag.contains("%p") ? "st4711.log" : "start.log";
        String logged = "[startuptime] Genesis, 0.0000070 secs\n[startuptime] Create VM, 0.0000020 secs\n";
        long now = System.currentTimeMillis();
        Path old = Files.writeString(logs.resolve("st1.log"), "[startuptime] Old, 0.0000020 secs\n");
        Files.setLastModifiedTime(old, FileTime.fromMillis(now - 60_000));
        Files.setLastModifiedTime(Files.writeString(logs.resolve(name), logged), FileTime.fromMillis(now + 1_000));

        assertThat(StartupLog.read(output, List.of("java", word, "-jar", "a.jar"), directory, now))
                .containsExactly(new StartPhase("Genesis", 1_000), new StartPhase("Create VM", 2_000));
        assertThat(StartupLog.read(output, List.of("java", word), directory, now + 60_000))
                .containsExactly(new StartPhase("Genesis", 1_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-Xlog:gc:file=out", "-Xlog:startuptime", "-Xlog:startuptime:stderr", "startuptime:file=out"})
    void readsNoOtherFile(String flag) throws IOException {
        Files.writeString(directory.resolve("out"), "[startuptime] Genesis, 0.0000010 secs\n");

        assertThat(StartupLog.read(directory.resolve("none"), List.of("java", flag), directory, 0))
                .isEmpty();
    }

    private static String text(String resource) {
        try (InputStream in = StartupLogTest.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
