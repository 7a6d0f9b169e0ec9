package dev.kiln.explain;

import dev.kiln.model.FlightDigest;
import dev.kiln.model.Forecast;
import dev.kiln.model.JitSample;
import dev.kiln.model.RunEvidence;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The forecasts that would have been made while a recorded run went: every ten seconds of its first load, and at its end. */
final class Forecasts {
    private static final int EVERY_SECONDS = 10;

    /** The recorder needs a moment to see its first thread; who looked later does not know what C2 used before. */
    private static final double FROM_LAUNCH_SECONDS = 2;

    private Forecasts() {}

    /** @param end of the first load phase, in seconds since the first request */
    static List<Forecast> of(RunEvidence evidence, List<Curves.JitPoint> points, long zeroNanos, double end) {
        List<Curves.JitPoint> loaded = points.stream()
                .filter(p -> p.second() >= 0 && p.second() + 1 <= end)
                .toList();
        OptionalDouble before = beforeLoad(evidence, points);
        Forecaster forecaster = new Forecaster(before);
        double cpu = before.orElse(0);
        List<Forecast> forecasts = new ArrayList<>();
        for (int i = 0; i < loaded.size(); i++) {
            Curves.JitPoint point = loaded.get(i);
            forecaster.second(point.c2Cpu(), point.c2Wait());
            cpu += point.c2Cpu();
            long now = zeroNanos + Math.round((point.second() + 1) * 1e9);
            backlog(evidence, now, cpu, forecaster);
            boolean last = i == loaded.size() - 1;
            if ((i + 1) % EVERY_SECONDS == 0 || last) {
                forecaster.forecast().ifPresent(forecasts::add);
            }
        }
        return forecasts;
    }

    private static OptionalDouble beforeLoad(RunEvidence evidence, List<Curves.JitPoint> points) {
        boolean fromLaunch =
                !evidence.threads().isEmpty() && evidence.threads().getFirst().timeNanos() < FROM_LAUNCH_SECONDS * 1e9;
        return fromLaunch
                ? OptionalDouble.of(points.stream()
                        .filter(p -> p.second() < 0)
                        .mapToDouble(Curves.JitPoint::c2Cpu)
                        .sum())
                : OptionalDouble.empty();
    }

    /** From the queue, and C2's compilations so far: those in a flight recording, or its methods in use. */
    private static void backlog(RunEvidence evidence, long now, double cpuSeconds, Forecaster forecaster) {
        OptionalDouble queue = last(evidence.jit().stream()
                .filter(sample -> sample.timeNanos() <= now && sample.c2Queue().isPresent())
                .mapToDouble(sample -> sample.c2Queue().orElseThrow())
                .toArray());
        double flown = evidence.flight().stream()
                .flatMap(flight -> flight.compilations().stream())
                .filter(c -> c.level() == 4 && c.timeNanos() <= now)
                .mapToInt(FlightDigest.Compilations::count)
                .sum();
        OptionalDouble inUse = last(evidence.jit().stream()
                .filter(sample -> sample.timeNanos() <= now)
                .flatMap(sample -> sample.levels().stream())
                .mapToDouble(JitSample.Levels::level4)
                .toArray());
        double compilations = flown > 0 ? flown : inUse.orElse(0);
        if (queue.isPresent() && compilations > 0) {
            forecaster.backlog(queue.getAsDouble(), cpuSeconds / compilations);
        }
    }

    private static OptionalDouble last(double[] values) {
        return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(values[values.length - 1]);
    }
}
