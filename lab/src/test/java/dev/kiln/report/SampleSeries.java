package dev.kiln.report;

import dev.kiln.stats.Analysed;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.CooldownJump;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.NotEnoughData;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.SteadyClass;
import dev.kiln.stats.SubLabel;
import dev.kiln.stats.TimeToPeak;
import dev.kiln.stats.Trend;
import java.util.List;
import java.util.OptionalDouble;

/** Analyses of series with known answers. */
final class SampleSeries {
    static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    private SampleSeries() {}

    static SeriesAnalysis tooShort() {
        return new NotEnoughData(3, 57, 0, "needs 57 more seconds");
    }

    static SeriesAnalysis steady(double peak, List<TimeToPeak> times) {
        return analysed(peak, true, SubLabel.LEVEL, times);
    }

    static SeriesAnalysis climbing(double level) {
        return analysed(level, false, SubLabel.CLIMBING, List.of());
    }

    private static Analysed analysed(double level, boolean steady, SubLabel label, List<TimeToPeak> times) {
        return new Analysed(
                60,
                30,
                List.of(),
                List.of(12, 21),
                400,
                List.of(level / 3, level / 2, level),
                level,
                steady,
                steady ? OptionalDouble.of(21) : OptionalDouble.empty(),
                steady ? SteadyClass.WARMUP : SteadyClass.NO_STEADY_STATE,
                label,
                level,
                steady ? OptionalDouble.of(level) : OptionalDouble.empty(),
                0.021,
                steady ? 0.001 : 0.06,
                steady ? 0.4 : 0.01,
                steady ? Trend.LEVEL : Trend.CLIMBING,
                0,
                times,
                level * 50,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                30,
                List.of());
    }

    static List<TimeToPeak> reached(double t50, double t90, double t95) {
        return List.of(time(50, t50, true), time(90, t90, true), time(95, t95, true), time(99, t95 + 6, false));
    }

    static List<TimeToPeak> never() {
        return Reading.PERCENTS.stream()
                .map(p -> new TimeToPeak(p, OptionalDouble.empty(), true, OptionalDouble.of(59), true))
                .toList();
    }

    private static TimeToPeak time(int percent, double seconds, boolean resolvable) {
        return new TimeToPeak(percent, OptionalDouble.of(seconds), false, OptionalDouble.of(seconds - 1), resolvable);
    }

    static Deficit deficit(double requests, double seconds, double efficiency) {
        return new Deficit(150_000, requests, seconds, efficiency);
    }

    static CooldownJump jump(double ratio) {
        return new CooldownJump(2000, 2000 * ratio, ratio, 1.01, ratio > 1.01, Trend.LEVEL);
    }
}
