package dev.kiln.host;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The processes of the machine that are new since the last look. A process that descends from none of ours never will, so
 * looking at each once is enough; a desktop has hundreds. For use by one thread.
 */
public final class ProcessCensus {
    private final ProcFs fs;
    private Set<Integer> seen = Set.of();

    public ProcessCensus(ProcFs fs) {
        this.fs = fs;
    }

    /** All of them at the first call. */
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
