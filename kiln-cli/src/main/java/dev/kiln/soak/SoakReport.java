package dev.kiln.soak;

import dev.kiln.model.run.Sample.Generations;
import dev.kiln.report.Grid;
import dev.kiln.report.Markdown;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.html.Frame;
import dev.kiln.report.html.Html;
import dev.kiln.report.html.SvgAxes;
import dev.kiln.soak.SoakResult.SoakMetric;
import dev.kiln.soak.SoakResult.SoakPart;
import dev.kiln.soak.SoakResult.SoakTrend;
import dev.kiln.stats.LongTrend;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A SoakReport is a soak as text, for the terminal and as Markdown, and as a page. */
public final class SoakReport {
    private static final List<String> HEADS = List.of("run", "what", "level", "an hour", "between", "trend");

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

    private static String facts(SoakResult result) {
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

    private static List<List<String>> rows(SoakResult result) {
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

    /** Returns a page of its own that needs no script: what was watched over the hours, and the table. */
    public static String page(SoakResult result) {
        Html.HtmlTable table = new Html.HtmlTable(2, Html.escape(HEADS));
        rows(result).forEach(row -> table.row(Html.escape(row)));
        String pictures = Arrays.stream(SoakMetric.values())
                .map(metric -> picture(result, metric))
                .collect(Collectors.joining());
        return Frame.page(
                result.name(),
                "soak",
                Frame.conclusion(result.answer().conclusion()) + Frame.about(facts(result)),
                table.html("Trends") + "<section><h2>Over time</h2><div class=\"sweep\">" + pictures
                        + "</div></section>\n"
                        + Html.section("notes", "Notes", Html.notes(result.notes())),
                "");
    }

    /** Segments one after the other, each in a colour of its own. */
    private static String picture(SoakResult result, SoakMetric metric) {
        List<double[]> values = result.parts().stream()
                .map(part -> SoakTrends.values(part.segment(), metric))
                .toList();
        double highest = values.stream().flatMapToDouble(Arrays::stream).max().orElse(0);
        if (highest <= 0) {
            return "";
        }
        double hours = result.load().seconds() / 3600;
        boolean brief = hours < 0.5;
        SvgAxes axes = SvgAxes.linear(
                Math.max(1e-3, brief ? hours * 60 : hours),
                highest * 1.06,
                brief ? "minutes of load" : "hours of load");
        StringBuilder lines = new StringBuilder();
        double before = 0;
        for (int i = 0; i < values.size(); i++) {
            SoakPart part = result.parts().get(i);
            StringBuilder points = new StringBuilder();
            for (int w = 0; w < values.get(i).length; w++) {
                double second = before + (w + 0.5) * part.segment().windowSeconds();
                double value = values.get(i)[w];
                if (value > 0 || metric == SoakMetric.THROUGHPUT) {
                    points.append(axes.at(second / (brief ? 60 : 3600), value)).append(' ');
                }
            }
            lines.append(axes.line(i, points.toString().strip(), ""));
            before += part.segment().load().seconds();
        }
        return Html.figure(
                Show.sentence(metric.label()),
                metric.unit(),
                axes.svg(lines.toString(), metric.label() + " over the soak"));
    }
}
