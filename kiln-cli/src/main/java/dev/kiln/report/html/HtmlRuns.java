package dev.kiln.report.html;

import dev.kiln.explain.Inside.Hot;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.Metric;
import dev.kiln.model.run.FlightDigest.Work;
import dev.kiln.report.CallTable;
import dev.kiln.report.Cell;
import dev.kiln.report.Facts;
import dev.kiln.report.Reading;
import dev.kiln.stats.series.TimeToPeak;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** HtmlRuns has tables about runs: each run, how each variant started, and the memory it used. */
record HtmlRuns(ExperimentResult result) {
    private static final int MOST_LIBRARIES = 8;
    private static final int MOST_METHODS = 15;

    private static final String NO_JIT = "No JIT counters were recorded";

    String everyRun() {
        Html.HtmlTable table = new Html.HtmlTable(
                3,
                List.of(
                        "run",
                        "verdict",
                        "valid",
                        "end over peak, %",
                        "T50, s",
                        "T90, s",
                        "T95, s",
                        "T99, s",
                        "warm-up cost, s",
                        "requests",
                        "errors",
                        "jump after the pause"));
        table.each(result.variants(), (named, variant) -> {
            table.group(named);
            variant.runs().forEach(run -> table.row(cells(run)));
        });
        boolean higher = result.variants().stream().anyMatch(v -> v.higher().isPresent());
        String own = higher ? "Times and costs here are against a variant's own peak. " : "";
        return table.isEmpty()
                ? ""
                : table.html("Every run") + Html.caption(own + Show.sentence(Facts.levels(result.config())) + ".");
    }

    private static List<String> cells(RunResult run) {
        List<String> cells = new ArrayList<>();
        cells.add("run " + run.run() + " <span class=\"range\">block " + run.block() + "</span>");
        cells.add(Html.escape(run.explanation().verdict().text()));
        cells.add(run.valid() ? "yes" : "no: " + Html.prose(String.join("; ", run.invalidReasons())));
        cells.add(Html.cell(endOverPeak(run)));
        TimeToPeak.PERCENTAGES.forEach(percent -> cells.add(Html.cell(Cell.time(run, percent))));
        cells.add(value(RunFigures.of(Metric.WARMUP_COST, run), Show::seconds, Reading.whyNoPeak(run)));
        cells.add(Show.whole(run.requests()));
        cells.add(value(RunFigures.of(Metric.ERRORS, run), Show::whole, "the imported files do not count them"));
        cells.add(value(
                run.series().jump().stream()
                        .mapToDouble(jump -> jump.ratio().value())
                        .findFirst(),
                jump -> "\u00d7 " + Show.three(jump),
                "No load before and after a pause to compare"));
        return cells;
    }

    /** Returns the table of calls; empty if each load has one call. */
    String calls() {
        List<CallTable.CallRow> rows = CallTable.of(result).rows();
        Html.HtmlTable table = new Html.HtmlTable(
                1,
                Stream.concat(
                                Stream.of("call"),
                                CallTable.HEADS.stream()
                                        .map(head -> head.replace("\n", " ").strip()))
                        .toList());
        table.each(result.variants(), (named, variant) -> {
            List<CallTable.CallRow> own = rows.stream()
                    .filter(row -> row.variant().equals(variant.name()))
                    .toList();
            if (!own.isEmpty()) {
                table.group(named);
            }
            own.forEach(row -> table.row(Stream.concat(
                            Stream.of(Html.escape(row.call())),
                            row.cells().stream().map(Html::cell))
                    .toList()));
        });
        return table.isEmpty() ? "" : table.html("Calls");
    }

    String startUp() {
        Html.HtmlTable table = new Html.HtmlTable(
                1,
                List.of(
                        "variant",
                        "runs",
                        "ready, s",
                        "first response, s",
                        "compilations in the run",
                        "compile time, s"));
        table.each(result.variants(), (named, variant) -> {
            List<RunResult> runs = Reading.readableRuns(variant);
            table.row(List.of(
                    named,
                    Integer.toString(runs.size()),
                    Html.cell(Cell.startUp(variant)),
                    Html.cell(Cell.firstResponse(variant)),
                    spread(runs, run -> real(run.observed().compilations()), Show::whole, NO_JIT),
                    spread(runs, run -> run.observed().compileSeconds(), Show::seconds, NO_JIT)));
        });
        return table.isEmpty() ? "" : table.html("Start-up");
    }

    String memory() {
        Html.HtmlTable table = new Html.HtmlTable(1, List.of("variant", "highest RSS, MiB", "highest PSS, MiB"));
        table.each(result.variants(), (named, variant) -> {
            List<RunResult> runs = Reading.readableRuns(variant);
            table.row(List.of(
                    named,
                    megabytes(runs, WindowStatistics::maxRssBytes),
                    megabytes(runs, seen -> seen.totals().maxPssBytes())));
        });
        return table.isEmpty() ? "" : table.html("Memory");
    }

