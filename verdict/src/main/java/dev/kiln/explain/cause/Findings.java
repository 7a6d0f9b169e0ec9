package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budgets;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Findings are what has been found so far, and where the time of requests went: a cause asks both. */
final class Findings {
    private final List<Finding> findings = new ArrayList<>();
    private final Budgets budgets;

    Findings(Budgets budgets) {
        this.budgets = budgets;
    }

    /** Returns where the time of requests went. */
    Budgets budgets() {
        return budgets;
    }

    void add(Finding finding) {
        findings.add(finding);
    }

    boolean confirmed(CauseId cause) {
        return findings.stream().anyMatch(cause::confirmedBy);
    }

    /** Tells whether a cause was confirmed that can have done what was measured. */
    boolean explaining(CauseId cause) {
        return findings.stream()
                .anyMatch(f -> cause.confirmedBy(f) && !f.explains().isEmpty());
    }

    /** Replaces the finding of a cause. */
    void replace(CauseId cause, Finding by) {
        findings.replaceAll(finding -> finding.id().equals(cause.id()) ? by : finding);
    }

    /** Returns the finding of a cause that has been judged. */
    Finding of(CauseId cause) {
        return findings.stream()
                .filter(finding -> finding.id().equals(cause.id()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns confirmed findings, those that explain something first, by weight, then what is ruled out, then what could not be observed. */
    List<Finding> ordered() {
        return Stream.of(FindingState.values())
                .flatMap(state -> findings.stream()
                        .filter(f -> f.state() == state)
                        .sorted(Comparator.comparing((Finding f) -> f.explains().isEmpty())
                                .thenComparing(Comparator.comparingDouble(Finding::weight)
                                        .reversed())))
                .toList();
    }
}
