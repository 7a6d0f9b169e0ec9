package dev.kiln.report.json;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.report.JsonOut;
import java.util.Optional;

/** BudgetJson writes where the time of requests went. What is not known is left out. */
public record BudgetJson(JsonOut out) {
    /** Writes the shares of a live process, whose requests nobody counts. */
    public void live(Budget budget) {
        out.number("threadsAtWork", budget.requestsPerSecond(), 2);
        out.objects("parts", budget.millis().keySet(), part -> {
            out.text("part", part.id());
            out.number("share", budget.share(part), 4);
        });
        out.texts("notRecorded", budget.missing().stream().map(BudgetPart::id).toList());
        out.objects("blocked", budget.blocked(), place -> {
            out.text("kind", place.id());
            out.text("frame", place.frame());
            out.text("detail", place.detail());
            out.number("share", place.millis() / budget.responseMillis(), 4);
        });
    }

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
        if (budget.toSafepointMillis().isPresent()) {
            out.number("toSafepointMillis", budget.toSafepointMillis(), 4);
        }
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
