package dev.kiln.soak;

import dev.kiln.model.run.Course.Outcome;
import dev.kiln.soak.SoakPlan.SoakSegment;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakLoad;
import dev.kiln.soak.SoakPlan.SoakSegment.SoakWindow;
import dev.kiln.soak.SoakResult.SoakAnswer;
import dev.kiln.soak.SoakResult.SoakMetric;
import dev.kiln.soak.SoakResult.SoakPart;
import dev.kiln.soak.SoakResult.SoakTrend;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A SoakAssessment turns a soak's windows into a result: leaks, drift, steady state and error budget. */
public final class SoakAssessment {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    /** At least this share of a segment is in no trend: caches fill long after throughput is steady. */
    private static final double LEAST_SETTLING = 0.1;

    /** A soak is complete from this share of its duration on, less one window, which a crash may lose. */
    private static final double WHOLE = 0.995;

    public SoakResult of(String name, SoakPlan plan, List<SoakSegment> segments) {
        double confidence = confidence(segments.size());
        List<SoakPart> parts =
                segments.stream().map(segment -> part(segment, confidence)).toList();
        SoakLoad load = SoakLoad.of(segments);
        double worst = segments.stream()
                .flatMap(segment -> segment.windows().stream())
                .mapToDouble(SoakWindow::errorShare)
                .max()
                .orElse(0);
        List<String> problems = problems(plan, parts, load.errorShare());
        boolean complete = load.seconds() >= WHOLE * plan.durationSeconds() - plan.windowSeconds();
        return new SoakResult(
                name,
                plan,
                parts,
                load,
                worst,
                new SoakAnswer(
                        problems,
                        complete,
                        problems.isEmpty() && held(parts),
                        conclusion(plan, load.seconds(), parts, problems, complete)),
                notes(plan, parts, confidence));
    }

    /** Returns the confidence of each trend, such that all trends together hold (Bonferroni). */
    private double confidence(int segments) {
        return 1 - (1 - CONFIG.confidence()) / (SoakMetric.values().length * Math.max(1, segments));
    }

    /** Tells whether the soak held: the interval of each quantity, in its longest segment, leaves no room for more. */
    private static boolean held(List<SoakPart> parts) {
        List<SoakTrend> longest = longest(parts);
        boolean memory = longest.stream().anyMatch(trend -> trend.metric() == SoakMetric.RSS);
        return memory
                && longest.stream().allMatch(SoakTrend::held)
                && parts.stream().flatMap(part -> part.trends().stream()).noneMatch(SoakTrend::undecided)
                && parts.stream().anyMatch(part -> part.analysis().ending().isPresent());
    }

    /** Returns for each metric the trend of the longest segment that has one. */
    private static List<SoakTrend> longest(List<SoakPart> parts) {
        return Arrays.stream(SoakMetric.values())
                .flatMap(metric -> parts.stream()
                        .sorted(Comparator.comparingDouble(
                                part -> -part.segment().load().seconds()))
                        .flatMap(part -> part.trends().stream())
                        .filter(trend ->
                                trend.metric() == metric && trend.trend().isPresent())
                        .limit(1))
                .toList();
    }

    private SoakPart part(SoakSegment segment, double confidence) {
        double[] rates = SoakTrends.values(segment, SoakMetric.THROUGHPUT);
        SeriesAnalysis analysis = SeriesAnalyser.analyse(rates, CONFIG.withBinSeconds(segment.windowSeconds()));
        int settled = settled(analysis, rates.length, segment.windowSeconds());
        return new SoakPart(
                segment,
                analysis,
                settled * segment.windowSeconds(),
                new SoakTrends(segment, settled, confidence, CONFIG.delta()).all());
    }

    private static int settled(SeriesAnalysis analysis, int windows, double windowSeconds) {
        int least = (int) Math.ceil(LEAST_SETTLING * windows);
        return analysis.ownTimes().stream()
                .filter(time -> time.percent() == 95)
                .flatMapToDouble(time -> time.seconds().stream())
                .mapToInt(seconds -> Math.max(least, (int) Math.round(seconds / windowSeconds)))
                .findFirst()
                .orElse(least);
    }

