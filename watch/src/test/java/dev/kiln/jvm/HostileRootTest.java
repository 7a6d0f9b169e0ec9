package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.files.Held;
import dev.kiln.host.proc.Cgroups;
import dev.kiln.host.proc.ProcFs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process whose root is made by somebody else: what Kiln, as root, opens below {@code /proc/PID/root}. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileRootTest {
    private static final int PID = 7;

    @TempDir
    private Path machine;

    private Path jail;
    private ProcFs fs;

    @BeforeEach
    void jailed() throws Exception {
        jail = Files.createDirectories(machine.resolve("proc/7/root"));
        fs = new ProcFs(machine);
        int uid = (Integer) Files.getAttribute(machine, "unix:uid");
        Files.writeString(
                machine.resolve("proc/7/status"),
                "Name:\tjava\nUid:\t" + uid + "\t" + uid + "\t" + uid + "\t" + uid
                        + "\nNSpid:\t7\nCpus_allowed_list:\t0-3\n");
    }

    private static void pipe(Path file) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor(10, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void theAttachFileIsMadeInTheJailAndRemovedWhenTheProcessIsGone() throws Exception {
        Path outside = Files.createDirectories(machine.resolve("outside"));
        Path inside = Files.createDirectories(jail.resolve("outside"));
        Files.createSymbolicLink(jail.resolve("tmp"), Path.of("../../../outside"));
        AttachTrigger made = AttachTrigger.make(Held.below(jail, "tmp"), ".attach_pid7");
        assertThat(outside).isEmptyDirectory();
        assertThat(inside.resolve(".attach_pid7")).exists();
        // As when the process has died: nothing leads to its root any more.
        Files.move(jail, machine.resolve("gone"));
        made.close();
        assertThat(machine.resolve("gone/outside")).isEmptyDirectory();
    }

    @Test
    void aPipeInThePlaceOfItsQuotaIsNotWaitedFor() throws Exception {
        Files.createDirectories(jail.resolve("sys/fs/cgroup"));
        pipe(jail.resolve("sys/fs/cgroup/cpu.max"));
        assertThat(Cgroups.cpusOf(fs, PID)).isEqualTo(4);
    }

    @Test
    void aDeviceWithoutAnEndIsNotRead() throws Exception {
        Files.createDirectories(jail.resolve("sys/fs/cgroup"));
        Files.createSymbolicLink(jail.resolve("sys/fs/cgroup/cpu.max"), Path.of("/dev/zero"));
        assertThat(Cgroups.cpusOf(fs, PID)).isEqualTo(4);
        Files.createDirectory(jail.resolve("dev"));
        try (var zero = new java.io.RandomAccessFile(jail.resolve("dev/zero").toFile(), "rw")) {
            zero.setLength(3L << 30);
        }
        assertThat(Cgroups.cpusOf(fs, PID)).isEqualTo(4);
    }

    @Test
    void itsQuotaCounts() throws Exception {
        Files.createDirectories(jail.resolve("sys/fs/cgroup"));
        Files.writeString(jail.resolve("sys/fs/cgroup/cpu.max"), "50000 100000\n");
        assertThat(Cgroups.cpusOf(fs, PID)).isEqualTo(0.5);
    }

    /** Its owner exchanges the file for a pipe all the time. */
    @Test
    void countersThatAreExchangedForAPipeAreNotWaitedFor() throws Exception {
        Path folder = Files.createDirectories(jail.resolve("tmp/hsperfdata_x"));
        Path counters = Files.write(folder.resolve("7"), new byte[64]);
        AtomicBoolean over = new AtomicBoolean();
        Thread exchange = Thread.ofPlatform().start(() -> {
            for (int i = 0; !over.get(); i++) {
                try {
                    Path pipe = machine.resolve("pipe" + i);
                    pipe(pipe);
                    Path bytes = Files.write(machine.resolve("bytes" + i), new byte[64]);
                    Files.move(pipe, counters, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                    Files.move(bytes, counters, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        for (int look = 0; look < 3000; look++) {
            assertThat(new JvmProbe(fs, PID).counters()).isEmpty();
        }
        over.set(true);
        exchange.join();
    }
}
