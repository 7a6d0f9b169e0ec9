package dev.kiln.explain;

import dev.kiln.explain.window.LoadSeries;
import dev.kiln.model.load.Latency.Beginning;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Sending.Slo;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Course.Unserved;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Ending;
import dev.kiln.stats.series.Noise;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * ResponseTimes say how fast a service answered while it warmed up, in a run with a rate or with a latency to keep.
 * Where all that is offered is served, throughput shows no peak, and response times show the warm-up.
 *
 * @param drainedSeconds until no request waited to be sent, for good, since the first request; empty where some still did at
 *     the end of the warm-up, and where that is not known
 * @param p99 of each second; empty where a second has under 100 requests, whose 99th percentile is their slowest
 */
public record ResponseTimes(
        Offer offering,
        OptionalDouble drainedSeconds,
        Optional<Settled> p50,
        Optional<Settled> p99,
        List<First> beginnings,
        Optional<Kept> kept) {
    /** Speeds are multiplied by this, so that the analysis does not join seconds of few requests. */
    private static final double SCALE = 1e15;

    private static final double TWICE = 2;
    private static final int LEAST_FOR_P99 = 100;

    public ResponseTimes {
        beginnings = List.copyOf(beginnings);
    }

    /**
     * An Offer is what a service was offered, and whether it served it.
     *
     * @param rate requests per second; empty in the closed loop
     * @param words what was offered, where the load has no rate of its own: a recording, of which the rate is the mean
     *     before the pause, or users who think
     * @param served when it was served
     * @param unserved of all loads; empty where the generator does not tell
     */
    public record Offer(OptionalDouble rate, Optional<String> words, OfferServed served, Optional<Unserved> unserved) {}

    public OptionalDouble rate() {
        return offering.rate;
    }

    /** Returns what was offered, in words, where the load has no rate of its own. */
    public Optional<String> offer() {
        return offering.words;
    }

    public Optional<Unserved> unserved() {
        return offering.unserved;
    }

    /** An OfferServed is when a run served all that it was offered. */
    public enum OfferServed {
        /** It was served at the end of the warm-up, and in the load after the pause if there was one. */
        ALWAYS,
        /** It was served in the load after the pause alone: the peak may be higher than that. */
        AFTER_PAUSE,
        NEVER
    }

    /**
     * A Settled is when a percentile of response times came to its level.
     *
     * @param levelMillis of the load after the pause; without one, of the warm-up's end
     * @param ofMeasured whether it is the former
     * @param time until it was within 11 % of that (the level is 90 % of it), since the first request
     * @param twiceSeconds how many seconds of the warm-up were above twice the level
     */
    public record Settled(
            int percentile, Estimate levelMillis, boolean ofMeasured, TimeToPeak time, double twiceSeconds) {}

    /** A First is the load's first seconds; p99Millis counts the unanswered as slowest, and may be infinite. */
    public record First(int seconds, double p99Millis) {}

    /**
     * A Kept is how well a latency to keep was kept.
     *
     * @param metFrom since when it was kept in all but a few seconds; like a time to a peak, with its interval
     * @param missedAfter seconds from then on in which it was not
     * @param requestsBeyond that were slower or failed, in the warm-up
     */
    public record Kept(Slo slo, TimeToPeak metFrom, long missedAfter, long requestsBeyond) {}

    /** Reads the response times of a run; empty where neither a rate nor a latency was asked for. */
    static Optional<ResponseTimes> of(
            RunEvidence evidence, List<LoadSeries> warmup, List<LoadSeries> measuring, AnalysisConfig config) {
        LoadSpec load = evidence.info().load();
        boolean asked = load.offeredRate().isPresent() || load.slo().isPresent();
        if (!asked || warmup.isEmpty() || warmup.getFirst().bins() == 0) {
            return Optional.empty();
        }
        return Optional.of(new Reader(evidence, warmup, measuring, config).read());
    }

    public boolean allServed() {
        return offering.served == OfferServed.ALWAYS;
    }

    /** Returns in words why a run whose rate was served has no peak. */
    public String whyNoPeak() {
        return offered() + " were served, so the peak is higher and was not seen";
    }

    /** Returns all that was offered, in words. */
    public String offered() {
        return offering.words.orElseGet(
                () -> String.format(Locale.ROOT, "all %.0f requests per second offered", rate().orElse(0)));
    }

    /** Returns the higher percentile that is known of each second. */
    public Optional<Settled> settled() {
        return p99.or(() -> p50);
    }

    /** A Reader computes all of it from the evidence. */
    private record Reader(
            RunEvidence evidence, List<LoadSeries> warmup, List<LoadSeries> measuring, AnalysisConfig config) {
        ResponseTimes read() {
            RunInfo info = evidence.info();
            OfferedLoad offered = new OfferedLoad(evidence, config.delta());
            OptionalDouble rate = offered.rate(warmup);
            boolean after = !measuring.isEmpty() && offered.served(measuring.getLast(), 1);
            int end = Math.max(0, warmup.getLast().bins() - config.end().leastEndBins());
            OfferServed served = offered.served(warmup.getLast(), end) && (after || measuring.isEmpty())
                    ? OfferServed.ALWAYS
                    : after ? OfferServed.AFTER_PAUSE : OfferServed.NEVER;
            return new ResponseTimes(
                    new Offer(rate, offered.words(rate.orElse(0)), served, unserved(info.phases())),
                    rate.isPresent() && !info.imported() ? drained(info.load().inFlight()) : OptionalDouble.empty(),
                    settled(50, LatencyInterval::p50Nanos),
                    perSecond() < LEAST_FOR_P99 ? Optional.empty() : settled(99, LatencyInterval::p99Nanos),
                    evidence.latency().beginnings().stream().map(this::first).toList(),
                    info.load().slo().map(this::kept));
        }

        private double perSecond() {
            return warmup.getLast().bins() == 0
                    ? 0
                    : Arrays.stream(warmup.getLast().completed()).average().orElse(0);
        }

        private static Optional<Unserved> unserved(List<PhaseTime> phases) {
            return phases.stream().flatMap(phase -> phase.unserved().stream()).reduce(Unserved::plus);
        }

        /** Returns the seconds until no request waited to be sent beyond those that may be on their way. */
        private OptionalDouble drained(int inFlight) {
            Set<String> names = names(warmup);
            List<LoadBin> bins = evidence.load().stream()
                    .filter(bin -> names.contains(bin.phase()))
                    .toList();
            if (bins.isEmpty() || bins.getLast().backlog() > inFlight) {
                return OptionalDouble.empty();
            }
            double waited = 0;
            for (LoadBin bin : bins) {
                if (bin.backlog() > inFlight) {
                    waited = (bin.endNanos() - bins.getFirst().startNanos()) / 1e9;
                }
            }
            return OptionalDouble.of(waited);
        }

        private static Set<String> names(List<LoadSeries> loads) {
            return loads.stream().map(LoadSeries::phase).collect(Collectors.toSet());
        }

        /** Applies the estimator of the time to the peak to speeds: what takes twice as long is half as fast. */
        private Optional<Settled> settled(int percentile, ToLongFunction<LatencyInterval> nanos) {
            double[] speeds = speeds(warmup, nanos);
            double[] after = measuring.isEmpty() ? new double[0] : speeds(measuring.subList(0, 1), nanos);
            SeriesAnalysis series =
                    SeriesAnalyser.analyse(speeds, new MeasuredLoad(after, List.of()), Optional.empty(), config);
            Optional<Estimate> level =
                    series.peak().map(Peak::throughput).or(() -> series.ending().map(Ending::level));
            Optional<TimeToPeak> time = series.peak().isPresent()
                    ? series.time(TimeToPeak.HEADLINE)
                    : series.ownTimes().stream()
                            .filter(own -> own.percent() == TimeToPeak.HEADLINE)
                            .findFirst();
            if (level.isEmpty() || time.isEmpty() || level.get().lo() <= 0) {
                return Optional.empty();
            }
            Estimate speed = level.get();
            long twice = Arrays.stream(speeds)
                    .filter(each -> each * TWICE < speed.value())
                    .count();
            return Optional.of(new Settled(
                    percentile,
                    new Estimate(millis(speed.value()), millis(speed.hi()), millis(speed.lo())),
                    series.peak().isPresent(),
                    time.get(),
                    twice * config.binSeconds()));
        }

        private static double millis(double speed) {
            return SCALE / speed / 1e6;
        }

        /** Returns the speed of each second; 0 where nothing was answered. */
        private double[] speeds(List<LoadSeries> loads, ToLongFunction<LatencyInterval> nanos) {
            List<Double> speeds = new ArrayList<>();
            for (LoadSeries load : loads) {
                double[] ofLoad = new double[load.bins()];
                for (LatencyInterval second : seconds(load)) {
                    int i = second(load, second);
                    if (i >= 0 && i < ofLoad.length && nanos.applyAsLong(second) > 0) {
                        ofLoad[i] = SCALE / nanos.applyAsLong(second);
                    }
                }
                for (double each : ofLoad) {
                    speeds.add(each);
                }
            }
            return speeds.stream().mapToDouble(each -> each).toArray();
        }

        private List<LatencyInterval> seconds(LoadSeries load) {
            return evidence.latency().seconds().stream()
                    .filter(second -> second.phase().equals(load.phase()))
                    .toList();
        }

        /** Returns which second of the load an interval is, rounded as the log's times are. */
        private static int second(LoadSeries load, LatencyInterval interval) {
            return (int) Math.round((interval.startNanos() - load.startNanos()) / (load.binSeconds() * 1e9));
        }

        private First first(Beginning beginning) {
            LoadSeries load = warmup.getFirst();
            long end = load.startNanos() + beginning.seconds() * 1_000_000_000L;
            long never = evidence.load().stream()
                    .filter(bin -> bin.phase().equals(load.phase()) && bin.startNanos() < end)
                    .mapToLong(bin -> bin.errors().total())
                    .sum();
            return new First(beginning.seconds(), beginning.p99Nanos(never).orElse(Double.POSITIVE_INFINITY) / 1e6);
        }

        private Kept kept(Slo slo) {
            List<Boolean> kept = new ArrayList<>();
            long beyond = 0;
            for (LoadSeries load : warmup) {
                boolean[] ofLoad = new boolean[load.bins()];
                for (LatencyInterval second : seconds(load)) {
                    int i = second(load, second);
                    long failed = i >= 0 && i < load.bins() ? Math.round(load.errors()[i]) : 0;
                    beyond += second.beyond() + failed;
                    if (i >= 0 && i < ofLoad.length) {
                        ofLoad[i] = slo.keptBy(second.count() + failed, second.beyond() + failed);
                    }
                }
                for (boolean each : ofLoad) {
                    kept.add(each);
                }
            }
            beyond += evidence.info().phases().stream()
                    .filter(phase -> names(warmup).contains(phase.name()))
                    .flatMap(phase -> phase.unserved().stream())
                    .mapToLong(none -> none.unfinished() + none.unsent())
                    .sum();
            double[] seconds = kept.stream().mapToDouble(each -> each ? 1 : 0).toArray();
            TimeToPeak from = TimeToPeak.of(seconds, 1, 0, TimeToPeak.HEADLINE, Noise.NONE, config);
            int met =
                    (int) Math.round(from.seconds().orElse(seconds.length * config.binSeconds()) / config.binSeconds());
            long missed = Arrays.stream(seconds, Math.min(met, seconds.length), seconds.length)
                    .filter(each -> each == 0)
                    .count();
            return new Kept(slo, from, missed, beyond);
        }
    }
}
