package dev.kiln.report.json;

import dev.kiln.explain.ResponseTimes;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.load.LoadBin;
import dev.kiln.report.Facts;
import dev.kiln.report.JsonOut;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.series.Disturbance;
import dev.kiln.stats.series.Noise;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.WarmupCost;
import dev.kiln.stats.series.TimeToPeak;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A SeriesJson writes the analysis of a series, for {@code result.json} and {@code kiln analyze --json}. */
public record SeriesJson(JsonOut out, SeriesAnalysis series) {
    /** The version rises when a key changes its meaning or goes; version 3 renamed a constant. */
    private static final int SCHEMA_VERSION = 3;

    /** Returns {@code kiln analyze --json}: each result is of one series, named by its source. */
    public static String render(List<ExperimentResult> results) {
        return JsonOut.render(out -> {
            out.integer("schemaVersion", SCHEMA_VERSION);
            out.array(
                    "series",
                    () -> results.forEach(result -> result.variants()
                            .forEach(variant -> variant.runs()
                                    .forEach(run ->
                                            out.object(() -> new SeriesJson(out, run.series()).write(result, run))))));
            results.stream()
                    .findFirst()
                    .ifPresent(first -> out.object(
                            "constants", () -> Facts.constants(first.config()).forEach(c -> c.write(out))));
        });
    }

    private void write(ExperimentResult result, RunResult run) {
        out.text("source", result.name());
        new ExplanationJson(out).verdict(run.explanation());
        out.flag("valid", run.valid());
        out.number("rate", run.responses().map(ResponseTimes::rate).orElse(OptionalDouble.empty()), 3);
        out.text("whyNoPeak", series.peak().isPresent() ? Optional.empty() : Optional.of(run.whyNoPeak()));
        intervals("timeToPeak", series.times());
        intervals("timeToOwnEnd", series.ownTimes());
        write();
        out.integer("requests", run.requests());
        out.integer("errors", errors(run));
        out.texts("footnotes", run.notes());
    }

    private static OptionalLong errors(RunResult run) {
        return run.errors().stream().mapToLong(LoadBin.Errors::total).findFirst();
    }

    /** Writes each key in every case; null means "not within the load" for a time, and "not known" elsewhere. */
    void write() {
        out.number("binSeconds", series.binSeconds(), 6);
        out.number("seconds", series.seconds(), 3);
        peak(out, series.peak());
        estimate("endOverPeak", "ratio", series.endOverPeak(), 4);
        estimate("endOfWarmupInterval", "value", series.ending().map(end -> end.level()), 2);
        estimate("growthPerMinute", "value", series.ending().map(end -> end.growth()), 4);
        out.number("levelSeconds", series.ending().map(end -> end.levelSeconds()), 1);
        noise(series.noise());
        out.objects("disturbances", series.shape().disturbances(), this::disturbance);
        deficit();
        out.number("efficiency", series.warmupCost().map(WarmupCost::efficiency), 4);
        out.number("cooldownJump", series.jump().map(j -> j.ratio().value()), 4);
        estimate("cooldownJumpInterval", "value", series.jump().map(j -> j.ratio()), 4);
    }

    void deficit() {
        out.number("deficitSeconds", series.warmupCost().map(d -> d.seconds().value()), 3);
        out.number("deficitRequests", series.warmupCost().map(d -> d.lost().value()), 1);
        estimate("deficitSecondsInterval", "value", series.warmupCost().map(WarmupCost::seconds), 3);
    }

    static void peak(JsonOut out, Optional<Peak> peak) {
        out.object("referencePeak", peak, p -> {
            out.number("value", p.value(), 2);
            out.number("lo", p.throughput().lo(), 2);
            out.number("hi", p.throughput().hi(), 2);
            out.number("confidence", p.confidence(), 4);
            out.flag("lowerBound", p.lowerBound());
            out.text("why", p.why());
        });
    }

    /** Writes the times under their percentages, each with its interval; no keys without a peak. */
    void intervals(String name, List<TimeToPeak> times) {
        out.object(name, () -> times.forEach(time -> time(out, Integer.toString(time.percent()), time)));
    }

    static void time(JsonOut out, String name, TimeToPeak time) {
        out.object(name, () -> {
            out.number("seconds", time.seconds(), 3);
            out.number("lo", time.lo(), 3);
            out.number("hi", time.hi(), 3);
        });
    }

    /** Writes the times under their percentages as mere numbers; null for a time that is not known. */
    void times(String name, List<TimeToPeak> times) {
        out.object(
                name,
                () -> TimeToPeak.PERCENTAGES.forEach(percent -> out.number(
                        Integer.toString(percent),
                        times.stream()
                                .filter(time -> time.percent() == percent)
                                .map(TimeToPeak::seconds)
                                .findFirst()
                                .orElse(OptionalDouble.empty()),
                        3)));
    }

    private void estimate(String name, String key, Optional<Estimate> estimate, int decimals) {
        estimate(out, name, key, estimate, decimals);
    }

    static void estimate(JsonOut out, String name, String key, Optional<Estimate> estimate, int decimals) {
        out.object(name, estimate, e -> {
            out.number(key, e.value(), decimals);
            out.number("lo", e.lo(), decimals);
            out.number("hi", e.hi(), decimals);
        });
    }

    private void noise(Noise noise) {
        out.object("noise", () -> {
            out.number("cv", noise.cv(), 5);
            out.number("rho", noise.rho(), 3);
            out.number("longRun", noise.longRun(), 5);
            out.integer("bins", noise.bins());
            out.number("effectiveBins", noise.effective(), 1);
        });
    }

    private void disturbance(Disturbance one) {
        out.number("seconds", one.seconds(), 3);
        out.number("lasted", one.lasted(), 3);
        out.text("kind", one.kind().name().toLowerCase(Locale.ROOT));
        out.flag("afterPause", one.afterPause());
        if (one.afterPause()) {
            out.integer("round", one.round());
        }
        out.number("requestsLost", one.lost(), 1);
    }
}
