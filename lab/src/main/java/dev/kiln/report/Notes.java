package dev.kiln.report;

import java.util.List;
import java.util.stream.Collectors;

/** Footnotes under a terminal's table. */
final class Notes {
    private Notes() {}

    static String terminal(List<String> notes, TerminalStyle style) {
        return notes.stream()
                .map(note -> Wrap.paragraph("- ", style.chars(note), style.width()))
                .flatMap(String::lines)
                .map(line -> style.dim(line) + "\n")
                .collect(Collectors.joining());
    }

    static String markdown(List<String> notes) {
        return notes.stream()
                .map(note -> "- " + MarkdownReport.escape(note) + "\n")
                .collect(Collectors.joining());
    }
}
