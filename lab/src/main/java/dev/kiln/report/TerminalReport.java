package dev.kiln.report;

import dev.kiln.explain.study.ExperimentResult;
import java.util.List;
import java.util.stream.Collectors;

/** One table, one sentence, footnotes: read in five seconds. */
public final class TerminalReport {
    private final Summary summary;
    private final TerminalStyle style;

    private TerminalReport(Summary summary, TerminalStyle style) {
        this.summary = summary;
        this.style = style;
    }

    public static String render(ExperimentResult result, TerminalStyle style) {
        TerminalReport report = new TerminalReport(Summary.of(result), style);
        return report.title(result) + "\n" + report.table() + "\n" + report.verdicts() + report.conclusion()
                + TerminalClaims.render(result.claims(), style) + report.footnotes();
    }

    private String title(ExperimentResult result) {
        String name = style.chars(result.name());
        String protocol = style.chars(Facts.protocol(result.protocol()));
        boolean oneLine = name.length() + 2 + protocol.length() <= style.width();
        return style.bold(name) + (oneLine ? "  " : "\n") + style.dim(protocol) + "\n";
    }

    private String table() {
        List<SummaryRow> rows = summary.rows();
        TerminalColumns columns = TerminalColumns.of(summary, style);
        String figures = rows.stream()
                .map(row -> columns.name(row) + columns.figures(row) + columns.ranges(row))
                .collect(Collectors.joining());
        return columns.heads() + figures;
    }

    private String verdicts() {
        List<SummaryRow> rows = summary.rows().stream()
                .filter(row -> !row.verdict().equals(Text.ABSENT))
                .toList();
        return rows.isEmpty()
                ? ""
                : rows.stream()
                                .map(row -> Wrap.paragraph("", style.chars(verdict(row)), style.width()))
                                .collect(Collectors.joining())
                        + "\n";
    }

    private static String verdict(SummaryRow row) {
        String held = row.held().isEmpty() ? "" : " (" + String.join("; ", row.held()) + ")";
        return row.variant() + ": " + row.verdict() + held;
    }

    private String conclusion() {
        String text = style.chars(summary.conclusion());
        return text.isBlank()
                ? ""
                : Wrap.paragraph("", text, style.width())
                        .lines()
                        .map(line -> style.bold(line) + "\n")
                        .collect(Collectors.joining());
    }

    private String footnotes() {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < summary.footnotes().size(); i++) {
            out.append(i == 0 ? "\n" : "");
            String number = " ".repeat(i < 9 ? 1 : 0) + (i + 1) + " ";
            Wrap.paragraph(number, style.chars(summary.footnotes().get(i)), style.width())
                    .lines()
                    .forEach(line -> out.append(style.dim(line)).append('\n'));
        }
        return out.toString();
    }
}
