package dev.kiln.report.terminal;

import dev.kiln.compare.DuetComparison;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.report.CallTable;
import dev.kiln.report.Cell;
import dev.kiln.report.ClaimWords;
import dev.kiln.report.DuetWords;
import dev.kiln.report.Facts;
import dev.kiln.report.Grid;
import dev.kiln.report.Launches;
import dev.kiln.report.SummaryTable;
import dev.kiln.report.TerminalStyle;
import dev.kiln.text.Show;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A TerminalReport is one table, one sentence and footnotes: it is read in five seconds. */
public record TerminalReport(SummaryTable summary, TerminalStyle style) {
    private static final String SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

    public static String render(ExperimentResult result, TerminalStyle style) {
        TerminalReport report = new TerminalReport(SummaryTable.of(result), style);
        return report.title(result) + "\n" + report.grid().terminal(style) + report.jdks(result) + "\n"
                + report.calls(CallTable.of(result)) + report.verdicts()
                + style.conclusion(result.conclusion())
                + DuetComparison.of(result)
                        .map(duet -> DuetWords.terminal(duet, style))
                        .orElse("")
                + ClaimWords.terminal(result.claims(), style)
                + report.footnotes();
    }

    private String jdks(ExperimentResult result) {
        return Launches.jdks(result).stream()
                .map(jdk -> style.paragraph("", jdk, style::dim))
                .collect(Collectors.joining());
    }

    private String calls(CallTable table) {
        return table.rows().isEmpty() ? "" : table.grid().terminal(style) + "\n";
    }

    private String title(ExperimentResult result) {
        String name = style.chars(result.name());
        String protocol = style.chars(Facts.protocol(result.protocol()));
        boolean oneLine = name.length() + 2 + protocol.length() <= style.width();
        return oneLine
                ? style.bold(name) + "  " + style.dim(protocol) + "\n"
                : style.line(name, style::bold) + style.line(protocol, style::dim);
    }

    private Grid grid() {
        List<String> heads = Stream.concat(
                        Stream.of(""), summary.columns().stream().map(column -> column.top() + "\n" + column.bottom()))
                .toList();
        List<List<Grid.GridEntry>> rows = summary.rows().stream()
                .map(row -> Stream.concat(
                                Stream.of(new Grid.GridEntry(row.variant(), "", "", style::bold)),
                                row.cells().stream()
                                        .map(cell -> new Grid.GridEntry(
                                                cell.text(),
                                                mark(cell),
                                                cell.range().orElse(""),
                                                paint(cell))))
                        .toList())
                .toList();
        return new Grid(heads, rows, List.of(), List.of(), true);
    }

    /** A peak that was not reached must not be overlooked. */
    private UnaryOperator<String> paint(Cell cell) {
        return cell.beyond() ? style::warn : UnaryOperator.identity();
    }

    private String mark(Cell cell) {
        return summary.number(cell)
                .map(n -> style.unicode()
                        ? Integer.toString(n)
                                .chars()
                                .mapToObj(c -> SUPERSCRIPTS.substring(c - '0', c - '0' + 1))
                                .collect(Collectors.joining())
                        : "[" + n + "]")
                .orElse("");
    }

    private String verdicts() {
        String verdicts = summary.rows().stream()
                .filter(row -> !row.verdict().equals(Show.ABSENT))
                .map(row -> style.paragraph(row.variant() + ": " + row.verdict()
                        + (row.causes().isEmpty() ? "" : " (" + String.join("; ", row.causes()) + ")")))
                .collect(Collectors.joining());
        return verdicts.isEmpty() ? "" : verdicts + "\n";
    }

    private String footnotes() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < summary.footnotes().size(); i++) {
            out.append(i == 0 ? "\n" : "");
            String number = i < summary.marked() ? " ".repeat(i < 9 ? 1 : 0) + (i + 1) + " " : " - ";
            out.append(style.paragraph(number, summary.footnotes().get(i), style::dim));
        }
        return out.toString();
    }
}
