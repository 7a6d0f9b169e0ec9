package dev.kiln.recorder;

import dev.kiln.host.proc.ThreadTable;
import dev.kiln.jvm.ThreadRoles;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** RecorderThreads records the target's threads: compilers at every look, the others when everything is due. */
final class RecorderThreads implements AutoCloseable {
    /** A new thread has its parent's name at first, so it is read twice more before its role is final. */
    private static final int YOUNG = 2;

    private static final ThreadTable.Counters NOTHING = new ThreadTable.Counters("", 0, 0, 0, 0, 0, '?');

    /** Threads that are read within this time share a time stamp, so that the rows of one look can be grouped. */
    private static final long SAME_LOOK_NANOS = 5_000_000;

    /** A JVM starts for so long. Until then every look searches for new threads; later, only looks at everything do. */
    private static final long STARTING_NANOS = 10_000_000_000L;

    private final RecorderContext context;
    private final ThreadTable table;
    private final Map<Integer, WatchedThread> known = new HashMap<>();

    /** Threads that every look reads: compilers, and threads whose name is not final yet. */
    private final Set<Integer> hot = new HashSet<>();

    /** Counters of each compiler thread at the last look at everything. */
    private final Map<Integer, ThreadUse> compilersBefore = new HashMap<>();

    private long waitOfTheDead;
    private long everythings;
    private long compilersNanos;
    private ThreadUse c2Total = NONE;
    private volatile Optional<CompilerLoad> c2LastSecond = Optional.empty();

    private record ThreadUse(long cpuNanos, long waitNanos) {
        ThreadUse plus(ThreadUse o) {
            return new ThreadUse(cpuNanos + o.cpuNanos, waitNanos + o.waitNanos);
        }
    }

    private static final ThreadUse NONE = new ThreadUse(0, 0);

    private static final class WatchedThread {
        String name = "";
        ThreadRole role = ThreadRole.OTHER;
        int looks;
        ThreadTable.Counters last = NOTHING;
        final WaitUnderWay under = new WaitUnderWay();
        long waitNanos;
    }

    RecorderThreads(RecorderContext context) {
        this.context = context;
        this.table =
                new ThreadTable(context.fs(), context.pid(), context.pace().otherThreads(), ThreadRoles::isCompiler);
        hot.addAll(table.refresh());
        if (!ThreadTable.hasWaits(context.fs())) {
            context.gap("time threads wait for a CPU", "the kernel has no /proc/PID/schedstat (CONFIG_SCHED_INFO)");
        }
    }

    void sample(boolean everything) {
        boolean others = everything && everythings++ % context.pace().othersEvery() == 0;
        List<Integer> due = others ? table.tids() : List.copyOf(hot);
        long now = System.nanoTime();
        for (int tid : due) {
            long actual = System.nanoTime();
            now = actual - now > SAME_LOOK_NANOS ? actual : now;
            look(
                    tid,
                    known.computeIfAbsent(tid, born -> new WatchedThread()),
                    now - context.spec().launchNanos());
        }
        // If a new thread replaces a dead one, their number stays the same. But the table has just forgotten the dead
        // one.
        boolean young = now - context.spec().launchNanos() < STARTING_NANOS;
        if ((everything || young) && table.hasChanged()) {
            hot.addAll(table.refresh());
        }
        if (everything) {
            watchCompilers(now);
        }
        if (table.leftOut() > 0 && context.pace().otherThreads() > 0) {
            context.gap(
                    "some threads",
                    "there are more than " + context.pace().otherThreads()
                            + ": of the rest, Kiln records only the compilers");
        }
        if (table.leftSomeOut()) {
            context.gap("some threads", "too many open files: raise the limit with ulimit -n");
        }
    }

    private void look(int tid, WatchedThread thread, long timeNanos) {
        Optional<ThreadTable.Counters> read = table.read(tid);
        if (read.isEmpty()) {
            waitOfTheDead += thread.waitNanos;
            known.remove(tid);
            hot.remove(tid);
            return;
        }
        ThreadTable.Counters c = read.get();
        thread.looks++;
        thread.waitNanos = waitNanos(tid, thread, c, timeNanos);
        thread.last = c;
        if (!c.name().equals(thread.name)) {
            thread.name = c.name();
            thread.role = ThreadRoles.of(c.name());
        }
        if (isCompiler(thread.role) || thread.looks <= YOUNG) {
            hot.add(tid);
        } else {
            hot.remove(tid);
        }
        context.appendOfProcess(new ThreadSample(
                timeNanos,
                tid,
                thread.name,
                thread.role,
                c.cpuNanos(),
                thread.waitNanos,
                c.slices(),
                c.voluntarySwitches(),
                c.involuntarySwitches(),
                ThreadState.of(String.valueOf(c.state()))));
    }

