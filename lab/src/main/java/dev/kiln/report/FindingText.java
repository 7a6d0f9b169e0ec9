package dev.kiln.report;

import dev.kiln.model.Finding;
import java.util.stream.Collectors;

/** A finding that held, on a terminal. */
final class FindingText {
    private FindingText() {}

    static String held(Finding finding, TerminalStyle style) {
        String head =
                "\n" + style.warn(style.chars(Text.sentence(finding.title()))) + style.dim("  " + finding.id()) + "\n";
        String evidence = finding.evidence().stream()
                .map(proof -> paragraph("  - ", proof.text() + moment(proof), style))
                .collect(Collectors.joining());
        String remedies = finding.remedies().stream()
                .map(remedy -> paragraph("  > ", remedy(remedy), style))
                .collect(Collectors.joining());
        return head + evidence + (remedies.isEmpty() ? "" : "  Remedies:\n" + remedies);
    }

    private static String moment(Finding.Proof proof) {
        return proof.when()
                .map(when -> " (seconds " + Text.range(when.fromSecond(), when.toSecond(), s -> Text.fixed(s, 0)) + ")")
                .orElse("");
    }

    private static String remedy(Finding.Remedy remedy) {
        return remedy.what() + (remedy.how().isEmpty() ? "" : ": " + remedy.how()) + ". "
                + Character.toUpperCase(remedy.place().text().charAt(0))
                + remedy.place().text().substring(1) + "; costs: " + remedy.cost();
    }

    private static String paragraph(String first, String text, TerminalStyle style) {
        return Wrap.paragraph(first, style.chars(text), style.width());
    }
}
