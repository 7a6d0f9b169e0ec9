package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DisturbancesTest {
    private static final String INTERRUPTS = """
                       CPU0       CPU1       CPU2       CPU3
             24:          1          0          0          0  IO-APIC   5-edge      ACPI:Ged
             41:          0        %d        100          0  PCI-MSIX-0000:00:04.0   1-edge      eth0-rx-0
             42:          0          0  9000000000          0  PCI-MSIX-0000:00:04.0   2-edge      eth0-tx-0
            LOC:   %d   17229159   17229159   17229159   Local timer interrupts
            """;

    @TempDir
    Path root;

    private FakeRoot machine;

    @BeforeEach
    void twoNodesOfTwoCpus() {
        machine = new FakeRoot(root)
                .with("proc/interrupts", INTERRUPTS.formatted(500, 1))
                .with("proc/7/status", "Name:\tjava\nCpus_allowed_list:\t0-1\n")
                .with("sys/devices/system/node/online", "0-1\n")
                .with("sys/devices/system/node/node0/cpulist", "0-1\n")
                .with("sys/devices/system/node/node1/cpulist", "2-3\n");
    }

    @Test
    void aDeviceThatInterruptsTheTargetsCpusIsNamed() {
        Disturbances disturbances = new Disturbances(machine.fs());
        machine.with("proc/interrupts", INTERRUPTS.formatted(900_000_000, 1));

        assertThat(disturbances.notes(7))
                .singleElement()
                .asString()
                .matches("devices interrupted the target's CPUs \\d+ times a second \\(eth0-rx-0: 100 % of it\\)");
    }

    @Test
    void timersAndOtherCpusInterruptsAreNoNews() {
        Disturbances disturbances = new Disturbances(machine.fs());
        machine.with("proc/interrupts", INTERRUPTS.formatted(500, 900_000_000));

        assertThat(disturbances.notes(7)).isEmpty();
    }

    @Test
    void memoryOnANodeWithoutTheTargetsCpusIsTold() {
        machine.with("proc/7/numa_maps", """
                7f00 default anon=30 dirty=30 N0=20 N1=10 kernelpagesize_kB=4
                7f10 default file=/lib/x mapped=5 N0=5 kernelpagesize_kB=4
                7f20 default huge anon=1 dirty=1 N1=1 kernelpagesize_kB=2048
                """);

        assertThat(new Disturbances(machine.fs()).notes(7))
                .containsExactly(
                        "95 % of the target's memory lies on NUMA nodes on which it has no CPU: each access takes longer");
    }

    @Test
    void memoryBesideTheCpusIsNoNews() {
        machine.with("proc/7/numa_maps", "7f00 default anon=30 dirty=30 N0=100 N1=10 kernelpagesize_kB=4\n");

        assertThat(new Disturbances(machine.fs()).notes(7)).isEmpty();
    }

    @Test
    void aMachineThatSaysNothingHasNoNotes() {
        assertThat(new Disturbances(new FakeRoot(root.resolve("empty")).fs()).notes(7))
                .isEmpty();
    }
}
