package dev.kiln.explain.study;

import dev.kiln.model.run.DensityStudy;
import dev.kiln.stats.ScalabilityFit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a sweep over numbers of connections says.
 *
 * @param density how many processes fit an amount of memory; empty where none was named
 * @param notes what a reader must know to read the figures
 */
public record SweepResult(List<SweepConfiguration> configurations, Optional<Density> density, List<String> notes) {
    public SweepResult {
        configurations = List.copyOf(configurations);
        notes = List.copyOf(notes);
    }

    /**
     * A configuration over all levels of a sweep.
     *
     * @param points by connections
     * @param fit of the universal scalability law to the valid runs
     */
    public record SweepConfiguration(String name, List<SweepPoint> points, ScalabilityFit fit) {
        public SweepConfiguration {
            points = List.copyOf(points);
        }

        /** The level with the highest throughput among the valid ones; with fewer connections where two have the same. */
        public Optional<SweepPoint> best() {
            return points.stream()
                    .filter(SweepPoint::valid)
                    .min(Comparator.comparingDouble((SweepPoint point) -> -point.throughput())
                            .thenComparingInt(SweepPoint::connections));
        }

        /** Of any level. */
        public OptionalLong maxRssBytes() {
            return points.stream()
                    .flatMapToLong(point -> point.maxRssBytes().stream())
                    .max();
        }

        /** Of any level. */
        public OptionalLong maxPssBytes() {
            return points.stream()
                    .flatMapToLong(point -> point.maxPssBytes().stream())
                    .max();
        }
    }

    /**
     * One configuration under the load of so many connections, over its runs.
     *
     * @param runs that were recorded
     * @param validRuns of them; the figures are theirs, or of all runs where none is valid
     * @param throughput mean over the runs of the measuring phase, in requests per second; 0 where nothing was measured
     * @param perRun the same of each run that counts
     * @param bestSecond most requests of any second of that phase
     * @param response of the same phase; empty where no latency was recorded
     * @param startSeconds median, from launch to readiness
     * @param maxRssBytes of any run, from launch to its end
     * @param steadySeconds median over the runs that became steady, from the first request
     * @param steadyRuns runs that became steady before the load's limit
     * @param errors of all phases and runs
     */
    public record SweepPoint(
            int connections,
            int runs,
            int validRuns,
            double throughput,
            double[] perRun,
            OptionalDouble bestSecond,
            Optional<Response> response,
            OptionalDouble startSeconds,
            OptionalLong maxRssBytes,
            OptionalLong maxPssBytes,
            OptionalDouble steadySeconds,
            int steadyRuns,
            long errors) {
        /**
         * Response times in ms. Means are means over the runs, percentiles the runs' median, the highest is that of any run:
         * percentiles of several runs cannot be joined.
         *
         * @param p90 empty where the source has only three quantiles; so are p999 and the mean
         */
        public record Response(
                OptionalDouble mean, double p50, OptionalDouble p90, double p99, OptionalDouble p999, double max) {}

        /** Whether its throughput may be fitted. */
        public boolean valid() {
            return validRuns > 0 && throughput > 0;
        }
    }

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
}
