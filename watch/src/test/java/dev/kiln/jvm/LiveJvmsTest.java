package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.KilnException;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.LiveProcess.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

    /** As of a container whose first process is a shell. */
    @Test
    void ofAScriptTheJvmBelowItIsMeant(@TempDir Path root) throws Exception {
        Path script = Files.createDirectories(root.resolve("proc/41"));
        Files.writeString(script.resolve("stat"), "41 (sh) S" + " 1".repeat(49));
        Files.writeString(script.resolve("maps"), "7f00 r-xp 0 0:0 1 /usr/bin/dash\n");
        LiveJvms there = new LiveJvms(new ProcFs(root));
        assertThatThrownBy(() -> there.of(41)).hasMessageContaining("(sh) is no HotSpot JVM");
        Path jvm = Files.createDirectories(root.resolve("proc/42"));
        Files.writeString(jvm.resolve("stat"), "42 (java) S 41" + " 1".repeat(48));
        Files.writeString(jvm.resolve("maps"), "7f00 r-xp 0 0:0 1 /opt/jdk/lib/server/libjvm.so\n");
        assertThat(there.of(41).pid()).isEqualTo(42);
        Path other = Files.createDirectories(root.resolve("proc/43"));
        Files.writeString(other.resolve("stat"), "43 (java) S 41" + " 1".repeat(48));
        Files.writeString(other.resolve("maps"), "7f00 r-xp 0 0:0 1 /opt/jdk/lib/server/libjvm.so\n");
        assertThatThrownBy(() -> there.of(41)).hasMessageContaining("2 JVMs are below process 41");
    }

    /** By both drivers of cgroups; the second pod has the network of its host, so the host name is none of its own. */
    @Test
    void aPodIsToldByItsCgroupAndEnvironment(@TempDir Path root) throws Exception {
        link(root, 1, "uts:[1]");
        Path first = hotSpot(root, 42);
        Files.writeString(
                first.resolve("cgroup"),
                "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0c1d2e3f_0011_2233_4455_66778899aabb.slice/cri-containerd-"
                        + "ab".repeat(32) + ".scope\n");
        Files.writeString(first.resolve("environ"), "PATH=/bin\0HOSTNAME=shop-7d9f\0");
        link(root, 42, "uts:[2]");
        Files.writeString(
                Files.createDirectories(first.resolve("root/var/run/secrets/kubernetes.io/serviceaccount"))
                        .resolve("namespace"),
                "shop\n");
        Path second = hotSpot(root, 43);
        Files.writeString(
                second.resolve("cgroup"),
                "4:cpu:/kubepods/besteffort/pod0c1d2e3f-0011-2233-4455-66778899aacc/" + "cd".repeat(32) + "\n");
        Files.writeString(second.resolve("environ"), "HOSTNAME=node-1\0");
        link(root, 43, "uts:[1]");
        hotSpot(root, 44);

        List<LiveProcess> all = new LiveJvms(new ProcFs(root)).all();
        assertThat(all)
                .extracting(LiveProcess::pod)
                .containsExactly(
                        Optional.of(new Pod(
                                "0c1d2e3f-0011-2233-4455-66778899aabb", Optional.of("shop-7d9f"), Optional.of("shop"))),
                        Optional.of(
                                new Pod("0c1d2e3f-0011-2233-4455-66778899aacc", Optional.empty(), Optional.empty())),
                        Optional.empty());
        assertThat(all.getFirst().container()).contains("abababababab");
    }

    @Test
    void anotherProcessWithTheSamePidIsAnotherJvm(@TempDir Path root) throws Exception {
        LiveJvms there = new LiveJvms(new ProcFs(root));
        Path process = hotSpot(root, 42);
        Files.writeString(process.resolve("cmdline"), "java\0-jar\0one.jar\0");
        assertThat(there.all()).extracting(LiveProcess::command).containsExactly("one.jar");
        Files.writeString(process.resolve("cmdline"), "java\0-jar\0two.jar\0");
        Files.writeString(process.resolve("stat"), "42 (java) S" + " 2".repeat(49));
        assertThat(there.all()).extracting(LiveProcess::command).containsExactly("two.jar");
        Files.delete(process.resolve("stat"));
        assertThat(there.all()).isEmpty();
    }

    private static Path hotSpot(Path root, int pid) throws Exception {
        Path process = Files.createDirectories(root.resolve("proc/" + pid));
        Files.writeString(process.resolve("stat"), pid + " (java) S" + " 1".repeat(49));
        Files.writeString(process.resolve("maps"), "7f00 r-xp 0 0:0 1 /opt/jdk/lib/server/libjvm.so\n");
        return process;
    }

    private static void link(Path root, int pid, String namespace) throws Exception {
        Path folder = Files.createDirectories(root.resolve("proc/" + pid + "/ns"));
        Files.createSymbolicLink(folder.resolve("uts"), Path.of(namespace));
    }

    @Test
    void theListLeavesTheDoctorOut() {
        assertThat(jvms.all())
                .noneMatch(jvm -> jvm.pid() == ProcessHandle.current().pid());
        assertThat(jvms.of(ProcessHandle.current().pid()).threads()).isPositive();
    }
}
