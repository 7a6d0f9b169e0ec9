package dev.kiln.report;

import dev.kiln.explain.study.StartupResult;
import dev.kiln.explain.study.StartupResult.StartMetric;
import dev.kiln.model.StartupEvidence;
import dev.kiln.stats.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A start-up comparison as text: for the terminal, as CSV, and as Markdown. */
public final class StartupReport {
    private StartupReport() {}

    /** The table alone; rows whose first field is no number are not runs. */
    public static String csv(StartupResult result) {
        return StartupTable.rows(result).stream()
                .map(row -> row.stream().map(Csv::field).collect(Collectors.joining(",")))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    public static String terminal(StartupResult result, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        result.how().ifPresent(how -> out.append(style.chars(head(how))).append('\n'));
        out.append(style.chars(csv(result))).append('\n');
        result.main()
                .ratio()
                .ifPresent(ratio ->
                        out.append(style.bold("Ratio " + ratio(result, ratio))).append('\n'));
        for (StartMetric other : result.others()) {
            other.ratio()
                    .ifPresent(ratio -> out.append(style.dim(other.name() + ": " + interval(ratio)))
                            .append('\n'));
        }
        out.append('\n');
        Wrap.paragraph("", style.chars(result.verdict()), style.width())
                .lines()
                .forEach(line -> out.append(style.bold(line)).append('\n'));
        for (String note : result.notes()) {
            out.append(style.dim(Wrap.paragraph("- ", style.chars(note), style.width())));
        }
        return out.toString();
    }

    public static String markdown(StartupResult result) {
        List<List<String>> rows = StartupTable.rows(result);
        StringBuilder out = new StringBuilder("### Start-up\n\n");
        out.append("**").append(MarkdownReport.escape(result.verdict())).append("**\n\n");
        result.main()
                .ratio()
                .ifPresent(ratio -> out.append("Ratio ")
                        .append(ratio(result, ratio).replace("[", "\\[").replace("]", "\\]"))
                        .append("\n\n"));
        out.append(line(rows.getFirst())).append("|---|--:|--:|\n");
        rows.stream().skip(1).map(StartupReport::line).forEach(out::append);
        result.how()
                .ifPresent(how -> out.append('\n')
                        .append(head(how)
                                .lines()
                                .map(text -> MarkdownReport.escape(text.strip()) + "  \n")
                                .collect(Collectors.joining())));
        result.notes().forEach(note -> out.append("\n- ").append(MarkdownReport.escape(note)));
        return out.toString().stripTrailing() + "\n";
    }

    private static String line(List<String> row) {
        return row.stream().map(MarkdownReport::escape).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String head(StartupEvidence how) {
        List<String> facts = new ArrayList<>();
        facts.add(Text.plural(how.pairs(), "pair")
                + (how.discarded() == 0 ? "" : " after " + how.discarded() + " discarded"));
        facts.add(how.seed().isPresent() ? "order drawn from seed " + how.seed().getAsLong() : "interleaved");
        facts.add("page cache " + (how.cold() ? "dropped" : "warm"));
        facts.add(Facts.cpusOf(how.cpus()));
        return "Start-up in " + (how.unit().isEmpty() ? "units of its own" : how.unit()) + " until " + how.until()
                + "\n"
                + String.join("; ", facts) + "\n"
                + how.sides().stream()
                        .map(side -> side.name() + ": "
                                + side.command().stream().map(Facts::argument).collect(Collectors.joining(" ")) + "\n")
                        .collect(Collectors.joining());
    }

    private static String ratio(StartupResult result, PairedRatio ratio) {
        return result.table().b() + "/" + result.table().a() + " " + interval(ratio) + " ("
                + Text.plain(100 * ratio.confidence()) + " %, by pairs)";
    }

    private static String interval(PairedRatio ratio) {
        return Text.machine(ratio.ratio(), 4) + " [" + Text.machine(ratio.lo(), 4) + ", " + Text.machine(ratio.hi(), 4)
                + "]";
    }
}
