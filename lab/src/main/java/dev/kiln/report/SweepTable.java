package dev.kiln.report;

import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/** The rows of a sweep's tables. */
final class SweepTable {
    static final List<String> HEADS = List.of(
            "conn",
            "req/s",
            "highest",
            "mean ms",
            "p50",
            "p90",
            "p99",
            "p99.9",
            "max ms",
            "start s",
            "RSS MiB",
            "PSS MiB",
            "steady s");

    static final List<String> DENSITY_HEADS = List.of(
            "configuration", "by", "MiB each", "processes", "with connections", "req/s each", "req/s summed", "%");

    private SweepTable() {}

    static Grid grid(SweepConfiguration one) {
        return new Grid(HEADS, one.points().stream().map(SweepTable::row).toList());
    }

    static List<String> row(SweepPoint p) {
        return List.of(
                Integer.toString(p.connections()),
                p.throughput() > 0 ? Text.whole(p.throughput()) : Text.ABSENT,
                figure(p.bestSecond(), Text::whole),
                response(p, SweepPoint.Response::mean),
                response(p, r -> OptionalDouble.of(r.p50())),
                response(p, SweepPoint.Response::p90),
                response(p, r -> OptionalDouble.of(r.p99())),
                response(p, SweepPoint.Response::p999),
                response(p, r -> OptionalDouble.of(r.max())),
                figure(p.startSeconds(), Text::seconds),
                bytes(p.maxRssBytes()),
                bytes(p.maxPssBytes()),
                steady(p));
    }

    private static String steady(SweepPoint p) {
        if (p.validRuns() == 0) {
            return "invalid";
        }
        String seconds = figure(p.steadySeconds(), Text::seconds);
        return p.steadyRuns() == 0
                ? "not steady"
                : p.steadyRuns() < p.validRuns()
                        ? seconds + " (" + p.steadyRuns() + "/" + p.validRuns() + ")"
                        : seconds;
    }

    static Grid density(Density density) {
        return new Grid(
                DENSITY_HEADS,
                density.theory().stream().map(SweepTable::densityRow).toList(),
                List.of(1));
    }

    static List<String> densityRow(Density.Theory t) {
        return List.of(
                t.configuration(),
                t.by().name(),
                Text.megabytes(t.bytes()),
                Text.whole(t.processes()),
                Integer.toString(t.connections()),
                Text.whole(t.throughput()),
                Text.whole(t.summed()),
                Text.percent(t.shareOfFirst()));
    }

    private static String response(SweepPoint p, Function<SweepPoint.Response, OptionalDouble> which) {
        return p.response().map(r -> figure(which.apply(r), Text::three)).orElse(Text.ABSENT);
    }

    private interface Format {
        String of(double value);
    }

    private static String figure(OptionalDouble value, Format format) {
        return value.isPresent() ? format.of(value.getAsDouble()) : Text.ABSENT;
    }

    private static String bytes(OptionalLong value) {
        return value.isPresent() ? Text.megabytes(value.getAsLong()) : Text.ABSENT;
    }
}
