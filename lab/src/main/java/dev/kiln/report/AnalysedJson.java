package dev.kiln.report;

import dev.kiln.stats.Analysed;
import dev.kiln.stats.Deficit;
import dev.kiln.stats.NotEnoughData;
import dev.kiln.stats.SeriesAnalysis;
import dev.kiln.stats.TimeToPeak;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** One phase of {@link AnalysisJson}. What there is not enough data for is null: every key is always there. */
record AnalysedJson(JsonOut out) {
    private static final List<String> OF_A_CLASS = List.of(
            "tailBins", "masked", "changepoints", "objective", "segmentLevels", "level", "steady", "steadyStart");

    private static final List<String> OF_A_TAIL =
            List.of("subLabel", "peakSelf", "peakUsed", "tailCv", "tailGrowth", "trendP", "trend", "reversals");

    void write(SeriesAnalysis analysis, List<TimeToPeak> times, Optional<Deficit> deficit) {
        out.integer("bins", analysis.bins());
        switch (analysis) {
            case Analysed a -> analysed(a);
            case NotEnoughData missing -> missing(missing);
        }
        if (times.isEmpty()) {
            out.nothing("timeToPeak");
        } else {
            out.object(
                    "timeToPeak", () -> times.forEach(t -> out.object(Integer.toString(t.percent()), () -> time(t))));
        }
        out.exact("requests", analysis.requests());
        out.exact("deficitRequests", of(deficit.map(Deficit::deficitRequests)));
        out.exact("deficitSeconds", of(deficit.map(Deficit::deficitSeconds)));
        out.exact("efficiency", of(deficit.map(Deficit::efficiency)));
        if (analysis instanceof Analysed a) {
            out.integer("minTailUsed", a.minTailUsed());
        } else {
            out.nothing("minTailUsed");
        }
    }

    private void analysed(Analysed a) {
        out.integer("tailBins", a.tailBins());
        out.array("masked", () -> a.masked().forEach(out::whole));
        out.array("changepoints", () -> a.changepoints().forEach(out::whole));
        out.exact("objective", a.objective());
        out.array("segmentLevels", () -> a.segmentLevels().forEach(out::exact));
        out.exact("level", a.level());
        out.flag("steady", a.steady());
        out.exact("steadyStart", a.steadyStart());
        out.text("class", a.steadyClass().label());
        out.text("subLabel", a.subLabel().label());
        out.exact("peakSelf", a.peakSelf());
        out.exact("peakUsed", a.peakUsed());
        out.exact("tailCv", a.tailCv());
        out.exact("tailGrowth", a.tailGrowth());
        out.exact("trendP", a.trendP());
        out.text("trend", a.trend().label());
        out.integer("reversals", a.reversals());
    }

    private void missing(NotEnoughData missing) {
        OF_A_CLASS.forEach(out::nothing);
        out.text("class", "not enough data");
        out.integer("binsNeeded", missing.binsNeeded());
        OF_A_TAIL.forEach(out::nothing);
    }

    private void time(TimeToPeak time) {
        out.exact("seconds", time.seconds());
        out.flag("censored", time.censored());
        out.exact("lastBelow", time.lastBelow());
        out.flag("resolvable", time.resolvable());
    }

    private static OptionalDouble of(Optional<Double> value) {
        return Reading.optional(value);
    }
}
