package dev.kiln.startup;

import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.report.Facts;
import dev.kiln.report.Grid;
import dev.kiln.report.Markdown;
import dev.kiln.report.TerminalStyle;
import dev.kiln.startup.StartupResult.StartMetric;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.stats.Summary;
import dev.kiln.text.CsvLine;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** StartupReport writes a start-up comparison as text: for the terminal, as CSV, and as Markdown. */
public final class StartupReport {
    /** The two figures under a column have so many decimals, as in the tables that people compare with. */
    private static final int DECIMALS = 2;

    /** The decimals are enough for phases of a start, which often last less than a hundredth of a millisecond. */
    private static final int FINE_DECIMALS = 3;

    private StartupReport() {}

    /** Returns the table alone; rows whose first field is not a number are not runs. */
    public static String csv(StartupResult result) {
        return rows(result).stream().map(CsvLine::of).collect(Collectors.joining());
    }

    /** @param verbose also each start, and all ratios with their intervals */
    public static String terminal(StartupResult result, boolean verbose, TerminalStyle style) {
        return Stream.of(
                        result.how().map(how -> style.chars(head(how))).orElse(""),
                        joined(verdicts(result, true).map(style::conclusion)),
                        table(result).terminal(style),
                        joined(verdicts(result, false).map(style::conclusion)),
                        verbose ? style.chars(csv(result)) : "",
                        verbose ? joined(allRatios(result).stream().map(line -> line + "\n")) : "",
                        style.notes(result.notes()))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    private static String joined(Stream<String> lines) {
        return lines.collect(Collectors.joining());
    }

    /** Returns a row for each command: mean and spread, and what it used of the machine. */
    static Grid table(StartupResult result) {
        StartTable table = result.table();
        List<StartMetric> used = result.others().stream()
                .filter(other -> other.kind() == StartMetric.Kind.COARSE)
                .toList();
        String unit = table.unit().isEmpty() ? "" : ", " + table.unit();
        List<String> heads = new ArrayList<>(List.of("command", "mean \u00b1 \u03c3" + unit, "min \u2026 max" + unit));
        heads.add(table.names().size() == 2 ? "pairs" : "rounds");
        used.forEach(metric -> heads.add(metric.name() + ", " + metric.unit()));
        List<List<String>> rows = new ArrayList<>();
        for (int side = 0; side < table.names().size(); side++) {
            List<String> row = new ArrayList<>(List.of(table.names().get(side)));
            row.addAll(figures(result, side));
            for (StartMetric metric : used) {
                row.add(spread(metric.sides().get(side)));
            }
            rows.add(row);
        }
        return Grid.of(heads, rows);
    }

    /** Returns mean, range and number of the starts of a command in whole pairs. */
    private static List<String> figures(StartupResult result, int side) {
        DoubleSummaryStatistics all = result.table().rows().stream()
                .filter(StartTable.StartRow::complete)
                .mapToDouble(row -> row.values().get(side).orElseThrow())
                .summaryStatistics();
        return List.of(
                spread(result.main().sides().get(side)),
                all.getCount() == 0 ? Show.ABSENT : Show.value(all.getMin()) + " \u2026 " + Show.value(all.getMax()),
                Show.whole(all.getCount()));
    }

    /** Returns mean and standard deviation, of one start the mean alone. */
    private static String spread(Optional<Summary> summary) {
        return summary.map(
                        some -> some.runs() == 1 ? Show.value(some.mean()) : Show.spread(some.mean(), some.sampleSd()))
                .orElse(Show.ABSENT);
    }

    public static String markdown(StartupResult result, boolean verbose) {
        List<List<String>> rows = rows(result);
        String ratios = allRatios(result).stream()
                .map(line -> "- " + Markdown.escape(line) + "\n")
                .collect(Collectors.joining());
        String verdicts = verdicts(result)
                .map(verdict -> "**" + Markdown.escape(verdict) + "**\n\n")
                .collect(Collectors.joining());
        String how = result.how()
                .map(known -> "\n"
                        + head(known)
                                .lines()
                                .map(text -> Markdown.escape(text.strip()) + "  \n")
                                .collect(Collectors.joining()))
                .orElse("");
        return ("### Start-up\n\n" + verdicts + table(result).markdown()
                                + (verbose
                                        ? "\n"
                                                + Grid.of(rows.getFirst(), rows.subList(1, rows.size()))
                                                        .markdown()
                                                + "\n" + ratios
                                        : "")
                                + how + "\n"
                                + Markdown.notes(result.notes()))
                        .stripTrailing()
                + "\n";
    }

    /** Returns the ratios of the compared quantity, and of what else was measured. */
    public static List<String> allRatios(StartupResult result) {
        return Stream.concat(ratios(result).stream().map(ratio -> "Ratio " + ratio), otherRatios(result))
                .toList();
    }

    public static Stream<String> verdicts(StartupResult result) {
        return result.verdicts().stream().map(StartupResult.Verdict::words).distinct();
    }

    /** Returns those that say that there are too few pairs, or the others. */
    private static Stream<String> verdicts(StartupResult result, boolean tooFew) {
        return result.verdicts().stream()
                .filter(verdict -> verdict.tooFew() == tooFew)
                .map(StartupResult.Verdict::words)
                .distinct();
    }

    /** Returns how the starts were measured, in lines. */
    public static String head(StartupEvidence how) {
        List<String> facts = new ArrayList<>();
        facts.add(StartupResult.rounds(how.sides().size(), how.design().pairs())
                + (how.design().discarded() == 0 ? "" : " after " + how.design().discarded() + " discarded"));
        facts.add(
                how.design().seed().isPresent()
                        ? "order drawn from seed " + how.design().seed().getAsLong()
                        : "interleaved");
        facts.add("page cache " + (how.design().cold() ? "dropped" : "warm"));
        facts.add(Facts.cpusOf(how.machine().cpus()));
        return "Start-up in "
                + (how.measure().unit().isEmpty()
                        ? "units of its own"
                        : how.measure().unit()) + " until " + how.measure().until()
                + "\n"
                + String.join("; ", facts) + "\n"
                + how.sides().stream()
                        .map(side -> side.name() + ": "
                                + String.join(" ", Facts.command(side.command()))
                                + side.modifiers()
                                        .map(some -> " (" + some + ")")
                                        .orElse("")
                                + "\n")
                        .collect(Collectors.joining());
    }

    /** Returns the ratio of each command to the first one, with its interval, where it is known. */
    private static List<String> ratios(StartupResult result) {
        List<String> names = result.table().names();
        List<String> ratios = new ArrayList<>();
        for (int side = 1; side < names.size(); side++) {
            String over = names.get(side) + "/" + names.getFirst() + " ";
            String unit = names.size() == 2 ? "pairs" : "rounds";
            result.main()
                    .ratios()
                    .get(side - 1)
                    .ifPresent(ratio -> ratios.add(over + interval(ratio) + " ("
                            + Show.trimmed(100 * ratio.confidence(), 2) + " %, by " + unit + ")"));
        }
        return ratios;
    }

    private static Stream<String> otherRatios(StartupResult result) {
        return result.others().stream().flatMap(other -> otherRatios(result, other).stream());
    }

    /** Returns the ratios of another quantity; with two commands they need no names. */
    private static List<String> otherRatios(StartupResult result, StartMetric other) {
        List<String> names = result.table().names();
        List<String> ratios = new ArrayList<>();
        for (int side = 1; side < names.size(); side++) {
            String over = names.size() == 2 ? "" : ", " + names.get(side) + "/" + names.getFirst();
            other.ratios().get(side - 1).ifPresent(ratio -> ratios.add(other.name() + over + ": " + interval(ratio)));
        }
        return ratios;
    }

    private static String interval(PairedRatio ratio) {
        return Show.machine(ratio.ratio(), 4) + " [" + Show.machine(ratio.lo(), 4) + ", " + Show.machine(ratio.hi(), 4)
                + "]";
    }

    /** Returns the rows {@code Run,A,B,...} with {@code Geomean} and {@code Stdev}, and these of the rest. */
    public static List<List<String>> rows(StartupResult result) {
        StartTable table = result.table();
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("Run", table.names().stream()));
        for (StartTable.StartRow row : table.rows()) {
            rows.add(row(Integer.toString(row.run()), row.values().stream().map(StartupReport::value)));
        }
        rows.add(figures("Geomean", result.main(), Summary::geomean, DECIMALS));
        rows.add(figures("Stdev", result.main(), Summary::populationSd, DECIMALS));
        for (StartMetric other : result.others()) {
            int decimals = other.kind() == StartMetric.Kind.COARSE ? DECIMALS : FINE_DECIMALS;
            rows.add(figures(label(other) + " Geomean", other, Summary::geomean, decimals));
            rows.add(figures(label(other) + " Stdev", other, Summary::populationSd, decimals));
        }
        return rows;
    }

    private static String label(StartMetric metric) {
        return metric.name() + (metric.unit().isEmpty() ? "" : " " + metric.unit());
    }

    private static List<String> figures(
            String name, StartMetric metric, ToDoubleFunction<Summary> figure, int decimals) {
        return row(name, metric.sides().stream().map(side -> figure(side, figure, decimals)));
    }

    private static List<String> row(String name, Stream<String> values) {
        return Stream.concat(Stream.of(name), values).toList();
    }

    private static String figure(Optional<Summary> summary, ToDoubleFunction<Summary> figure, int decimals) {
        return summary.map(s -> Show.machine(figure.applyAsDouble(s), decimals)).orElse("");
    }

    /** Returns the value, whole if the source has whole numbers. */
    private static String value(OptionalDouble value) {
        if (value.isEmpty()) {
            return "";
        }
        double figure = value.getAsDouble();
        return figure == Math.rint(figure) ? Show.machine(figure, 0) : Show.machine(figure, DECIMALS);
    }
}
