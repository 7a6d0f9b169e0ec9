package dev.kiln.report.html;

import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.Inside.InsideClosing;
import dev.kiln.explain.RunNotes;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.RunResult.Explanation;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Verdict;
import dev.kiln.report.VerdictWords;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.Show;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** HtmlFindings has verdict, findings and forecasts of every run; the script shows the chosen one's. */
record HtmlFindings(ExperimentResult result) {
    private static final int MOST_METHODS = 5;

    String html() {
        StringBuilder out = new StringBuilder("<aside id=\"findings\" aria-label=\"Findings\" aria-live=\"polite\">\n");
        for (int v = 0; v < result.variants().size(); v++) {
            List<RunResult> runs = result.variants().get(v).runs();
            for (int r = 0; r < runs.size(); r++) {
                out.append(run(v, r, runs.get(r), runs.size()));
            }
        }
        return out.append("</aside>\n").toString();
    }

    private static String run(int v, int r, RunResult run, int runs) {
        Explanation why = run.explanation();
        String name = Html.variant(v, run.variant()) + (runs > 1 ? " <small>run " + run.run() + "</small>" : "");
        return "<article class=\"explanation\" data-of=\"" + v + ":" + r + "\">\n<p class=\"of\">" + name + "</p>\n"
                + verdict(run)
                + HtmlBudget.table(run)
                + why.findings(FindingState.CONFIRMED).stream()
                        .map(HtmlFindings::finding)
                        .collect(Collectors.joining())
                + forecasts(why.forecasts())
                + folded("Ruled out", why.findings(FindingState.RULED_OUT))
                + folded("Not observable", why.findings(FindingState.NOT_OBSERVABLE))
                + closing(run)
                + notRecorded(run)
                + "</article>\n";
    }

    private static String verdict(RunResult run) {
        Verdict verdict = run.explanation().verdict();
        String kind = verdict.text().replace(' ', '-');
        return "<h3 class=\"verdict " + kind + "\">" + Html.escape(Show.sentence(verdict.text())) + "</h3>\n"
                + Stream.concat(
                                VerdictWords.reasons(verdict).stream(),
                                VerdictWords.beside(run, AnalysisConfig.DELTA).stream())
                        .map(reason -> "<p class=\"reason\">" + Html.prose(Show.sentence(reason)) + "</p>\n")
                        .collect(Collectors.joining());
    }

    private static String finding(Finding finding) {
        return "<div class=\"finding " + finding.state().text() + "\" data-shows=\"" + panel(finding.seenIn())
                + "\" tabindex=\"-1\">\n<h4>" + Html.escape(Show.sentence(finding.title())) + "</h4>\n"
                + proofs(finding)
                + remedies(finding.remedies()) + "</div>\n";
    }

    /** Returns the id of the chart that shows a curve. */
    static String panel(Finding.Curve curve) {
        return switch (curve) {
            case THROUGHPUT -> "rate";
            case C2 -> "c2";
            case C2_QUEUE -> "queue";
            case METHOD_LEVELS -> "levels";
            case COMPILATIONS -> "compiled";
            case STOPS -> "stops";
            case MEMORY -> "rss";
            case CODE_CACHE -> "cache";
            case DEOPTIMISATIONS -> "deopt";
        };
    }

    private static String proofs(Finding finding) {
        return finding.evidence().stream()
                .map(HtmlFindings::proof)
                .collect(Collectors.joining("", "<ul class=\"proofs\">\n", "</ul>\n"));
    }

    private static String proof(Proof proof) {
        String text = Html.prose(Show.sentence(proof.text()));
        return "<li>"
                + proof.when()
                        .map(moment -> "<button type=\"button\" class=\"proof\" aria-pressed=\"false\" data-from=\""
                                + Show.machine(moment.fromSecond(), 1) + "\" data-to=\""
                                + Show.machine(moment.toSecond(), 1) + "\">" + text + " <span class=\"when\">"
                                + words(moment) + "</span></button>")
                        .orElse(text)
                + "</li>\n";
    }

    private static String words(Moment moment) {
        return Show.range(moment.fromSecond(), moment.toSecond(), s -> Show.fixed(s, 0)) + "\u00a0s";
    }

    /** Returns the remedies grouped by the place where they apply, in the order of the finding. */
    private static String remedies(List<FindingRemedy> remedies) {
        Map<RemedyPlace, List<FindingRemedy>> places = remedies.stream()
                .collect(Collectors.groupingBy(FindingRemedy::place, LinkedHashMap::new, Collectors.toList()));
        return remedies.isEmpty()
                ? ""
                : places.entrySet().stream()
                        .map(e ->
                                "<li class=\"place\">" + Html.escape(e.getKey().text()) + "</li>\n"
                                        + e.getValue().stream()
                                                .map(HtmlFindings::remedy)
                                                .collect(Collectors.joining()))
                        .collect(Collectors.joining(
                                "", "<p class=\"cure\">What would cure it</p>\n<ul class=\"remedies\">\n", "</ul>\n"));
    }

    /** Returns what to do in one line; how to do it, and what it costs, are shown on demand. */
    private static String remedy(FindingRemedy remedy) {
        String how = remedy.how().isBlank() ? "" : Html.code(remedy.how());
        String cost =
                remedy.cost().isBlank() ? "" : "<span class=\"cost\">Costs: " + Html.prose(remedy.cost()) + "</span>";
        return "<li><details><summary>" + Html.escape(Show.sentence(remedy.what())) + "</summary>" + how + cost
                + "</details></li>\n";
    }

    private static String forecasts(List<Forecast> forecasts) {
        return Forecast.last(forecasts)
                .map(words -> "<div class=\"forecasts\"><h4>Forecast</h4>\n<p class=\"reason\">Had the load gone on: "
                        + Html.prose(words) + ".</p></div>\n")
                .orElse("");
    }

    private static String folded(String title, List<Finding> findings) {
        return findings.isEmpty()
                ? ""
                : findings.stream()
                        .map(HtmlFindings::finding)
                        .collect(Collectors.joining(
                                "",
                                "<details class=\"others\"><summary>" + title + " <small>" + findings.size()
                                        + "</small></summary>\n",
                                "</details>\n"));
    }

    /** Returns what ran when all else had been measured: the five methods with most samples. */
    private static String closing(RunResult run) {
        return run.curves()
                .inside()
                .closing()
                .map(closing -> {
                    List<String> lines = Stream.concat(
                                    Stream.of("The same load went on from second " + Show.fixed(closing.second(), 0)
                                            + " under a flight recording, of which nothing is in a figure: "
                                            + InsideClosing.FILE),
                                    closing.hot().stream()
                                            .limit(MOST_METHODS)
                                            .map(method -> method.method() + ": " + method.interpreted()
                                                    + " samples interpreted, " + method.c1() + " in code of C1, "
                                                    + method.c2() + " of C2"))
                            .toList();
                    return "<details class=\"others\"><summary>Closing recording</summary>\n<ul>" + Html.list(lines)
                            + "</ul></details>\n";
                })
                .orElse("");
    }

    private static String notRecorded(RunResult run) {
        List<String> missing = RunNotes.notRecorded(run.notes());
        return missing.isEmpty()
                ? ""
                : "<details class=\"others\"><summary>Not recorded <small>" + missing.size()
                        + "</small></summary>\n<ul>" + Html.list(missing) + "</ul></details>\n";
    }
}
