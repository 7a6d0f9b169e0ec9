package dev.kiln.history;

import dev.kiln.explain.study.PastRun;
import dev.kiln.history.History.PastSeries;
import dev.kiln.model.Metric;
import dev.kiln.report.html.Frame;
import dev.kiln.report.html.Html;
import dev.kiln.report.html.SvgAxes;
import dev.kiln.stats.LevelShifts;
import dev.kiln.stats.LevelShifts.Shift;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** HtmlHistory is a page of series that needs no script: a picture for each, its changes, and its runs. */
public record HtmlHistory(History history, Function<PastRun, Optional<String>> link) {
    private static final double DAY = 24 * 3600e3;

    /** Histories of fewer days are counted in runs: the dots of one day would cover each other. */
    private static final int LEAST_DAYS = 3;

    /** The least length of an axis of runs makes its steps whole runs. */
    private static final int LEAST_RUNS = 8;

    /** The most dots that have a link: older ones cover each other, and nobody can point at one. */
    static final int MOST_LINKED = 200;

    /** Returns the page of a history, with links to reports where there are some, and more notes. */
    public static String page(
            History history, String title, Function<PastRun, Optional<String>> link, List<String> more) {
        HtmlHistory page = new HtmlHistory(history, link);
        List<String> notes = new ArrayList<>(more);
        notes.addAll(HistoryReport.notes(history));
        if (history.series().stream().anyMatch(series -> series.runs().size() > MOST_LINKED)) {
            notes.add("in a picture only the newest " + MOST_LINKED
                    + " dots show their figure and lead to their report; the table of runs below it has all");
        }
        return Frame.page(
                title,
                "over time",
                Frame.conclusion(page.conclusion()) + Frame.about(page.about()),
                page.sections() + Html.section("notes", "Notes", Html.notes(notes)),
                "");
    }

    /** Returns the number of changes and the newest one, which is what a reader looks for. */
    private String conclusion() {
        record FoundShift(PastSeries series, Shift shift) {}
        List<FoundShift> found = history.series().stream()
                .flatMap(series -> series.changes().stream().map(shift -> new FoundShift(series, shift)))
                .toList();
        boolean tells =
                history.series().stream().anyMatch(series -> series.shifts().isPresent());
        return found.stream()
                .max((a, b) -> Long.compare(
                        a.series.session(a.shift).first().epochMillis(),
                        b.series.session(b.shift).first().epochMillis()))
                .map(newest -> Show.plural(found.size(), "change") + "; the newest: " + newest.series.variant() + ", "
                        + newest.series.metric().label() + " "
                        + (newest.series.better(newest.shift) ? "better" : "worse") + " since "
                        + HistoryReport.minute(
                                newest.series.session(newest.shift).first()) + " UTC")
                .orElse(tells ? "No change shown" : "Not enough data to look for changes");
    }

    private String about() {
        long experiments = history.runs().stream()
                .map(run -> run.name().folder())
                .distinct()
                .count();
        return Show.plural(experiments, "experiment") + ", "
                + Show.plural(history.runs().size(), "run")
                + (history.runs().isEmpty()
                        ? ""
                        : " \u00b7 " + HistoryReport.minute(history.runs().getFirst()) + " to "
                                + HistoryReport.minute(history.runs().getLast()) + " UTC");
    }

    private String sections() {
        return HistoryReport.byVariant(history).entrySet().stream()
                .sorted(Comparator.comparingInt(
                        variant -> -variant.getValue().getFirst().runs().size()))
                .map(variant -> "<section><h2>"
                        + Html.variant(place(variant.getValue().getFirst()), variant.getKey())
                        + "</h2>\n<div class=\"sweep\">"
                        + variant.getValue().stream().map(this::figure).collect(Collectors.joining())
                        + "</div>\n"
                        + runs(variant.getValue()) + "</section>\n")
                .collect(Collectors.joining());
    }

    /** Returns the place of a variant in its newest experiment, whose report gives it the colour of that place. */
    private static int place(PastSeries series) {
        return series.runs().getLast().name().place();
    }

    private String figure(PastSeries series) {
        Metric metric = series.metric();
        List<String> changes = changes(series);
        return Html.figure(
                Show.sentence(metric.label()),
                metric.unit(),
                new Picture(series).svg()
                        + (changes.isEmpty() ? "" : "<ul class=\"changes\">" + String.join("\n", changes) + "</ul>"));
    }

    /** Returns the changes that still hold, and those that were reported once and no longer do. */
    private static List<String> changes(PastSeries series) {
        boolean logarithmic = series.shifts().filter(LevelShifts::logarithmic).isPresent();
        List<String> items = new ArrayList<>();
        for (LevelShifts.Told told : series.told()) {
            String words = HistoryReport.change(series, logarithmic, told.shift());
            PastRun since = series.sessions().get(told.since()).first();
            String when = "; reported since " + HistoryReport.minute(since) + " UTC"
                    + (told.withdrawn().isPresent()
                            ? ", withdrawn with the runs of "
                                    + HistoryReport.minute(series.sessions()
                                            .get(told.withdrawn().getAsInt())
                                            .first())
                            : "");
            String kind = !told.holds() ? "withdrawn" : series.better(told.shift()) ? "better" : "worse";
            items.add("<li class=\"" + kind + "\">" + Html.escape(words + when) + "</li>");
        }
        return items;
    }

