package dev.kiln.host;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one part of the lab, a process with its descendants, took of the CPUs. For use by one thread. */
public final class PartMeter implements Closeable {
    private final ProcFs fs;
    private final int root;
    private final boolean alone;
    private final TreeCpu cpu = new TreeCpu();
    private final Map<Integer, Member> members = new HashMap<>();
    private final HotFile.Buffer buffer = new HotFile.Buffer();
    private long waitOfTheDead;

    /**
     * Time since the part began, in ns.
     *
     * @param cpuNanos in steps of 10 ms
     */
    public record Usage(long cpuNanos, long waitNanos) {}

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

    /** Takes in those that descend from its members. */
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

    /** How many processes it consists of. */
    public int size() {
        return members.size();
    }

    /** Empty when none of its processes is left. */
    public Optional<Usage> read() {
        List<ProcStat> living = new ArrayList<>();
        for (Iterator<Member> each = members.values().iterator(); each.hasNext(); ) {
            Member member = each.next();
            Optional<ProcStat> stat = stat(member);
            if (stat.isPresent()) {
                living.add(alone ? withoutChildren(stat.get()) : stat.get());
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
        return Optional.of(new Usage(cpu.add(living), wait));
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

    private static ProcStat withoutChildren(ProcStat s) {
        return new ProcStat(
                s.pid(),
                s.name(),
                s.state(),
                s.parent(),
                s.group(),
                s.session(),
                s.cpuNanos(),
                0,
                s.nice(),
                s.threads(),
                s.startTicks());
    }

    @Override
    public void close() {
        members.values().forEach(Member::close);
        members.clear();
    }
}
