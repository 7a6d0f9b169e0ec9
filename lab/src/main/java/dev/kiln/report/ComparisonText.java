package dev.kiln.report;

import dev.kiln.compare.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** {@code kiln compare} on a terminal, and in Markdown for a pull request. */
public final class ComparisonText {
    private ComparisonText() {}

    public static String terminal(Comparison comparison, TerminalStyle style) {
        ComparisonWords words = new ComparisonWords(comparison);
        StringBuilder out = new StringBuilder();
        for (Comparison.Against against : comparison.others()) {
            out.append(style.bold(style.chars(words.title(against)))).append("\n\n");
            out.append(words.grid(against).terminal(style)).append('\n');
            String conclusion = words.conclusion(against);
            if (!conclusion.isEmpty()) {
                Wrap.paragraph("", style.chars(conclusion), style.width())
                        .lines()
                        .forEach(line -> out.append(style.bold(line)).append('\n'));
                out.append('\n');
            }
            String notes = Notes.terminal(ComparisonWords.notes(against), style);
            out.append(notes).append(notes.isEmpty() ? "" : "\n");
        }
        List<String> general = new ArrayList<>(words.general());
        general.add("constants (change one with --set NAME=VALUE): " + AnalysisText.constants(comparison.config()));
        return out + Notes.terminal(general, style);
    }

    public static String markdown(Comparison comparison) {
        ComparisonWords words = new ComparisonWords(comparison);
        String sections = comparison.others().stream()
                .map(against -> {
                    String conclusion = words.conclusion(against);
                    return "### " + MarkdownReport.escape(words.title(against)) + "\n\n"
                            + (conclusion.isEmpty() ? "" : "**" + MarkdownReport.escape(conclusion) + "**\n\n")
                            + words.grid(against).markdown() + "\n"
                            + Notes.markdown(ComparisonWords.notes(against));
                })
                .collect(Collectors.joining("\n"));
        return sections + Notes.markdown(words.general());
    }
}
