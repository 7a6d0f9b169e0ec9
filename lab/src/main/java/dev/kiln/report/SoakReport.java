package dev.kiln.report;

import dev.kiln.explain.study.SoakResult;
import dev.kiln.explain.study.SoakResult.SoakPart;
import dev.kiln.explain.study.SoakResult.SoakTrend;
import dev.kiln.stats.LongTrend;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A soak as text: for the terminal and as Markdown. */
public final class SoakReport {
    static final List<String> HEADS = List.of("segment", "what", "level", "an hour", "between", "trend");

    private SoakReport() {}

    public static String terminal(SoakResult result, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        out.append(style.bold(style.chars(result.name())))
                .append("  ")
                .append(style.dim(style.chars(facts(result))))
                .append("\n\n");
        out.append(new Grid(HEADS, rows(result), List.of(1, 5)).terminal(style)).append('\n');
        Wrap.paragraph("", style.chars(result.conclusion()), style.width())
                .lines()
                .forEach(line -> out.append(style.bold(line)).append('\n'));
        result.notes().forEach(note -> out.append(style.dim(Wrap.paragraph("- ", style.chars(note), style.width()))));
        return out.toString();
    }

    public static String markdown(SoakResult result) {
        StringBuilder out = new StringBuilder("### " + MarkdownReport.escape(result.name()) + "\n\n**"
                + MarkdownReport.escape(result.conclusion()) + "**\n\n");
        out.append(new Grid(HEADS, rows(result), List.of(1, 5)).markdown());
        out.append('\n').append(MarkdownReport.escape(facts(result))).append('\n');
        result.notes().forEach(note -> out.append("\n- ").append(MarkdownReport.escape(note)));
        return out.append('\n').toString();
    }

    static String facts(SoakResult result) {
        double spent = result.budgetSpent();
        String budget = Double.isInfinite(spent)
                ? "no error was allowed"
                : Text.fixed(100 * spent, 0) + " % of the error budget of "
                        + SweepWords.digits(100 * result.plan().errorBudget()) + " % spent";
        return Text.whole(result.requests()) + " requests in " + Text.whole(result.seconds()) + " s of "
                + Text.whole(result.plan().durationSeconds()) + " s; " + Text.plural(result.errors(), "error") + ", "
                + budget + ", worst window " + SweepWords.digits(100 * result.worstErrorShare()) + " %";
    }

    static List<List<String>> rows(SoakResult result) {
        List<List<String>> rows = new ArrayList<>();
        for (SoakPart part : result.parts()) {
            String run = Integer.toString(part.segment().run());
            part.trends().forEach(trend -> rows.add(row(run, trend)));
            rows.add(List.of(run, "steady state", "", "", "", steady(part)));
        }
        return rows;
    }

    private static List<String> row(String run, SoakTrend trend) {
        String what = trend.metric().label() + ", " + trend.metric().unit();
        return trend.trend()
                .map(t -> List.of(
                        run,
                        what,
                        SweepWords.digits(t.level()),
                        signed(t.slope() * trend.perHour()),
                        signed(t.lo() * trend.perHour()) + " to " + signed(t.hi() * trend.perHour()),
                        direction(trend, t)))
                .orElseGet(() -> List.of(run, what, Text.ABSENT, Text.ABSENT, Text.ABSENT, trend.whyNone()));
    }

    private static String direction(SoakTrend trend, LongTrend t) {
        String growth = String.format(Locale.ROOT, " (%+.1f %%)", 100 * t.growth(t.slope()));
        return t.rises() || t.falls()
                ? (t.rises() ? "rises" : "falls") + growth + (trend.bad() ? " !" : "")
                : "any " + (trend.metric().badWhenRising() ? "rise" : "fall") + " below "
                        + SweepWords.digits(trend.bound().orElse(0)) + " an hour";
    }

    private static String signed(double value) {
        return (value < 0 ? "-" : "+") + SweepWords.digits(Math.abs(value));
    }

    private static String steady(SoakPart part) {
        return part.analysis()
                .ending()
                .map(end -> "for " + Text.whole(end.levelSeconds()) + " s before the end")
                .orElse("too short to say");
    }
}
