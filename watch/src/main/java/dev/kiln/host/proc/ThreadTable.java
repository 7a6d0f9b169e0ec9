package dev.kiln.host.proc;

import dev.kiln.host.proc.ProcFs.HotFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** A ThreadTable has the threads of one process, with their files kept open. For use by one thread. */
public final class ThreadTable implements Closeable {
    private static final char SLEEPING = 'S';

    private final ProcFs fs;
    private final int pid;
    private final boolean waits;
    private final Path tasks;
    private final Map<Integer, Open> files = new HashMap<>();
    private final HotFile.Buffer buffer = new HotFile.Buffer();
    private final int limit;
    private final Predicate<String> wanted;
    private final Set<Integer> unwanted = new HashSet<>();
    private boolean tooMany;

    private static final class Open implements Closeable {
        final HotFile times;
        final HotFile status;
        String name = "";
        Optional<ProcStat.Sched> last = Optional.empty();
        Optional<ProcStatus.Switches> switches = Optional.empty();

        Open(HotFile times, HotFile status) {
            this.times = times;
            this.status = status;
        }

        @Override
        public void close() {
            times.close();
            status.close();
        }
    }

    /** Makes a table of so many threads, and of wanted ones, by their name, even beyond the limit. */
    public ThreadTable(ProcFs fs, long pid, int limit, Predicate<String> wanted) {
        this.fs = fs;
        this.limit = limit;
        this.wanted = wanted;
        this.pid = (int) pid;
        this.waits = hasWaits(fs);
        this.tasks = fs.path("proc/" + pid + "/task");
    }

    /** Tells whether this kernel records how long a thread waited for a CPU. */
    public static boolean hasWaits(ProcFs fs) {
        return fs.text("proc/self/schedstat").isPresent();
    }

    /** Tells whether threads had to be left out because Kiln may not open more files. */
    public boolean leftSomeOut() {
        return tooMany;
    }

    /** Returns how many threads are beyond the limit. */
    public int leftOut() {
        return unwanted.size();
    }

    /** Tells whether the thread runs or waits for a CPU at this moment. */
    public boolean isRunnable(int tid) {
        return fs.taskText(pid, tid, "stat")
                .flatMap(ProcStat::parse)
                .filter(stat -> stat.state() == 'R')
                .isPresent();
    }

    /** Tells whether the number of threads, the links of the task folder, has changed; stat would cost more. */
    public boolean hasChanged() {
        try {
            return Files.getAttribute(tasks, "unix:nlink") instanceof Integer links
                    && links - 2 != files.size() + unwanted.size();
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Lists the threads again, and returns those not seen before. */
    public List<Integer> refresh() {
        List<Integer> born = new ArrayList<>();
        Set<Integer> unwantedBefore = Set.copyOf(unwanted);
        unwanted.clear();
        for (int tid : fs.tids(pid)) {
            if (files.containsKey(tid)) {
                continue;
            }
            if (unwantedBefore.contains(tid) || !isWanted(tid)) {
                unwanted.add(tid);
            } else if (open(tid)) {
                born.add(tid);
            }
        }
        return born;
    }

    private boolean isWanted(int tid) {
        return files.size() < limit
                || fs.taskText(pid, tid, "comm")
                        .filter(name -> wanted.test(name.strip()))
                        .isPresent();
    }

    public List<Integer> tids() {
        return List.copyOf(files.keySet());
    }

    /** Returns the thread's counters. They are empty if it has died; then the table forgets it. */
    public Optional<Counters> read(int tid) {
        Open of = files.get(tid);
        if (of == null) {
            return Optional.empty();
        }
        try {
            ProcText text = of.times.read(buffer);
            Optional<ProcStat.Sched> times = waits
                    ? ProcStat.Sched.parse(text)
                    : ProcStat.parse(text).map(s -> new ProcStat.Sched(s.cpu().ownNanos(), 0, 0));
            // A thread that has not run has not switched either, and most threads of a service sleep most of the time.
            // One that was not asleep may be by now, and one in an uninterruptible sleep may wait for a CPU after it.
            boolean slept = waits
                    && times.equals(of.last)
                    && of.switches.filter(then -> then.state() == SLEEPING).isPresent();
            if (!slept) {
                of.switches = ProcStatus.switches(of.status.read(buffer), of.name);
            }
            if (times.isPresent() && of.switches.isPresent()) {
                of.last = times;
                of.name = of.switches.get().name();
                return Optional.of(counters(times.get(), of.switches.get()));
            }
        } catch (IOException e) {
            // A failed read is the thread's death.
        }
        forget(tid, of);
        return Optional.empty();
    }

    private static Counters counters(ProcStat.Sched times, ProcStatus.Switches switches) {
        return new Counters(
                switches.name(),
                times.cpuNanos(),
                times.waitNanos(),
                times.slices(),
                switches.voluntary(),
                switches.involuntary(),
                switches.state());
    }

    private boolean open(int tid) {
        try {
            HotFile times = new HotFile(fs.taskPath(pid, tid, waits ? "schedstat" : "stat"));
            try {
                files.put(tid, new Open(times, new HotFile(fs.taskPath(pid, tid, "status"))));
                return true;
            } catch (IOException e) {
                times.close();
                throw e;
            }
        } catch (IOException e) {
            tooMany |= String.valueOf(e.getMessage()).contains("Too many open files");
            return false;
        }
    }

    private void forget(int tid, Open of) {
        files.remove(tid);
        of.close();
    }

    @Override
    public void close() {
        for (Map.Entry<Integer, Open> entry : List.copyOf(files.entrySet())) {
            forget(entry.getKey(), entry.getValue());
        }
    }

    /**
     * Counters are those of one thread since it began.
     *
     * @param name up to 15 bytes; it can change while the thread lives
     * @param waitNanos time runnable without a CPU
     * @param slices times it got a CPU
     * @param state the kernel's letter for what it does
     */
    public record Counters(
            String name,
            long cpuNanos,
            long waitNanos,
            long slices,
            long voluntarySwitches,
            long involuntarySwitches,
            char state) {}
}
