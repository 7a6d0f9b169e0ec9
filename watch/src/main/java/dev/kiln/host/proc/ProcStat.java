package dev.kiln.host.proc;

import java.util.Optional;

/**
 * A ProcStat is what {@code /proc/PID/stat} says: the fields Kiln uses, numbered in proc(5).
 *
 * @param name up to 15 bytes; may contain spaces and parentheses
 * @param startTicks start time in ticks since boot. With the pid, it identifies a process for good
 */
public record ProcStat(
        int pid, String name, char state, Family family, CpuTime cpu, int nice, int threads, long startTicks) {
    /** A Family says where a process belongs: pids of its parent, and of the leaders of its process group and session. */
    public record Family(int parent, int group, int session) {}

    /**
     * A CpuTime is that of a process, in steps of 10 ms.
     *
     * @param userNanos of all threads, including those that have ended
     * @param systemNanos likewise, in the kernel
     * @param childUserNanos of the children that have ended and were waited for
     * @param childSystemNanos likewise, in the kernel
     */
    public record CpuTime(long userNanos, long systemNanos, long childUserNanos, long childSystemNanos) {
        public long ownNanos() {
            return userNanos + systemNanos;
        }

        public long childrenNanos() {
            return childUserNanos + childSystemNanos;
        }

        long nanos() {
            return ownNanos() + childrenNanos();
        }

        /** Returns the user time alone. */
        CpuTime user() {
            return new CpuTime(userNanos, 0, childUserNanos, 0);
        }

        /** Returns the time in the kernel alone. */
        CpuTime system() {
            return new CpuTime(0, systemNanos, 0, childSystemNanos);
        }
    }

    /** PageFaults are those of all threads of a process since it began, without those of its children. */
    public record PageFaults(long minor, long major) {
        static Optional<PageFaults> parse(ProcText text) {
            int close = text.lastIndexOf(')');
            if (close < 0) {
                return Optional.empty();
            }
            text.at(close + 1);
            text.nextChar();
            text.skip(6); // 4 ppid to 9 flags
            long minor = text.nextLong();
            text.skip(1); // 11 cminflt
            PageFaults faults = new PageFaults(minor, text.nextLong());
            return text.ranOut() ? Optional.empty() : Optional.of(faults);
        }
    }

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
        Family family = new Family((int) text.nextLong(), (int) text.nextLong(), (int) text.nextLong());
        text.skip(7); // 7 tty to 13 cmajflt
        CpuTime cpu = new CpuTime(
                text.nextLong() * TICK_NANOS,
                text.nextLong() * TICK_NANOS,
                text.nextLong() * TICK_NANOS,
                text.nextLong() * TICK_NANOS);
        text.skip(1); // 18 priority
        int nice = (int) text.nextLong();
        int threads = (int) text.nextLong();
        text.skip(1); // 21 itrealvalue
        long start = text.nextLong();
        if (text.ranOut()) {
            return Optional.empty();
        }
        return Optional.of(new ProcStat(pid, text.string(open + 1, close), state, family, cpu, nice, threads, start));
    }

    public int parent() {
        return family.parent();
    }

    /** Returns the same process without the time of its children. */
    ProcStat withoutChildren() {
        CpuTime own = new CpuTime(cpu.userNanos, cpu.systemNanos, 0, 0);
        return new ProcStat(pid, name, state, family, own, nice, threads, startTicks);
    }

    /** Tells whether it has ended, and only waits for its parent to notice. */
    public boolean isDead() {
        return state == 'Z' || state == 'X';
    }

    /** A Sched is {@code schedstat}: waitNanos without a CPU are credited only when the thread gets one. */
    public record Sched(long cpuNanos, long waitNanos, long slices) {
        public static Optional<Sched> parse(String text) {
            return parse(ProcText.of(text));
        }

        static Optional<Sched> parse(ProcText text) {
            Sched stat = new Sched(text.nextLong(), text.nextLong(), text.nextLong());
            return text.ranOut() ? Optional.empty() : Optional.of(stat);
        }
    }
}
