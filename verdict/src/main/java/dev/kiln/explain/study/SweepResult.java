package dev.kiln.explain.study;

import dev.kiln.model.run.DensityStudy;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.ScalabilityFit;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import dev.kiln.stats.Student;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A SweepResult is what a sweep over connections says; density is empty where no memory was named. */
public record SweepResult(List<SweepConfiguration> configurations, Optional<Density> density, List<String> notes) {
    public SweepResult {
        configurations = List.copyOf(configurations);
        notes = List.copyOf(notes);
    }

    /** Returns the sentence the sweep ends in. */
    String conclusion(AnalysisConfig config) {
        return configurations.stream().map(one -> one.conclusion(config)).collect(Collectors.joining("; ")) + ".";
    }

    /** A SweepConfiguration has its points by connections, and the fit of the scalability law to them. */
    public record SweepConfiguration(String name, List<SweepPoint> points, ScalabilityFit fit) {
        public SweepConfiguration {
            points = List.copyOf(points);
        }

        /** Returns the valid level with the highest throughput, of two alike that with fewer connections. */
        public Optional<SweepPoint> best() {
            return points.stream()
                    .filter(SweepPoint::valid)
                    .min(Comparator.comparingDouble(
                                    (SweepPoint point) -> -point.throughput().mean())
                            .thenComparingInt(SweepPoint::connections));
        }

        /**
         * Returns the numbers of connections whose throughput cannot be distinguished from that of the best level; all
         * others where it is not known how much runs differ. One that is a lower bound can never be. The best level is
         * the highest of all, so each pair of levels has a share of the error (Bonferroni).
         */
        public List<Integer> notToldFromBest(double confidence) {
            Optional<SweepPoint> best = best();
            List<SweepPoint> others = points.stream()
                    .filter(SweepPoint::valid)
                    .filter(point -> best.filter(top -> top.connections() == point.connections())
                            .isEmpty())
                    .toList();
            Optional<Scatter> scatter = scatter();
            double pairs = (others.size() + 1) * others.size() / 2.0;
            return others.stream()
                    .filter(point -> point.throughput().lowerBound()
                            || scatter.filter(known ->
                                            known.tells(best.orElseThrow(), point, 1 - (1 - confidence) / pairs))
                                    .isEmpty())
                    .map(SweepPoint::connections)
                    .toList();
        }

        /** Returns how much runs differ at each level, else around the law; empty where neither is known. */
        public Optional<Scatter> scatter() {
            List<double[]> repeated = counted()
                    .map(point -> point.throughput().perRun())
                    .filter(runs -> runs.length > 1)
                    .map(runs -> Arrays.stream(runs).map(Math::log).toArray())
                    .toList();
            int df = repeated.stream().mapToInt(runs -> runs.length - 1).sum();
            // Runs of a low level alone do not tell how those of a high one differ.
            if (df >= Scatter.LEAST_DF && 2L * repeated.size() > counted().count()) {
                double squares = repeated.stream()
                        .mapToDouble(runs -> Descriptive.sampleVariance(runs) * (runs.length - 1))
                        .sum();
                return Optional.of(new Scatter(Math.sqrt(squares / df), df, true));
            }
            return fit instanceof UniversalScalability law && law.df() >= Scatter.LEAST_DF
                    ? Optional.of(new Scatter(law.residualSd(), law.df(), false))
                    : Optional.empty();
        }

        /** Returns the levels whose throughput is known, and not only a lower bound. */
        private Stream<SweepPoint> counted() {
            return points.stream()
                    .filter(point -> point.valid() && !point.throughput().lowerBound());
        }

        /** Returns the highest resident set of any level, as a process must fit under every load. */
        public OptionalLong maxRssBytes() {
            return points.stream()
                    .flatMapToLong(point -> point.memory().maxRssBytes().stream())
                    .max();
        }

        /** Returns the highest proportional set of any level; empty where it was not recorded. */
        public OptionalLong maxPssBytes() {
            return points.stream()
                    .flatMapToLong(point -> point.memory().maxPssBytes().stream())
                    .max();
        }

        private String conclusion(AnalysisConfig config) {
            if (best().isEmpty()) {
                return name + " has no valid run";
            }
            SweepPoint best = best().get();
            SweepPoint last = points.getLast();
            List<Integer> alike = notToldFromBest(config.confidence());
            String most = String.format(
                    Locale.ROOT,
                    "%s served most with %d connection%s, %s%,.0f req/s",
                    name,
                    best.connections(),
                    best.connections() == 1 ? "" : "s",
                    best.throughput().lowerBound() ? "at least " : "",
                    best.throughput().mean());
            boolean fell =
                    last.valid() && last.connections() > best.connections() && !alike.contains(last.connections());
            String then = fell && !best.throughput().lowerBound()
                    ? String.format(
                            Locale.ROOT,
                            ", and %.0f %% of that with %d",
                            100 * last.throughput().mean() / best.throughput().mean(),
                            last.connections())
                    : "";
            List<String> reserved = Stream.of(alike(alike), law())
                    .filter(text -> !text.isEmpty())
                    .toList();
            return most + then + (reserved.isEmpty() ? "" : " (" + String.join("; ", reserved) + ")");
        }

        private String alike(List<Integer> alike) {
            if (alike.isEmpty()) {
                return "";
            }
            return scatter().isEmpty()
                    ? "so few runs do not show which levels differ"
                    : alike.stream().map(String::valueOf).collect(Collectors.joining(", "))
                            + " connections are not shown to differ from that";
        }

