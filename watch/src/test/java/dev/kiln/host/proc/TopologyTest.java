package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.Topology.Cpu;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyTest {
    @TempDir
    Path root;

    @Test
    void readsCoresNodesAndWhatIsAllowed() {
        FakeRoot machine = new FakeRoot(root)
                .with("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t1-3,9\n")
                .with("sys/devices/system/cpu/online", "0-2,9\n");
        for (int cpu = 0; cpu < 4; cpu++) {
            String folder = "sys/devices/system/cpu/cpu" + cpu;
            machine.with(folder + "/topology/thread_siblings_list", cpu < 2 ? "0,1\n" : "2-3\n")
                    .with(folder + "/node" + (cpu / 2) + "/cpulist", "");
        }
        assertThat(Topology.read(machine.fs()).cpus())
                .containsExactly(new Cpu(1, 0, 0), new Cpu(2, 2, 1), new Cpu(9, 9, 0));
    }
}
