package dev.kiln.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.threads.BlockedRows.SocketRead;
import dev.kiln.jvm.threads.DumpedThread.KernelThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of this JVM, which read either end of a connection of its own. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClientReadsTest {
    private static final String SERVES = "reads-a-client";
    private static final String ASKS = "reads-an-answer";

    private final ProcFs fs = ProcFs.ofThisMachine();
    private final long own = ProcessHandle.current().pid();

    private static void read(String name, Socket socket) {
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                socket.getInputStream().read();
            } catch (IOException e) {
                // The test is over.
                return;
            }
        });
    }

    /** The kernel keeps 15 bytes of a name. */
    private long thread(String name) {
        return Arrays.stream(fs.tids(own))
                .filter(tid -> fs.threadName(own, tid).equals(name.substring(0, Math.min(15, name.length()))))
                .findFirst()
                .orElse(-1);
    }

    private SocketRead read(String name, String line) {
        int tid = (int) thread(name);
        String ran = fs.taskText(own, tid, "schedstat").orElse("0").split(" ", 2)[0];
        return new SocketRead(new KernelThread(tid, Long.parseLong(ran)), line);
    }

    @Test
    void aReadOfAConnectionThatWasAcceptedWaitsForAClient() throws Exception {
        assumeTrue(
                Set.of("amd64", "aarch64").contains(System.getProperty("os.arch")), "system calls are not known here");
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 5, here);
                Socket asking = new Socket(here, server.getLocalPort());
                Socket accepted = server.accept()) {
            read(SERVES, accepted);
            read(ASKS, asking);
            ClientReads reads = new ClientReads(fs, own);

            Set<String> lines = Set.of();
            while (lines.isEmpty()) {
                Thread.sleep(10);
                lines = reads.lines(List.of(read(SERVES, "app.Server.take:1"), read(ASKS, "app.Client.ask:2")));
            }

            assertThat(lines).containsExactly("app.Server.take:1");
            assertThat(reads.lines(List.of())).as("what was seen before counts").containsExactly("app.Server.take:1");
            KernelThread before = new KernelThread(thread(SERVES), -1_000_000);
            assertThat(new ClientReads(fs, own).lines(List.of(new SocketRead(before, "app.Client.ask:2"))))
                    .as("a thread that has run since, and may have read something else then")
                    .isEmpty();
        }
    }
}
