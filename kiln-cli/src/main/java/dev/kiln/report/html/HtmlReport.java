package dev.kiln.report.html;

import dev.kiln.compare.Comparison;
import dev.kiln.compare.DuetComparison;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult;
import dev.kiln.files.OutputFile;
import dev.kiln.model.run.RunInfo;
import dev.kiln.report.Cell;
import dev.kiln.report.ClaimWords;
import dev.kiln.report.DuetWords;
import dev.kiln.report.Launches;
import dev.kiln.report.Section;
import dev.kiln.report.SummaryTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An HtmlReport is one HTML file that needs nothing else; only its charts take the scripts it carries. */
public final class HtmlReport {
    /** A page has this name in the folder that it is about. */
    public static final String FILE = "report.html";

    private static final Pattern SLOT = Pattern.compile("\\{\\{(\\w+)}}");

    private final ExperimentResult result;
    private final SummaryTable summary;
    private final View view;

    /**
     * A View says how a result is looked at.
     *
     * @param comparison of its variants, to be shown with them
     * @param fromLaunch times of all runs begin at their launch, and not at their first request
     * @param colours of the variants, by number; empty for their order
     */
    public record View(Optional<Comparison> comparison, boolean fromLaunch, List<Integer> colours) {
        /** Variants beyond these take the same again, with dashes. */
        public static final int COLOURS = 8;

        static final View PLAIN = new View(Optional.empty(), false, List.of());

        public View {
            colours = List.copyOf(colours);
        }
    }

    private HtmlReport(ExperimentResult result, View view) {
        this.result = result;
        this.summary = SummaryTable.of(result);
        this.view = view;
    }

