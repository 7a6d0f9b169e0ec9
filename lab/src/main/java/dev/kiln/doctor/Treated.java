package dev.kiln.doctor;

import dev.kiln.host.ProcFs;
import dev.kiln.host.ProcStat;

/**
 * The process that a remedy is for, as another Kiln can find it again.
 *
 * @param startTicks since boot: with the pid, names a process for good
 * @param nice of its compilers before the remedy
 */
record Treated(long pid, long startTicks, int nice) {
    static Treated of(ProcFs fs, long pid) {
        return fs.stat(pid)
                .map(stat -> new Treated(pid, stat.startTicks(), CompilerNice.now(fs, pid)))
                .orElse(new Treated(pid, -1, 0));
    }

    boolean lives(ProcFs fs) {
        return fs.stat(pid)
                .filter((ProcStat stat) -> !stat.isDead() && stat.startTicks() == startTicks)
                .isPresent();
    }
}
