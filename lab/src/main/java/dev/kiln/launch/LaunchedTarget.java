package dev.kiln.launch;

import dev.kiln.host.PinnedProcess;
import dev.kiln.jvm.LaunchCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A running target, with the cgroup or container around it.
 *
 * @param around is removed when the process has ended
 * @param notes on how it was launched
 */
public record LaunchedTarget(
        PinnedProcess process,
        LaunchCommand command,
        Optional<CompilerFavour> favour,
        Optional<Around> around,
        List<String> notes) {

    /** A cgroup, a container. */
    public interface Around extends AutoCloseable {
        @Override
        void close();
    }

    public LaunchedTarget {
        notes = List.copyOf(notes);
    }

    /** Ends it after at most {@code grace}, and removes what is around it. */
    public void stop(Duration grace) {
        try {
            favour.ifPresent(CompilerFavour::close);
            process.stop(grace);
        } finally {
            around.ifPresent(Around::close);
        }
    }
}
