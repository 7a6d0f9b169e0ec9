package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.ProcStat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessTreeTest {
    private static ProcStat process(int pid, int parent, int session, long start) {
        return new ProcStat(
                pid,
                "p",
                'S',
                new ProcStat.Family(parent, session, session),
                new ProcStat.CpuTime(0, 0, 0, 0),
                0,
                1,
                start);
    }

    private static List<Integer> members(List<ProcStat> all, boolean marked) {
        return ProcessTree.members(all, 10, 500, process -> marked).stream()
                .map(ProcStat::pid)
                .toList();
    }

    @Test
    void descendantsAndTheSessionBelongToIt() {
        List<ProcStat> all = List.of(
                process(1, 0, 1, 0),
                process(13, 12, 12, 503), // a grandchild in a session of its own, listed before its parent
                process(12, 10, 12, 502),
                process(10, 5, 10, 500),
                process(14, 1, 10, 504), // left to init, still in the session
                process(15, 1, 15, 505));
        assertThat(members(all, false)).containsExactlyInAnyOrder(10, 12, 13, 14);
    }

    @Test
    void aStrangerWithTheSamePidIsNotTouched() {
        List<ProcStat> all = List.of(process(10, 5, 10, 777), process(11, 10, 10, 778));
        assertThat(members(all, false)).isEmpty();
    }

    @Test
    void withoutItsLeaderASessionMustBearTheMark() {
        List<ProcStat> all = List.of(process(14, 1, 10, 504), process(16, 14, 16, 505));
        assertThat(members(all, false)).isEmpty();
        assertThat(members(all, true)).containsExactlyInAnyOrder(14, 16);
    }
}
