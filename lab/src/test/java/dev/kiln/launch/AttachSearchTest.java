package dev.kiln.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Where.AttachPoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttachSearchTest {
    private static final String ID = "0123456789abcdef".repeat(4);

    @TempDir
    private Path root;

    private AttachSearch search() {
        return new AttachSearch(new ProcFs(root));
    }

    /** Writes a process into the folder that stands for this machine. */
    private Path process(int pid, int parent, String name) throws IOException {
        Path folder = Files.createDirectories(root.resolve("proc/" + pid));
        Files.writeString(
                folder.resolve("stat"),
                pid + " (" + name + ") S " + parent + " 1 1 0 -1 0 0 0 0 0 250 50 0 0 20 0 9 0 5000 0 0\n");
        Files.createDirectories(folder.resolve("fd"));
        return folder;
    }

    private void listens(long inode, int uid) throws IOException {
        Path net = Files.createDirectories(
                root.resolve("proc/" + ProcessHandle.current().pid() + "/net"));
        Files.writeString(
                net.resolve("tcp"),
                "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
                        + "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 " + uid + " 0 "
                        + inode + " 1 0 100 0 0 10 0\n");
    }

    private static void holds(Path process, long inode) throws IOException {
        Files.createSymbolicLink(process.resolve("fd/7"), Path.of("socket:[" + inode + "]"));
    }

    private static void refused(AttachSearch search, AttachPoint point, Exit exit, String message) {
        assertThatThrownBy(() -> search.find(point))
                .isInstanceOfSatisfying(KilnException.class, refused -> {
                    assertThat(refused.exit()).isEqualTo(exit);
                    assertThat(refused.remedy()).isNotEmpty();
                })
                .hasMessageContaining(message);
    }

    @Test
    void aPidIsThatProcessAndNoThread() throws IOException {
        Path service = process(70, 1, "java");
        Files.writeString(service.resolve("status"), "Name:\tjava\nTgid:\t70\n");
        Files.writeString(process(71, 1, "exec-1").resolve("status"), "Name:\texec-1\nTgid:\t70\n");

        assertThat(search().find(new AttachPoint.ProcessId(70)).startTicks()).isEqualTo(5000);
        refused(search(), new AttachPoint.ProcessId(71), Exit.USAGE, "attach: 71 is a thread of process 70");
        refused(search(), new AttachPoint.ProcessId(72), Exit.USAGE, "attach: there is no process 72");
    }

    @Test
    void aPortIsTheProcessThatListensThere() throws IOException {
        listens(900, 0);
        process(69, 1, "other");
        holds(process(70, 1, "java"), 900);
        holds(process(71, 70, "worker"), 900);

        assertThat(search().find(new AttachPoint.ListeningPort(8080)).pid()).isEqualTo(70);
        refused(search(), new AttachPoint.ListeningPort(8081), Exit.USAGE, "attach: nothing listens on port 8081");
    }

    /** The URL reaches one of them, and nobody knows which. */
    @Test
    void ofSeveralThatListenNoneIsTaken() throws IOException {
        listens(900, 0);
        holds(process(69, 1, "java"), 900);
        holds(process(70, 1, "java"), 900);

        refused(
                search(),
                new AttachPoint.ListeningPort(8080),
                Exit.USAGE,
                "attach: several processes listen on port 8080: 69, 70");
    }

    @Test
    void aSocketOfAnotherUserIsSaidToBeOne() throws IOException {
        listens(900, 1234);
        process(70, 1, "java");
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/passwd"), "tomcat:x:1234:1234::/:/bin/sh\n");

        refused(
                search(),
                new AttachPoint.ListeningPort(8080),
                Exit.MACHINE,
                "attach: port 8080 is held by a process of user tomcat, and this user may not see which one");
    }

    @Test
    void whatOnlyForwardsToAContainerIsNoService() throws IOException {
        listens(900, 0);
        holds(process(69, 1, "java"), 900);
        holds(process(70, 1, "docker-proxy"), 900);
        holds(process(71, 1, "docker-proxy"), 900);

        refused(search(), new AttachPoint.ListeningPort(8080), Exit.USAGE, "listens docker-proxy (process 70)");
    }

    @Test
    void aContainersIdIsFoundInTheCgroupOfItsProcesses() throws IOException {
        Files.writeString(process(70, 1, "conmon").resolve("cgroup"), "0::/machine.slice\n");
        for (int pid : new int[] {72, 71}) {
            Path inside = process(pid, pid == 71 ? 70 : 71, "java");
            Files.writeString(inside.resolve("cgroup"), "0::/machine.slice/libpod-" + ID + ".scope\n");
            Files.writeString(inside.resolve("status"), "NSpid:\t" + pid + "\t" + (pid - 70) + "\n");
        }

        assertThat(search().find(new AttachPoint.ContainerName(ID.substring(0, 12)))
                        .pid())
                .isEqualTo(71);
        refused(search(), new AttachPoint.ContainerName("ffffffffffff"), Exit.USAGE, "attach: ");
    }

    @Test
    void aListenerOfThisMachineIsFoundByItsPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(new AttachSearch(ProcFs.ofThisMachine())
                            .find(new AttachPoint.ListeningPort(socket.getLocalPort()))
                            .pid())
                    .isEqualTo(ProcessHandle.current().pid());
        }
    }
}
