package dev.kiln.recorder;

import dev.kiln.host.ProcFs;
import dev.kiln.host.ProcStat;
import java.util.Optional;

/** The process that is watched, as long as it is the same: its pid may be given to another after its death. */
final class RecorderTarget {
    private final ProcFs fs;
    private final long pid;
    private final long startTicks;
    private volatile boolean ended;

    RecorderTarget(ProcFs fs, long pid) {
        this.fs = fs;
        this.pid = pid;
        this.startTicks = fs.stat(pid).map(ProcStat::startTicks).orElse(-1L);
    }

    /** Empty, and so for good, once it has died. */
    Optional<ProcStat> read() {
        Optional<ProcStat> stat =
                ended ? Optional.empty() : fs.stat(pid).filter(s -> !s.isDead() && s.startTicks() == startTicks);
        ended = stat.isEmpty();
        return stat;
    }

    boolean hasEnded() {
        return ended;
    }
}
