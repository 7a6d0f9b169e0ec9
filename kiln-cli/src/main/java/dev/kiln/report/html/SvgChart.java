package dev.kiln.report.html;

import dev.kiln.explain.Curves;
import dev.kiln.explain.RunResult;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An SvgChart is one quantity over the time of a run that there is a picture of.
 *
 * @param log whether its axis is logarithmic
 * @param points of a run, in the order of time
 */
record SvgChart(String id, String title, String unit, boolean log, Function<RunResult, Stream<SvgPoint>> points) {
    /** An SvgPoint is a value at a second since the first request. */
    record SvgPoint(double second, double value) {}

    static final SvgChart THROUGHPUT = new SvgChart(
            "throughput",
            "Throughput",
            "requests per second",
            false,
            run -> run.curves().load().stream().map(point -> new SvgPoint(point.second(), point.requestsPerSecond())));

    static final List<SvgChart> ALL = List.of(
            THROUGHPUT,
            new SvgChart(
                    "p99",
                    "Latency, 99th percentile",
                    "ms, logarithmic",
                    true,
                    run -> run.curves().load().stream()
                            .map(point -> new SvgPoint(point.second(), point.p99Millis()))
                            .filter(point -> point.value() > 0)),
            new SvgChart(
                    "c2-wait",
                    "C2 waiting for a CPU",
                    "% of one CPU",
                    false,
                    run -> run.curves().jit().stream().map(SvgChart::wait).filter(point -> point.second() >= 0)));

    private static SvgPoint wait(Curves.JitPoint point) {
        return new SvgPoint(point.second(), 100 * point.c2Wait());
    }
}
