package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.proc.Topology.Cpu;
import dev.kiln.model.KilnException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuHalvesTest {
    private static final Cpu FIRST = new Cpu(0, 0, 0);

    @Test
    void coresAreNotSplit() {
        Topology machine = new Topology(List.of(FIRST, new Cpu(1, 1, 0), new Cpu(2, 0, 0), new Cpu(3, 1, 0)));
        assertThat(CpuHalves.of(machine)).extracting(Topology::ids).containsExactly(List.of(0, 2), List.of(1, 3));
        assertThat(CpuHalves.shared(machine)).isEmpty();
    }

    @Test
    void eachHalfHasANodeOfItsOwn() {
        Topology machine = new Topology(List.of(FIRST, new Cpu(1, 1, 1), new Cpu(2, 2, 0), new Cpu(3, 3, 1)));
        assertThat(CpuHalves.of(machine)).extracting(Topology::ids).containsExactly(List.of(0, 2), List.of(1, 3));
    }

    @Test
    void theOnlyCoreIsSplitAndThatIsSaid() {
        Topology machine = new Topology(List.of(FIRST, new Cpu(1, 0, 0)));
        assertThat(CpuHalves.of(machine)).extracting(Topology::ids).containsExactly(List.of(0), List.of(1));
        assertThat(CpuHalves.shared(machine)).singleElement().asString().contains("SMT siblings");
    }

    @Test
    void halvesThatWouldNotBeAlikeAreRefused() {
        refused("one CPU", FIRST);
        refused(
                "6 CPUs of 6 cores",
                FIRST,
                new Cpu(1, 1, 0),
                new Cpu(2, 2, 1),
                new Cpu(3, 3, 1),
                new Cpu(4, 4, 1),
                new Cpu(5, 5, 1));
        refused("3 CPUs of 3 cores", FIRST, new Cpu(1, 1, 0), new Cpu(2, 2, 0));
        refused(
                "6 CPUs of 3 cores",
                FIRST,
                new Cpu(1, 1, 0),
                new Cpu(2, 2, 0),
                new Cpu(3, 0, 0),
                new Cpu(4, 1, 0),
                new Cpu(5, 2, 0));
    }

    private static void refused(String what, Cpu... cpus) {
        assertThatThrownBy(() -> CpuHalves.of(new Topology(List.of(cpus))))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("this process may use " + what);
    }
}
