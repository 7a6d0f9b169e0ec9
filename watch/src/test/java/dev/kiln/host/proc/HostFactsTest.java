package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.Machine.HostInfo;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostFactsTest {
    @TempDir
    Path root;

    @ParameterizedTest
    @CsvSource({
        "5.14.0-427.el9.x86_64, CFS",
        "6.5.13, CFS",
        "6.6.1-generic, EEVDF",
        "6.18.44, EEVDF",
        "7.0-rc1, EEVDF",
        "odd, unknown"
    })
    void theSchedulerFollowsFromTheKernel(String kernel, String scheduler) {
        FakeRoot machine = new FakeRoot(root).with("proc/sys/kernel/osrelease", kernel + "\n");
        assertThat(HostFacts.of(machine.fs()).scheduler()).isEqualTo(scheduler);
    }

    @Test
    void readsAMachine() {
        FakeRoot machine = new FakeRoot(root)
                .with("proc/sys/kernel/osrelease", "6.18.44\n")
                .with("proc/sys/kernel/sched_autogroup_enabled", "1\n")
                .with("proc/cpuinfo", "processor\t: 0\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\n")
                .with("proc/meminfo", "MemTotal:       24684092 kB\nMemFree: 1 kB\n")
                .with("sys/devices/system/cpu/online", "0-1\n");
        assertThat(HostFacts.of(machine.fs()))
                .isEqualTo(new HostInfo("6.18.44", "AMD EPYC", 2, 24684092L * 1024, "EEVDF, autogroup on", Map.of()));
    }

    @Test
    void aSchedulerOfItsOwnIsNamed() {
        FakeRoot machine = new FakeRoot(root)
                .with("proc/sys/kernel/osrelease", "6.18.44\n")
                .with("sys/kernel/sched_ext/root/ops", "lavd_1.0\n");
        assertThat(HostFacts.of(machine.fs()).scheduler()).isEqualTo("sched_ext lavd_1.0");
    }

    @Test
    void thisMachineHasFacts() {
        HostInfo here = HostFacts.of(ProcFs.ofThisMachine());
        assertThat(here.cpus()).isPositive();
        assertThat(here.memoryBytes()).isPositive();
        assertThat(here.kernel()).isNotEqualTo("unknown");
    }
}
