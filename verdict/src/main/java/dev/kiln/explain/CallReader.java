package dev.kiln.explain;

import dev.kiln.explain.CallResult.CallLoad;
import dev.kiln.explain.CallResult.Percentiles;
import dev.kiln.explain.Curves.LoadPoint;
import dev.kiln.explain.window.LoadSeries;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadBin.CallBin;
import dev.kiln.model.run.RunEvidence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A CallReader reads the loads of each call of a mix from the evidence.
 *
 * @param zeroNanos where times of curves begin, since launch
 */
record CallReader(List<LoadSeries> warmup, List<LoadSeries> measuring, long zeroNanos) {
    private static final int LEAST_FOR_P99 = 100;

    /** Reads one load for each call, in the order of the load; the list is empty where the load has one call. */
    List<CallLoad> read(RunEvidence evidence) {
        Map<String, List<CallBin>> calls = new LinkedHashMap<>();
        evidence.calls()
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
                known(bin.p50Nanos()),
                known(bin.p99Nanos()),
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
        return phases.stream().map(phase -> LoadSeries.of(phase.phase(), rows)).toList();
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
