package dev.kiln.host.proc;

import dev.kiln.host.proc.ProcFs.HotFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A CpuMeter reads the times of each CPU of the machine. For use by one thread. */
public final class CpuMeter implements Closeable {
    private final HotFile file;
    private final HotFile.Buffer buffer = new HotFile.Buffer();

    public CpuMeter(ProcFs fs) throws IOException {
        file = new HotFile(fs.path("proc/stat"));
    }

    public List<Times> read() throws IOException {
        return Times.parse(file.read(buffer));
    }

    @Override
    public void close() {
        file.close();
    }

    /**
     * Times are those of one CPU since boot, from {@code /proc/stat}, in steps of 10 ms.
     *
     * @param idleNanos includes waiting for disks
     * @param stealNanos time the hypervisor gave to others
     * @param softirqNanos of the busy time. A kernel that does not measure it looks at each tick what runs
     */
    public record Times(int cpu, long busyNanos, long idleNanos, long stealNanos, long softirqNanos) {
        private static final byte[] CPU = "cpu".getBytes(StandardCharsets.UTF_8);

        static List<Times> parse(ProcText text) {
            List<Times> cpus = new ArrayList<>();
            int line = 0;
            while (line >= 0 && line + CPU.length < text.length && startsWithCpu(text, line)) {
                text.at(line + CPU.length);
                // The first line, without a number, is the sum.
                if (text.bytes[line + CPU.length] != ' ') {
                    Times times = one(text);
                    if (!text.ranOut()) {
                        cpus.add(times);
                    }
                }
                int end = text.indexOf('\n', line);
                line = end < 0 ? -1 : end + 1;
            }
            return cpus;
        }

        private static Times one(ProcText text) {
            int cpu = (int) text.nextLong();
            long user = text.nextLong();
            long nice = text.nextLong();
            long system = text.nextLong();
            long idle = text.nextLong();
            long iowait = text.nextLong();
            long irq = text.nextLong();
            long softirq = text.nextLong();
            long steal = text.nextLong();
            // User and nice already include the time of guests.
            long busy = user + nice + system + irq + softirq;
            return new Times(
                    cpu,
                    busy * ProcStat.TICK_NANOS,
                    (idle + iowait) * ProcStat.TICK_NANOS,
                    steal * ProcStat.TICK_NANOS,
                    softirq * ProcStat.TICK_NANOS);
        }

        private static boolean startsWithCpu(ProcText text, int line) {
            return text.bytes[line] == 'c' && text.bytes[line + 1] == 'p' && text.bytes[line + 2] == 'u';
        }
    }
}