    public static void write(ExperimentResult result, Path file) {
        try {
            OutputFile.replace(file, render(result));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the last line of a text, which says where the page is. */
    public static String where(Path folder) {
        return "Report: " + folder.resolve(FILE) + "\n";
    }

    public static String render(ExperimentResult result) {
        return render(result, View.PLAIN);
    }

    public static String render(ExperimentResult result, View view) {
        Map<String, String> slots = new HtmlReport(result, view).slots();
        return SLOT.matcher(Frame.resource("report.html"))
                .replaceAll(m -> Matcher.quoteReplacement(slots.getOrDefault(m.group(1), "")));
    }

    private Map<String, String> slots() {
        return Map.ofEntries(
                Map.entry("title", Html.escape(result.name())),
                Map.entry(
                        "conclusion",
                        HtmlHead.conclusion(result, view.comparison().isPresent())),
                Map.entry("facts", HtmlHead.facts(result)),
                Map.entry("summary", summary()),
                Map.entry(
                        "sections",
                        duet()
                                + Section.of(result).stream()
                                        .map(section -> section.html(result))
                                        .collect(Collectors.joining())),
                Map.entry(
                        "compared", view.comparison().map(HtmlComparison::html).orElse("")),
                Map.entry("zero", view.fromLaunch() ? "launch" : "first request"),
                Map.entry("timeline", new HtmlTimeline(result, new Captions(result)).html()),
                Map.entry("evenness", new HtmlDistributions(result).html()),
                Map.entry("tables", tables()),
                Map.entry("notes", Html.section("notes", "Notes", footnotes())),
                Map.entry("css", Frame.resource("report.css")),
                Map.entry("colours", colours()),
                Map.entry("wide", Frame.resource("wide.js")),
                Map.entry("labels", Frame.resource("labels.js")),
                Map.entry("charts", Frame.resource("charts.js")),
                Map.entry("axes", Frame.resource("axes.js")),
                Map.entry("plots", Frame.resource("plots.js")),
                Map.entry("lines", Frame.resource("lines.js")),
                Map.entry("time", Frame.resource("time.js")),
                Map.entry("page", Frame.resource("page.js")),
                Map.entry("take", Frame.resource("take.js")),
                Map.entry("data", ChartData.json(result, view.fromLaunch())));
    }

    private String duet() {
        return DuetComparison.of(result)
                .map(duet -> {
                    Html.HtmlTable table = new Html.HtmlTable(1, DuetWords.HEADS);
                    DuetWords.rows(duet).forEach(table::row);
                    String caption = String.join(
                            ". ",
                            Stream.concat(Stream.of(DuetWords.sentence(duet)), duet.leftOut().stream())
                                    .toList());
                    return Html.section(
                            "duet",
                            "Both at once",
                            (table.isEmpty() ? "" : table.html("Blocks")) + Html.caption(caption + "."));
                })
                .orElse("");
    }

    private String colours() {
        List<Integer> all = view.colours();
        return all.isEmpty()
                ? ""
                : IntStream.range(0, all.size())
                        .mapToObj(v -> "--v" + v + ": var(--k" + all.get(v) + ");")
                        .collect(Collectors.joining(" ", ":root { ", " }"));
    }

    private String tables() {
        HtmlRuns runs = new HtmlRuns(result);
        HtmlCpus cpus = new HtmlCpus(result);
        return Html.section("variants", "Variants", HtmlLaunches.html(result))
                + Html.section("claims", "Claims", claims())
                + (view.comparison().isPresent() ? "" : HtmlComparison.byJdk(result))
                + Html.section("calls", "Calls", runs.calls())
                + Html.section("replicas", "Replicas", new HtmlReplicas(result).html())
                + Html.section("threads", "Threads", cpus.threads())
                + Html.section("start-up", "Start-up", runs.startUp())
                + Html.section("hot", "Hot methods", runs.hot())
                + Html.section("c2-work", "What C2 compiled", runs.c2Work())
                + Html.section("memory", "Memory", runs.memory())
                + Html.section("cost", "What each part of the lab used", cpus.parts())
                + Html.section("runs", "Every run", runs.everyRun())
                + Html.section("how", "How it was measured", HtmlHow.html(result));
    }

    /** Returns the summary, and the footnotes its figures point to. */
    private String summary() {
        List<String> heads = Stream.concat(
                        Stream.of("variant"),
                        summary.columns().stream()
                                .map(column -> "<span title=\"" + Html.escape(column.meaning()) + "\">" + column.top()
                                        + "<br>" + column.bottom() + "</span>"))
                .toList();
        Html.HtmlTable table = new Html.HtmlTable(1, heads);
        for (int i = 0; i < summary.rows().size(); i++) {
            SummaryTable.SummaryRow row = summary.rows().get(i);
            List<String> cells = new ArrayList<>();
            cells.add(Html.variant(i, row.variant()));
            row.cells().forEach(cell -> cells.add(cell(cell)));
            table.row(cells);
        }
        return table.html("Summary");
    }

    private String cell(Cell cell) {
        String text = cell.note()
                .map(note -> "<span title=\"" + Html.escape(note) + "\">" + Html.escape(cell.text()) + "</span>")
                .orElseGet(() -> Html.escape(cell.text()));
        String mark = summary.number(cell)
                .map(n -> "<sup><a href=\"#note-" + n + "\" aria-label=\"footnote " + n + "\">" + n + "</a></sup>")
                .orElse("");
        return text + mark + Html.range(cell);
    }

    /** Returns the footnotes: those that a figure points to have its number; the others are of the whole experiment. */
    private String footnotes() {
        List<String> all = summary.footnotes();
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < summary.marked(); i++) {
            out.append("<li id=\"note-")
                    .append(i + 1)
                    .append("\">")
                    .append(Html.escape(all.get(i)))
                    .append("</li>\n");
        }
        return (out.isEmpty() ? "" : "<ol class=\"notes\">\n" + out + "</ol>\n")
                + Html.notes(all.subList(summary.marked(), all.size()));
    }

    /** Returns the claims with their published figures, and those of this experiment; empty without claims. */
    private String claims() {
        if (result.claims().isEmpty()) {
            return "";
        }
        Html.HtmlTable table = new Html.HtmlTable(4, ClaimWords.HEADS);
        for (ClaimResult claim : result.claims()) {
            table.row(Html.escape(List.of(
                    claim.claim().text(),
                    claim.claim().published(),
                    ClaimWords.figures(claim),
                    claim.state().text())));
        }
        return table.html("Claims")
                + Html.caption(
                        "Medians over runs, compared as the experiment file says. With two runs or more, the 95 %"
                                + " interval between runs decides, or all runs agree.");
    }

    /** HtmlLaunches shows each variant: how it differs from the first, its command, and what Kiln put around that. */
    private static final class HtmlLaunches {
        private HtmlLaunches() {}

        /** Returns the section; empty where nothing is known of any launch. */
        static String html(ExperimentResult result) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < result.variants().size(); i++) {
                String name = result.variants().get(i).name();
                Optional<RunInfo> known = Optional.ofNullable(result.launches().get(name));
                if (known.flatMap(Launches::command).isPresent()) {
                    out.append("<h3>").append(Html.variant(i, name)).append("</h3>\n<dl class=\"launch\">\n");
                    // Levels of a sweep differ in their load.
                    if (i > 0 && result.sweep().isEmpty()) {
                        Launches.differences(result, name)
                                .ifPresent(found -> out.append(Html.term("Differs", differences(result, found))));
                    }
                    known.flatMap(Launches::command)
                            .ifPresent(command ->
                                    out.append(Html.term("Command", "<pre>" + Html.code(command) + "</pre>")));
                    known.map(Launches::aroundIt)
                            .filter(lines -> !lines.isEmpty())
                            .ifPresent(lines -> out.append(Html.term("Kiln added", codes(lines))));
                    out.append("</dl>\n");
                }
            }
            return out.toString();
        }

        private static String differences(ExperimentResult result, List<String> found) {
            return found.isEmpty()
                    ? "in no word of its command, environment, JDK or modifiers"
                    : "from " + Html.escape(result.variants().getFirst().name()) + " in" + codes(found);
        }

        private static String codes(List<String> lines) {
            return lines.stream()
                    .map(line -> "<div>" + Html.code(line) + "</div>")
                    .collect(Collectors.joining());
        }
    }
}
