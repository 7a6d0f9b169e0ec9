package dev.kiln.model.experiment;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.Target.ReadySign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A StartupSpec says which commands' starts are compared, and how.
 *
 * @param sides the first is the one that the others are compared with
 * @param cold whether the page cache is dropped before each start
 * @param directory where typed commands run
 */
public record StartupSpec(
        List<StartSide> sides, StartEnd end, StartPairs pairs, CpuRequest cpus, boolean cold, Path directory) {
    public StartupSpec {
        sides = List.copyOf(sides);
    }

    /**
     * A StartEnd says when a start is over, and how long it took.
     *
     * @param readiness what ends a start; empty is the end of the process
     * @param number where the program itself says how long it took; empty is the time from launch
     * @param timeout after which a start has failed
     * @param ignoreFailure whether a process may end with any exit code
     */
    public record StartEnd(
            Optional<ReadySign> readiness, Optional<LogNumber> number, Duration timeout, boolean ignoreFailure) {}

    /**
     * StartPairs say how often all start: a pair is one start of each, with more than two commands a round.
     *
     * @param counted pairs without those discarded
     * @param discarded pairs before those that count
     * @param seed of the order within pairs; empty is the order of the commands each time
     */
    public record StartPairs(int counted, int discarded, OptionalLong seed, List<PlannedStart> starts) {
        public StartPairs {
            starts = List.copyOf(starts);
        }
    }

    /** A StartSide is a command, with placeholders, or a file's variant, with its modifiers in words. */
    public record StartSide(String name, List<String> command, Optional<String> modifiers) {
        public StartSide {
            command = List.copyOf(command);
        }

        public StartSide with(List<String> other) {
            return new StartSide(name, other, modifiers);
        }
    }

    /** A LogNumber is a number in a line of output: a regex's first group, with its unit if not behind it. */
    public record LogNumber(String regex, Optional<String> unit) {}

    /** A PlannedStart is one start of a comparison: pair from 1, discarded ones included, side from 0. */
    public record PlannedStart(int pair, int side) {}
}
