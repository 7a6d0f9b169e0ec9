package dev.kiln.host;

import java.util.Optional;

/**
 * {@code /proc/PID/task/TID/schedstat}.
 *
 * @param cpuNanos time on a CPU
 * @param waitNanos time runnable without a CPU; credited only when the thread gets one
 * @param slices times it got one
 */
record SchedStat(long cpuNanos, long waitNanos, long slices) {
    static Optional<SchedStat> parse(Text text) {
        SchedStat stat = new SchedStat(text.nextLong(), text.nextLong(), text.nextLong());
        return text.ranOut() ? Optional.empty() : Optional.of(stat);
    }
}
