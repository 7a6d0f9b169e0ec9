package dev.kiln.report;

import dev.kiln.explain.study.Claims.ClaimResult;
import java.util.List;

/** Claims and what the figures say to them, a paragraph each. */
final class TerminalClaims {
    private static final String INDENT = "  ";

    private TerminalClaims() {}

    static String render(List<ClaimResult> claims, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        for (ClaimResult claim : claims) {
            out.append(out.isEmpty() ? "\nClaims\n" : "");
            String state = claim.state().text() + ": ";
            out.append(Wrap.paragraph("", style.chars(state + claim.claim().text()), style.width()));
            String published = claim.claim().published();
            String figures = (published.isEmpty() ? "" : "published: " + published + "; ") + "here: "
                    + ClaimWords.figures(claim);
            Wrap.paragraph(INDENT, style.chars(figures), style.width())
                    .lines()
                    .forEach(line -> out.append(style.dim(line)).append('\n'));
        }
        return out.toString();
    }
}
