package dev.kiln.model.run;

import java.util.List;

/**
 * A DensityStudy says how many processes an amount of memory holds: {@code density.json} beside the runs of a sweep.
 *
 * @param memoryBytes that all processes together may take
 * @param measured processes that really ran together; empty where only one ran at a time
 */
public record DensityStudy(long memoryBytes, List<MeasuredProcess> measured) {
    public DensityStudy {
        measured = List.copyOf(measured);
    }

    /**
     * A MeasuredProcess is a measurement of some processes of one configuration under load together, on the CPUs of one
     * target.
     *
     * @param connections to each process
     * @param seconds that were measured, after the processes had been warmed
     * @param throughput of all together, in requests per second
     * @param rssBytes of all together, at most; pages that they share count as often as they are shared
     * @param pssBytes of all together, at most; 0 where it could not be read
     * @param notes what casts doubt on it
     */
    public record MeasuredProcess(
            String configuration,
            int processes,
            int connections,
            double seconds,
            double throughput,
            long errors,
            long rssBytes,
            long pssBytes,
            List<String> notes) {
        public MeasuredProcess {
            notes = List.copyOf(notes);
        }
    }
}
