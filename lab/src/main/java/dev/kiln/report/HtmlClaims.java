package dev.kiln.report;

import dev.kiln.explain.study.Claims.ClaimResult;
import java.util.List;

/** A table of claims, their published figures, and those of this experiment. */
final class HtmlClaims {
    private HtmlClaims() {}

    /** Empty without claims. */
    static String html(List<ClaimResult> claims) {
        if (claims.isEmpty()) {
            return "";
        }
        HtmlTable table = new HtmlTable(4, List.of("Claim", "Published", "Here", "Answer"));
        for (ClaimResult claim : claims) {
            table.row(List.of(
                    Html.escape(claim.claim().text()),
                    Html.escape(claim.claim().published()),
                    Html.escape(ClaimWords.figures(claim)),
                    Html.escape(claim.state().text())));
        }
        return table.html("Claims")
                + Html.caption(
                        "Medians over runs, compared as the experiment file says; whether a difference stands out from"
                                + " noise is another question, which kiln compare answers.");
    }
}
