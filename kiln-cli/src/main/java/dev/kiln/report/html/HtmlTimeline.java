package dev.kiln.report.html;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.Reading;
import dev.kiln.stats.series.TimeToPeak;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** HtmlTimeline shows all that was recorded on one time axis, with the findings next to it. */
record HtmlTimeline(ExperimentResult result, Captions captions) {
    private static final String KEYS =
            "<p id=\"keys\">Point or <kbd>\u2190</kbd> <kbd>\u2192</kbd> to read all panels at"
                    + " one second, drag or <kbd>+</kbd> <kbd>\u2212</kbd> to zoom, <kbd>0</kbd> for the whole run, <kbd>n</kbd>"
                    + " <kbd>p</kbd> from finding to finding, <kbd>Esc</kbd> to clear.</p>\n";

    private static final String RULER = "<div id=\"bar\"><div id=\"ruler\" role=\"slider\" tabindex=\"0\""
            + " aria-label=\"Moment on the time axis of all panels\" aria-describedby=\"keys\" aria-valuemin=\"0\""
            + " aria-valuemax=\"0\" aria-valuenow=\"0\"></div>"
            + "<button type=\"button\" id=\"reset\" hidden>whole run</button></div>\n";

    private static final String WHY =
            " <button type=\"button\" id=\"why\" aria-pressed=\"false\">why this time</button>";

    private static final String WHY_WORDS =
            "<span id=\"why-words\" hidden><b>Why this time</b>: the dotted line, of the"
                    + " chosen run, adds up how far each second lay above or below 90\u00a0% of the peak, in seconds of peak (at most"
                    + " 10\u00a0% a second). It falls while the service serves less than 90\u00a0% and rises while it serves more. The"
                    + " time is where it is least; the bar there spans the seconds at which noise does not tell it from the least."
                    + "</span>";

    /** Returns the key to the colours of a row, from below. */
    private String rowKeys(Panel panel) {
        return switch (panel.id()) {
            case "budget" ->
                HtmlBudget.parts(result).stream()
                        .map(part -> key(HtmlBudget.colour(part), part.words()))
                        .collect(Collectors.joining());
            case "c2all" -> key("c2", "running") + key("wait", "waiting for a CPU");
            default -> key("plain", "user") + key("native", "system");
        };
    }

    private static String key(String colour, String name) {
        return " <small><span class=\"swatch\" style=\"--c:var(--" + colour + ")\"></span>" + name + "</small>";
    }

    String html() {
        if (!any(run -> !run.curves().load().isEmpty())) {
            return Html.caption("No request was completed, so there are no curves.") + new HtmlFindings(result).html();
        }
        String panels = Panel.ALL.stream()
                .filter(panel -> any(panel.has())
                        && (!panel.id().equals("c2all") || rows(panel).size() > 1))
                .map(this::figure)
                .collect(Collectors.joining());
        return KEYS + "<div id=\"choice\">" + variants() + runs() + "</div>\n<div id=\"beside\">"
                + new HtmlFindings(result).html() + "<div id=\"panels\">\n" + RULER + panels + missing()
                + "</div></div>\n";
    }

    /** Returns, for each variant, a button that hides and shows its lines, and one that chooses it. */
    private String variants() {
        return IntStream.range(0, result.variants().size())
                .mapToObj(v -> {
                    VariantResult variant = result.variants().get(v);
                    String name = Html.escape(variant.name());
                    return "<span class=\"chip\"><button type=\"button\" class=\"eye\" aria-pressed=\"true\" data-show=\""
                            + v + "\" title=\"hide or show its lines\" aria-label=\"show " + name + "\">"
                            + Html.variant(v, "") + "</button><button type=\"button\" class=\"pick\" data-variant=\""
                            + v
                            + "\" aria-pressed=\"false\">" + name + verdict(variant) + "</button></span>";
                })
                .collect(Collectors.joining("", "<div role=\"group\" aria-label=\"Variant looked into\">", "</div>"));
    }

    private static String verdict(VariantResult variant) {
        List<String> verdicts = Reading.readableRuns(variant).stream()
                .map(run -> run.explanation().verdict().text())
                .distinct()
                .toList();
        return " <small>" + Html.escape(verdicts.size() == 1 ? verdicts.getFirst() : "runs disagree") + "</small>";
    }

    private String runs() {
        int most =
                result.variants().stream().mapToInt(v -> v.runs().size()).max().orElse(0);
        return most < 2
                ? ""
                : IntStream.range(0, most)
                        .mapToObj(r -> "<button type=\"button\" class=\"pick\" data-run=\"" + r
                                + "\" aria-pressed=\"false\">" + (r + 1) + "</button>")
                        .collect(Collectors.joining(
                                "", "<div id=\"runs\" role=\"group\" aria-label=\"Run looked into\">run ", "</div>"));
    }

