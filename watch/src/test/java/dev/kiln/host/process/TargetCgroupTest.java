package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.kiln.host.container.Containers;
import dev.kiln.host.proc.CgroupMeter;
import dev.kiln.host.proc.FakeRoot;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.TargetCgroup.CgroupLimits;
import dev.kiln.model.KilnException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TargetCgroupTest extends Launching {
    private static final CgroupLimits BOTH = new CgroupLimits(OptionalDouble.of(1.5), OptionalLong.of(512L << 20));
    private static final CgroupLimits QUARTER = new CgroupLimits(OptionalDouble.of(0.25), OptionalLong.empty());

    /** Of this machine, or the test is skipped with the reason. */
    private TargetCgroup real(CgroupLimits limits) {
        try {
            return TargetCgroup.make(ProcFs.ofThisMachine(), registry, limits);
        } catch (KilnException e) {
            return abort(String.valueOf(e.getMessage()));
        }
    }

    private PinnedProcess launch(TargetCgroup cgroup, String... command) {
        return launcher.start(
                new LaunchSpec("target", List.of(command), directory.resolve("out")).withCgroups(cgroup.directories()));
    }

    @Test
    void aQuotaIsLoweredWhileTheTargetRuns() throws Exception {
        try (TargetCgroup cgroup = real(BOTH)) {
            cgroup.limitCpu(0.25);
            List<String> quotas = cgroup.directories().stream()
                    .flatMap(each -> Stream.of(each.resolve("cpu.cfs_quota_us"), each.resolve("cpu.max")))
                    .filter(Files::exists)
                    .map(TargetCgroupTest::text)
                    .toList();
            assertThat(quotas).isSubsetOf("25000", "25000 100000").hasSize(1);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aQuotaThrottles() throws Exception {
        try (TargetCgroup cgroup = real(QUARTER)) {
            PinnedProcess busy = launch(cgroup, "sh", "-c", "while :; do :; done");
            try (CgroupMeter meter = CgroupMeter.open(ProcFs.ofThisMachine(), busy.pid())) {
                long deadline = System.nanoTime() + 600_000_000_000L;
                while (meter.read().throttledPeriods() < 3 && System.nanoTime() < deadline) {
                    Thread.sleep(20);
                }
                assertThat(meter.read().throttledPeriods()).isGreaterThanOrEqualTo(3);
                assertThat(meter.read().throttledNanos()).isPositive();
            } finally {
                busy.stop(Duration.ZERO);
            }
        }
    }

    @Test
    void aJvmSeesItsLimits() throws Exception {
        List<Path> made;
        try (TargetCgroup cgroup = real(BOTH)) {
            made = cgroup.directories();
            assertThat(made).isNotEmpty().allMatch(Files::isDirectory);
            PinnedProcess jvm = launch(
                    cgroup,
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XshowSettings:system",
                    "-version");
            jvm.onExit().join();
            jvm.stop(Duration.ZERO);
            assertThat(Files.readString(directory.resolve("out")))
                    .contains("Effective CPU Count: "
                            + Math.min(2, Runtime.getRuntime().availableProcessors()))
                    .containsPattern("CPU Quota: 150000us")
                    .contains("Memory Limit: 512.00M");
        }
        assertThat(made).noneMatch(Files::exists);
    }

    /** Makes a cgroup, starts a child in it, and waits to be killed. */
    static final class DoomedKiln {
        private DoomedKiln() {}

        public static void main(String[] args) throws Exception {
            OrphanRegistry registry = new OrphanRegistry(Path.of(args[0], "state"));
            TargetCgroup cgroup = TargetCgroup.make(ProcFs.ofThisMachine(), registry, QUARTER);
            new Launcher(registry, note -> {})
                    .start(new LaunchSpec("target", List.of("sleep", "1000"), Path.of(args[0], "out"))
                            .withCgroups(cgroup.directories()));
            System.out.println(cgroup.directories().getFirst());
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void whatAKilledKilnLeftIsRemoved() throws Exception {
        real(QUARTER).close();
        Process kiln = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DoomedKiln.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(kiln.getInputStream(), StandardCharsets.UTF_8))) {
            Path left = Path.of(output.readLine());
            assertThat(left).isDirectory();

            kiln.destroyForcibly().waitFor();

            assertThat(registry.sweep(Containers::removeOrphan, said -> {}))
                    .contains("removed the cgroup " + left + " that a killed Kiln had left");
            assertThat(left).doesNotExist();
        } finally {
            kiln.destroyForcibly();
        }
    }

    private FakeRoot version1() {
        return new FakeRoot(directory)
                .with("proc/self/cgroup", "4:memory:/here\n1:cpu,cpuacct:/\n0::/\n")
                .with("proc/self/mountinfo", """
                        32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct
                        35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
                        """)
                .with("sys/fs/cgroup/cpu/cgroup.procs", "")
                .with("sys/fs/cgroup/memory/here/cgroup.procs", "");
    }

    @Test
    void version1HasADirectoryForEachController() throws Exception {
        TargetCgroup made = TargetCgroup.make(version1().fs(), registry, BOTH);

        assertThat(made.directories()).hasSize(2);
        Path cpu = made.directories().get(0);
        Path memory = made.directories().get(1);
        assertThat(cpu.getParent()).isEqualTo(directory.resolve("sys/fs/cgroup/cpu"));
        assertThat(memory.getParent()).isEqualTo(directory.resolve("sys/fs/cgroup/memory/here"));
        assertThat(Files.readString(cpu.resolve("cpu.cfs_period_us"))).isEqualTo("100000");
        assertThat(Files.readString(cpu.resolve("cpu.cfs_quota_us"))).isEqualTo("150000");
        assertThat(Files.readString(memory.resolve("memory.limit_in_bytes"))).isEqualTo("536870912");
    }

    /** Kilns of two containers may see the same cgroups, and have one pid: to close this one would kill the other's target. */
    @Test
    void aCgroupThatIsThereIsAnothersAndStays() throws Exception {
        ProcFs fs = version1().fs();
        Path first = TargetCgroup.make(fs, registry, BOTH).directories().getFirst();
        String name = String.valueOf(first.getFileName());
        assertThat(name).doesNotMatch("kiln-\\d+-\\d+");
        int number = name.lastIndexOf('-') + 1;
        Path next = Files.createDirectory(
                first.resolveSibling(name.substring(0, number) + (Integer.parseInt(name.substring(number)) + 1)));
        assertThatThrownBy(() -> TargetCgroup.make(fs, registry, BOTH)).isInstanceOf(KilnException.class);
        assertThat(next).isEmptyDirectory();
    }

    @Test
    void version2HasOneBelowTheNearestThatHandsTheControllersDown() throws Exception {
        FakeRoot root = new FakeRoot(directory)
                .with("proc/self/cgroup", "0::/user.slice/app.scope\n")
                .with("proc/self/mountinfo", "23 28 0:21 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
                .with("sys/fs/cgroup/cgroup.subtree_control", "cpuset cpu memory pids\n")
                .with("sys/fs/cgroup/user.slice/cgroup.subtree_control", "memory pids\n")
                .with("sys/fs/cgroup/user.slice/app.scope/cgroup.subtree_control", "\n");

        TargetCgroup both = TargetCgroup.make(root.fs(), registry, BOTH);
        assertThat(both.directories()).hasSize(1);
        assertThat(both.directories().getFirst().getParent()).isEqualTo(directory.resolve("sys/fs/cgroup"));
        assertThat(Files.readString(both.directories().getFirst().resolve("cpu.max")))
                .isEqualTo("150000 100000");
        assertThat(Files.readString(both.directories().getFirst().resolve("memory.max")))
                .isEqualTo("536870912");

        TargetCgroup memory = TargetCgroup.make(
                root.fs(), registry, new CgroupLimits(OptionalDouble.empty(), OptionalLong.of(1L << 30)));
        assertThat(memory.directories().getFirst().getParent())
                .isEqualTo(directory.resolve("sys/fs/cgroup/user.slice"));
    }

    @Test
    void withoutAControllerItSaysWhatToDo() {
        FakeRoot none =
                new FakeRoot(directory).with("proc/self/cgroup", "0::/\n").with("proc/self/mountinfo", "");
        assertThatThrownBy(() -> TargetCgroup.make(none.fs(), registry, BOTH))
                .isInstanceOf(KilnException.class)
                .hasMessage("cannot limit the target by a cgroup: no cgroup hierarchy with the controller 'cpu' is"
                        + " mounted")
                .returns(3, e -> ((KilnException) e).exit().code());

        FakeRoot undelegated = new FakeRoot(directory)
                .with("proc/self/cgroup", "0::/\n")
                .with("proc/self/mountinfo", "23 28 0:21 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
                .with("sys/fs/cgroup/cgroup.subtree_control", "\n");
        assertThatThrownBy(() -> TargetCgroup.make(undelegated.fs(), registry, BOTH))
                .hasMessage("cannot limit the target by a cgroup: no cgroup above this process gives its children the"
                        + " controllers cpu and memory");
    }
}
