package dev.kiln.runner;

import dev.kiln.host.LimitedCgroup;
import dev.kiln.host.PinnedProcess;
import dev.kiln.jvm.LaunchCommand;
import java.time.Duration;
import java.util.Optional;

/** A running target, and what was put around it. */
record LaunchedTarget(
        PinnedProcess process, LaunchCommand command, Optional<CompilerFavour> favour, Optional<LimitedCgroup> cgroup) {

    /** Ends it, after at most {@code grace}, and takes away what was put around it. */
    void stop(Duration grace) {
        try {
            favour.ifPresent(CompilerFavour::close);
            process.stop(grace);
        } finally {
            cgroup.ifPresent(LimitedCgroup::close);
        }
    }
}
