package dev.kiln.explain;

import dev.kiln.model.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The findings so far: a cause asks what has been found before it. */
final class Findings {
    private final List<Finding> findings = new ArrayList<>();

    void add(Finding finding) {
        findings.add(finding);
    }

    boolean held(CauseId cause) {
        return held(cause, findings).isPresent();
    }

    static Optional<Finding> held(CauseId cause, List<Finding> findings) {
        return findings.stream()
                .filter(f -> f.id().equals(cause.id()) && f.state() == Finding.State.HELD)
                .findFirst();
    }

    /** Held ones by weight, then what is ruled out, then what could not be observed. */
    List<Finding> ordered() {
        return Stream.of(Finding.State.values())
                .flatMap(state -> findings.stream()
                        .filter(f -> f.state() == state)
                        .sorted(Comparator.comparingDouble(Finding::weight).reversed()))
                .toList();
    }
}