        private String law() {
            if (fit instanceof UniversalScalability law && law.plateauTold().isPresent()) {
                return String.format(
                        Locale.ROOT,
                        "a plateau from %.0f connections on",
                        Math.ceil(law.plateauTold().get().connections() - 1e-6));
            }
            return fit instanceof UniversalScalability law && law.peakTold()
                    ? String.format(
                            Locale.ROOT,
                            "the scalability law's peak: %.0f, between %.0f and %.0f",
                            law.peak().orElseThrow().connections(),
                            law.peakRange().lo(),
                            law.peakRange().hi().orElseThrow())
                    : "";
        }
    }

    /** A Scatter is the standard deviation of a level's runs, of logarithms where relative. */
    public record Scatter(double sd, int df, boolean relative) {
        private static final int LEAST_DF = 2;

        boolean tells(SweepPoint best, SweepPoint other, double confidence) {
            double gap = relative
                    ? Math.log(best.throughput().mean() / other.throughput().mean())
                    : best.throughput().mean() - other.throughput().mean();
            double error = sd
                    * Math.sqrt(1.0 / best.throughput().perRun().length
                            + 1.0 / other.throughput().perRun().length);
            return gap > Student.quantile(0.5 + confidence / 2, df) * error;
        }
    }

    /** A SweepPoint is one configuration under so many connections; response and start are of its runs. */
    public record SweepPoint(
            int connections,
            PointRuns runs,
            PointThroughput throughput,
            Optional<Response> response,
            OptionalDouble startSeconds,
            PointMemory memory,
            PointSteadiness steady) {
        /** PointRuns count the recorded and valid runs of a level; errors are those of all phases and runs. */
        public record PointRuns(int recorded, int valid, long errors) {}

        /**
         * A PointThroughput is in requests per second.
         *
         * @param mean of the runs' peaks; 0 where nothing was measured
         * @param perRun the peak of each run that counts: of those whose peak was found, where there are such
         * @param lowerBound whether no run found its peak: it is at least that high
         * @param bestSecond most requests of any second of the measuring phase, or of the last round of a search
         */
        public record PointThroughput(double mean, double[] perRun, boolean lowerBound, OptionalDouble bestSecond) {}

        /** A PointMemory is the most that any run took, from launch to its end. */
        public record PointMemory(OptionalLong maxRssBytes, OptionalLong maxPssBytes) {}

        /** A PointSteadiness is the median of seconds from the first request, over the runs that became steady. */
        public record PointSteadiness(OptionalDouble seconds, int runs) {}

        /**
         * A Response is response times in ms. Means are means over the runs, percentiles the runs' median, the highest
         * is that of any run: percentiles of several runs cannot be joined.
         *
         * @param p90 empty where the source has only three quantiles; so are p999 and the mean
         */
        public record Response(
                OptionalDouble mean, double p50, OptionalDouble p90, double p99, OptionalDouble p999, double max) {}

        /** Tells whether the throughput of this level may be fitted. */
        public boolean valid() {
            return runs.valid() > 0 && throughput.mean() > 0;
        }
    }

    /**
     * A Density is the processes that fit an amount of memory, and their throughputs added up: theory, for processes
     * share CPUs, caches and a database, and what one of them served it served alone.
     *
     * @param verified what so many processes served together, where they were started
     */
    public record Density(long memoryBytes, List<Theory> theory, List<DensityStudy.MeasuredProcess> verified) {
        public Density {
            theory = List.copyOf(theory);
            verified = List.copyOf(verified);
        }

        /** A By is the measure of memory that a process is counted by: its resident set, or its proportional set. */
        public enum By {
            RSS,
            PSS
        }

        /**
         * A Theory is one configuration by one measure of memory.
         *
         * @param bytes of one process, at most
         * @param best the level with the highest throughput of one process
         * @param shareOfFirst summed throughput over the first configuration's by the same measure; empty where one of the two is
         *     a lower bound
         */
        public record Theory(
                String configuration,
                By by,
                long bytes,
                long processes,
                SweepPoint best,
                double summed,
                OptionalDouble shareOfFirst) {}

        static Density of(List<SweepConfiguration> configurations, DensityStudy study) {
            List<Theory> rows = new ArrayList<>();
            for (By by : By.values()) {
                Optional<Theory> first = Optional.empty();
                for (SweepConfiguration one : configurations) {
                    OptionalLong bytes = by == By.RSS ? one.maxRssBytes() : one.maxPssBytes();
                    if (bytes.isEmpty() || bytes.getAsLong() <= 0 || one.best().isEmpty()) {
                        continue;
                    }
                    SweepPoint best = one.best().get();
                    long processes = study.memoryBytes() / bytes.getAsLong();
                    double summed = processes * best.throughput().mean();
                    Optional<Double> base = first.isEmpty()
                            ? Optional.of(summed)
                            : first.filter(f -> !f.best().throughput().lowerBound())
                                    .map(Theory::summed);
                    Theory row = new Theory(
                            one.name(),
                            by,
                            bytes.getAsLong(),
                            processes,
                            best,
                            summed,
                            base.filter(of -> of > 0 && !best.throughput().lowerBound())
                                    .map(of -> OptionalDouble.of(summed / of))
                                    .orElse(OptionalDouble.empty()));
                    first = first.or(() -> Optional.of(row));
                    rows.add(row);
                }
            }
            return new Density(study.memoryBytes(), rows, study.measured());
        }
    }
}
