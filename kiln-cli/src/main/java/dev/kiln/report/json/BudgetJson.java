package dev.kiln.report.json;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.report.JsonOut;
import java.util.Optional;

/** BudgetJson writes where the response time of a run went. What is not known is left out. */
record BudgetJson(JsonOut out) {
    void write(Budgets budgets) {
        if (!budgets.known()) {
            return;
        }
        out.object("budget", () -> {
            write("beginning", budgets.beginning());
            write("end", budgets.end());
            write("reference", budgets.reference());
        });
    }

    private void write(String name, Optional<Budget> budget) {
        budget.ifPresent(known -> out.object(name, () -> write(known)));
    }

    private void write(Budget budget) {
        out.number("requestsPerSecond", budget.requestsPerSecond(), 2);
        out.number("responseMillis", budget.responseMillis(), 4);
        out.objects("parts", budget.millis().keySet(), part -> {
            out.text("part", part.id());
            out.number("millis", budget.of(part), 4);
            out.number("share", budget.share(part), 4);
        });
        out.texts("notRecorded", budget.missing().stream().map(BudgetPart::id).toList());
        if (!budget.code().isEmpty()) {
            out.objects("code", budget.code(), code -> {
                out.text("kind", code.kind());
                out.number("millis", code.millis(), 4);
            });
        }
        if (!budget.blocked().isEmpty()) {
            out.objects("blocked", budget.blocked(), place -> {
                out.text("kind", place.id());
                out.text("frame", place.frame());
                out.text("detail", place.detail());
                out.number("millis", place.millis(), 4);
            });
        }
    }
}
