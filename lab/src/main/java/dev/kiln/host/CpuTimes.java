package dev.kiln.host;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One CPU since boot, from {@code /proc/stat}; in steps of 10 ms.
 *
 * @param idleNanos waiting for disks included
 * @param stealNanos time the hypervisor gave to others
 */
public record CpuTimes(int cpu, long busyNanos, long idleNanos, long stealNanos) {
    private static final byte[] CPU = "cpu".getBytes(StandardCharsets.UTF_8);

    static List<CpuTimes> parse(Text text) {
        List<CpuTimes> cpus = new ArrayList<>();
        int line = 0;
        while (line >= 0 && line + CPU.length < text.length && startsWithCpu(text, line)) {
            text.at(line + CPU.length);
            // The first line, without a number, is the sum.
            if (text.bytes[line + CPU.length] != ' ') {
                CpuTimes times = one(text);
                if (!text.ranOut()) {
                    cpus.add(times);
                }
            }
            int end = text.indexOf('\n', line);
            line = end < 0 ? -1 : end + 1;
        }
        return cpus;
    }

    private static CpuTimes one(Text text) {
        int cpu = (int) text.nextLong();
        long user = text.nextLong();
        long nice = text.nextLong();
        long system = text.nextLong();
        long idle = text.nextLong();
        long iowait = text.nextLong();
        long irq = text.nextLong();
        long softirq = text.nextLong();
        long steal = text.nextLong();
        // Time of guests is within user and nice already.
        long busy = user + nice + system + irq + softirq;
        return new CpuTimes(
                cpu, busy * ProcStat.TICK_NANOS, (idle + iowait) * ProcStat.TICK_NANOS, steal * ProcStat.TICK_NANOS);
    }

    private static boolean startsWithCpu(Text text, int line) {
        return text.bytes[line] == 'c' && text.bytes[line + 1] == 'p' && text.bytes[line + 2] == 'u';
    }
}