    private String figure(Panel panel) {
        List<Captions.Sentence> sentences = sentences(panel);
        String general = general(panel);
        String caption = sentences.stream()
                .map(c -> "<span data-of=\"" + index(c.variant()) + "\"><b>" + Html.escape(c.variant()) + "</b>"
                        + Html.prose(c.rest()) + "</span>")
                .collect(Collectors.joining(
                        " ", general.isEmpty() ? "" : "<span>" + Html.escape(general) + "</span> ", ""));
        String label = panel.title() + ", " + unit(panel) + ". "
                + sentences.stream().map(Captions.Sentence::text).collect(Collectors.joining(" "));
        return "<figure class=\"panel" + (panel.all() ? " all" : "") + "\" data-panel=\"" + panel.id() + "\"><h3>"
                + Html.escape(panel.title()) + " <small>" + Html.escape(unit(panel))
                + "</small>" + (why(panel) ? WHY : "")
                + (panel.isOfRows() ? "<span class=\"keys\">" + rowKeys(panel) + "</span>" : "")
                + "</h3>\n<div class=\"plot\"><div class=\"under\"></div><canvas></canvas><div class=\"chart\" id=\"chart-"
                + panel.id()
                + "\" role=\"img\" aria-label=\"" + Html.escape(label) + "\"></div>"
                + "<div class=\"over\"><i class=\"mark\"></i><i class=\"cursor\"></i></div>"
                + (panel.all() ? "<div class=\"words\"></div>" : "")
                + "<div class=\"legend\"></div></div>\n"
                + (caption.isEmpty() || isSaidAbove(panel)
                        ? ""
                        : "<figcaption>" + caption + (why(panel) ? WHY_WORDS : "") + "</figcaption>")
                + "</figure>\n"
                + "<p class=\"caption absent\" data-absent=\"" + panel.id() + "\" hidden>" + Html.escape(panel.title())
                + (panel.id().equals("forecast") ? ": no forecast for this run" : ": not recorded in this run")
                + ".</p>\n";
    }

    /** Returns what is said of a panel whatever it shows. */
    private String general(Panel panel) {
        return switch (panel.id()) {
            case "times" -> "A second has its p95 with 20 requests or more, and its p99.9 with 1,000 or more.";
            case "forecast" ->
                "Had the load gone on, and by the share of a CPU that C2 had got until then. The line ends where the load ended.";
            default -> panel.isOfRows() ? rowWords(panel) : "";
        };
    }

    private String unit(Panel panel) {
        int calls = ChartData.calls(result).size();
        return panel.isOfCalls() && calls > ChartData.MOST_CALLS
                ? panel.unit() + "; the first " + ChartData.MOST_CALLS + " of " + calls + " calls"
                : panel.unit();
    }

    private boolean why(Panel panel) {
        return panel.id().equals("rate")
                && result.variants().stream()
                        .anyMatch(variant -> variant.time(TimeToPeak.HEADLINE).isPresent());
    }

    private List<Captions.Sentence> sentences(Panel panel) {
        return switch (panel.id()) {
            case "rate" -> captions.throughput();
            case "p99" -> captions.latency();
            case "c2", "c2all" -> captions.c2();
            default -> List.of();
        };
    }

    /** Tells whether the rows of all variants already show what this panel would. */
    private boolean isSaidAbove(Panel panel) {
        return panel.id().equals("c2") && rows(panel).size() > 1;
    }

    /** Returns the runs that each variant's row is made of; a variant without such a recording has no row. */
    private List<List<RunResult>> rows(Panel panel) {
        return result.variants().stream()
                .map(variant -> variant.runs().stream().filter(panel.has()).toList())
                .filter(seen -> !seen.isEmpty())
                .map(seen -> seen.stream().anyMatch(RunResult::valid)
                        ? seen.stream().filter(RunResult::valid).toList()
                        : seen)
                .toList();
    }

    /** Returns a sentence on what a row shows: the first valid run of a variant, or the median of several. */
    private String rowWords(Panel panel) {
        List<List<RunResult>> rows = rows(panel);
        long medians = rows.stream().filter(runs -> runs.size() > 2).count();
        String first = "the first valid run of a variant";
        String median = "the median of a variant's valid runs, second by second";
        String row = medians == 0
                ? first
                : medians == rows.size() ? median : median + "; with fewer than three, the first of them";
        String invalid = rows.stream().anyMatch(runs -> !runs.getFirst().valid())
                ? " Where no run is valid, the others stand for them."
                : "";
        String more =
                panel.id().equals("budget") ? HtmlBudget.CAPTION : "It is grey from the launch to the first request.";
        return "A row is " + row + "." + invalid + " " + more;
    }

    private int index(String variant) {
        return result.variants().stream().map(VariantResult::name).toList().indexOf(variant);
    }

    private String missing() {
        return Arrays.stream(Panel.PanelSource.values())
                .filter(source -> Panel.ALL.stream()
                        .filter(panel -> panel.missing() == source)
                        .noneMatch(panel -> any(panel.has())))
                .map(source ->
                        "<li><b>" + Html.escape(source.what()) + "</b>: " + Html.escape(source.why()) + "</li>\n")
                .reduce(String::concat)
                .map(items -> "<div class=\"missing\"><h3>Not shown</h3><ul>\n" + items + "</ul></div>\n")
                .orElse("");
    }

    private boolean any(Predicate<RunResult> has) {
        return result.variants().stream().flatMap(v -> v.runs().stream()).anyMatch(has);
    }
}
