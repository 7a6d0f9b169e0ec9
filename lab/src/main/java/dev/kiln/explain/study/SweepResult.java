package dev.kiln.explain.study;

import dev.kiln.model.run.DensityStudy;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.ScalabilityFit;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import dev.kiln.stats.Student;
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
        private static final int LEAST_DF = 2;

        /** Coefficients of the law. */
        private static final int LAW = 3;

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

        /**
         * Numbers of connections whose throughput is not told from that of the best level: by the differences between runs of
         * one level, else by how they scatter around the law; where neither is known, all others. Each has a share of the error.
         * One that is a lower bound is never told from it.
         */
        public List<Integer> notToldFromBest(double confidence) {
            Optional<SweepPoint> best = best();
            List<SweepPoint> others = points.stream()
                    .filter(SweepPoint::valid)
                    .filter(point -> best.filter(point::equals).isEmpty())
                    .toList();
            Optional<Scatter> scatter = scatter();
            return others.stream()
                    .filter(point -> point.lowerBound()
                            || scatter.map(known -> known.reach(point, best.orElseThrow(), confidence, others.size()))
                                    .filter(reach -> best.orElseThrow().throughput() - point.throughput() > reach)
                                    .isEmpty())
                    .map(SweepPoint::connections)
                    .toList();
        }

        /** Of one run, in requests per second. */
        private record Scatter(double sd, double df) {
            double reach(SweepPoint one, SweepPoint other, double confidence, int comparisons) {
                return Student.quantile(1 - (1 - confidence) / 2 / comparisons, df)
                        * sd
                        * Math.sqrt(1.0 / one.perRun().length + 1.0 / other.perRun().length);
            }
        }

        private Optional<Scatter> scatter() {
            List<double[]> repeated = points.stream()
                    .filter(SweepPoint::valid)
                    .map(SweepPoint::perRun)
                    .filter(runs -> runs.length > 1)
                    .toList();
            int df = repeated.stream().mapToInt(runs -> runs.length - 1).sum();
            if (df >= LEAST_DF) {
                double squares = repeated.stream()
                        .mapToDouble(runs -> Descriptive.sampleVariance(runs) * (runs.length - 1))
                        .sum();
                return Optional.of(new Scatter(Math.sqrt(squares / df), df));
            }
            return fit instanceof UniversalScalability law && law.points() - LAW >= LEAST_DF
                    ? Optional.of(new Scatter(law.residualSd(), law.points() - LAW))
                    : Optional.empty();
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
     * @param throughput mean over the runs of the peak, in requests per second; 0 where nothing was measured
     * @param perRun the same of each run that counts
     * @param lowerBound whether the peak of one of them is at least that high, and may be higher
     * @param bestSecond most requests of any second of the measuring phase, or of the last round of a search
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
            boolean lowerBound,
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
