package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.KilnException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveJvmsTest {
    private final LiveJvms jvms = new LiveJvms(ProcFs.ofThisMachine());

    @Test
    void containersAreKnownByTheirId() {
        String id = "0123456789abcdef".repeat(4);
        assertThat(LiveJvms.containerId("0::/system.slice/docker-" + id + ".scope\n"))
                .contains(id);
        assertThat(LiveJvms.containerId("12:cpu,cpuacct:/docker/" + id + "\n0::/\n"))
                .contains(id);
        assertThat(LiveJvms.containerId(
                        "0::/kubepods.slice/kubepods-pod0a1b2c3d_0a1b.slice/cri-containerd-" + id + ".scope\n"))
                .contains(id);
        assertThat(LiveJvms.containerId("0::/user.slice/user-0.slice\n")).isEmpty();
    }

    @Test
    void theMainClassStandsBehindTheFlags() {
        assertThat(LiveJvms.mainOf("java\0-Xmx1g\0-cp\0a:b\0org.example.Main\0x\0"))
                .isEqualTo("org.example.Main");
        assertThat(LiveJvms.mainOf("/usr/bin/java\0-jar\0/app/app.jar\0--port=1\0"))
                .isEqualTo("/app/app.jar");
        assertThat(LiveJvms.mainOf("java\0")).isEmpty();
    }

    @Test
    void whatIsNoJvmIsRefused() throws Exception {
        Process sleep = new ProcessBuilder("sleep", "1000").start();
        try {
            assertThatThrownBy(() -> jvms.of(sleep.pid()))
                    .isInstanceOf(KilnException.class)
                    .hasMessageContaining("(sleep) is no HotSpot JVM");
        } finally {
            sleep.destroyForcibly().waitFor();
        }
        assertThatThrownBy(() -> jvms.of(sleep.pid())).hasMessage("there is no process " + sleep.pid());
    }

    @Test
    void anotherMakersJvmIsNoHotSpot(@TempDir Path root) throws Exception {
        Path process = Files.createDirectories(root.resolve("proc/42"));
        Files.writeString(process.resolve("stat"), "42 (java) S" + " 1".repeat(49));
        Files.writeString(process.resolve("maps"), "7f00 r-xp 0 0:0 1 /opt/openj9/lib/j9vm/libjvm.so\n");
        LiveJvms there = new LiveJvms(new ProcFs(root));
        assertThat(there.of(42).pid()).isEqualTo(42);
        Files.writeString(
                process.resolve("maps"),
                "7f00 r-xp 0 0:0 1 /opt/openj9/lib/j9vm/libjvm.so\n7f01 r-xp 0 0:0 2 /opt/openj9/lib/default/libj9vm29.so\n");
        assertThatThrownBy(() -> there.of(42)).hasMessageContaining("is no HotSpot JVM");
    }

    @Test
    void theListLeavesTheDoctorOut() {
        assertThat(jvms.all())
                .noneMatch(jvm -> jvm.pid() == ProcessHandle.current().pid());
        assertThat(jvms.of(ProcessHandle.current().pid()).threads()).isPositive();
    }
}
