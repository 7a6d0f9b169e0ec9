package dev.kiln.explain;

import dev.kiln.model.FlightDigest;
import dev.kiln.model.Forecast;
import dev.kiln.model.JitSample;
import dev.kiln.model.RunEvidence;
import dev.kiln.stats.Prediction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The forecasts that would have been made while a recorded run went, and a forecast in words. */
public final class Forecasts {
    private static final int EVERY_SECONDS = 10;

    private Forecasts() {}

    /**
     * A second of load as a forecast sees it.
     *
     * @param queued CPU seconds of what waits for C2; 0 where its queue is not known
     */
    record Second(double c2Cpu, double c2Wait, double queued) {}

    /**
     * Every ten seconds of the first load, and at its end.
     *
     * @param end of the first load phase, in seconds since the first request
     */
    static List<Forecast> of(RunEvidence evidence, List<Curves.JitPoint> points, long zeroNanos, double end) {
        return of(seconds(evidence, points, zeroNanos, end), Forecaster.DEMAND);
    }

    static List<Forecast> of(List<Second> seconds, Prediction demand) {
        Forecaster forecaster = new Forecaster(demand, 0);
        List<Forecast> forecasts = new ArrayList<>();
        for (int i = 1; i <= seconds.size(); i++) {
            Second second = seconds.get(i - 1);
            forecaster.second(second.c2Cpu(), second.c2Wait());
            forecaster.backlog(second.queued());
            if (i % EVERY_SECONDS == 0 || i == seconds.size()) {
                forecaster.forecast().ifPresent(forecasts::add);
            }
        }
        return forecasts;
    }

    static List<Second> seconds(RunEvidence evidence, List<Curves.JitPoint> points, long zeroNanos, double end) {
        List<Second> seconds = new ArrayList<>();
        double cpu = 0;
        for (Curves.JitPoint point : points) {
            cpu += point.c2Cpu();
            if (point.second() >= 0 && point.second() + 1 <= end) {
                long now = zeroNanos + Math.round((point.second() + 1) * 1e9);
                seconds.add(new Second(point.c2Cpu(), point.c2Wait(), queued(evidence, now, cpu)));
            }
        }
        return seconds;
    }

    /** From the queue, and C2's compilations so far: those in a flight recording, or its methods in use. */
    private static double queued(RunEvidence evidence, long now, double cpuSeconds) {
        List<JitSample> seen =
                evidence.jit().stream().filter(s -> s.timeNanos() <= now).toList();
        OptionalDouble queue = last(seen.stream()
                .filter(sample -> sample.c2Queue().isPresent())
                .mapToDouble(sample -> sample.c2Queue().orElseThrow())
                .toArray());
        double flown = evidence.flight().stream()
                .flatMap(flight -> flight.compilations().stream())
                .filter(c -> c.level() == 4 && c.timeNanos() <= now)
                .mapToInt(FlightDigest.Compilations::count)
                .sum();
        OptionalDouble inUse = last(seen.stream()
                .flatMap(sample -> sample.levels().stream())
                .mapToDouble(JitSample.Levels::level4)
                .toArray());
        double compilations = flown > 0 ? flown : inUse.orElse(0);
        return compilations > 0 ? queue.orElse(0) * cpuSeconds / compilations : 0;
    }

    private static OptionalDouble last(double[] values) {
        return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(values[values.length - 1]);
    }

    /** The last one, which knows most; empty where none tells anything. */
    public static Optional<String> last(List<Forecast> forecasts) {
        return forecasts.stream()
                .filter(Forecast::tells)
                .reduce((earlier, later) -> later)
                .map(Forecasts::words);
    }

    /** {@code C2 not done before 140 s (by second 30 it got 3.4 % of a CPU)}. */
    public static String words(Forecast forecast) {
        return String.format(
                Locale.ROOT,
                "%s (by second %.0f it got %.1f %% of a CPU)",
                brief(forecast),
                forecast.atSecond(),
                100 * forecast.c2Share());
    }

    /** For the line of a running experiment: {@code C2 not done before 140 s}. */
    public static String brief(Forecast forecast) {
        return String.format(
                Locale.ROOT,
                "C2 not done before %.0f s",
                // Rounded down it may be a time that is over already.
                Math.max(twoDigits(forecast.low()), Math.floor(forecast.atSecond())));
    }

    /** More digits would claim more than is known; rounded down, it stays a bound. */
    public static double twoDigits(double seconds) {
        double step = seconds >= 100 ? Math.pow(10, Math.floor(Math.log10(seconds)) - 1) : 1;
        return Math.floor(seconds / step) * step;
    }
}
