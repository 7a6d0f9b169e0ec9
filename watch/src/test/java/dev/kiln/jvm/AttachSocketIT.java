package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.jvm.DiagnosticCommands.CompileQueues;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import dev.kiln.model.run.JitState.CodeCacheFill;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttachSocketIT {
    private static final ProcFs FS = ProcFs.ofThisMachine();
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static final Duration LONG = Duration.ofSeconds(60);

    /** jshell waits for its user, and is in every JDK. */
    private static final List<String> WAIT =
            List.of("-m", "jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider", "-");

    @TempDir
    private Path dir;

    private final List<Process> started = new ArrayList<>();

    /** A runtime without tools has no jshell to be asked. */
    static Stream<Jdk> jdks() {
        return new JdkFinder()
                .find().stream()
                        .filter(jdk ->
                                jdk.feature() >= 17 && Files.exists(jdk.java().resolveSibling("jshell")));
    }

    @AfterEach
    void end() throws Exception {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            sweep(process);
        }
    }

    /** A JVM that is killed leaves its socket, and another process may be given its pid. */
    private static void sweep(Process process) throws IOException {
        Files.deleteIfExists(Path.of("/tmp/.java_pid" + process.pid()));
    }

    private Process start(List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output().toFile());
        Process process = builder.start();
        sweep(process);
        started.add(process);
        return process;
    }

    private Path output() {
        return dir.resolve("output");
    }

    private static List<String> java(Jdk jdk, String... flags) {
        return Stream.of(Stream.of(jdk.java().toString()), Stream.of(flags), WAIT.stream())
                .flatMap(part -> part)
                .toList();
    }

    private static AttachSocket socket(long pid, Duration patience) {
        return new AttachSocket(FS, pid, patience);
    }

    /** Until it may be asked, or never may. */
    private static Optional<Refusal> awaited(AttachSocket socket) throws InterruptedException {
        Optional<Refusal> no = socket.whyNot();
        while (no.isPresent() && !no.get().isLasting()) {
            Thread.sleep(5);
            no = socket.whyNot();
        }
        return no;
    }

    private static RefusalReason reason(Reply<?> reply) {
        return reply.refusal().orElseThrow().reason();
    }

    private void assertAnswers(Process process, long pid) throws InterruptedException, IOException {
        try (AttachSocket socket = socket(pid, LONG)) {
            assertThat(awaited(socket)).isEmpty();
            Reply<String> reply = new DiagnosticCommands(socket).raw("VM.version");
            assertThat(reply.refusal()).isEmpty();
            assertThat(reply.told().orElseThrow()).contains("JDK");
        }
        assertThat(process.isAlive()).isTrue();
        assertThat(Files.readString(output())).doesNotContain("Full thread dump");
    }

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

    /** The file would stay if Kiln were killed, and without it a JVM that goes on prints its threads at the signal. */
    @Test
    void aStoppedJvmGetsNeitherFileNorSignal() throws Exception {
        Process process = start(java(JdkFinder.current()));
        Path trigger = Path.of("/tmp/.attach_pid" + process.pid());
        try (AttachSocket socket = socket(process.pid(), Duration.ofMillis(300))) {
            assertThat(awaited(socket)).isEmpty();
            signal("STOP", process);
            Refusal refusal =
                    new DiagnosticCommands(socket).raw("VM.version").refusal().orElseThrow();
            assertThat(trigger).doesNotExist();
            assertThat(refusal.reason()).isEqualTo(RefusalReason.NO_ANSWER);
            assertThat(refusal.why()).contains("the JVM is stopped");
        }
        signal("CONT", process);
        assertAnswers(process, process.pid());
        assertThat(trigger).doesNotExist();
    }

    @Test
    void aSocketLeftByADeadJvmIsNoHindrance() throws Exception {
        Process process = start(java(JdkFinder.current()));
        assertThat(awaited(socket(process.pid(), LONG))).isEmpty();
        Path left = Path.of("/tmp/.java_pid" + process.pid());
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(left));
        server.close();
        assertThat(left).exists();
        assertAnswers(process, process.pid());
    }

    @Test
    void nobodyListensWhereNothingIs() throws Exception {
        Path socket = dir.resolve("socket");
        assertThat(Conversation.listens(socket, System.nanoTime())).isFalse();
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        assertThat(Conversation.listens(socket, System.nanoTime() + LONG.toNanos()))
                .isTrue();
        server.close();
        assertThat(Conversation.listens(socket, System.nanoTime())).isFalse();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aSocketThatWasSweptAwayIsMadeAnew(Jdk jdk) throws Exception {
        Process process = start(java(jdk));
        try (AttachSocket socket = socket(process.pid(), LONG)) {
            assertThat(awaited(socket)).isEmpty();
            for (int i = 0; i < 3; i++) {
                assertThat(socket.ask("jcmd", "VM.version").told()).isPresent();
                Files.delete(Path.of("/tmp/.java_pid" + process.pid()));
            }
        }
        assertThat(Files.readString(output())).doesNotContain("Full thread dump");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmThatHangsCostsNoMoreThanPatience(Jdk jdk) throws Exception {
        Process process = start(java(jdk));
        try (AttachSocket patient = socket(process.pid(), LONG);
                AttachSocket hasty = socket(process.pid(), Duration.ofMillis(300))) {
            assertThat(awaited(patient)).isEmpty();
            signal("STOP", process);
            // Neither opens its socket, nor answers on the open one.
            assertThat(reason(hasty.ask("jcmd", "VM.version"))).isEqualTo(RefusalReason.NO_ANSWER);
            signal("CONT", process);
            assertThat(patient.ask("jcmd", "VM.version").told()).isPresent();
            signal("STOP", process);
            Refusal late = hasty.ask("jcmd", "VM.version").refusal().orElseThrow();
            assertThat(late).isEqualTo(new Refusal(RefusalReason.NO_ANSWER, "the JVM did not answer within 0.3 s"));
            signal("CONT", process);
            assertThat(patient.ask("jcmd", "VM.version").told()).isPresent();
        }
        assertThat(Path.of("/tmp/.attach_pid" + process.pid())).doesNotExist();
        assertThat(Files.readString(output())).doesNotContain("Full thread dump");
    }

    /** Two signals for one socket: the JVM answers the second with a dump of its threads. */
    @ParameterizedTest
    @MethodSource("jdks")
    void whatAnotherAsksForIsAwaited(Jdk jdk) throws Exception {
        Process process = start(java(jdk));
        try (AttachSocket socket = socket(process.pid(), Duration.ofMillis(100))) {
            assertThat(awaited(socket)).isEmpty();
            signal("STOP", process);
            Path left = Files.createFile(Path.of("/tmp/.attach_pid" + process.pid()));
            try {
                assertThat(reason(socket.ask("jcmd", "VM.version"))).isEqualTo(RefusalReason.NO_ANSWER);
                assertThat(pending(process)).containsOnlyOnce("0000000000000000");
                signal("CONT", process);
                // Whoever made the file has died: after a while this asks itself.
                Reply<byte[]> reply = socket.ask("jcmd", "VM.version");
                while (reply.told().isEmpty()) {
                    assertThat(reason(reply)).isEqualTo(RefusalReason.NO_ANSWER);
                    reply = socket.ask("jcmd", "VM.version");
                }
            } finally {
                Files.delete(left);
            }
        }
        assertThat(Files.readString(output())).doesNotContain("Full thread dump");
    }

    /** Signals sent to the process and not taken yet: a mask of which SIGQUIT is bit 2, by hexadecimal digits. */
    private static String pending(Process process) throws IOException {
        String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
        return ProcStatus.field(status, "ShdPnd");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void deathWhileItIsAskedIsToldAsDeath(Jdk jdk) throws Exception {
        for (boolean open : new boolean[] {false, true}) {
            Process process = start(java(jdk));
            try (AttachSocket socket = socket(process.pid(), LONG)) {
                assertThat(awaited(socket)).isEmpty();
                if (open) {
                    assertThat(socket.ask("jcmd", "VM.version").told()).isPresent();
                }
                signal("STOP", process);
                CompletableFuture<Reply<byte[]>> reply =
                        CompletableFuture.supplyAsync(() -> socket.ask("jcmd", "VM.version"));
                Thread.sleep(200);
                process.destroyForcibly();
                assertThat(reason(reply.get(600, TimeUnit.SECONDS))).isEqualTo(RefusalReason.DIED);
                process.waitFor();
                assertThat(reason(socket.ask("jcmd", "VM.version"))).isEqualTo(RefusalReason.DIED);
            }
            assertThat(Path.of("/tmp/.attach_pid" + process.pid())).doesNotExist();
        }
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

    private static List<String> asNobody() {
        return List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--");
    }

    private static void signal(String name, Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        while (name.equals("STOP") && !stopped(process)) {
            Thread.sleep(5);
        }
    }

    /** Threads stop one after the other, and the last may answer yet. */
    private static boolean stopped(Process process) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path task : tasks.toList()) {
                if (!ProcStatus.field(Files.readString(task.resolve("status")), "State")
                        .startsWith("T")) {
                    return false;
                }
            }
            return true;
        }
    }
}
