package dev.kiln.tune;

import dev.kiln.model.Metric;
import dev.kiln.model.run.SearchStudy;
import dev.kiln.model.run.SearchStudy.SearchTable;
import dev.kiln.model.run.SearchStudy.SearchTable.SearchRow;
import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.model.run.Summary.VariantSummary;
import dev.kiln.report.Cell;
import dev.kiln.report.Cell.Spread;
import dev.kiln.report.Listed;
import dev.kiln.report.Listed.StudyState;
import dev.kiln.report.html.Frame;
import dev.kiln.report.html.Html;
import dev.kiln.text.Show;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * HtmlSearch is the page of a search: what runs now, what is left of the budget, a row for each candidate, and the stages.
 * Its script asks for it again while the search goes on.
 */
record HtmlSearch(Listed search, SearchStudy study, SearchStages stages) {
    private static final String CAPTION =
            "A gain is the median of what a candidate gained against the baseline in the same block, with the least and the"
                    + " most of its blocks. It chooses what is tried next. What is proven is proven on fresh runs.";

    private static final int LONGEST_WORD = 32;

    /**
     * Returns the page.
     *
     * @param folder of the search, as a command names it
     * @param link to the page of a stage, by its id
     */
    String page(String folder, long nowMillis, UnaryOperator<String> link) {
        Optional<SearchTable> table = study.table();
        boolean goesOn = table.filter(shown -> shown.verdict().isEmpty()).isPresent();
        return Frame.page(
                search.name(),
                "search for a cure",
                part("now", goesOn ? " data-goes-on aria-live=\"polite\"" : "", now(folder) + spent(nowMillis))
                        + "<p class=\"about\" id=\"cut\" hidden>The connection is cut; trying again.</p>",
                table.map(shown -> Html.section("candidates", "Candidates", part("candidates", "", candidates(shown))))
                                .orElse("")
                        + Html.section("stages", "Stages", part("stages", "", stages(link))),
                goesOn ? Frame.resource("search.js") : "");
    }

    /** Returns a part of the page that the script replaces. */
    private static String part(String name, String more, String html) {
        return "<div data-fresh=\"" + name + "\"" + more + ">" + html + "</div>";
    }

    private String now(String folder) {
        Optional<String> verdict = study.table().flatMap(SearchTable::verdict);
        if (verdict.isPresent()) {
            return Frame.conclusion(verdict.get());
        }
        return switch (search.state()) {
            case RUNNING ->
                Frame.conclusion(stages.running()
                        .map(stage -> SearchStages.name(stage) + " runs now: " + names(stage))
                        .orElse(stages.all().isEmpty() ? "Before the first run" : "Between two stages"));
            case BROKEN_OFF ->
                Frame.conclusion("Broken off"
                                + (stages.all().isEmpty()
                                        ? ""
                                        : " in "
                                                + SearchStages.name(stages.all().getLast())))
                        + Frame.about("kiln tune with --results " + folder + " goes on");
            case FINISHED, UNJUDGED, UNREADABLE ->
                Frame.conclusion("An earlier Kiln searched here, and did not write down what it found")
                        + Frame.about("kiln tune with --results " + folder + " says it again, without new runs");
        };
    }

    private String names(Listed stage) {
        List<String> candidates = candidates(stage);
        String baseline = study.table().map(SearchTable::baseline).orElse("the baseline");
        return candidates.isEmpty() ? baseline + " alone" : String.join(", ", candidates) + " against " + baseline;
    }

    private List<String> candidates(Listed stage) {
        return stage.variants().stream()
                .map(VariantSummary::name)
                .filter(name -> study.table()
                        .filter(table -> table.baseline().equals(name))
                        .isEmpty())
                .toList();
    }

    /** Returns the budget; while the search runs, the time since it was written is spent too. */
    private String spent(long nowMillis) {
        return study.table()
                .map(table -> {
                    double since = search.state() == StudyState.RUNNING
                            ? Math.max(0, nowMillis - table.writtenEpochMillis()) / 1e3
                            : 0;
                    double spent = study.spentSeconds() + since;
                    String words = "budget: " + Show.age(spent) + " of " + Show.age(table.budgetSeconds()) + " spent, "
                            + Show.age(Math.max(0, table.budgetSeconds() - spent)) + " left";
                    return "<p class=\"about\">" + share(spent / table.budgetSeconds()) + Html.prose(words)
                            + " \u00b7 goal: "
                            + Html.escape(metric(table).map(Metric::label).orElse(table.goal())) + "</p>";
                })
                .orElse("");
    }

