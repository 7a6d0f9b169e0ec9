package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.PartMeter.TreeCpu;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeCpuTest {
    private final TreeCpu tree = new TreeCpu(time -> time);

    private static ProcStat process(int pid, int parent, long cpu, long children) {
        return new ProcStat(
                pid, "p", 'S', new ProcStat.Family(parent, 1, 1), new ProcStat.CpuTime(cpu, 0, children, 0), 0, 1, pid);
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
        ProcStat again =
                new ProcStat(2, "q", 'S', new ProcStat.Family(1, 1, 1), new ProcStat.CpuTime(5, 0, 0, 0), 0, 1, 999);
        assertThat(tree.add(List.of(process(1, 0, 100, 0), again))).isEqualTo(155);
    }

    @Test
    void theKernelsShareOfAChildThatNobodyWaitsForStaysCountedToo() {
        TreeCpu system = new TreeCpu(ProcStat.CpuTime::system);
        ProcStat.Family top = new ProcStat.Family(0, 1, 1);
        ProcStat child =
                new ProcStat(2, "p", 'S', new ProcStat.Family(1, 1, 1), new ProcStat.CpuTime(40, 10, 6, 5), 0, 1, 2);

        assertThat(system.add(
                        List.of(new ProcStat(1, "p", 'S', top, new ProcStat.CpuTime(70, 30, 0, 0), 0, 1, 1), child)))
                .isEqualTo(45);
        assertThat(system.add(List.of(new ProcStat(1, "p", 'S', top, new ProcStat.CpuTime(170, 31, 50, 4), 0, 1, 1))))
                .as("of the child's 15 the parent took over 4")
                .isEqualTo(46);
    }

    @Test
    void itNeverFalls() {
        tree.add(List.of(process(1, 0, 100, 40)));
        assertThat(tree.add(List.of(process(1, 0, 90, 40)))).isEqualTo(140);
    }
}
