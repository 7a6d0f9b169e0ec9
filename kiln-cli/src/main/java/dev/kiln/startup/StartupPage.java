package dev.kiln.startup;

import dev.kiln.compare.Comparer;
import dev.kiln.evidence.StudyFile;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.report.Grid;
import dev.kiln.report.Grid.GridEntry;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.report.html.Frame;
import dev.kiln.report.html.Html;
import dev.kiln.report.html.HtmlReport.View;
import dev.kiln.report.html.SvgAxes;
import dev.kiln.serve.Item;
import dev.kiln.serve.Library;
import dev.kiln.serve.Page;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A StartupPage shows a comparison of starts, assessed anew from what was recorded. */
public final class StartupPage implements Page {
    @Override
    public boolean shows(StudyKind kind) {
        return kind == StudyKind.STARTUP;
    }

    @Override
    public String html(Library library, String id) {
        Item item = library.item(id);
        StartupResult result = new StartupAssessment(Comparer.EFFECT).of(StudyFile.STARTUP.read(item.folder()));
        return HtmlStartup.page(item.listed().name(), result);
    }

    /** HtmlStartup is a start-up comparison as a page that needs no script: ratios, starts, what else was measured. */
    public static final class HtmlStartup {
        private static final String RUN = "Run";

        /** The least length of an axis of rounds makes its steps whole rounds. */
        private static final int LEAST_ROUNDS = 8;

        private HtmlStartup() {}

        public static String page(String title, StartupResult result) {
            List<List<String>> rows = StartupReport.rows(result);
            int figures = 1 + result.table().rows().size();
            return Frame.page(
                    title,
                    "start-up",
                    Frame.conclusion(StartupReport.verdicts(result).collect(Collectors.joining(" ")))
                            + result.how()
                                    .map(how -> Frame.lines(
                                            "about",
                                            StartupReport.head(how).lines().toList()))
                                    .orElse(""),
                    summary(StartupReport.table(result))
                            + Html.section("starts", "Each start", picture(result))
                            + "<details><summary>All starts as numbers</summary>\n"
                            + table(result, RUN, rows.subList(1, figures))
                            + table(result, result.table().unit(), rows.subList(figures, rows.size()))
                            + Html.notes(StartupReport.allRatios(result)) + "</details>\n"
                            + Html.section("notes", "Notes", Html.notes(result.notes())),
                    "");
        }

        private static String summary(Grid grid) {
            Html.HtmlTable table = new Html.HtmlTable(1, Html.escape(grid.heads()));
            for (int side = 0; side < grid.rows().size(); side++) {
                List<String> cells = Html.escape(
                        grid.rows().get(side).stream().map(GridEntry::text).toList());
                table.row(Stream.concat(
                                Stream.of(Html.variant(
                                        side, grid.rows().get(side).getFirst().text())),
                                cells.stream().skip(1))
                        .toList());
            }
            return table.html("Start-up");
        }

        private static String table(StartupResult result, String first, List<List<String>> rows) {
            List<String> names = result.table().names();
            Html.HtmlTable table = new Html.HtmlTable(
                    1,
                    Stream.concat(
                                    Stream.of(Html.escape(first)),
                                    IntStream.range(0, names.size()).mapToObj(i -> Html.variant(i, names.get(i))))
                            .toList());
            rows.forEach(row -> table.row(Html.escape(row)));
            return table.html(first.equals(RUN) ? "All starts" : "Figures");
        }

        /** Returns a picture of the starts in the order of the rounds, so that a drift is visible. */
        private static String picture(StartupResult result) {
            StartTable table = result.table();
            double highest = table.rows().stream()
                    .flatMap(row -> row.values().stream())
                    .mapToDouble(value -> value.orElse(0))
                    .max()
                    .orElse(0);
            if (highest <= 0) {
                return "";
            }
            SvgAxes axes = SvgAxes.linear(
                    Math.max(LEAST_ROUNDS, table.rows().getLast().run() + 1),
                    highest * 1.06,
                    StartupResult.rounds(table.names().size(), 2).replaceAll("\\d+ ", ""));
            List<String> marks = new ArrayList<>();
            for (StartTable.StartRow row : table.rows()) {
                for (int side = 0; side < row.values().size(); side++) {
                    OptionalDouble value = row.values().get(side);
                    if (value.isPresent()) {
                        marks.add(axes.dot(side, row.run(), value.getAsDouble(), side >= View.COLOURS));
                    }
                }
            }
            String metric = table.metric().isEmpty() ? "Time" : Show.sentence(table.metric());
            return "<div class=\"sweep\">"
                    + Html.figure(metric, table.unit(), axes.svg(String.join("", marks), metric + " of each start"))
                    + "</div>\n";
        }
    }
}