    /** Returns a bar that is filled by this share, cut at 1. */
    private static String share(double share) {
        return "<span class=\"spent\" style=\"--share:" + Show.machine(100 * Math.clamp(share, 0, 1), 1)
                + "%\"></span>";
    }

    private static Optional<Metric> metric(SearchTable table) {
        return Goal.of(table.goal()).map(Goal::metric);
    }

    private String candidates(SearchTable table) {
        String unit = metric(table)
                .map(Metric::unit)
                .filter(text -> !text.isEmpty())
                .map(text -> ", " + Html.escape(text))
                .orElse("");
        // A screen compares what the load is on the way to: where it left one candidate, none has a gain.
        boolean gained =
                table.candidates().stream().anyMatch(row -> !row.gains().isEmpty());
        int columns = gained ? 6 : 5;
        Html.HtmlTable rows = new Html.HtmlTable(
                4,
                List.of("candidate", "change", "outcome", "stages", "runs", "gain" + unit)
                        .subList(0, columns));
        rows.row(List.of(
                        Html.escape(table.baseline()),
                        "the baseline",
                        "",
                        whole(String.join(", ", stages.having(table.baseline()))),
                        Show.whole(stages.runs(table.baseline())),
                        Show.ABSENT)
                .subList(0, columns));
        for (SearchRow row : table.candidates()) {
            rows.row(List.of(
                            Html.escape(row.name()),
                            whole(String.join(", ", row.changes())),
                            outcome(row),
                            whole(String.join(", ", stages.having(row.name()))),
                            Show.whole(stages.runs(row.name())),
                            gain(row.gains()))
                    .subList(0, columns));
        }
        return rows.html("Candidates") + (gained ? Html.caption(CAPTION) : "");
    }

    /** Returns words of which none is broken at a hyphen, but for those that are as long as a line. */
    private static String whole(String words) {
        return Stream.of(words.split(" ", -1))
                .map(word -> word.contains("-") && word.length() <= LONGEST_WORD
                        ? "<span class=\"whole\">" + Html.escape(word) + "</span>"
                        : Html.escape(word))
                .collect(Collectors.joining(" "));
    }

    private String outcome(SearchRow row) {
        boolean goesOn = study.table().flatMap(SearchTable::verdict).isEmpty();
        return switch (row.outcome()) {
            case PROVEN -> word("proven");
            case OUT -> said("out: " + row.why());
            case OPEN ->
                !goesOn
                        ? said(row.why())
                        : stages.isRunning(row.name())
                                ? word("running")
                                : stages.having(row.name()).isEmpty() ? word("waiting") : said(row.why());
        };
    }

    private static String word(String outcome) {
        return "<span class=\"outcome " + outcome + "\">" + outcome + "</span>";
    }

    /** Returns a sentence, which has room on a narrow screen too. */
    private static String said(String why) {
        return why.isEmpty() ? "" : "<span class=\"outcome said\">" + Html.prose(why) + "</span>";
    }

    private static String gain(List<Double> gains) {
        return Spread.of(gains.stream().mapToDouble(Double::doubleValue).toArray())
                .map(spread -> {
                    Cell cell = Cell.of(signed(spread.median()));
                    return Html.cell(
                            gains.size() < 2
                                    ? cell
                                    : cell.withRange(signed(spread.min()) + " to " + signed(spread.max())));
                })
                .orElse(Show.ABSENT);
    }

    private static String signed(double gain) {
        return String.format(Locale.ROOT, "%+.1f", gain).replace('-', '\u2212');
    }

    private String stages(UnaryOperator<String> link) {
        if (stages.all().isEmpty()) {
            return "";
        }
        Html.HtmlTable rows = new Html.HtmlTable(3, List.of("stage", "candidates", "state", "runs"));
        for (Listed stage : stages.all()) {
            boolean opens = stage.state() != StudyState.UNREADABLE;
            String name = Html.escape(SearchStages.name(stage));
            rows.row(List.of(
                    opens ? "<a href=\"" + Html.escape(link.apply(stage.id())) + "\">" + name + "</a>" : name,
                    whole(String.join(", ", candidates(stage))),
                    state(stage),
                    Show.whole(stage.variants().stream()
                            .flatMap(variant -> variant.runs().stream())
                            .filter(OfRun::valid)
                            .count())));
        }
        return rows.html("Stages");
    }

    private String state(Listed stage) {
        if (stages.running().equals(Optional.of(stage))) {
            return "<span class=\"outcome running\">runs now</span>";
        }
        return switch (stage.state()) {
            case RUNNING, FINISHED, UNJUDGED -> "over";
            case BROKEN_OFF, UNREADABLE -> Html.escape(stage.state().text());
        };
    }
}
