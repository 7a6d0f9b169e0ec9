package dev.kiln.explain;

import dev.kiln.model.Finding;
import dev.kiln.model.Forecast;
import dev.kiln.model.LiveState;
import java.util.List;
import java.util.Optional;

/**
 * What a living JVM is and why.
 *
 * @param reason of the state, in words
 * @param findings held ones first, by weight
 * @param forecast in seconds since the evidence begins; empty where nothing is left to be compiled, or it cannot be told
 */
public record LiveDiagnosis(
        LiveState state, String reason, List<Finding> findings, Optional<Forecast> forecast, LiveFigures figures) {
    public LiveDiagnosis {
        findings = List.copyOf(findings);
    }

    /** What was seen of a process that has died since: it is in no state any more. */
    public LiveDiagnosis ofTheDead() {
        return new LiveDiagnosis(LiveState.UNKNOWN, "it has died", findings, Optional.empty(), figures);
    }

    /** Favoured compilers gain nothing where a limit holds back the process as a whole. */
    public boolean favouringHelps() {
        return state == LiveState.STARVED
                && Findings.held(Throttling.ID, findings).isEmpty();
    }

    public List<Finding> held() {
        return findings.stream()
                .filter(finding -> finding.state() == Finding.State.HELD)
                .toList();
    }
}
