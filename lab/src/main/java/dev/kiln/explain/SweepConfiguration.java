package dev.kiln.explain;

import dev.kiln.stats.ScalabilityFit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A configuration over all levels of a sweep.
 *
 * @param points by connections
 * @param fit of the universal scalability law to the valid runs
 */
public record SweepConfiguration(String name, List<SweepPoint> points, ScalabilityFit fit) {
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
