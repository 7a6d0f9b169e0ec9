package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.Topology.CpuLists;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuListsTest {
    @Test
    void parsesTheKernelsNotation() {
        assertThat(CpuLists.parse("0-2,8,10-11\n")).containsExactly(0, 1, 2, 8, 10, 11);
        assertThat(CpuLists.parse("7")).containsExactly(7);
        assertThat(CpuLists.parse("\n")).isEmpty();
    }

    @Test
    void formatsRanges() {
        assertThat(CpuLists.format(List.of(11, 0, 1, 2, 8, 10))).isEqualTo("0-2,8,10-11");
        assertThat(CpuLists.format(List.of())).isEmpty();
    }
}
