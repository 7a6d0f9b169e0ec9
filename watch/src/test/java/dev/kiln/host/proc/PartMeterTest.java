package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.proc.PartMeter.Usage;
import org.junit.jupiter.api.Test;

class PartMeterTest {
    private static final ProcFs FS = ProcFs.ofThisMachine();

    private static String output(Process process) throws Exception {
        return process.inputReader().readLine();
    }

    @Test
    void countsChildrenThatLiveAndThatEnded() throws Exception {
        String burn = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        Process shell = new ProcessBuilder("sh", "-c", "read x; sh -c '" + burn + "'; echo done; read x; exit").start();
        try (PartMeter part = new PartMeter(FS, shell.pid(), false)) {
            Usage before = part.read().orElseThrow();
            shell.outputWriter().write("go\n");
            shell.outputWriter().flush();
            output(shell);
            part.join(new PartMeter.Census(FS).newcomers());
            Usage after = part.read().orElseThrow();
            assertThat(after.cpuNanos()).isGreaterThan(before.cpuNanos());
        } finally {
            shell.destroyForcibly().waitFor();
        }
    }

    @Test
    void findsDescendants() throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "sh -c 'sleep 1000 & echo x; wait'; exit").start();
        try (PartMeter part = new PartMeter(FS, shell.pid(), false)) {
            output(shell);
            part.join(new PartMeter.Census(FS).newcomers());
            assertThat(part.size()).isEqualTo(3);
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly().waitFor();
            part.read();
        } finally {
            shell.destroyForcibly();
        }
    }

    @Test
    void newcomersAreSeenOnce() throws Exception {
        PartMeter.Census census = new PartMeter.Census(FS);
        assertThat(census.newcomers()).isNotEmpty();
        Process process = new ProcessBuilder("sleep", "1000").start();
        try {
            assertThat(census.newcomers()).extracting(ProcStat::pid).contains((int) process.pid());
            assertThat(census.newcomers()).extracting(ProcStat::pid).doesNotContain((int) process.pid());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aPartThatEndedIsEmpty() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        try (PartMeter part = new PartMeter(FS, process.pid(), false)) {
            assertThat(part.read()).isPresent();
            process.destroyForcibly().waitFor();
            assertThat(part.read()).isEmpty();
            assertThat(part.read()).isEmpty();
        }
    }

    @Test
    void userAndSystemTimeAreItsCpuTime() throws Exception {
        // A system call for each byte.
        String calls = "dd if=/dev/zero of=/dev/null bs=1 count=500000 2>/dev/null; echo done; read x";
        Process process = new ProcessBuilder("sh", "-c", calls).start();
        try (PartMeter part = new PartMeter(FS, process.pid(), false)) {
            output(process);
            Usage usage = part.read().orElseThrow();
            assertThat(usage.systemNanos()).isPositive();
            assertThat(usage.userNanos() + usage.systemNanos()).isEqualTo(usage.cpuNanos());
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void thisProcessAloneHasWaitedAndWorked() {
        try (PartMeter part = new PartMeter(FS, ProcessHandle.current().pid(), true)) {
            part.join(new PartMeter.Census(FS).newcomers());
            assertThat(part.size()).isEqualTo(1);
            assertThat(part.read().orElseThrow().cpuNanos()).isPositive();
        }
    }
}
