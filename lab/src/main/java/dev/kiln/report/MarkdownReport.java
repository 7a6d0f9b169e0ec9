package dev.kiln.report;

import dev.kiln.explain.study.ExperimentResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The summary as GitHub-flavoured Markdown, for a pull request or an issue. */
public final class MarkdownReport {
    private MarkdownReport() {}

    public static String render(ExperimentResult result) {
        Summary summary = Summary.of(result);
        String heads = SummaryRow.HEADS.stream()
                .map(head -> head.top() + " " + head.bottom())
                .collect(Collectors.joining(" | ", "| variant | verdict | ", " |\n"));
        String rule = "|---|---|" + "--:|".repeat(SummaryRow.HEADS.size()) + "\n";
        String rows = summary.rows().stream().map(row -> row(summary, row)).collect(Collectors.joining());
        return "### " + escape(result.name()) + "\n\n"
                + (result.conclusion().isBlank() ? "" : "**" + escape(result.conclusion()) + "**\n\n")
                + heads + rule + rows + footnotes(summary.footnotes()) + "\n"
                + escape(Facts.protocol(result.protocol())) + "\n";
    }

    private static String row(Summary summary, SummaryRow row) {
        return row.cells().stream()
                .map(cell -> escape(cell.text())
                        + summary.number(cell).map(n -> "<sup>" + n + "</sup>").orElse("")
                        + cell.range()
                                .map(range -> "<br><sub>" + escape(range) + "</sub>")
                                .orElse(""))
                .collect(Collectors.joining(
                        " | ", "| " + escape(row.variant()) + " | " + escape(row.verdict()) + " | ", " |\n"));
    }

    private static String footnotes(List<String> notes) {
        return IntStream.range(0, notes.size())
                .mapToObj(i -> (i + 1) + ". " + escape(notes.get(i)) + "\n")
                .collect(Collectors.joining("", "\n", ""));
    }

    static String escape(String text) {
        return text.replace("\\", "\\\\")
                .replaceAll("([|*_`<>\\[\\]#~])", "\\\\$1")
                .replaceAll("\\R", " ");
    }
}
