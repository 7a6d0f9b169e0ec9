package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.process.Programs;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which processes run in a place, as a shell there tells. */
class FarLookTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** The command leads nowhere: the shell is on this machine. */
    private static Where.Running here(int port) {
        return new Where.Running(
                new AttachPoint.ListeningPort(port), Optional.of(Where.HostPlace.through(List.of("env"))));
    }

    /** A whole machine has processes that come and go. */
    @Test
    void aShellTellsWhoListensAndNobodyElse() throws Exception {
        ProcStat own =
                ProcFs.ofThisMachine().stat(ProcessHandle.current().pid()).orElseThrow();
        Where.Running there;
        Process other = new ProcessBuilder("sleep", "600").start();
        try (ServerSocket socket = new ServerSocket(0)) {
            there = here(socket.getLocalPort());
            FarLook before = FarLook.at(there, LONG);
            other.destroyForcibly().waitFor();

            assertThat(before.name()).isEqualTo("the far end of env");
            assertThat(before.starts()).containsExactly(Map.entry((long) own.pid(), own.startTicks()));
            assertThat(before.absent()).isFalse();
            assertThat(FarLook.at(there, LONG)).isEqualTo(before);
        } finally {
            other.destroyForcibly();
        }
        assertThat(FarLook.at(there, LONG)).isEqualTo(new FarLook("the far end of env", Map.of(), true));
    }

    /** In a place of its own, where nothing else comes and goes. */
    @Test
    void aSecondLookFindsWhatTheFirstOneFound() throws Exception {
        assumeTrue(
                Programs.find("unshare").isPresent() && Programs.find("nsenter").isPresent());
        Process place = new ProcessBuilder("unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "cat")
                .redirectErrorStream(true)
                .start();
        try {
            place.getOutputStream().write("there\n".getBytes(StandardCharsets.UTF_8));
            place.getOutputStream().flush();
            assumeTrue("there".equals(place.inputReader(StandardCharsets.UTF_8).readLine()), "no such place here");
            String first = Long.toString(
                    place.toHandle().children().findFirst().orElseThrow().pid());
            Where.Running there = new Where.Running(
                    new AttachPoint.ProcessId(1),
                    Optional.of(Where.HostPlace.through(List.of("nsenter", "-t", first, "--pid", "--mount"))));

            Process probe = new ProcessBuilder("nsenter", "-t", first, "--pid", "--mount", "sleep", "600").start();
            FarLook before = FarLook.at(there, LONG);
            probe.descendants().forEach(ProcessHandle::destroyForcibly);
            probe.destroyForcibly().waitFor();

            assertThat(before.starts()).containsOnlyKeys(1L);
            assertThat(FarLook.at(there, LONG)).isEqualTo(before);
        } finally {
            place.destroy();
        }
    }

    private static boolean absent(List<String> via, AttachPoint point) {
        return FarLook.at(new Where.Running(point, Optional.of(Where.HostPlace.through(via))), LONG)
                .absent();
    }

    /** A shell in a container sees others' processes neither by the number that the engine has, nor at all. */
    @Test
    void aContainerWhoseProcessIsNotSeenMayRun(@TempDir Path bin) throws Exception {
        List<String> via = List.of("env", "PATH=" + bin + ":" + System.getenv("PATH"));
        Path engine = bin.resolve("podman");
        for (boolean running : List.of(true, false)) {
            // No process has a number above 4194304.
            Files.writeString(engine, "#!/bin/sh\necho " + (running ? 4_194_305 : 0) + "\n");
            assertThat(engine.toFile().setExecutable(true)).isTrue();
            assertThat(absent(via, new AttachPoint.ContainerName("shop"))).isEqualTo(!running);
        }
    }

    @Test
    void whereTheKernelTellsNothingNothingIsAbsent() throws Exception {
        List<String> blind =
                List.of("unshare", "--mount", "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh");
        assumeTrue(
                Programs.find("unshare").isPresent()
                        && new ProcessBuilder(Stream.concat(blind.stream(), Stream.of("true"))
                                                .toList())
                                        .start()
                                        .waitFor()
                                == 0,
                "no such place here");
        for (AttachPoint point : List.of(new AttachPoint.ProcessId(1), new AttachPoint.ListeningPort(1))) {
            assertThat(absent(blind, point)).as(point.words()).isFalse();
        }
        assertThat(absent(List.of("env"), new AttachPoint.ProcessId(4_194_305))).isTrue();
    }

    @Test
    void whatHasEndedIsLeftOutAndTheChildrenOfAServer() {
        String rest = " 0 0 0 -1 4194560 60 77 0 59 32 18 38 10 20 0 14 0 ";
        assertThat(FarLook.starts("1 S 0" + rest + "25 60125184 61\n7 Z 1" + rest + "31 0 0\n9 S 1" + rest
                        + "40 0 0\nsh: cannot open it\n"))
                .isEqualTo(Map.of(1L, 25L));
    }
}