    /** Returns a table of the libraries that C2 worked for, over all runs with a flight recording. */
    String c2Work() {
        Html.HtmlTable table = new Html.HtmlTable(
                1,
                List.of(
                        "library of the method",
                        "C2's time, %",
                        "compilations",
                        "of code thrown away",
                        "took most of it",
                        "of its time in that run, %"));
        table.each(result.variants(), (named, variant) -> {
            List<Work> all = variant.runs().stream()
                    .flatMap(run -> run.curves().inside().jit().c2Work().stream())
                    .toList();
            double nanos = all.stream().mapToLong(Work::nanos).sum();
            if (nanos > 0) {
                table.group(named);
                libraries(all).forEach(library -> table.row(work(library, nanos)));
            }
        });
        return table.isEmpty()
                ? ""
                : Html.caption(
                                "Time is from the begin of a compilation to its end, waits for a CPU included. A method counts"
                                        + " with all that C2 inlined into it.")
                        + table.html("What C2 compiled");
    }

    /** Returns a table of the methods with most samples, over all runs with a flight recording or a profile. */
    String hot() {
        Html.HtmlTable table = new Html.HtmlTable(
                1,
                List.of(
                        "method",
                        "samples, %",
                        "interpreter, %",
                        "C1, %",
                        "C2, %",
                        "latest level",
                        "mostly not C2 at the end"));
        table.each(result.variants(), (named, variant) -> {
            Map<String, List<Hot>> methods = variant.runs().stream()
                    .flatMap(run -> run.curves().inside().code().hot().stream())
                    .collect(Collectors.groupingBy(Hot::method));
            double all = methods.values().stream().mapToInt(HtmlRuns::samples).sum();
            if (all > 0) {
                table.group(named);
                methods.values().stream()
                        .sorted(Comparator.comparingInt(HtmlRuns::samples).reversed())
                        .limit(MOST_METHODS)
                        .forEach(method -> table.row(hot(method, all)));
            }
        });
        return table.isEmpty()
                ? ""
                : Html.caption(
                                "The methods with most samples in the first load, or in its first ten minutes, by what they ran as."
                                        + " A method counts with all that was inlined into it. Per cent of the samples of the hottest methods, also of those below these.")
                        + table.html("Hot methods");
    }

    private static int samples(List<Hot> method) {
        return method.stream().mapToInt(Hot::samples).sum();
    }

    private static List<String> hot(List<Hot> method, double all) {
        double own = samples(method);
        return List.of(
                Html.escape(method.getFirst().method()),
                Show.percent(own / all),
                Show.percent(method.stream().mapToInt(Hot::interpreted).sum() / own),
                Show.percent(method.stream().mapToInt(Hot::c1).sum() / own),
                Show.percent(method.stream().mapToInt(Hot::c2).sum() / own),
                method.stream()
                        .map(run -> run.level() == 0 ? Show.ABSENT : Integer.toString(run.level()))
                        .distinct()
                        .collect(Collectors.joining(", ")),
                method.stream().filter(Hot::slow).count() + " of " + Show.plural(method.size(), "run"));
    }

    /** Returns the entries of each library, the most expensive first; small libraries share a group. */
    private static List<List<Work>> libraries(List<Work> all) {
        Map<String, List<Work>> byName = all.stream().collect(Collectors.groupingBy(Work::library));
        List<List<Work>> sorted = byName.values().stream()
                .sorted(Comparator.comparingLong(HtmlRuns::nanos).reversed())
                .toList();
        if (sorted.size() <= MOST_LIBRARIES) {
            return sorted;
        }
        List<List<Work>> some = new ArrayList<>(sorted.subList(0, MOST_LIBRARIES - 1));
        some.add(sorted.subList(MOST_LIBRARIES - 1, sorted.size()).stream()
                .flatMap(List::stream)
                .toList());
        return some;
    }

    private static long nanos(List<Work> library) {
        return library.stream().mapToLong(Work::nanos).sum();
    }

    private static List<String> work(List<Work> library, double allNanos) {
        Work longest = library.stream()
                .max(Comparator.comparingLong(Work::longestNanos))
                .orElseThrow();
        long names = library.stream().map(Work::library).distinct().count();
        boolean one = names == 1;
        return List.of(
                Html.escape(one ? longest.library() : names + " others"),
                Show.percent(nanos(library) / allNanos),
                Show.whole(library.stream().mapToInt(Work::compilations).sum()),
                Show.whole(library.stream().mapToInt(Work::again).sum()),
                one ? Html.escape(longest.longestMethod()) : "",
                one ? Show.percent(longest.longestNanos() / (double) Math.max(1, longest.nanos())) : "");
    }

    private static String megabytes(List<RunResult> runs, Function<WindowStatistics, OptionalLong> bytes) {
        return spread(runs, run -> real(bytes.apply(run.observed())), Show::megabytes, "Memory was not recorded");
    }

    private static OptionalDouble real(OptionalLong value) {
        return value.stream().mapToDouble(known -> known).findFirst();
    }

    private static Cell endOverPeak(RunResult run) {
        return run.series()
                .endOverPeak()
                .map(r -> Cell.of(Show.percent(r.value())).withRange(Show.range(r.lo(), r.hi(), Show::percent)))
                .orElseGet(() -> Cell.absent(Reading.whyNoPeak(run)));
    }

    private static String spread(
            List<RunResult> runs,
            Function<RunResult, OptionalDouble> of,
            DoubleFunction<String> format,
            String whyAbsent) {
        return Html.cell(Cell.over(runs, of, format, whyAbsent));
    }

    private static String value(OptionalDouble value, DoubleFunction<String> format, String whyAbsent) {
        return Show.present(value) ? format.apply(value.getAsDouble()) : Html.cell(Cell.absent(whyAbsent));
    }
}