    /** The kernel counts a wait when it is over, which can take long: see {@link WaitUnderWay}. */
    private long waitNanos(int tid, WatchedThread thread, ThreadTable.Counters c, long timeNanos) {
        return context.pace().lab() || !isCompiler(thread.role)
                ? c.waitNanos()
                : c.waitNanos() + thread.under.nanos(c, timeNanos, table.isRunnable(tid));
    }

    /** Returns the sum over all threads that were read, including those that have died. */
    long waitNanos() {
        long sum = waitOfTheDead;
        for (WatchedThread thread : known.values()) {
            sum += thread.waitNanos;
        }
        return sum;
    }

    Optional<CompilerLoad> c2LastSecond() {
        return c2LastSecond;
    }

    private void watchCompilers(long now) {
        Map<Integer, ThreadUse> current = new HashMap<>();
        ThreadUse c2 = used(ThreadRole.C2, current);
        boolean any = !current.isEmpty();
        ThreadUse c1 = used(ThreadRole.C1, current);
        c2Total = c2Total.plus(c2);
        long nanos = now - compilersNanos;
        c2LastSecond = any && compilersNanos != 0
                ? Optional.of(new CompilerLoad(
                        (double) c2.cpuNanos() / nanos,
                        (double) shownWait(ThreadRole.C2, current, nanos) / nanos,
                        c2Total.cpuNanos() / 1e9,
                        c2Total.waitNanos() / 1e9,
                        (double) (c1.cpuNanos() + c1.waitNanos()) / nanos,
                        OptionalInt.empty()))
                : Optional.empty();
        compilersBefore.clear();
        compilersBefore.putAll(current);
        compilersNanos = now;
    }

    /**
     * Returns the wait that can be shown since the last look: what a thread waited before it is past, and of the time since
     * then it has no more than the rest.
     */
    private long shownWait(ThreadRole role, Map<Integer, ThreadUse> current, long nanos) {
        long sum = 0;
        for (Map.Entry<Integer, ThreadUse> thread : current.entrySet()) {
            WatchedThread one = known.get(thread.getKey());
            if (one != null && one.role == role) {
                ThreadUse use = since(thread.getKey(), thread.getValue());
                sum += Math.clamp(use.waitNanos(), 0, Math.max(0, nanos - use.cpuNanos()));
            }
        }
        return sum;
    }

    private ThreadUse since(int tid, ThreadUse now) {
        ThreadUse before = compilersBefore.getOrDefault(tid, NONE);
        return new ThreadUse(now.cpuNanos() - before.cpuNanos(), now.waitNanos() - before.waitNanos());
    }

    /** Returns the use since the look before. Puts the present counters into {@code current}. */
    private ThreadUse used(ThreadRole role, Map<Integer, ThreadUse> current) {
        ThreadUse sum = NONE;
        for (Map.Entry<Integer, WatchedThread> entry : known.entrySet()) {
            WatchedThread thread = entry.getValue();
            if (thread.role == role) {
                ThreadUse now = new ThreadUse(thread.last.cpuNanos(), thread.waitNanos);
                current.put(entry.getKey(), now);
                sum = sum.plus(since(entry.getKey(), now));
            }
        }
        return sum;
    }

    private static boolean isCompiler(ThreadRole role) {
        return role == ThreadRole.C1 || role == ThreadRole.C2;
    }

    @Override
    public void close() {
        table.close();
    }

    /**
     * A WaitUnderWay is the present wait of one thread, which schedstat does not contain yet. The kernel adds a wait
     * when the thread gets a CPU, so a thread that gets none for seconds seems to need none. The wait counts from the
     * first look at which the thread was runnable and after which it did not run. So it is never longer than what the
     * kernel adds later, and the sum of both never falls.
     */
    static final class WaitUnderWay {
        private long cpuNanos = -1;
        private long slices = -1;
        private boolean runnable;
        private long sinceNanos;

        /** @param runnableNow whether the thread runs or waits for a CPU at this look */
        long nanos(ThreadTable.Counters c, long timeNanos, boolean runnableNow) {
            boolean ran = c.cpuNanos() != cpuNanos || c.slices() != slices;
            cpuNanos = c.cpuNanos();
            slices = c.slices();
            if (ran || !runnable) {
                sinceNanos = timeNanos;
            }
            runnable = runnableNow;
            return runnable ? timeNanos - sinceNanos : 0;
        }
    }
}
