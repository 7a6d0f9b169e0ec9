package dev.kiln.host;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** How long the threads of one process waited for a CPU; what the dead waited stays counted. */
final class WaitMeter implements Closeable {
    private final ProcFs fs;
    private final int pid;
    private final Map<Integer, Waiting> threads = new HashMap<>();
    private long ofTheDead;

    private static final class Waiting {
        final HotFile file;
        long waitNanos;

        Waiting(HotFile file) {
            this.file = file;
        }
    }

    WaitMeter(ProcFs fs, int pid) {
        this.fs = fs;
        this.pid = pid;
    }

    /** @param count of threads the process has now: the threads are listed anew only when it does not fit */
    long read(int count, HotFile.Buffer buffer) {
        boolean died = readAll(buffer);
        if (died || threads.size() != count) {
            list();
            readAll(buffer);
        }
        long sum = ofTheDead;
        for (Waiting thread : threads.values()) {
            sum += thread.waitNanos;
        }
        return sum;
    }

    private boolean readAll(HotFile.Buffer buffer) {
        boolean died = false;
        for (Iterator<Waiting> each = threads.values().iterator(); each.hasNext(); ) {
            Waiting thread = each.next();
            try {
                thread.waitNanos = SchedStat.parse(thread.file.read(buffer))
                        .map(SchedStat::waitNanos)
                        .orElse(thread.waitNanos);
            } catch (IOException e) {
                died = true;
                ofTheDead += thread.waitNanos;
                each.remove();
                thread.file.close();
            }
        }
        return died;
    }

    private void list() {
        for (int tid : fs.tids(pid)) {
            if (!threads.containsKey(tid)) {
                try {
                    threads.put(tid, new Waiting(new HotFile(fs.path("proc/" + pid + "/task/" + tid + "/schedstat"))));
                } catch (IOException e) {
                    // Born and dead between the list and here.
                }
            }
        }
    }

    @Override
    public void close() {
        threads.values().forEach(thread -> thread.file.close());
        threads.clear();
    }
}