    private static List<String> problems(SoakPlan plan, List<SoakPart> parts, double share) {
        List<String> problems = new ArrayList<>();
        for (SoakPart part : parts) {
            String of = parts.size() == 1 ? "" : " (run " + part.segment().run() + ")";
            if (part.segment().outcome() == Outcome.TARGET_FAILED) {
                problems.add(part.segment().outcomeDetail().orElse("the target failed") + of);
            }
            fallen(part.analysis()).ifPresent(what -> problems.add(what + of));
            part.trends().stream()
                    .filter(SoakTrend::bad)
                    .forEach(trend ->
                            problems.add(trend.words(part.segment().load().seconds() - part.settledSeconds()) + of));
        }
        if (share > plan.errorBudget()) {
            problems.add(String.format(
                    Locale.ROOT,
                    "%.3f %% of the requests failed; the budget is %.3f %%",
                    100 * share,
                    100 * plan.errorBudget()));
        }
        return problems;
    }

    private static Optional<String> fallen(SeriesAnalysis series) {
        if (series.shape().stoppedSeconds().isPresent()) {
            return Optional.of("next to nothing was served at the end");
        }
        return series.shape()
                .held()
                .filter(held -> series.shape().slowing() && series.ending().isPresent())
                .map(held -> String.format(
                        Locale.ROOT,
                        "throughput fell from a level of %,.0f to %,.0f req/s",
                        held.level(),
                        series.ending().get().level().value()));
    }

    private static String conclusion(
            SoakPlan plan, double seconds, List<SoakPart> parts, List<String> problems, boolean complete) {
        String recorded = complete
                ? SoakTrend.time(seconds)
                : SoakTrend.time(seconds) + " of " + SoakTrend.time(plan.durationSeconds())
                        + " (kiln soak --resume continues it)";
        if (!problems.isEmpty()) {
            return "It did not hold over " + recorded + ": " + String.join("; ", problems) + ".";
        }
        List<SoakTrend> longest = longest(parts);
        if (longest.isEmpty()) {
            return "Not enough data after " + recorded + " to say whether it holds.";
        }
        String said = Stream.concat(
                        longest.stream().map(SoakTrend::words),
                        parts.stream()
                                .flatMap(part -> part.trends().stream())
                                .filter(SoakTrend::undecided)
                                .map(trend -> "of " + trend.metric().label() + " nothing is known: " + trend.whyNone())
                                .distinct())
                .collect(Collectors.joining("; "));
        return (held(parts)
                        ? "It held over " + recorded + ": "
                        : "After " + recorded + " Kiln cannot tell whether it holds. Watch longer: ")
                + said + ". The error budget was kept.";
    }

    private List<String> notes(SoakPlan plan, List<SoakPart> parts, double confidence) {
        List<String> notes = new ArrayList<>();
        notes.add(String.format(
                Locale.ROOT,
                "windows of %.0f s; slopes are those of least-squares lines. Their intervals allow for correlated"
                        + " windows, and together hold at %.0f %% (%.2f %% each). A change of less than"
                        + " %.0f %% over the time watched is reported and is not a problem",
                plan.windowSeconds(),
                100 * CONFIG.confidence(),
                100 * confidence,
                100 * CONFIG.delta()));
        if (parts.size() > 1) {
            notes.add("the soak was interrupted and resumed: each run is a separate process, and trends are"
                    + " within a run");
        }
        if (parts.stream().flatMap(part -> part.trends().stream()).anyMatch(SoakTrend::mayBeGarbage)) {
            notes.add(
                    "garbage gathers in the old generation until a collection reaches it. \"observe: {full-collections:"
                            + " 5m}\" has the JVM asked for one every five minutes; so does a smaller heap");
        }
        for (SoakPart part : parts) {
            boolean rss = bad(part, SoakMetric.RSS);
            boolean heap = part.trends().stream()
                    .anyMatch(trend -> trend.metric() == SoakMetric.HEAP && trend.held() && !trend.wrongWay());
            if (rss && heap) {
                notes.add("resident memory rises and the heap after collections stays within its bound: look"
                        + " outside the heap (threads, direct buffers, native libraries), or"
                        + " touch the whole heap at the start (-XX:+AlwaysPreTouch)");
            }
        }
        return notes;
    }

    private static boolean bad(SoakPart part, SoakMetric metric) {
        return part.trends().stream().anyMatch(trend -> trend.metric() == metric && trend.bad());
    }
}
