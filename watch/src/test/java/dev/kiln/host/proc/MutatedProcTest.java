package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.Mutations;
import dev.kiln.host.proc.Topology.CpuLists;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Other kernels, and whatever a container's runtime puts in place of its files: no figure, but no crash. */
class MutatedProcTest {
    private static final String STAT =
            "4711 (java (odd) x) S 1 4711 4711 0 -1 4194560 1 2 3 4 100 50 7 8 20 0 42 0 123456 1000000 5000 184467\n";
    private static final String STATUS = """
            Name:	java
            Uid:	1000	1000	1000	1000
            NSpid:	4711	1
            VmRSS:	  123456 kB
            Cpus_allowed_list:	0-3,8
            voluntary_ctxt_switches:	7
            nonvoluntary_ctxt_switches:	8
            """;
    private static final String MEMBERSHIP = "9:name=systemd:/\n4:memory:/a/b\n2:cpu,cpuacct:/a/b\n0::/a.slice\n";
    private static final String MOUNTS = """
            31 23 0:26 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct
            32 23 0:27 /a /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
            """;
    private static final String CPU_STAT = "nr_periods 10\nnr_throttled 3\nthrottled_time 123456789\n";
    private static final String CPUS =
            "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu1 1 2 3 4 5 6 7 8 9 10\nintr 1\n";

    private static final String INTERRUPTS = """
                       CPU0       CPU1
             24:          1          0  IO-APIC   5-edge      ACPI:Ged
             41:      15827          7  PCI-MSIX-0000:00:04.0   1-edge      virtio3-rx
            LOC:   15149308   17229159   Local timer interrupts
            """;

    record Parser(String name, String sample, Consumer<String> parse) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Parser> parsers() {
        return Stream.of(
                new Parser("stat", STAT, ProcStat::parse),
                new Parser("schedstat", "123456789 9876543210 4242\n", ProcStat.Sched::parse),
                new Parser("status", STATUS, text -> {
                    ProcStatus.innermostPid(text, 4711);
                    ProcStatus.effectiveUser(text);
                    ProcStatus.rssBytes(text);
                    ProcStatus.switches(ProcText.of(text), "");
                }),
                new Parser("membership", MEMBERSHIP, text -> Cgroups.hierarchy("cpu", text, MOUNTS)),
                new Parser("mountinfo", MOUNTS, text -> Cgroups.hierarchy("cpu", MEMBERSHIP, text)),
                new Parser("cpu.stat", CPU_STAT, text -> CgroupMeter.parse(ProcText.of(text))),
                new Parser("/proc/stat", CPUS, text -> CpuMeter.Times.parse(ProcText.of(text))),
                new Parser("interrupts", INTERRUPTS, Disturbances::parse),
                new Parser("CPU list", "0-3,8,10-11\n", CpuLists::parse));
    }

    @ParameterizedTest
    @MethodSource("parsers")
    void noMutationIsTooMuch(Parser parser) {
        Mutations.of(parser.sample(), Mutations.MANY, parser.parse());
    }

    @Test
    void aCutLineTellsNothing() {
        assertThat(ProcStat.parse(STAT).map(ProcStat::pid)).isEqualTo(Optional.of(4711));
        for (int length = 0; length < STAT.indexOf("123456"); length++) {
            assertThat(ProcStat.parse(STAT.substring(0, length))).isEmpty();
        }
    }
}
