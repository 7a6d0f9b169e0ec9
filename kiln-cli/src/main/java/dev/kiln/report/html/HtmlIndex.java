package dev.kiln.report.html;

import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.model.run.Summary.VariantSummary;
import dev.kiln.report.Facts;
import dev.kiln.report.Listed;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.text.PathText;
import dev.kiln.text.Show;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** HtmlIndex is the list of experiments: to search, to open, and to lay variants over each other. */
public final class HtmlIndex {
    private HtmlIndex() {}

    /** A PagePlace says where the list is: in which folder, and on which page from 1. */
    public record PagePlace(String folder, int page, int pages) {}

    public static String page(List<Listed> all, PagePlace at) {
        String place = at.folder();
        long running = all.stream()
                .filter(one -> one.state() == Listed.StudyState.RUNNING)
                .count();
        String head = Frame.conclusion(
                        all.isEmpty()
                                ? "No experiment here yet"
                                : Show.plural(all.size(), "experiment")
                                        + (running > 0 ? ", " + running + " running" : ""))
                + Frame.about(place + (all.isEmpty() ? " \u00b7 kiln run writes here with --results " + place : ""));
        return Frame.page(
                "Experiments", "results", head + pages(at), all.isEmpty() ? "" : list(all), Frame.resource("index.js"));
    }

    /** Returns the links between pages; empty if all experiments fit on one. */
    private static String pages(PagePlace at) {
        if (at.pages() <= 1) {
            return "";
        }
        return "<p class=\"about\">Page " + at.page() + " of " + at.pages()
                + ", the last begun first; the search is of this page."
                + (at.page() > 1 ? " <a href=\"/?page=" + (at.page() - 1) + "\">newer</a>" : "")
                + (at.page() < at.pages() ? " <a href=\"/?page=" + (at.page() + 1) + "\">older</a>" : "") + "</p>\n";
    }

    private static String list(List<Listed> all) {
        return "<form id=\"list\" action=\"/compare\">\n<div id=\"filters\" hidden>"
                + "<label>Search <input type=\"search\" id=\"search\" autocomplete=\"off\"></label>"
                + select(
                        "service", all, one -> one.kind() == StudyKind.STARTUP ? Stream.empty() : Stream.of(one.name()))
                + select("kind", all, one -> Stream.of(one.kind().text()))
                + select("verdict", all, one -> one.verdicts().stream())
                + select("JDK", all, one -> one.variants().stream().flatMap(v -> v.jdk().stream()))
                + select("host", all, one -> Stream.of(one.host()))
                + select("state", all, one -> Stream.of(one.state().text()))
                + "<output id=\"found\"></output></div>\n"
                + "<div id=\"over\"><button>Compare</button>"
                + "<label><input type=\"radio\" name=\"from\" value=\"request\" checked> from the first request</label>"
                + "<label><input type=\"radio\" name=\"from\" value=\"launch\"> from the launch</label>"
                + "<output id=\"chosen\"></output></div>\n"
                + "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Experiments\"><table id=\"experiments\">"
                + "<thead><tr><th scope=\"col\" class=\"text\">variant</th><th scope=\"col\" class=\"text\">JDK</th>"
                + "<th scope=\"col\" class=\"text\">verdict</th><th scope=\"col\">peak<br>req/s</th>"
                + "<th scope=\"col\">T90</th><th scope=\"col\">valid<br>runs</th></tr></thead>\n"
                + all.stream().map(HtmlIndex::experiment).collect(Collectors.joining())
                + "</table></div></form>\n";
    }

    /** Returns a filter of the list; empty if fewer than two values could be chosen. */
    private static String select(String name, List<Listed> all, Function<Listed, Stream<String>> values) {
        List<String> options = all.stream()
                .flatMap(values)
                .filter(value -> !value.isEmpty())
                .distinct()
                .sorted()
                .toList();
        return options.size() < 2
                ? ""
                : "<label>" + name + " <select data-by=\"" + name + "\"><option value=\"\">all</option>"
                        + options.stream()
                                .map(value -> "<option>" + Html.escape(value) + "</option>")
                                .collect(Collectors.joining())
                        + "</select></label>";
    }

