package dev.kiln.explain;

import dev.kiln.explain.Curves.CompilerPoint;
import dev.kiln.explain.ServedLoad.PhaseSummary;
import dev.kiln.stats.series.Peak;
import java.util.Optional;
import java.util.OptionalDouble;

/** CurveFigures are the figures of a run that are found on its curves, second by second. */
final class CurveFigures {
    private static final int AFTER_SECONDS = 10;

    private CurveFigures() {}

    /** Returns the compilations up to 90 % of the peak; empty unless the first load reached it and was recorded. */
    static OptionalDouble compilationsTo(OptionalDouble t90, RunResult run) {
        return t90.isEmpty()
                        || t90.getAsDouble() > firstLoadSeconds(run)
                        || run.curves().compiler().stream().noneMatch(point -> point.second() >= t90.getAsDouble() - 2)
                ? OptionalDouble.empty()
                : run.curves().compiler().stream()
                        .filter(point -> point.second() <= t90.getAsDouble())
                        .mapToDouble(CompilerPoint::compilations)
                        .max();
    }

    static double firstLoadSeconds(RunResult run) {
        return run.phases().stream()
                .filter(PhaseSummary::load)
                .mapToDouble(PhaseSummary::durationSeconds)
                .findFirst()
                .orElse(0);
    }

    /** Returns ten seconds' throughput after the CPU boost in % of the peak; empty where the load ended. */
    static OptionalDouble afterBoost(RunResult run) {
        Optional<Double> peak = run.series().reference().own().map(Peak::value);
        Optional<PhaseSummary> first =
                run.phases().stream().filter(PhaseSummary::load).findFirst();
        if (peak.isEmpty() || first.isEmpty() || run.since().boostEnd().isEmpty()) {
            return OptionalDouble.empty();
        }
        double zero = first.get().startSeconds();
        double from = Math.ceil(run.since().boostEnd().getAsDouble() - zero) + 1;
        double to = from + AFTER_SECONDS;
        if (from < 0 || to > first.get().durationSeconds()) {
            return OptionalDouble.empty();
        }
        return run.curves().load().stream()
                .filter(point -> point.second() >= from && point.second() < to)
                .mapToDouble(point -> 100 * point.requestsPerSecond() / peak.get())
                .average();
    }
}
