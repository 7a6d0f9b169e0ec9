package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcStatTest {
    private static final String LINE = "4711 (%s) S 12 4700 4699 0 -1 4194304 100 200 0 0 31 7 5 3 20 -10 42 0 987654"
            + " 3137536 438 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

    @Test
    void readsTheFieldsByTheirPlace() {
        assertThat(ProcStat.parse(LINE.formatted("java")))
                .contains(new ProcStat(
                        4711,
                        "java",
                        'S',
                        new ProcStat.Family(12, 4700, 4699),
                        new ProcStat.CpuTime(310_000_000, 70_000_000, 50_000_000, 30_000_000),
                        -10,
                        42,
                        987654));
    }

    @Test
    void faultsOfChildrenAreNotCounted() {
        String line = LINE.replace("4194304 100 200 0 0 31", "4194304 100 200 7 9 31");

        assertThat(ProcStat.PageFaults.parse(ProcText.of(line.formatted("x) S 1 2"))))
                .contains(new ProcStat.PageFaults(100, 7));
        assertThat(ProcStat.PageFaults.parse(ProcText.of("4711 (java) S 12 4700 4699 0 -1 4194304 100 200")))
                .isEmpty();
        assertThat(ProcStat.PageFaults.parse(ProcText.of(""))).isEmpty();
    }

    @Test
    void aNameMayHoldAnything() {
        for (String name : new String[] {"a b", "x) S 1 2", "((()", "C2 CompilerThre", ""}) {
            ProcStat stat = ProcStat.parse(LINE.formatted(name)).orElseThrow();
            assertThat(stat.name()).isEqualTo(name);
            assertThat(stat.parent()).isEqualTo(12);
            assertThat(stat.startTicks()).isEqualTo(987654);
        }
    }

    @Test
    void aCutLineIsNoProcess() {
        assertThat(ProcStat.parse("")).isEmpty();
        assertThat(ProcStat.parse("4711 (java")).isEmpty();
        assertThat(ProcStat.parse("4711 (java) S 12 4700")).isEmpty();
    }

    @Test
    void readsThisProcess() {
        long pid = ProcessHandle.current().pid();
        ProcStat stat = ProcFs.ofThisMachine().stat(pid).orElseThrow();
        assertThat(stat.pid()).isEqualTo((int) pid);
        assertThat(stat.threads()).isPositive();
        assertThat(stat.cpu().ownNanos()).isPositive();
        assertThat(stat.parent())
                .isEqualTo((int) ProcessHandle.current().parent().orElseThrow().pid());
    }
}
