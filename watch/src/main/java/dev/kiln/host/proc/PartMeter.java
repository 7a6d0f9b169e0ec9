package dev.kiln.host.proc;

import dev.kiln.host.proc.ProcFs.HotFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A PartMeter reads the CPU use of one part of the lab: a process with its descendants. For use by one thread. */
public final class PartMeter implements Closeable {
    private final ProcFs fs;
    private final int root;
    private final boolean alone;
    private final TreeCpu cpu = new TreeCpu(time -> time);
    private final TreeCpu user = new TreeCpu(ProcStat.CpuTime::user);
    private final TreeCpu system = new TreeCpu(ProcStat.CpuTime::system);
    private final Map<Integer, Member> members = new HashMap<>();
    private final HotFile.Buffer buffer = new HotFile.Buffer();
    private long waitOfTheDead;

    /**
     * A Usage is the time since the part began, in ns.
     *
     * @param cpuNanos in steps of 10 ms
     * @param userNanos of it; where processes end that nobody waits for, this and the next may exceed it by a little
     * @param systemNanos of it, in the kernel
     */
    public record Usage(long cpuNanos, long userNanos, long systemNanos, long waitNanos) {}

    private static final class Member implements Closeable {
        final HotFile stat;
        final WaitMeter waits;
        long waitNanos;

        Member(HotFile stat, WaitMeter waits) {
            this.stat = stat;
            this.waits = waits;
        }

        @Override
        public void close() {
            waits.close();
            stat.close();
        }
    }

    /** @param alone only the process itself: for Kiln, whose children are parts of their own */
    public PartMeter(ProcFs fs, long root, boolean alone) {
        this.fs = fs;
        this.root = (int) root;
        this.alone = alone;
        join(this.root);
    }

    /** Adds the processes that descend from its members. */
    public void join(List<ProcStat> newcomers) {
        boolean grown = !alone;
        while (grown) {
            grown = false;
            for (ProcStat process : newcomers) {
                boolean ours = members.containsKey(process.parent()) && !members.containsKey(process.pid());
                grown |= ours && !process.isDead() && join(process.pid());
            }
        }
    }

    /** Returns how many processes the part consists of. */
    public int size() {
        return members.size();
    }

    /** Returns the use so far; empty when none of its processes is left. */
    public Optional<Usage> read() {
        List<ProcStat> living = new ArrayList<>();
        for (Iterator<Member> each = members.values().iterator(); each.hasNext(); ) {
            Member member = each.next();
            Optional<ProcStat> stat = stat(member);
            if (stat.isPresent()) {
                living.add(alone ? stat.get().withoutChildren() : stat.get());
                member.waitNanos = member.waits.read(stat.get().threads(), buffer);
            } else {
                waitOfTheDead += member.waitNanos;
                each.remove();
                member.close();
            }
        }
        if (living.isEmpty()) {
            return Optional.empty();
        }
        long wait = waitOfTheDead;
        for (Member member : members.values()) {
            wait += member.waitNanos;
        }
        return Optional.of(new Usage(cpu.add(living), user.add(living), system.add(living), wait));
    }

    private boolean join(int pid) {
        try {
            members.put(pid, new Member(new HotFile(fs.path("proc/" + pid + "/stat")), new WaitMeter(fs, pid)));
            return true;
        } catch (IOException e) {
            return false; // it has ended already
        }
    }

    private Optional<ProcStat> stat(Member member) {
        try {
            return ProcStat.parse(member.stat.read(buffer)).filter(stat -> !stat.isDead());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        members.values().forEach(Member::close);
        members.clear();
    }

    /**
     * TreeCpu is the CPU time of a changing set of processes, which never falls.
     *
     * <p>When a process ends, the kernel adds its time to that of the parent which waits for it. If the parent's time
     * of children grew by less than the last known time of the dead, the rest went to init or to nobody, and is kept
     * here.
     */
    static final class TreeCpu {
        private final UnaryOperator<ProcStat.CpuTime> counted;
        private Map<Integer, ProcStat> before = Map.of();
        private long kept;
        private long highest;

        /** @param counted what of a process's time */
        TreeCpu(UnaryOperator<ProcStat.CpuTime> counted) {
            this.counted = counted;
        }

        /** Returns the time of all processes, living and dead, in ns. */
        long add(Collection<ProcStat> living) {
            Map<Integer, ProcStat> now = new HashMap<>();
            living.forEach(process -> now.put(process.pid(), process));
            kept += lost(now);
            before = now;
            long sum = kept;
            for (ProcStat process : living) {
                sum += counted.apply(process.cpu()).nanos();
            }
            highest = Math.max(highest, sum);
            return highest;
        }

        private long lost(Map<Integer, ProcStat> now) {
            Map<Integer, Long> toAncestor = new HashMap<>();
            for (ProcStat dead : before.values()) {
                if (!lives(dead, now)) {
                    toAncestor.merge(
                            survivor(dead, now), counted.apply(dead.cpu()).nanos(), Long::sum);
                }
            }
            long lost = 0;
            for (Map.Entry<Integer, Long> entry : toAncestor.entrySet()) {
                long grown = grown(entry.getKey(), now);
                lost += Math.max(0, entry.getValue() - grown);
            }
            return lost;
        }

        /** Returns the nearest ancestor that still lives, or 0. */
        private int survivor(ProcStat dead, Map<Integer, ProcStat> now) {
            ProcStat parent = before.get(dead.parent());
            while (parent != null && !lives(parent, now)) {
                parent = before.get(parent.parent());
            }
            return parent == null ? 0 : parent.pid();
        }

        private long grown(int pid, Map<Integer, ProcStat> now) {
            ProcStat then = before.get(pid);
            ProcStat today = now.get(pid);
            return then == null || today == null
                    ? 0
                    : counted.apply(today.cpu()).childrenNanos()
                            - counted.apply(then.cpu()).childrenNanos();
        }

        private static boolean lives(ProcStat process, Map<Integer, ProcStat> now) {
            ProcStat same = now.get(process.pid());
            return same != null && same.startTicks() == process.startTicks();
        }
    }

    /** A WaitMeter sums how long the threads of one process waited for a CPU, including threads that have died. */
    private static final class WaitMeter implements Closeable {
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

        /**
         * @param count number of threads that the process has now. The threads are listed again only if it has changed
         */
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
                    thread.waitNanos = ProcStat.Sched.parse(thread.file.read(buffer))
                            .map(ProcStat.Sched::waitNanos)
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
                        threads.put(tid, new Waiting(new HotFile(fs.taskPath(pid, tid, "schedstat"))));
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

    /**
     * A Census finds the processes that are new since the last look. One look at each is enough, because a process that
     * does not descend from ours never will. A desktop has hundreds of them. For use by one thread.
     */
    public static final class Census {
        private final ProcFs fs;
        private Set<Integer> seen = Set.of();

        public Census(ProcFs fs) {
            this.fs = fs;
        }

        /** Returns all processes at the first call, then the new ones. */
        public List<ProcStat> newcomers() {
            List<ProcStat> newcomers = new ArrayList<>();
            Set<Integer> present = new HashSet<>();
            for (int pid : fs.pids()) {
                present.add(pid);
                if (!seen.contains(pid)) {
                    fs.stat(pid).ifPresent(newcomers::add);
                }
            }
            seen = present;
            return newcomers;
        }
    }
}