    /** Returns all figures of a variant, a row for each run. */
    private String runs(List<PastSeries> variant) {
        List<Metric> metrics = variant.stream().map(PastSeries::metric).toList();
        List<String> heads = new ArrayList<>(List.of("launched, UTC", "experiment", "run"));
        metrics.forEach(metric -> heads.add(
                Html.escape(metric.label()) + (metric.unit().isEmpty() ? "" : "<br>" + Html.escape(metric.unit()))));
        Html.HtmlTable table = new Html.HtmlTable(2, heads);
        PastSeries first = variant.getFirst();
        for (PastRun run : history.runs().reversed()) {
            if (run.name().experiment().equals(first.experiment())
                    && run.name().variant().equals(first.variant())) {
                List<String> cells = new ArrayList<>(List.of(
                        HistoryReport.minute(run),
                        linked(run, Html.escape(run.name().folder())),
                        run.name().run() + (run.valid() ? "" : " (invalid)")));
                metrics.forEach(metric -> cells.add(HistoryReport.figure(run, metric)));
                table.row(cells);
            }
        }
        return "<details><summary>Runs</summary>" + table.html("Runs of " + first.variant()) + "</details>\n";
    }

    private String linked(PastRun run, String html) {
        return link.apply(run)
                .map(to -> "<a href=\"" + Html.escape(to) + "\">" + html + "</a>")
                .orElse(html);
    }

    /** A Picture has a dot for each run, a line for each level, and a mark where a new level begins. */
    private final class Picture {
        private final PastSeries series;
        private final List<PastRun> runs;
        private final boolean days;

        Picture(PastSeries series) {
            this.series = series;
            runs = series.runs();
            days = at(runs.size() - 1) - at(0) >= LEAST_DAYS * DAY;
        }

        private long at(int index) {
            return runs.get(index).epochMillis();
        }

        private double value(int index) {
            return runs.get(index).figure(series.metric()).orElseThrow();
        }

        private double x(int index) {
            return days ? (at(index) - at(0)) / DAY : index + 1;
        }

        String svg() {
            int n = runs.size();
            double most = IntStream.range(0, n).mapToDouble(this::value).max().orElse(1);
            double least = IntStream.range(0, n).mapToDouble(this::value).min().orElse(0);
            SvgAxes axes = new SvgAxes(
                    Math.max(days ? LEAST_DAYS : LEAST_RUNS, x(n - 1)) * 1.02,
                    Math.min(0, least),
                    most > 0 ? most * 1.08 : 1,
                    false,
                    days
                            ? "days since "
                                    + HistoryReport.minute(series.runs().getFirst())
                                            .substring(0, 10)
                            : "runs");
            // Links are not part of an image.
            return axes.svg(levels(axes) + dots(axes), label(series.changes().size()))
                    .replaceFirst("role=\"img\"", "role=\"group\"");
        }

        /** Draws where the level changed, and the level before and after. */
        private String levels(SvgAxes axes) {
            StringBuilder marks = new StringBuilder();
            List<Shift> shifts = series.changes();
            for (int i = 0; i < shifts.size(); i++) {
                Shift shift = shifts.get(i);
                int from = i == 0 ? 0 : series.runsBefore(shifts.get(i - 1).index());
                int at = series.runsBefore(shift.index());
                int to = i + 1 == shifts.size()
                        ? runs.size()
                        : series.runsBefore(shifts.get(i + 1).index());
                String colour = series.better(shift) ? "good" : "bad";
                marks.append(axes.edge(colour, (x(at - 1) + x(at)) / 2));
                if (i == 0) {
                    marks.append(level(axes, from, at, shift.before(), "muted"));
                }
                marks.append(level(axes, at, to, shift.after(), colour));
            }
            return marks.toString();
        }

        private String dots(SvgAxes axes) {
            StringBuilder marks = new StringBuilder();
            int n = runs.size();
            int linked = Math.max(0, n - MOST_LINKED);
            if (linked > 0) {
                marks.append(axes.dots(
                        place(series),
                        IntStream.range(0, linked)
                                .mapToObj(i -> axes.at(x(i), value(i)))
                                .toList()));
            }
            for (int i = linked; i < n; i++) {
                PastRun run = runs.get(i);
                String label = Html.escape(HistoryReport.figure(run, series.metric()) + " "
                        + series.metric().unit() + ", " + run.name().folder() + " run "
                        + run.name().run() + ", "
                        + HistoryReport.minute(run) + " UTC" + labels(run));
                String dot = axes.dot(place(series), x(i), value(i), false)
                        .replace("/>", "><title>" + label + "</title></circle>");
                // The keyboard goes through the table, which has the same links.
                marks.append(link.apply(run)
                        .map(to -> "<a tabindex=\"-1\" aria-label=\"" + label + "\" href=\"" + Html.escape(to) + "\">"
                                + dot + "</a>")
                        .orElse(dot));
            }
            return marks.toString();
        }

        private static String labels(PastRun run) {
            return run.labels().entrySet().stream()
                    .map(label -> ", " + label.getKey() + " " + label.getValue())
                    .collect(Collectors.joining());
        }

        private String level(SvgAxes axes, int from, int to, double value, String colour) {
            return axes.line("var(--" + colour + ")", axes.at(x(from), value) + " " + axes.at(x(to - 1), value));
        }

        private String label(int changes) {
            return series.metric().label() + " of " + series.variant() + " over time: "
                    + Show.plural(series.runs().size(), "run") + ", "
                    + (series.shifts().isEmpty()
                            ? "changes not looked for"
                            : changes == 0 ? "no change shown" : Show.plural(changes, "change"));
        }
    }
}
