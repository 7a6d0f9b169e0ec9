package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TcpSocketsTest {
    private static final ProcFs HERE = ProcFs.ofThisMachine();
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    private Path dir;

    /** Each connection has two ends in this process: the one that was accepted is on the port that listens. */
    @Test
    void connectionsThatAProcessOpenedAreToldFromThoseThatItAccepted() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            int before = TcpSockets.outbound(HERE, PID).orElseThrow();
            try (Socket one = new Socket(server.getInetAddress(), server.getLocalPort());
                    Socket other = new Socket(server.getInetAddress(), server.getLocalPort());
                    Socket accepted = server.accept();
                    Socket acceptedToo = server.accept()) {
                assertThat(accepted.isConnected() && acceptedToo.isConnected()).isTrue();
                assertThat(one.isConnected() && other.isConnected()).isTrue();
                assertThat(TcpSockets.outbound(HERE, PID)).hasValue(before + 2);
            }
        }
    }

    /** Others listen on its port 40000, and hold sockets of the same table. */
    @Test
    void socketsOfOtherProcessesCountNeitherAsListenersNorAsConnections() throws IOException {
        String table = "  sl  local_address rem_address   st\n"
                + line(8080, "0A", 1) + line(8080, "01", 2) + line(40000, "01", 3) + line(40001, "02", 4)
                + line(40002, "06", 5) + line(40000, "0A", 6) + line(40003, "01", 7);
        new FakeRoot(dir).with("proc/7/net/tcp6", table);
        Path fd = Files.createDirectories(dir.resolve("proc/7/fd"));
        for (int inode = 1; inode <= 5; inode++) {
            Files.createSymbolicLink(fd.resolve("" + inode), Path.of("socket:[" + inode + "]"));
        }

        assertThat(TcpSockets.outbound(new ProcFs(dir), 7))
                .as("one that is open, and one that is being made")
                .hasValue(2);
        Files.delete(fd.resolve("3"));
        Files.delete(fd.resolve("4"));
        assertThat(TcpSockets.outbound(new ProcFs(dir), 7)).hasValue(0);
    }

    @Test
    void whatMayNotBeReadIsNotKnown() throws IOException {
        assertThat(TcpSockets.outbound(new ProcFs(dir), 7)).isEmpty();
        new FakeRoot(dir).with("proc/7/net/tcp", "  sl  local_address rem_address   st\n" + line(8080, "0A", 1));
        assertThat(TcpSockets.outbound(new ProcFs(dir), 7)).isEmpty();
    }

    private static String line(int port, String state, int inode) {
        return "   0: 0100007F:%04X 0100007F:D431 %s 00000000:00000000 00:00000000 00000000     0        0 %d 1 0 20 4 0 10 -1%n"
                .formatted(port, state, inode);
    }
}
