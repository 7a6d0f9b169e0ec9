package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kiln.jvm.DiagnosticCommands.CompileQueues;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import dev.kiln.model.run.JitState.CodeCacheFill;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttachSocketIT extends AskedJvms {
    /** The JVM does not obey such a file, and prints its threads at the signal. */
    @ParameterizedTest
    @ValueSource(strings = {".attach_pid", ".java_pid"})
    void whatAnotherUserPlantedIsNamedAndTheJvmIsLeftAlone(String name) throws Exception {
        assumeThat(ROOT).as("only root can make another user's file").isTrue();
        Process process = start(java(JdkFinder.current()));
        Path planted = Files.createFile(Path.of("/tmp", name + process.pid()));
        Files.setAttribute(planted, "unix:uid", 65534);
        try (AttachSocket socket = socket(process.pid(), LONG)) {
            assertThat(awaited(socket)).isEmpty();
            Refusal refusal =
                    new DiagnosticCommands(socket).raw("VM.version").refusal().orElseThrow();
            assertThat(refusal.why()).contains("another user's file " + planted.getFileName() + " in /tmp");
        } finally {
            Files.deleteIfExists(planted);
        }
        assertThat(process.isAlive()).isTrue();
        assertThat(Files.readString(output())).doesNotContain("Full thread dump");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmAnswersEveryCommand(Jdk jdk) throws Exception {
        Process process = start(java(jdk, "-Xmx64m", "-XX:+UseSerialGC", "-XX:ReservedCodeCacheSize=64m"));
        try (AttachSocket socket = socket(process.pid(), LONG)) {
            assertThat(awaited(socket)).isEmpty();
            DiagnosticCommands jvm = new DiagnosticCommands(socket);
            CompileQueues queues = jvm.queue().told().orElseThrow();
            while (queues.c1().isEmpty()) { // it has just begun
                queues = jvm.queue().told().orElseThrow();
            }
            assertThat(queues.c1()).isPresent();
            assertThat(queues.c2()).isPresent();
            while (jvm.levels().told().orElseThrow().level3() == 0) {
                Thread.sleep(20);
            }
            CodeCacheFill cache = jvm.codeCache().told().orElseThrow();
            assertThat(cache.sizeBytes()).isEqualTo(64 << 20);
            assertThat(cache.usedBytes()).isBetween(1L, cache.sizeBytes());
            assertThat(jvm.flags().told().orElseThrow())
                    .as("given, and made of what was given")
                    .contains("-XX:+UseSerialGC", "-XX:ReservedCodeCacheSize=67108864", "-XX:MaxHeapSize=67108864")
                    .anyMatch(flag -> flag.startsWith("-XX:CICompilerCount="));
            assertThat(jvm.raw("VM.version").told().orElseThrow()).contains("JDK " + jdk.feature());
        }
        assertThat(Path.of("/tmp/.attach_pid" + process.pid())).doesNotExist();
        assertThat(Files.readString(output())).doesNotContain("Full thread dump");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void whatTheJvmWillNotDoIsToldInItsWords(Jdk jdk) throws Exception {
        Process process = start(java(jdk));
        try (AttachSocket socket = socket(process.pid(), LONG)) {
            assertThat(awaited(socket)).isEmpty();
            DiagnosticCommands jvm = new DiagnosticCommands(socket);
            Refusal unknown = jvm.raw("No.such").refusal().orElseThrow();
            assertThat(unknown.reason()).isEqualTo(RefusalReason.FAILED);
            assertThat(unknown.why()).contains("Unknown diagnostic command");
            assertThat(reason(socket.ask("dance"))).isEqualTo(RefusalReason.FAILED);
            assertThat(reason(jvm.raw("x".repeat(1025)))).isEqualTo(RefusalReason.FAILED);
            assertThat(jvm.raw("VM.version").told()).isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aStartingJvmIsNeverHurt(Jdk jdk) throws Exception {
        for (int i = 0; i < 3; i++) {
            Process process = start(java(jdk));
            try (AttachSocket socket = socket(process.pid(), LONG)) {
                Reply<byte[]> reply = socket.ask("jcmd", "VM.version");
                while (reply.told().isEmpty()) {
                    assertThat(reason(reply)).isIn(RefusalReason.NOT_READY, RefusalReason.NOT_HOTSPOT);
                    reply = socket.ask("jcmd", "VM.version");
                }
            }
            assertThat(process.isAlive()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void needsNoPerfDataAndNoSignals(Jdk jdk) throws Exception {
        Process noPerfData = start(java(jdk, "-XX:-UsePerfData"));
        assertAnswers(noPerfData, noPerfData.pid());
        Process noSignals = start(java(jdk, "-Xrs"));
        assertAnswers(noSignals, noSignals.pid());
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmThatIsNotToBeAttachedIsLeftAlone(Jdk jdk) throws Exception {
        for (String perfData : List.of("-XX:+UsePerfData", "-XX:-UsePerfData")) {
            Process process = start(java(jdk, "-XX:+DisableAttachMechanism", perfData));
            try (AttachSocket socket = socket(process.pid(), LONG)) {
                Refusal no = awaited(socket).orElseThrow();
                assertThat(no.reason()).isEqualTo(RefusalReason.DISABLED);
                assertThat(no.why()).contains("-XX:+DisableAttachMechanism");
                assertThat(no.isLasting()).isTrue();
                assertThat(reason(socket.ask("jcmd", "VM.version"))).isEqualTo(RefusalReason.DISABLED);
            }
            assertThat(process.isAlive()).isTrue();
            assertThat(Files.readString(output())).doesNotContain("Full thread dump");
        }
    }

    @Test
    void theSocketOfAKilledJvmIsRemovedAndNoOther() throws Exception {
        Process killed = start(java(JdkFinder.current()));
        Process living = start(java(JdkFinder.current()));
        for (Process each : List.of(killed, living)) {
            assertAnswers(each, each.pid());
        }
        killed.destroyForcibly().waitFor();
        Path left = Path.of("/tmp/.java_pid" + killed.pid());
        assertThat(left).exists();
        JvmProbe.removeSocketOfDead(killed.pid());
        JvmProbe.removeSocketOfDead(living.pid());
        assertThat(left).doesNotExist();
        assertAnswers(living, living.pid());
    }

    @Test
    void aNativeProgramGetsNoSignal() throws Exception {
        Process sleep = start(List.of("sleep", "1000"));
        Path hit = dir.resolve("hit");
        Process traps = start(List.of("sh", "-c", "trap 'touch " + hit + "' QUIT; while :; do sleep 0.02; done"));
        for (Process process : List.of(sleep, traps)) {
            try (AttachSocket socket = socket(process.pid(), Duration.ofMillis(200))) {
                assertThat(reason(socket.ask("jcmd", "VM.version"))).isEqualTo(RefusalReason.NOT_HOTSPOT);
                assertThat(socket.whyNot().orElseThrow().why()).contains("no HotSpot JVM");
            }
        }
        Thread.sleep(200);
        assertThat(sleep.isAlive()).isTrue();
        assertThat(traps.isAlive()).isTrue();
        assertThat(hit).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmInAContainerAnswers(Jdk jdk) throws Exception {
        List<String> unshare = List.of("unshare", "--fork", "--pid", "--mount", "--mount-proc", "sh", "-c");
        String privateTmp = "mount -t tmpfs none /tmp && exec \"$0\" \"$@\"";
        Path ours = Path.of("/tmp/.java_pid1");
        boolean ofAnother = Files.exists(ours);
        Process probe = start(Stream.of(unshare.stream(), Stream.of(privateTmp, "true"))
                .flatMap(part -> part)
                .toList());
        assumeThat(probe.waitFor())
                .as("permitted to make namespaces: " + Files.readString(output()))
                .isZero();
        Process process = start(Stream.of(unshare.stream(), Stream.of(privateTmp), java(jdk).stream())
                .flatMap(part -> part)
                .toList());
        Optional<ProcessHandle> inner = Optional.empty();
        while (inner.isEmpty()) {
            inner = process.children().findFirst();
        }
        assertAnswers(process, inner.get().pid());
        assertThat(Files.exists(ours)).isEqualTo(ofAnother);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void rootAsksAJvmOfAnotherUser(Jdk jdk) throws Exception {
        assumeThat(ROOT).as("run by root").isTrue();
        Process process =
                start(Stream.of(asNobody(), java(jdk)).flatMap(List::stream).toList());
        assertAnswers(process, process.pid());
    }

    @Test
    void anotherUserIsRefused() throws Exception {
        assumeThat(ROOT).as("run by root").isTrue();
        String java = JdkFinder.current().java().toString();
        Process process = start(java(JdkFinder.current()));
        assertThat(awaited(socket(process.pid(), LONG))).isEmpty();
        List<String> ask = List.of(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                AskedByAnother.class.getName(),
                Long.toString(process.pid()));
        Process asker = new ProcessBuilder(
                        Stream.of(asNobody(), ask).flatMap(List::stream).toList())
                .redirectErrorStream(true)
                .start();
        String said = new String(asker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeThat(said).as("classes may be read by nobody").doesNotContain("ClassNotFoundException");
        assertThat(said.strip()).isEqualTo("NOT_PERMITTED");
        assertThat(process.isAlive()).isTrue();
    }
}
