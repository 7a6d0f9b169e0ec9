package dev.kiln.host.process;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.ProcStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A ProcessTree is a child with its descendants, with all processes of its session or process group, and with all that
 * inherited its mark: a daemon leaves its parent and its session.
 *
 * <p>Pids are reused, and killing a stranger is worse than leaving an orphan. So the child must have its known start
 * time. Once the child is gone, a member must have the mark in its environment.
 */
public final class ProcessTree {
    /** Environment variable of every child, naming the Kiln that made it, then a slash and the child's number. */
    static final String MARK = "KILN_OWNER";

    private static final long POLL_NANOS = 10_000_000;

    private final ProcFs fs;
    private final int root;
    private final long startTicks;
    private final String mark;

    /** @param owner the child's mark, or that of a Kiln, which all of its children have */
    ProcessTree(ProcFs fs, int root, long startTicks, String owner) {
        this.fs = fs;
        this.root = root;
        this.startTicks = startTicks;
        this.mark = MARK + "=" + owner;
    }

    /** Returns the members among {@code all}, parents before their children. */
    static List<ProcStat> members(Collection<ProcStat> all, int root, long startTicks, Predicate<ProcStat> marked) {
        boolean led = all.stream().anyMatch(process -> process.pid() == root && process.startTicks() == startTicks);
        Set<Integer> own = all.stream().filter(marked).map(ProcStat::pid).collect(Collectors.toSet());
        Set<Integer> pids = new HashSet<>();
        List<ProcStat> members = new ArrayList<>();
        boolean grown = true;
        while (grown) {
            grown = false;
            for (ProcStat process : all) {
                boolean near =
                        process.family().session() == root || process.family().group() == root;
                boolean member = pids.contains(process.parent())
                        || own.contains(process.pid())
                        || (led && (near || process.pid() == root));
                if (member && pids.add(process.pid())) {
                    members.add(process);
                    grown = true;
                }
            }
        }
        return members;
    }

    /** Returns the pid of the child itself. */
    int root() {
        return root;
    }

    /** Returns the members that still run. */
    List<ProcStat> living() {
        List<ProcStat> all = new ArrayList<>();
        for (int pid : fs.pids()) {
            fs.stat(pid).ifPresent(all::add);
        }
        return members(all, root, startTicks, this::isMarked).stream()
                .filter(process -> !process.isDead())
                .toList();
    }

    TreeUsage usage() {
        return TreeUsage.of(fs, living());
    }

    void signal(Signal signal) {
        living().forEach(process -> signal.send(process.pid()));
    }

    void signalRoot(Signal signal) {
        if (rootLives()) {
            signal.send(root);
        }
    }

    /** Waits until no member runs any more. */
    void awaitEnd(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (rootLives() || !living().isEmpty()) {
            if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
                return;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Kills until none is left: a process may have made another one in the meantime. */
    void kill() {
        for (int i = 0; i < 100; i++) {
            List<ProcStat> living = living();
            if (living.isEmpty()) {
                return;
            }
            living.forEach(process -> ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly));
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private boolean rootLives() {
        return fs.isAlive(root, startTicks);
    }

    private boolean isMarked(ProcStat process) {
        String environment = fs.text("proc/" + process.pid() + "/environ").orElse("");
        String variables = "\0" + environment;
        return variables.contains("\0" + mark + "\0") || variables.contains("\0" + mark + "/");
    }

    /** A TreeUsage has a process tree's CPU time and memory; shared pages count for each process. */
    public record TreeUsage(long rssBytes, long cpuNanos) {
        static TreeUsage of(ProcFs fs, Iterable<ProcStat> processes) {
            long rss = 0;
            long cpu = 0;
            for (ProcStat process : processes) {
                rss += fs.text("proc/" + process.pid() + "/status")
                        .map(ProcStatus::rssBytes)
                        .orElse(0L);
                cpu += Math.max(process.cpu().ownNanos(), ofLivingThreads(fs, process.pid()))
                        + process.cpu().childrenNanos();
            }
            return new TreeUsage(rss, cpu);
        }

        /** Returns a time exact to the ns, without threads that ended; the process's own has steps of 10 ms. */
        private static long ofLivingThreads(ProcFs fs, int pid) {
            long sum = 0;
            for (int tid : fs.tids(pid)) {
                sum += fs.taskText(pid, tid, "schedstat")
                        .flatMap(ProcStat.Sched::parse)
                        .map(ProcStat.Sched::cpuNanos)
                        .orElse(0L);
            }
            return sum;
        }
    }
}
