package dev.kiln.explain;

import dev.kiln.model.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Findings so far. */
final class Judged {
    private final List<Finding> findings = new ArrayList<>();

    void add(Finding finding) {
        findings.add(finding);
    }

    boolean held(Named cause) {
        return findings.stream().anyMatch(f -> f.id().equals(cause.id()) && f.state() == Finding.State.HELD);
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
