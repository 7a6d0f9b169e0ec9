package dev.kiln.importer.format;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * An ImportedRun is what is to be imported as one run.
 *
 * @param recordings flight recordings
 * @param facts what was noted of it elsewhere
 */
public record ImportedRun(
        String variant,
        int run,
        List<LoadSource> loads,
        List<SystemLog> logs,
        List<Path> recordings,
        ImportedFacts facts) {
    public ImportedRun {
        loads = List.copyOf(loads);
        logs = List.copyOf(logs);
        recordings = List.copyOf(recordings);
    }

    /**
     * ImportedFacts are what a lab's own record of results says of a run.
     *
     * @param startSeconds from launch to the first answer
     * @param residentBytes highest under load
     * @param throughput as the lab computed it
     */
    public record ImportedFacts(OptionalDouble startSeconds, OptionalLong residentBytes, OptionalDouble throughput) {
        public static final ImportedFacts NONE =
                new ImportedFacts(OptionalDouble.empty(), OptionalLong.empty(), OptionalDouble.empty());
    }
}
