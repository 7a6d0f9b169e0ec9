package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.run.Machine.JvmInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JvmProbeTest {
    private static final ProcFs FS = ProcFs.ofThisMachine();

    /** A runtime without tools has no jshell to be asked. */
    static Stream<Jdk> jdks() {
        return new JdkFinder()
                .find().stream()
                        .filter(jdk ->
                                jdk.feature() >= 17 && Files.exists(jdk.java().resolveSibling("jshell")));
    }

    private static Process jvm(Jdk jdk, String... flags) throws Exception {
        return jvm(jdk, Map.of(), flags);
    }

    private static Process jvm(Jdk jdk, Map<String, String> environment, String... flags) throws Exception {
        List<String> command = Stream.of(Stream.of(jdk.java().toString()), Stream.of(flags), AskedJvms.WAIT.stream())
                .flatMap(part -> part)
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Optional<JvmCounters> awaited(JvmProbe probe, Process process) throws Exception {
        Optional<JvmCounters> counters = probe.counters();
        while (counters.isEmpty() && process.isAlive()) {
            Thread.sleep(5);
            counters = probe.counters();
        }
        return counters;
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmTellsWhatItIsAndDoes(Jdk jdk) throws Exception {
        Process process = jvm(jdk, "-Xmx64m", "-XX:+UseSerialGC");
        try {
            JvmProbe probe = new JvmProbe(FS, process.pid());
            JvmCounters counters = awaited(probe, process).orElseThrow();
            assertThat(probe.isHotSpot()).isTrue();
            JvmInfo info = counters.info();
            assertThat(info.home()).isEqualTo(jdk.home().toString());
            assertThat(info.version()).startsWith(jdk.version());
            assertThat(info.flags()).contains("-Xmx64m", "-XX:+UseSerialGC");
            while (counters.compilers(0).compilations() == 0) {
                Thread.sleep(5);
            }
            assertThat(counters.hasCompilers()).isTrue();
            assertThat(counters.sharedClasses()).isPositive();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** What a script hands on is told like what a command says, before it. */
    @ParameterizedTest
    @MethodSource("jdks")
    void flagsOfTheEnvironmentAreToldToo(Jdk jdk) throws Exception {
        Map<String, String> environment = Map.of("JAVA_TOOL_OPTIONS", "-Xbatch -Dgreeting=\"it's me\"");
        Process process = jvm(jdk, environment, "-Xmx64m");
        try {
            JvmProbe probe = new JvmProbe(FS, process.pid());
            assertThat(awaited(probe, process).orElseThrow().info().flags())
                    .containsSubsequence("-Xbatch", "-Dgreeting=it's", "me", "-Xmx64m");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** In a pid namespace of its own a JVM is number 1, and the file of number 1 in this machine's /tmp another's. */
    @Test
    void theFileOfAnothersNumberIsNotBlamed(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("proc/42/root/tmp"));
        Files.writeString(root.resolve("proc/42/status"), "Name:\tjava\nNSpid:\t42\t1\n");
        Files.writeString(root.resolve("proc/42/maps"), "7f00-7f01 r-xp 0 0 0 /jdk/lib/server/libjvm.so\n");
        Files.writeString(
                Files.createDirectories(root.resolve("tmp/hsperfdata_root")).resolve("1"), "another's");

        assertThat(new JvmProbe(new ProcFs(root), 42).whyNone())
                .contains("was not found in /tmp", "a user without a name");
    }

    /** Any user may make such a folder in /tmp, with a pipe in it that would hang the reader, or a link to any file. */
    @ParameterizedTest
    @ValueSource(strings = {"pipe", "link", "linked folder", "another's"})
    void whatAnotherUserPlantedIsNotRead(String planted, @TempDir Path root) throws Exception {
        String user = Files.getAttribute(root, "unix:uid").toString();
        boolean foreign = planted.equals("another's");
        String uid = foreign ? "4242" : user;
        Files.createDirectories(root.resolve("proc/42/root/tmp"));
        Files.createDirectories(root.resolve("tmp"));
        Files.writeString(
                root.resolve("proc/42/status"),
                "Name:\tjava\nUid:\t" + uid + "\t" + uid + "\t" + uid + "\t" + uid + "\nNSpid:\t42\n");
        Files.writeString(root.resolve("proc/42/maps"), "7f00-7f01 r-xp 0 0 0 /jdk/lib/server/libjvm.so\n");
        Path folder = root.resolve("tmp/hsperfdata_root");
        Path file = folder.resolve("42");
        Files.createDirectories(planted.equals("linked folder") ? root.resolve("elsewhere") : folder);
        Path victim = Files.writeString(root.resolve("victim"), "x".repeat(100));
        switch (planted) {
            case "pipe" ->
                assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                        .isZero();
            case "link" -> Files.createSymbolicLink(file, victim);
            case "linked folder" -> {
                Files.createSymbolicLink(folder, root.resolve("elsewhere"));
                Files.writeString(file, "x");
            }
            default -> Files.writeString(file, "x");
        }
        JvmProbe probe = new JvmProbe(new ProcFs(root), 42);

        assertThat(probe.counters()).isEmpty();
        assertThat(probe.whyNone()).contains("was not found in /tmp");
    }

    @Test
    void theJvmBehindAScriptIsFound() throws Exception {
        Process script = new ProcessBuilder(
                        "sh", "-c", JdkFinder.current().java() + " " + String.join(" ", AskedJvms.WAIT) + "; true")
                .redirectErrorStream(true)
                .start();
        try {
            OptionalLong found = JvmProbe.inTree(FS, script.pid());
            while (found.isEmpty() && script.isAlive()) {
                Thread.sleep(5);
                found = JvmProbe.inTree(FS, script.pid());
            }
            assertThat(script.children().map(ProcessHandle::pid)).contains(found.orElseThrow());
        } finally {
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            script.destroyForcibly().waitFor();
        }
    }

    @Test
    void withoutPerfDataTheFlagIsBlamed() throws Exception {
        Process process = jvm(JdkFinder.current(), "-XX:-UsePerfData");
        try {
            JvmProbe probe = new JvmProbe(FS, process.pid());
            while (!probe.isHotSpot()) {
                Thread.sleep(5);
            }
            assertThat(probe.counters()).isEmpty();
            assertThat(probe.whyNone()).isEqualTo("the JVM runs with -XX:-UsePerfData");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void aNativeProgramIsNoJvm() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        JvmProbe probe = new JvmProbe(FS, process.pid());
        try {
            assertThat(probe.isHotSpot()).isFalse();
            assertThat(probe.counters()).isEmpty();
            assertThat(probe.whyNone()).contains("no HotSpot JVM");
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(probe.isAlive()).isFalse();
        assertThat(probe.counters()).isEmpty();
        assertThat(probe.whyNone()).isEqualTo("the process had ended");
    }
}
