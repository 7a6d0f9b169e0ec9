package dev.kiln.sweep;

import dev.kiln.explain.study.SweepResult;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.report.Grid;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A SideBySide has all configurations of a sweep in one table, a row for each level. */
record SideBySide(String title, List<String> heads, List<List<String>> rows) {
    /** Returns throughput with its ratio to the first configuration, and response times; none for one alone. */
    static List<SideBySide> of(SweepResult sweep) {
        List<SweepConfiguration> all = sweep.configurations();
        if (all.size() < 2) {
            return List.of();
        }
        String first = all.getFirst().name();
        List<Integer> levels = all.stream()
                .flatMap(one -> one.points().stream())
                .map(SweepPoint::connections)
                .distinct()
                .sorted()
                .toList();
        return List.of(
                new SideBySide(
                        "Requests per second",
                        heads(all, name -> name, 1, name -> name + " / " + first),
                        rows(levels, all, p -> p.valid() ? LevelWords.throughput(p) : "invalid", 1, SideBySide::ratio)),
                new SideBySide(
                        "Response time, ms",
                        heads(all, name -> name + " mean", 0, name -> name + " max"),
                        rows(
                                levels,
                                all,
                                p -> valid(p, SweepPoint.Response::mean),
                                0,
                                (base, p) -> valid(p, r -> OptionalDouble.of(r.max())))));
    }

    private static String valid(SweepPoint p, Function<SweepPoint.Response, OptionalDouble> which) {
        return p.valid() ? LevelWords.response(p, which) : "invalid";
    }

    /** Returns a column of each configuration for one figure, then of each but the first for the other. */
    private static List<String> heads(
            List<SweepConfiguration> all, UnaryOperator<String> one, int skip, UnaryOperator<String> other) {
        List<String> names = all.stream().map(SweepConfiguration::name).toList();
        List<String> heads = new ArrayList<>(List.of("conn"));
        names.forEach(name -> heads.add(one.apply(name)));
        names.stream().skip(skip).forEach(name -> heads.add(other.apply(name)));
        return heads;
    }

    private static List<List<String>> rows(
            List<Integer> levels,
            List<SweepConfiguration> all,
            Function<SweepPoint, String> one,
            int skip,
            BiFunction<Optional<SweepPoint>, SweepPoint, String> other) {
        List<List<String>> rows = new ArrayList<>();
        for (int level : levels) {
            List<Optional<SweepPoint>> points =
                    all.stream().map(configuration -> at(configuration, level)).toList();
            List<String> row = new ArrayList<>(List.of(Integer.toString(level)));
            points.forEach(point -> row.add(point.map(one).orElse(Show.ABSENT)));
            points.stream()
                    .skip(skip)
                    .forEach(point -> row.add(
                            point.map(p -> other.apply(points.getFirst(), p)).orElse(Show.ABSENT)));
            rows.add(row);
        }
        return rows;
    }

    private static Optional<SweepPoint> at(SweepConfiguration one, int level) {
        return one.points().stream()
                .filter(point -> point.connections() == level)
                .findFirst();
    }

    private static String ratio(Optional<SweepPoint> first, SweepPoint point) {
        return first.filter(base -> base.valid() && point.valid())
                .filter(base ->
                        base.throughput().mean() > 0 && point.throughput().mean() > 0)
                .filter(base ->
                        !(base.throughput().lowerBound() && point.throughput().lowerBound()))
                .map(base -> (base.throughput().lowerBound()
                                ? "\u2264 "
                                : LevelWords.atLeast(point.throughput().lowerBound()))
                        + Show.ratio(
                                point.throughput().mean() / base.throughput().mean()))
                .orElse(Show.ABSENT);
    }

    Grid grid() {
        return Grid.of(heads, rows);
    }
}
