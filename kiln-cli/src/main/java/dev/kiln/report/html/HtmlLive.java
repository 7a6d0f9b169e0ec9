package dev.kiln.report.html;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** HtmlLive is the page of an experiment that runs: it is drawn by its script from the events that the server sends. */
public final class HtmlLive {
    /** Its charts are panels of the report, under the same titles. */
    private static final List<Panel> CHARTS = Panel.ALL.stream()
            .filter(panel -> Set.of("rate", "p99", "c2", "queue", "levels").contains(panel.id()))
            .toList();

    private HtmlLive() {}

    /** Returns the page: with the address of its events, and that of the report, which is a file afterwards. */
    public static String page(String name, String events, String report, String file) {
        String charts = CHARTS.stream()
                .map(chart -> "<figure data-chart=\"" + chart.id() + "\"><h2 class=\"titled\">" + chart.title()
                        + " <small>"
                        + chart.unit() + "</small><span class=\"keys\"></span></h2><canvas role=\"img\" aria-label=\""
                        + chart.title() + ", " + chart.unit()
                        + "\" aria-describedby=\"numbers\"></canvas></figure>\n")
                .collect(Collectors.joining());
        return Frame.page(
                name,
                "live",
                "<p class=\"conclusion\" id=\"now\" aria-live=\"polite\">waiting for the first run</p>"
                        + "<p class=\"about\" id=\"state\"></p>"
                        + "<p class=\"about\" id=\"report\" hidden><a href=\"" + Html.escape(report)
                        + "\">report</a> " + Html.escape(file) + "</p>",
                "<noscript><p>This page draws what happens now, and needs scripts for it.</p></noscript>\n"
                        + "<div id=\"live\" data-events=\"" + Html.escape(events) + "\"><div id=\"charts\">" + charts
                        + "</div>\n<aside><h2>Runs</h2><ol id=\"runs\"></ol><h2 id=\"moment\">Now</h2>"
                        + "<dl id=\"numbers\"></dl></aside></div>\n",
                Frame.resource("live.js"));
    }
}