    private static String experiment(Listed one) {
        String id = PathText.inUrl(one.id());
        boolean opens = one.state() != Listed.StudyState.UNREADABLE;
        String name =
                opens ? "<a href=\"/experiment/" + id + "\">" + Html.escape(one.id()) + "</a>" : Html.escape(one.id());
        String when = one.startedMillis().isPresent()
                ? Facts.minute(one.startedMillis().getAsLong())
                : "";
        boolean judged = one.kind() == StudyKind.EXPERIMENT && !one.verdicts().isEmpty();
        String over = judged
                ? " <a class=\"overtime\" href=\"/service/" + PathText.inUrl(one.name()) + "\">"
                        + Html.escape(one.name()) + " over time</a>"
                : "";
        return "<tbody data-service=\"" + Html.escape(one.name()) + "\" data-host=\"" + Html.escape(one.host())
                + "\" data-kind=\"" + one.kind().text() + "\" data-state=\""
                + one.state().text()
                + "\">\n<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"6\">"
                + "<span class=\"named\">" + name + " <small>" + Html.escape(when) + "</small>" + kind(one) + state(one)
                + over + "</span>"
                + one.problem()
                        .map(why -> "<span class=\"problem\">" + Html.escape(why) + "</span>")
                        .orElse("")
                + (one.conclusion().isEmpty() ? "" : "<span class=\"told\">" + Html.prose(one.conclusion()) + "</span>")
                + "</th></tr>\n"
                + one.variants().stream().map(variant -> variant(one, variant)).collect(Collectors.joining())
                + "</tbody>\n";
    }

    private static String kind(Listed one) {
        return one.kind() == StudyKind.EXPERIMENT
                ? ""
                : " <span class=\"state\">" + one.kind().text() + "</span>";
    }

    private static String state(Listed one) {
        return one.state() == Listed.StudyState.FINISHED
                ? ""
                : " <span class=\"state "
                        + one.state().name().toLowerCase(Locale.ROOT).replace('_', '-') + "\">"
                        + one.state().text() + "</span>";
    }

    private static String variant(Listed of, VariantSummary variant) {
        String name = Html.escape(variant.name());
        boolean canBeChosen = of.kind() == StudyKind.EXPERIMENT
                && !variant.runs().isEmpty()
                && of.state() != Listed.StudyState.RUNNING;
        String box = canBeChosen
                ? "<label><input type=\"checkbox\" name=\"v\" value=\"" + Html.escape(of.id() + "//" + variant.name())
                        + "\"> " + name + "</label>"
                : name;
        long valid = variant.runs().stream().filter(OfRun::valid).count();
        boolean revised = variant.runs().stream().anyMatch(run -> !run.earlier().isEmpty());
        return "<tr data-verdict=\"" + Html.escape(variant.verdict()) + "\" data-jdk=\""
                + Html.escape(variant.jdk().orElse("")) + "\"><th scope=\"row\" class=\"text\">" + box
                + "</th><td class=\"text\">" + Html.escape(brief(variant.jdk())) + "</td><td class=\"text\">"
                + Html.escape(variant.verdict().isEmpty() ? Show.ABSENT : variant.verdict())
                + (revised
                        ? " <span class=\"why\" title=\"" + Html.escape(revisions(variant)) + "\">revised</span>"
                        : "")
                + "</td><td>"
                + variant.peak()
                        .map(peak -> (variant.peakAtLeast() ? "\u2265 " : "") + Show.whole(peak))
                        .orElse(Show.ABSENT)
                + "</td><td>" + Html.escape(variant.t90().orElse(Show.ABSENT)) + "</td><td>" + valid + " of "
                + variant.runs().size() + "</td></tr>\n";
    }

    private static String revisions(VariantSummary variant) {
        return variant.runs().stream()
                .flatMap(run -> run.earlier().stream()
                        .map(before ->
                                "run " + run.run() + " was " + before.verdict() + " by Kiln " + before.kilnVersion()))
                .collect(Collectors.joining("; "));
    }

    /** Returns the version without the vendor's build, which has no room in the list. */
    private static String brief(Optional<String> jdk) {
        return jdk.map(version -> version.replaceAll("[+-].*", "")).orElse(Show.ABSENT);
    }
}
