package dev.kiln.host;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a process tree has used so far.
 *
 * @param rssBytes resident memory, pages that its processes share counted for each
 * @param cpuNanos user and system time
 */
public record TreeUsage(long rssBytes, long cpuNanos) {
    static TreeUsage of(ProcFs fs, Iterable<ProcStat> processes) {
        long rss = 0;
        long cpu = 0;
        for (ProcStat process : processes) {
            rss += text(fs, process.pid() + "/status").map(ProcStatus::rssBytes).orElse(0L);
            cpu += Math.max(process.cpuNanos(), ofLivingThreads(fs, process.pid())) + process.childrenCpuNanos();
        }
        return new TreeUsage(rss, cpu);
    }

    /** To the nanosecond, but without threads that have ended; the process's own account is cut to 10 ms. */
    private static long ofLivingThreads(ProcFs fs, int pid) {
        long sum = 0;
        for (int tid : fs.tids(pid)) {
            sum += text(fs, pid + "/task/" + tid + "/schedstat")
                    .flatMap(SchedStat::parse)
                    .map(SchedStat::cpuNanos)
                    .orElse(0L);
        }
        return sum;
    }

    private static Optional<Text> text(ProcFs fs, String file) {
        return fs.text("proc/" + file).map(text -> Text.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
