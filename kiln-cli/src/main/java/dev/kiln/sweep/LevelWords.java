package dev.kiln.sweep;

import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.text.Show;
import java.util.OptionalDouble;
import java.util.function.Function;

/** LevelWords are the figures of one level of a sweep as its tables have them. */
final class LevelWords {
    private LevelWords() {}

    static String throughput(SweepPoint p) {
        return p.throughput().mean() > 0
                ? atLeast(p.throughput().lowerBound())
                        + Show.whole(p.throughput().mean())
                : Show.ABSENT;
    }

    static String atLeast(boolean lowerBound) {
        return lowerBound ? "\u2265 " : "";
    }

    static String response(SweepPoint p, Function<SweepPoint.Response, OptionalDouble> which) {
        return p.response().map(r -> Show.or(which.apply(r), Show::three)).orElse(Show.ABSENT);
    }
}
