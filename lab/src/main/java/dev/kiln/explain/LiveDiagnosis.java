package dev.kiln.explain;

import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.cause.Causes;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.Finding;
import dev.kiln.model.PartSample;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.ThreadRole;
import dev.kiln.model.ThreadSample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a living JVM is and why, judged by what was seen of it lately.
 *
 * @param reason of the state, in words
 * @param findings confirmed ones first, by weight
 * @param forecast in seconds since the evidence begins; empty where nothing is left to compile, and where there is no
 * forecast
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
                && Causes.confirmed(Role.LIMITS_CPU, findings).isEmpty();
    }

    public List<Finding> confirmed() {
        return findings.stream()
                .filter(finding -> finding.state() == Finding.State.CONFIRMED)
                .toList();
    }

    /** The state of a living JVM, judged by its JIT compilers. */
    public enum LiveState {
        /** It works, and its compilers have nothing left to do. */
        WARM("warm"),
        /** Its compilers are busy, and get the CPU for it. */
        WARMING("warming"),
        /** Its compilers have work and get no CPU for it. */
        STARVED("starved"),
        /** It does almost nothing, so Kiln cannot tell whether it is warm. */
        IDLE("idle"),
        UNKNOWN("unknown");

        private final String text;

        LiveState(String text) {
            this.text = text;
        }

        /** As it stands in JSON. */
        public String text() {
            return text;
        }
    }

    /** @param seconds that are judged, back from the newest sample */
    public static LiveDiagnosis of(RunEvidence evidence, double seconds) {
        long to = evidence.parts().isEmpty() ? 0 : evidence.parts().getLast().timeNanos();
        long begin =
                evidence.parts().stream().mapToLong(PartSample::timeNanos).min().orElse(to);
        long from = Math.max(begin, to - Math.round(seconds * 1e9));
        WindowEvidence window = WindowEvidence.of(evidence, from, to);
        List<Finding> findings = window.tooShort() ? List.of() : Causes.judgeLive(window);
        LiveFigures figures = LiveFigures.of(window);
        LiveRules.Decision decision = new LiveRules(window, figures, findings).decide();
        boolean unfinished = decision.state() == LiveState.WARMING || decision.state() == LiveState.STARVED;
        return new LiveDiagnosis(
                decision.state(),
                decision.reason(),
                findings,
                unfinished ? forecast(window, figures) : Optional.empty(),
                figures);
    }

    private static Optional<Forecast> forecast(WindowEvidence s, LiveFigures figures) {
        double used = c2Before(s.evidence().threads());
        Forecaster forecaster = new Forecaster(Forecaster.DEMAND, used);
        for (Curves.JitPoint second : Curves.jitPoints(s.evidence(), s.threads(), s.zeroNanos())) {
            if (second.second() >= 0) {
                forecaster.second(second.c2Cpu(), second.c2Wait());
                used += second.c2Cpu();
            }
        }
        int compiled = figures.levels().map(levels -> levels.level4()).orElse(0);
        if (figures.c2Queue().isPresent() && compiled > 0) {
            forecaster.backlog(figures.c2Queue().getAsInt() * used / compiled);
        }
        return forecaster.forecast().filter(Forecast::tells);
    }

    /** CPU seconds that the C2 threads had used when they were first seen; those that had died by then are not known. */
    private static double c2Before(List<ThreadSample> threads) {
        Map<Integer, Long> first = new HashMap<>();
        for (ThreadSample thread : threads) {
            if (thread.role() == ThreadRole.C2) {
                first.putIfAbsent(thread.tid(), thread.cpuNanos());
            }
        }
        return first.values().stream().mapToLong(Long::longValue).sum() / 1e9;
    }
}
