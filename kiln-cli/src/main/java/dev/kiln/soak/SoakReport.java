package dev.kiln.soak;

import dev.kiln.model.run.Sample.Generations;
import dev.kiln.report.Grid;
import dev.kiln.report.Markdown;
import dev.kiln.report.TerminalStyle;
import dev.kiln.soak.SoakResult.SoakPart;
import dev.kiln.soak.SoakResult.SoakTrend;
import dev.kiln.stats.LongTrend;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.List;

/** A SoakReport is a soak as text: for the terminal and as Markdown. */
public final class SoakReport {
    public static final List<String> HEADS = List.of("run", "what", "level", "an hour", "between", "trend");

    private SoakReport() {}

    public static String terminal(SoakResult result, TerminalStyle style) {
        return style.bold(style.chars(result.name())) + "  " + style.dim(style.chars(facts(result))) + "\n\n"
                + grid(result).terminal(style) + "\n"
                + style.conclusion(result.answer().conclusion())
                + style.notes(result.notes());
    }

    public static String markdown(SoakResult result) {
        return "### " + Markdown.escape(result.name()) + "\n\n**"
                + Markdown.escape(result.answer().conclusion()) + "**\n\n"
                + grid(result).markdown() + "\n" + Markdown.escape(facts(result)) + "\n\n"
                + Markdown.notes(result.notes());
    }

    private static Grid grid(SoakResult result) {
        return Grid.of(HEADS, rows(result), 1, 5);
    }

    public static String facts(SoakResult result) {
        double spent = result.budgetSpent();
        String budget = Double.isInfinite(spent)
                ? "no error was allowed"
                : Show.fixed(100 * spent, 0) + " % of the error budget of "
                        + Show.digits(100 * result.plan().errorBudget()) + " % spent";
        return Show.whole(result.load().requests()) + " requests in "
                + Show.whole(result.load().seconds()) + " s of "
                + Show.whole(result.plan().durationSeconds()) + " s; "
                + Show.plural(result.load().errors(), "error") + ", "
                + budget + ", worst window " + Show.digits(100 * result.worstErrorShare()) + " %";
    }

    public static List<List<String>> rows(SoakResult result) {
        List<List<String>> rows = new ArrayList<>();
        for (SoakPart part : result.parts()) {
            String run = Integer.toString(part.segment().run());
            part.trends().forEach(trend -> rows.add(row(run, trend)));
            rows.add(List.of(run, "steady state", "", "", "", steady(part)));
            part.segment()
                    .memory()
                    .collections()
                    .ifPresent(all -> rows.add(List.of(run, "collections", "", "", "", collections(all))));
        }
        return rows;
    }

    private static String collections(Generations all) {
        return Show.whole(all.young()) + " young, " + Show.whole(all.full()) + " full"
                + (all.full() == 0 ? "" : " in " + Show.seconds(all.fullNanos() / 1e9) + " s");
    }

    private static List<String> row(String run, SoakTrend trend) {
        String what = trend.metric().label() + ", " + trend.metric().unit();
        return trend.trend()
                .map(t -> List.of(
                        run,
                        what,
                        Show.digits(t.level()),
                        signed(t.slope() * trend.perHour()),
                        signed(t.lo() * trend.perHour()) + " to " + signed(t.hi() * trend.perHour()),
                        direction(trend, t)))
                .orElseGet(() -> List.of(run, what, Show.ABSENT, Show.ABSENT, Show.ABSENT, trend.whyNone()));
    }

    private static String direction(SoakTrend trend, LongTrend t) {
        double percent = 100 * t.growth(t.slope());
        String growth = " (" + (percent < 0 ? "" : "+") + Show.points(percent) + ")";
        return t.rises() || t.falls()
                ? (t.rises() ? "rises" : "falls") + growth + (trend.bad() ? " !" : "")
                : "any " + (trend.metric().badWhenRising() ? "rise" : "fall") + " below "
                        + Show.digits(trend.bound().orElse(0)) + " an hour";
    }

    private static String signed(double value) {
        return (value < 0 ? "-" : "+") + Show.digits(Math.abs(value));
    }

    private static String steady(SoakPart part) {
        return part.analysis()
                .ending()
                .map(end -> "for " + Show.whole(end.levelSeconds()) + " s before the end")
                .orElse("too short to say");
    }
}
