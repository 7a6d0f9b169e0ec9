package dev.kiln.soak;

import dev.kiln.report.JsonOut;
import dev.kiln.soak.SoakResult.SoakPart;
import dev.kiln.soak.SoakResult.SoakTrend;
import java.util.Locale;

/** SoakJson is a soak for scripts. */
public record SoakJson(JsonOut out) {
    /** Raised when a key changes its meaning or goes; new keys do not raise it. */
    public static final int SCHEMA_VERSION = 3;

    private static final int DECIMALS = 6;

    public static String render(SoakResult result) {
        return JsonOut.render(out -> new SoakJson(out).result(result));
    }

    private void result(SoakResult result) {
        out.integer("schemaVersion", SCHEMA_VERSION);
        out.text("experiment", result.name());
        out.number("durationSeconds", result.plan().durationSeconds(), DECIMALS);
        out.number("recordedSeconds", result.load().seconds(), DECIMALS);
        out.number("windowSeconds", result.plan().windowSeconds(), DECIMALS);
        out.flag("complete", result.answer().complete());
        if (result.answer().held() || !result.answer().problems().isEmpty()) {
            out.flag("held", result.answer().held());
        } else {
            out.nothing("held");
        }
        out.text("conclusion", result.answer().conclusion());
        out.texts("problems", result.answer().problems());
        out.integer("requests", result.load().requests());
        out.integer("errors", result.load().errors());
        out.number("errorShare", result.load().errorShare(), 9);
        out.number("errorBudget", result.plan().errorBudget(), 9);
        out.number("errorBudgetSpent", result.budgetSpent(), DECIMALS);
        out.number("worstErrorShare", result.worstErrorShare(), 9);
        out.objects("runs", result.parts(), this::part);
        out.texts("notes", result.notes());
    }

    private void part(SoakPart part) {
        out.integer("run", part.segment().run());
        out.text("outcome", part.segment().outcome().name().toLowerCase(Locale.ROOT));
        out.number("seconds", part.segment().load().seconds(), DECIMALS);
        out.integer("windows", part.segment().windows().size());
        out.number("settledSeconds", part.settledSeconds(), DECIMALS);
        out.number("levelSeconds", part.analysis().ending().map(end -> end.levelSeconds()), DECIMALS);
        out.objects("trends", part.trends(), this::trend);
        out.object("collections", part.segment().memory().collections(), all -> {
            out.integer("young", all.young());
            out.integer("full", all.full());
            out.number("fullSeconds", all.fullNanos() / 1e9, DECIMALS);
        });
    }

    private void trend(SoakTrend trend) {
        out.text("metric", trend.metric().name().toLowerCase(Locale.ROOT));
        out.text("unit", trend.metric().unit());
        out.flag("bad", trend.bad());
        trend.trend()
                .ifPresentOrElse(
                        t -> {
                            out.text("direction", t.rises() ? "rising" : t.falls() ? "falling" : "not shown");
                            out.number("level", t.level(), DECIMALS);
                            out.number("perHour", t.slope() * trend.perHour(), DECIMALS);
                            out.number("perHourLo", t.lo() * trend.perHour(), DECIMALS);
                            out.number("perHourHi", t.hi() * trend.perHour(), DECIMALS);
                            out.number("growth", t.growth(t.slope()), DECIMALS);
                            out.number("boundPerHour", trend.bound(), DECIMALS);
                            out.number("limit", trend.limit(), DECIMALS);
                            out.number("hoursToLimit", trend.hoursToLimit(), DECIMALS);
                            out.number("autocorrelation", t.rho(), DECIMALS);
                            out.integer("blocks", t.blocks());
                        },
                        () -> out.text("notEnoughData", trend.whyNone()));
    }
}
