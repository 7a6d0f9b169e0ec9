package dev.kiln.startup;

import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartTable;
import dev.kiln.report.Facts;
import dev.kiln.report.Grid;
import dev.kiln.report.Markdown;
import dev.kiln.report.TerminalStyle;
import dev.kiln.startup.StartupResult.StartMetric;
import dev.kiln.stats.PairedRatio;
import dev.kiln.stats.Summary;
import dev.kiln.text.CsvTable;
import dev.kiln.text.Show;
import java.util.ArrayList;
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
        return rows(result).stream().map(CsvTable::line).collect(Collectors.joining());
    }

    public static String terminal(StartupResult result, TerminalStyle style) {
        return result.how().map(how -> style.chars(head(how)) + "\n").orElse("")
                + style.chars(csv(result))
                + "\n"
                + ratios(result).stream()
                        .map(ratio -> style.bold("Ratio " + ratio) + "\n")
                        .collect(Collectors.joining())
                + otherRatios(result).map(ratio -> style.dim(ratio) + "\n").collect(Collectors.joining())
                + "\n"
                + verdicts(result).map(style::conclusion).collect(Collectors.joining())
                + style.notes(result.notes());
    }

    public static String markdown(StartupResult result) {
        List<List<String>> rows = rows(result);
        String ratio = ratios(result).stream()
                .map(found -> "Ratio " + found.replace("[", "\\[").replace("]", "\\]") + "\n\n")
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
        return ("### Start-up\n\n" + verdicts + ratio
                                + Grid.of(rows.getFirst(), rows.subList(1, rows.size()))
                                        .markdown() + how + "\n"
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
                                + side.command().stream().map(Facts::argument).collect(Collectors.joining(" "))
                                + side.modifiers()
                                        .map(some -> " (" + some + ")")
                                        .orElse("")
                                + "\n")
                        .collect(Collectors.joining());
    }

    /**
     * Returns the ratio of each command to the first one, with its interval; ratios that are not known are left out.
     */
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

    /**
     * Returns the rows {@code Run,A,B,...} with {@code Geomean} and {@code Stdev} under them, and the same two rows for
     * what else was measured.
     */
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
