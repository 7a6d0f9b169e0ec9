package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.proc.CgroupMeter.CgroupThrottling;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupsTest {
    private static final String V2 = "23 28 0:21 / /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup2 rw\n";
    private static final String HYBRID = """
            31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
            34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset
            41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
            """;

    @TempDir
    Path root;

    @Test
    void version2WithItsAncestors() {
        assertThat(Cgroups.cpuDirectories("0::/user.slice/app.scope\n", V2))
                .containsExactly(
                        Path.of("/sys/fs/cgroup/user.slice/app.scope"),
                        Path.of("/sys/fs/cgroup/user.slice"),
                        Path.of("/sys/fs/cgroup"));
    }

    @Test
    void version1WhereTheControllerIsThere() {
        String membership = "9:name=systemd:/\n3:cpuset:/\n2:cpu,cpuacct:/docker/abc\n0::/\n";
        assertThat(Cgroups.cpuDirectories(membership, HYBRID))
                .containsExactly(
                        Path.of("/sys/fs/cgroup/cpu,cpuacct/docker/abc"),
                        Path.of("/sys/fs/cgroup/cpu,cpuacct/docker"),
                        Path.of("/sys/fs/cgroup/cpu,cpuacct"));
    }

    @Test
    void aMountOfASubtreeIsCutOff() {
        String mount = "32 31 0:29 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n";
        assertThat(Cgroups.cpuDirectories("1:cpu:/docker/abc/inner\n", mount))
                .containsExactly(Path.of("/sys/fs/cgroup/cpu/inner"), Path.of("/sys/fs/cgroup/cpu"));
    }

    @Test
    void theLeastOfAffinityAndQuotasIsWhatAProcessMayUse() {
        String two = "Cpus_allowed_list:\t0-1\n";
        FakeRoot version2 = new FakeRoot(root.resolve("v2"))
                .with("proc/7/status", two)
                .with("proc/7/cgroup", "0::/a/b\n")
                .with("proc/self/mountinfo", V2)
                .with("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        assertThat(Cgroups.cpusOf(version2.fs(), 7)).isEqualTo(2);
        version2.with("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
        assertThat(Cgroups.cpusOf(version2.fs(), 7)).isEqualTo(1.5);

        FakeRoot beside = new FakeRoot(root.resolve("beside"))
                .with("proc/7/status", two)
                .with("proc/7/cgroup", "0::/../other\n")
                .with("proc/self/mountinfo", V2)
                .with("proc/7/root/sys/fs/cgroup/cpu.max", "50000 100000\n");
        assertThat(Cgroups.cpusOf(beside.fs(), 7)).isEqualTo(0.5);

        FakeRoot version1 = new FakeRoot(root.resolve("v1"))
                .with("proc/7/status", two)
                .with("proc/7/cgroup", "2:cpu,cpuacct:/docker\n")
                .with("proc/self/mountinfo", HYBRID)
                .with("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "25000\n")
                .with("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "50000\n")
                .with("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
                .with("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        assertThat(Cgroups.cpusOf(version1.fs(), 7)).isEqualTo(0.5);
    }

    @Test
    void theLeastLimitIsTheMemoryThatAProcessMayFill() {
        long machine = 8L << 30;
        FakeRoot version2 = new FakeRoot(root.resolve("v2"))
                .with("proc/7/cgroup", "0::/a/b\n")
                .with("proc/self/mountinfo", V2)
                .with("sys/fs/cgroup/a/b/memory.max", "max\n")
                .with("sys/fs/cgroup/a/memory.max", "max\n");
        assertThat(Cgroups.memoryOf(version2.fs(), 7, machine))
                .as("looked at, and none")
                .hasValue(machine);
        version2.with("sys/fs/cgroup/a/memory.max", "268435456\n");
        assertThat(Cgroups.memoryOf(version2.fs(), 7, machine)).hasValue(256L << 20);

        FakeRoot version1 = new FakeRoot(root.resolve("v1"))
                .with("proc/7/cgroup", "4:memory:/libpod_parent/x\n")
                .with(
                        "proc/self/mountinfo",
                        HYBRID + "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")
                .with("sys/fs/cgroup/memory/libpod_parent/x/memory.limit_in_bytes", "134217728\n")
                .with("sys/fs/cgroup/memory/libpod_parent/memory.limit_in_bytes", "9223372036854771712\n")
                .with("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(Cgroups.memoryOf(version1.fs(), 7, machine)).hasValue(128L << 20);
        version1.with("sys/fs/cgroup/memory/libpod_parent/x/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(Cgroups.memoryOf(version1.fs(), 7, machine))
                .as("there may be more above")
                .isEmpty();
        version1.with("sys/fs/cgroup/memory/release_agent", "\n");
        assertThat(Cgroups.memoryOf(version1.fs(), 7, machine)).hasValue(machine);
    }

    @Test
    void aLimitThatIsOutOfSightIsNotKnownToBeNone() {
        long machine = 8L << 30;
        FakeRoot beside = new FakeRoot(root)
                .with("proc/7/cgroup", "0::/../other\n")
                .with("proc/self/mountinfo", V2)
                .with("proc/7/root/sys/fs/cgroup/memory.max", "max\n");
        assertThat(Cgroups.memoryOf(beside.fs(), 7, machine)).isEmpty();
        beside.with("proc/7/root/sys/fs/cgroup/memory.max", "268435456\n");
        assertThat(Cgroups.memoryOf(beside.fs(), 7, machine)).hasValue(256L << 20);

        FakeRoot contained = new FakeRoot(root.resolve("contained"))
                .with("proc/7/cgroup", "0::/\n")
                .with("proc/self/mountinfo", V2)
                .with("sys/fs/cgroup/memory.max", "max\n");
        assertThat(Cgroups.memoryOf(contained.fs(), 7, machine)).isEmpty();
        assertThat(Cgroups.memoryOf(contained.fs(), 8, machine)).isEmpty();
    }

    @Test
    void nonsenseIsNowhere() {
        assertThat(Cgroups.cpuDirectories("", V2)).isEmpty();
        assertThat(Cgroups.cpuDirectories("0::/x", "")).isEmpty();
        assertThat(Cgroups.cpuDirectories("nonsense\n1:2", "nonsense\n - \n a - b"))
                .isEmpty();
    }

    @Test
    void bothVersionsCountInNanoseconds() {
        assertThat(parse("nr_periods 10\nnr_throttled 4\nthrottled_time 123456789\nnr_bursts 0\n"))
                .isEqualTo(new CgroupThrottling(10, 4, 123_456_789));
        assertThat(parse("usage_usec 9\nnr_periods 10\nnr_throttled 4\nthrottled_usec 500\nnr_bursts 0\n"))
                .isEqualTo(new CgroupThrottling(10, 4, 500_000));
    }

    @Test
    void aLimitOfAnAncestorCounts() throws Exception {
        FakeRoot machine = new FakeRoot(root)
                .with("proc/self/mountinfo", V2)
                .with("proc/7/cgroup", "0::/pod/app\n")
                .with("sys/fs/cgroup/pod/app/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_usec 0\n")
                .with("sys/fs/cgroup/pod/cpu.stat", "nr_periods 10\nnr_throttled 4\nthrottled_usec 500\n")
                .with("sys/fs/cgroup/cpu.stat", "usage_usec 12\n");
        try (CgroupMeter meter = CgroupMeter.open(machine.fs(), 7)) {
            assertThat(meter.read()).isEqualTo(new CgroupThrottling(10, 4, 500_000));
        }
    }

    /** As a pod with a limit around its one container with the same one. */
    @Test
    void periodsOfTwoLimitsAreTheSameTime() throws Exception {
        FakeRoot machine = new FakeRoot(root)
                .with("proc/self/mountinfo", V2)
                .with("proc/7/cgroup", "0::/pod/app\n")
                .with("sys/fs/cgroup/pod/app/cpu.stat", "nr_periods 100\nnr_throttled 8\nthrottled_usec 500\n")
                .with("sys/fs/cgroup/pod/cpu.stat", "nr_periods 100\nnr_throttled 0\nthrottled_usec 0\n");
        try (CgroupMeter meter = CgroupMeter.open(machine.fs(), 7)) {
            assertThat(meter.read()).isEqualTo(new CgroupThrottling(100, 8, 500_000));
        }
    }

    /** An old slice was throttled long before the container in it was made, and is once more between two readings. */
    @Test
    void anOlderLimitAboveDoesNotHideTheOneThatThrottles() throws Exception {
        String app = "sys/fs/cgroup/old/app/cpu.stat";
        String old = "sys/fs/cgroup/old/cpu.stat";
        FakeRoot machine = new FakeRoot(root)
                .with("proc/self/mountinfo", V2)
                .with("proc/7/cgroup", "0::/old/app\n")
                .with(app, "nr_periods 0\nnr_throttled 0\nthrottled_usec 0\n")
                .with(old, "nr_periods 9000\nnr_throttled 5000\nthrottled_usec 70\n");
        try (CgroupMeter meter = CgroupMeter.open(machine.fs(), 7)) {
            assertThat(meter.read()).isEqualTo(new CgroupThrottling(9000, 5000, 70_000));
            machine.with(app, "nr_periods 100\nnr_throttled 100\nthrottled_usec 500\n");
            assertThat(meter.read()).isEqualTo(new CgroupThrottling(9100, 5100, 570_000));
            machine.with(old, "nr_periods 9200\nnr_throttled 5200\nthrottled_usec 1070\n");
            assertThat(meter.read()).isEqualTo(new CgroupThrottling(9300, 5300, 1_570_000));
            machine.with(app, "nr_periods 110\nnr_throttled 110\nthrottled_usec 501\n");
            assertThat(meter.read()).isEqualTo(new CgroupThrottling(9310, 5310, 1_571_000));
        }
    }

    @Test
    void noBandwidthControlIsSaidInWords() {
        FakeRoot machine = new FakeRoot(root)
                .with("proc/self/mountinfo", V2)
                .with("proc/7/cgroup", "0::/\n")
                .with("sys/fs/cgroup/cpu.stat", "usage_usec 12\n");
        assertThatThrownBy(() -> CgroupMeter.open(machine.fs(), 7))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no cgroup with CPU bandwidth control");
    }

    private static CgroupThrottling parse(String text) {
        return CgroupMeter.parse(ProcText.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
