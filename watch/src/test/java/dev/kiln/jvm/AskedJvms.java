package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** AskedJvms are started for a test, asked, stopped, and ended with it. */
abstract class AskedJvms {
    static final ProcFs FS = ProcFs.ofThisMachine();
    static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    static final Duration LONG = Duration.ofSeconds(60);

    /** jshell waits for its user, and is in every JDK. With a JVM of its own for what is typed it leaves files in /tmp when it is killed. */
    static final List<String> WAIT =
            List.of("-m", "jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider", "--execution", "local", "-");

    @TempDir
    Path dir;

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

    Process start(List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output().toFile());
        Process process = builder.start();
        sweep(process);
        started.add(process);
        return process;
    }

    Path output() {
        return dir.resolve("output");
    }

    static List<String> java(Jdk jdk, String... flags) {
        return Stream.of(Stream.of(jdk.java().toString()), Stream.of(flags), WAIT.stream())
                .flatMap(part -> part)
                .toList();
    }

    static AttachSocket socket(long pid, Duration patience) {
        return new AttachSocket(FS, pid, patience);
    }

    /** Until it may be asked, or never may. */
    static Optional<Refusal> awaited(AttachSocket socket) throws InterruptedException {
        Optional<Refusal> no = socket.whyNot();
        while (no.isPresent() && !no.get().isLasting()) {
            Thread.sleep(5);
            no = socket.whyNot();
        }
        return no;
    }

    static RefusalReason reason(Reply<?> reply) {
        return reply.refusal().orElseThrow().reason();
    }

    void assertAnswers(Process process, long pid) throws InterruptedException, IOException {
        try (AttachSocket socket = socket(pid, LONG)) {
            assertThat(awaited(socket)).isEmpty();
            Reply<String> reply = new DiagnosticCommands(socket).raw("VM.version");
            assertThat(reply.refusal()).isEmpty();
            assertThat(reply.told().orElseThrow()).contains("JDK");
        }
        assertThat(process.isAlive()).isTrue();
        assertThat(Files.readString(output())).doesNotContain("Full thread dump");
    }

    static List<String> asNobody() {
        return List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--");
    }

    static void signal(String name, Process process) throws Exception {
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
