package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParsersTest {
    private static final String STATUS = """
            Name:\thttp-nio-8080-e
            Umask:\t0022
            State:\tS (sleeping)
            NSpid:\t4711\t12\t3
            VmHWM:\t    9999 kB
            VmRSS:\t    1752 kB
            Cpus_allowed_list:\t0-1
            voluntary_ctxt_switches:\t41
            nonvoluntary_ctxt_switches:\t42
            """;

    private static ProcText text(String text) {
        return ProcText.of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** 301 is the least that a kernel takes; it tells its number at the first read alone. */
    @Test
    void aNumberBelowProcSysIsReadWhole() {
        assertThat(ProcFs.ofThisMachine().text("proc/sys/kernel/pid_max"))
                .hasValueSatisfying(
                        text -> assertThat(Long.parseLong(text.strip())).isGreaterThan(300));
    }

    @Test
    void schedstat() {
        assertThat(ProcStat.Sched.parse(text("67380 49424 2\n"))).contains(new ProcStat.Sched(67380, 49424, 2));
        assertThat(ProcStat.Sched.parse(text("67380 49424"))).isEmpty();
    }

    @Test
    void statusOfAThread() {
        assertThat(ProcStatus.switches(text(STATUS), "http-nio-8080-x"))
                .contains(new ProcStatus.Switches("http-nio-8080-e", 'S', 41, 42));
        String known = new String("http-nio-8080-e");
        assertThat(ProcStatus.switches(text(STATUS), known).orElseThrow().name())
                .isSameAs(known);
        for (String cut : List.of("", "Name:\tx\n", "Name:\tx\nvoluntary_ctxt_switches:\t41\n", STATUS.substring(9))) {
            assertThat(ProcStatus.switches(text(cut), "")).isEmpty();
        }
    }

    @Test
    void theStateIsTheKernelsLetter() {
        String disk = STATUS.replace("S (sleeping)", "D (disk sleep)");
        assertThat(ProcStatus.switches(text(disk), "").orElseThrow().state()).isEqualTo('D');
        String named = "Name:\tState: D\n" + STATUS.substring(STATUS.indexOf("State"));
        assertThat(ProcStatus.switches(text(named), "").orElseThrow().state()).isEqualTo('S');
    }

    @Test
    void linesMayFollowTheSwitches() {
        String x86 = STATUS + "x86_Thread_features:\t\nx86_Thread_features_locked:\t\n";
        assertThat(ProcStatus.switches(text(x86), ""))
                .contains(new ProcStatus.Switches("http-nio-8080-e", 'S', 41, 42));
    }

    @Test
    void statusOfAProcess() {
        assertThat(ProcStatus.rssBytes(text(STATUS))).isEqualTo(1752 * 1024);
        assertThat(ProcStatus.rssBytes(text("Name:\tzombie\n"))).isZero();
        assertThat(ProcStatus.field(STATUS, "Cpus_allowed_list")).isEqualTo("0-1");
        assertThat(ProcStatus.field(STATUS, "Nothing")).isEmpty();
        assertThat(ProcStatus.innermostPid(STATUS, 4711)).isEqualTo(3);
        assertThat(ProcStatus.innermostPid("", 4711)).isEqualTo(4711);
    }

    @Test
    void everyCpuButNotTheirSum() {
        String stat = """
                cpu  15754 0 4052 157590 666 0 123 15 0 0
                cpu0 7536 1 1500 80027 39 2 20 4 9 9
                cpu13 8217 0 2551 77563 626 0 102 10 0 0
                intr 385881 0
                """;
        assertThat(CpuMeter.Times.parse(text(stat)))
                .containsExactly(
                        new CpuMeter.Times(0, 90_590_000_000L, 800_660_000_000L, 40_000_000, 200_000_000),
                        new CpuMeter.Times(13, 108_700_000_000L, 781_890_000_000L, 100_000_000, 1_020_000_000));
        assertThat(CpuMeter.Times.parse(text("cpu0 1 2"))).isEmpty();
        assertThat(CpuMeter.Times.parse(text(""))).isEmpty();
    }

    @Test
    void aKeyOnlyCountsAtTheBeginningOfALine() {
        ProcText status = text("nonvoluntary_ctxt_switches:\t42\nvoluntary_ctxt_switches:\t41\n");
        assertThat(status.seek("voluntary_ctxt_switches:".getBytes(StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(status.nextLong()).isEqualTo(41);
        assertThat(status.seek("ctxt".getBytes(StandardCharsets.UTF_8))).isFalse();
    }
}
