package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.PartMeter.TreeCpu;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeCpuTest {
    private final TreeCpu tree = new TreeCpu();

    private static ProcStat process(int pid, int parent, long cpu, long children) {
        return new ProcStat(
                pid, "p", 'S', new ProcStat.Family(parent, 1, 1), new ProcStat.CpuTime(cpu, children), 0, 1, pid);
    }

    @Test
    void aChildThatIsWaitedForMovesToItsParent() {
        assertThat(tree.add(List.of(process(1, 0, 100, 0), process(2, 1, 50, 0))))
                .isEqualTo(150);
        assertThat(tree.add(List.of(process(1, 0, 110, 60)))).isEqualTo(170);
    }

    @Test
    void aChildThatNobodyInTheTreeWaitsForStaysCounted() {
        tree.add(List.of(process(1, 0, 100, 0), process(2, 1, 50, 0)));
        assertThat(tree.add(List.of(process(1, 0, 110, 0)))).isEqualTo(160);
        assertThat(tree.add(List.of(process(1, 0, 120, 0)))).isEqualTo(170);
    }

    @Test
    void aWholeBranchThatEndsIsCountedOnce() {
        tree.add(List.of(process(1, 0, 100, 0), process(2, 1, 50, 0), process(3, 2, 30, 0)));
        assertThat(tree.add(List.of(process(1, 0, 100, 80)))).isEqualTo(180);
    }

    @Test
    void onlyWhatTheParentDidNotTakeOverIsKept() {
        tree.add(List.of(process(1, 0, 100, 0), process(2, 1, 50, 0), process(3, 1, 30, 0)));
        assertThat(tree.add(List.of(process(1, 0, 100, 50)))).isEqualTo(180);
    }

    @Test
    void aPidThatIsGivenAgainIsAnotherProcess() {
        tree.add(List.of(process(1, 0, 100, 0), process(2, 1, 50, 0)));
        ProcStat again = new ProcStat(2, "q", 'S', new ProcStat.Family(1, 1, 1), new ProcStat.CpuTime(5, 0), 0, 1, 999);
        assertThat(tree.add(List.of(process(1, 0, 100, 0), again))).isEqualTo(155);
    }

    @Test
    void itNeverFalls() {
        tree.add(List.of(process(1, 0, 100, 40)));
        assertThat(tree.add(List.of(process(1, 0, 90, 40)))).isEqualTo(140);
    }
}
