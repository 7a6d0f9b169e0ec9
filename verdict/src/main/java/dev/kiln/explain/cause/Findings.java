package dev.kiln.explain.cause;

import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Findings are what has been found so far: a cause asks what has been found before it. */
final class Findings {
    private final List<Finding> findings = new ArrayList<>();

    void add(Finding finding) {
        findings.add(finding);
    }

    boolean confirmed(CauseId cause) {
        return findings.stream().anyMatch(cause::confirmedBy);
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
