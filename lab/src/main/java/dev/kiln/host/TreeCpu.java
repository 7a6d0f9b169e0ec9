package dev.kiln.host;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * CPU time of a changing set of processes that never falls.
 *
 * <p>When a process ends, the kernel adds its time to that of the parent which waits for it. If the parent's account of
 * children grew by less than what the dead were last seen with, the rest went elsewhere (to init, or to nobody) and is
 * kept here.
 */
final class TreeCpu {
    private Map<Integer, ProcStat> before = Map.of();
    private long kept;
    private long highest;

    /** Time of all that live, of all that died, in ns. */
    long add(Collection<ProcStat> living) {
        Map<Integer, ProcStat> now = new HashMap<>();
        living.forEach(process -> now.put(process.pid(), process));
        kept += lost(now);
        before = now;
        long sum = kept;
        for (ProcStat process : living) {
            sum += process.cpuNanos() + process.childrenCpuNanos();
        }
        highest = Math.max(highest, sum);
        return highest;
    }

    private long lost(Map<Integer, ProcStat> now) {
        Map<Integer, Long> toAncestor = new HashMap<>();
        for (ProcStat dead : before.values()) {
            if (!lives(dead, now)) {
                toAncestor.merge(survivor(dead, now), dead.cpuNanos() + dead.childrenCpuNanos(), Long::sum);
            }
        }
        long lost = 0;
        for (Map.Entry<Integer, Long> entry : toAncestor.entrySet()) {
            long grown = grown(entry.getKey(), now);
            lost += Math.max(0, entry.getValue() - grown);
        }
        return lost;
    }

    /** The nearest ancestor that still lives, or 0. */
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
        return then == null || today == null ? 0 : today.childrenCpuNanos() - then.childrenCpuNanos();
    }

    private static boolean lives(ProcStat process, Map<Integer, ProcStat> now) {
        ProcStat same = now.get(process.pid());
        return same != null && same.startTicks() == process.startTicks();
    }
}
