package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.ProcStatus;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A JVM that hangs, dies or has died, and what others left beside it. */
class AttachTroubleIT extends AskedJvms {
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
}
