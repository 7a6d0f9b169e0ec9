package dev.kiln.host;

import java.util.Optional;

/**
 * {@code /proc/PID/stat}: the fields Kiln uses, numbered in proc(5).
 *
 * @param name up to 15 bytes; may hold spaces and parentheses
 * @param cpuNanos user and system time of all threads, ended ones included, in steps of 10 ms
 * @param childrenCpuNanos the same of children that ended and were waited for
 * @param startTicks since boot: with the pid, names a process for good
 */
public record ProcStat(
        int pid,
        String name,
        char state,
        int parent,
        int group,
        int session,
        long cpuNanos,
        long childrenCpuNanos,
        int nice,
        int threads,
        long startTicks) {
    /** USER_HZ is 100 on every architecture that runs a current JVM. */
    static final long TICK_NANOS = 10_000_000;

    public static Optional<ProcStat> parse(String text) {
        return parse(ProcText.of(text));
    }

    static Optional<ProcStat> parse(ProcText text) {
        int open = text.indexOf('(', 0);
        int close = text.lastIndexOf(')');
        if (open < 0 || close < open) {
            return Optional.empty();
        }
        int pid = (int) text.at(0).nextLong();
        text.at(close + 1);
        char state = text.nextChar();
        int parent = (int) text.nextLong();
        int group = (int) text.nextLong();
        int session = (int) text.nextLong();
        text.skip(7); // 7 tty to 13 cmajflt
        long own = text.nextLong() + text.nextLong();
        long children = text.nextLong() + text.nextLong();
        text.skip(1); // 18 priority
        int nice = (int) text.nextLong();
        int threads = (int) text.nextLong();
        text.skip(1); // 21 itrealvalue
        long start = text.nextLong();
        if (text.ranOut()) {
            return Optional.empty();
        }
        return Optional.of(new ProcStat(
                pid,
                text.string(open + 1, close),
                state,
                parent,
                group,
                session,
                own * TICK_NANOS,
                children * TICK_NANOS,
                nice,
                threads,
                start));
    }

    /** Dead, and only waiting for its parent to notice. */
    public boolean isDead() {
        return state == 'Z' || state == 'X';
    }

    /**
     * {@code /proc/PID/task/TID/schedstat}.
     *
     * @param cpuNanos time on a CPU
     * @param waitNanos time runnable without a CPU; credited only when the thread gets one
     * @param slices times it got one
     */
    record Sched(long cpuNanos, long waitNanos, long slices) {
        static Optional<Sched> parse(ProcText text) {
            Sched stat = new Sched(text.nextLong(), text.nextLong(), text.nextLong());
            return text.ranOut() ? Optional.empty() : Optional.of(stat);
        }
    }
}
