package dev.kiln.explain;

import dev.kiln.model.DensityStudy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Processes that fit an amount of memory, and their throughputs added up: theory, for processes share CPUs, caches and a
 * database, and what one of them served it served alone.
 *
 * @param verified what so many processes served together, where they were started
 */
public record Density(long memoryBytes, List<Theory> theory, List<DensityStudy.Measured> verified) {
    public Density {
        theory = List.copyOf(theory);
        verified = List.copyOf(verified);
    }

    /** What a process is counted by. */
    public enum By {
        RSS,
        PSS
    }

    /**
     * One configuration by one measure of memory.
     *
     * @param bytes of one process, at most
     * @param connections of the level with the highest throughput
     * @param throughput of one process there
     * @param shareOfFirst summed throughput over the first configuration's by the same measure; 0 where that is 0
     */
    public record Theory(
            String configuration,
            By by,
            long bytes,
            long processes,
            int connections,
            double throughput,
            double summed,
            double shareOfFirst) {}

    static Density of(List<SweepConfiguration> configurations, DensityStudy study) {
        List<Theory> rows = new ArrayList<>();
        for (By by : By.values()) {
            double first = 0;
            for (SweepConfiguration one : configurations) {
                OptionalLong bytes = by == By.RSS ? one.maxRssBytes() : one.maxPssBytes();
                if (bytes.isEmpty() || bytes.getAsLong() <= 0 || one.best().isEmpty()) {
                    continue;
                }
                SweepPoint best = one.best().get();
                long processes = study.memoryBytes() / bytes.getAsLong();
                double summed = processes * best.throughput();
                first = first == 0 ? summed : first;
                rows.add(new Theory(
                        one.name(),
                        by,
                        bytes.getAsLong(),
                        processes,
                        best.connections(),
                        best.throughput(),
                        summed,
                        first == 0 ? 0 : summed / first));
            }
        }
        return new Density(study.memoryBytes(), rows, study.measured());
    }
}
