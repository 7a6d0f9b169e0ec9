package dev.kiln.explain;

import dev.kiln.explain.Curves.LoadPoint;
import dev.kiln.explain.Curves.SecondTimes;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.CallBin;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.series.SeriesAnalysis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** A CallResult is what one run says of one call of its mix: its own series, or why that has no peak. */
public record CallResult(CallLoad load, SeriesAnalysis series, Optional<String> whyNoPeak) {
    static final int END_SECONDS = 10;

    /**
     * A CallLoad is the load of one call.
     *
     * @param requests successful responses in all load phases
     * @param errors failed requests, likewise
     * @param warmup requests per second before the measuring phase
     * @param loadsAfterPause likewise, after it: one load, or all rounds
     * @param endOfWarmup response times of the last 10 s before the measuring phase
     * @param afterPause of the last load after the pause, without its first second
     * @param curve of each second of load, for pictures
     */
    public record CallLoad(
            String name,
            long requests,
            long errors,
            double[] warmup,
            List<double[]> loadsAfterPause,
            Percentiles endOfWarmup,
            Percentiles afterPause,
            List<Curves.LoadPoint> curve) {
        public CallLoad {
            loadsAfterPause = List.copyOf(loadsAfterPause);
            curve = List.copyOf(curve);
        }

        /** Returns the responses per second of the last load; of the end of the warm-up where that is all. */
        OptionalDouble lastThroughput() {
            double[] last = loadsAfterPause.isEmpty()
                    ? Arrays.copyOfRange(warmup, Math.max(0, warmup.length - END_SECONDS), warmup.length)
                    : loadsAfterPause.getLast();
            return Arrays.stream(last).average();
        }

        /** Returns the response times of the load that {@code lastThroughput} is taken from. */
        Percentiles lastTimes() {
            return loadsAfterPause.isEmpty() ? endOfWarmup : afterPause;
        }
    }

    /**
     * Percentiles are response times of some seconds: the mean of 1 / p of each second, turned back into a time.
     *
     * @param p50Millis empty where a second had no response, or latencies were not recorded
     * @param p99Millis likewise, and where a second had under 100 requests, whose 99th percentile is their slowest
     */
    public record Percentiles(OptionalDouble p50Millis, OptionalDouble p99Millis) {}

    public String name() {
        return load.name();
    }

    /** A CallReader reads the loads of each call of a mix; curves begin at zeroNanos since launch. */
    record CallReader(List<LoadSeries> warmup, List<LoadSeries> measuring, long zeroNanos) {
        private static final int LEAST_FOR_P99 = 100;

        /** Reads one load for each call, in the order of the load; the list is empty where the load has one call. */
        List<CallLoad> read(RunEvidence evidence) {
            Map<String, List<CallBin>> calls = new LinkedHashMap<>();
            evidence.sent()
                    .calls()
                    .forEach(bin -> calls.computeIfAbsent(bin.call(), name -> new ArrayList<>())
                            .add(bin));
            return calls.entrySet().stream()
                    .map(call -> load(call.getKey(), call.getValue()))
                    .toList();
        }

        private CallLoad load(String name, List<CallBin> bins) {
            List<LoadBin> rows = bins.stream().map(CallReader::asLoad).toList();
            return new CallLoad(
                    name,
                    bins.stream().mapToLong(CallBin::completed).sum(),
                    bins.stream().mapToLong(CallBin::errors).sum(),
                    LoadSeries.concatenated(series(warmup, rows)),
                    series(measuring, rows).stream().map(LoadSeries::completed).toList(),
                    warmup.isEmpty() ? percentiles(List.of()) : atEnd(of(warmup.getLast(), bins)),
                    measuring.isEmpty() ? percentiles(List.of()) : restarted(of(measuring.getLast(), bins)),
                    Stream.concat(warmup.stream(), measuring.stream())
                            .flatMap(phase -> of(phase, bins).stream())
                            .map(this::point)
                            .toList());
        }

        private LoadPoint point(CallBin bin) {
            return new LoadPoint(
                    bin.phase(),
                    (bin.startNanos() - zeroNanos) / 1e9,
                    bin.completed() * 1e9 / (bin.endNanos() - bin.startNanos()),
                    new SecondTimes(known(bin.p50Nanos()), Double.NaN, known(bin.p99Nanos()), Double.NaN),
                    bin.errors());
        }

        private static double known(long nanos) {
            return nanos == 0 ? Double.NaN : nanos / 1e6;
        }

        private static LoadBin asLoad(CallBin bin) {
            return new LoadBin(
                    bin.phase(),
                    bin.startNanos(),
                    bin.endNanos(),
                    bin.completed() + bin.errors(),
                    bin.completed(),
                    LoadBin.Errors.NONE,
                    0,
                    0);
        }

        private static List<LoadSeries> series(List<LoadSeries> phases, List<LoadBin> rows) {
            return phases.stream()
                    .map(phase -> LoadSeries.of(phase.phase(), rows))
                    .toList();
        }

        /** Returns the whole seconds of a phase; a last one that the phase cuts off is left out. */
        private static List<CallBin> of(LoadSeries phase, List<CallBin> bins) {
            return bins.stream()
                    .filter(bin -> bin.phase().equals(phase.phase()) && bin.endNanos() <= phase.endNanos())
                    .toList();
        }

        private static Percentiles atEnd(List<CallBin> seconds) {
            return percentiles(seconds.subList(Math.max(0, seconds.size() - CallResult.END_SECONDS), seconds.size()));
        }

        /** Computes the percentiles without the first second after a pause, in which connections restart. */
        private static Percentiles restarted(List<CallBin> seconds) {
            return percentiles(seconds.subList(Math.min(1, seconds.size()), seconds.size()));
        }

        private static Percentiles percentiles(List<CallBin> seconds) {
            double completed =
                    seconds.stream().mapToLong(CallBin::completed).average().orElse(0);
            return new Percentiles(
                    millis(seconds, CallBin::p50Nanos),
                    completed < LEAST_FOR_P99 ? OptionalDouble.empty() : millis(seconds, CallBin::p99Nanos));
        }

        private static OptionalDouble millis(List<CallBin> seconds, ToLongFunction<CallBin> nanos) {
            if (seconds.isEmpty() || seconds.stream().anyMatch(second -> nanos.applyAsLong(second) == 0)) {
                return OptionalDouble.empty();
            }
            double speed = seconds.stream()
                    .mapToDouble(second -> 1e6 / nanos.applyAsLong(second))
                    .average()
                    .orElseThrow();
            return OptionalDouble.of(1 / speed);
        }
    }
}
