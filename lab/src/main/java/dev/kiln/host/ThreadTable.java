package dev.kiln.host;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The threads of one process, with their files kept open. For use by one thread. */
public final class ThreadTable implements Closeable {
    private final ProcFs fs;
    private final int pid;
    private final boolean waits;
    private final Map<Integer, Files> files = new HashMap<>();
    private final HotFile.Buffer buffer = new HotFile.Buffer();
    private Optional<HotFile> process = Optional.empty();
    private boolean tooMany;

    private record Files(HotFile times, HotFile status) implements Closeable {
        @Override
        public void close() {
            times.close();
            status.close();
        }
    }

    public ThreadTable(ProcFs fs, long pid) {
        this.fs = fs;
        this.pid = (int) pid;
        this.waits = hasWaits(fs);
        try {
            process = Optional.of(new HotFile(fs.path("proc/" + pid + "/stat")));
        } catch (IOException e) {
            // It has ended already: there are no threads.
        }
    }

    /** Whether this kernel tells how long a thread waited for a CPU. */
    public static boolean hasWaits(ProcFs fs) {
        return fs.text("proc/self/schedstat").isPresent();
    }

    /** Whether threads had to be left out because Kiln may not open more files. */
    public boolean leftSomeOut() {
        return tooMany;
    }

    /** Whether the number of threads is another than that of the threads known: much cheaper than {@link #refresh}. */
    public boolean hasChanged() {
        try {
            return process.isPresent()
                    && ProcStat.parse(process.get().read(buffer))
                                    .map(ProcStat::threads)
                                    .orElse(0)
                            != files.size();
        } catch (IOException e) {
            return false;
        }
    }

    /** Lists the threads anew, and returns those not seen before. */
    public List<Integer> refresh() {
        List<Integer> born = new ArrayList<>();
        for (int tid : fs.tids(pid)) {
            if (!files.containsKey(tid) && open(tid)) {
                born.add(tid);
            }
        }
        return born;
    }

    public List<Integer> tids() {
        return List.copyOf(files.keySet());
    }

    /** The thread's counters; empty when it has died, and it is then forgotten. */
    public Optional<ThreadCounters> read(int tid) {
        Files of = files.get(tid);
        if (of == null) {
            return Optional.empty();
        }
        try {
            Text text = of.times().read(buffer);
            Optional<SchedStat> times =
                    waits ? SchedStat.parse(text) : ProcStat.parse(text).map(s -> new SchedStat(s.cpuNanos(), 0, 0));
            Optional<ProcStatus.Switches> switches =
                    ProcStatus.switches(of.status().read(buffer));
            if (times.isPresent() && switches.isPresent()) {
                return Optional.of(counters(tid, times.get(), switches.get()));
            }
        } catch (IOException e) {
            // A failed read is the thread's death.
        }
        forget(tid, of);
        return Optional.empty();
    }

    private static ThreadCounters counters(int tid, SchedStat times, ProcStatus.Switches switches) {
        return new ThreadCounters(
                tid,
                switches.name(),
                times.cpuNanos(),
                times.waitNanos(),
                times.slices(),
                switches.voluntary(),
                switches.involuntary());
    }

    private boolean open(int tid) {
        String folder = "proc/" + pid + "/task/" + tid + "/";
        try {
            HotFile times = new HotFile(fs.path(folder + (waits ? "schedstat" : "stat")));
            try {
                files.put(tid, new Files(times, new HotFile(fs.path(folder + "status"))));
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

    private void forget(int tid, Files of) {
        files.remove(tid);
        of.close();
    }

    @Override
    public void close() {
        process.ifPresent(HotFile::close);
        for (Map.Entry<Integer, Files> entry : List.copyOf(files.entrySet())) {
            forget(entry.getKey(), entry.getValue());
        }
    }
}
