package dev.kiln.explain;

import dev.kiln.model.Finding;
import dev.kiln.model.Forecast;
import dev.kiln.model.LiveState;
import dev.kiln.model.PartSample;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.ThreadRole;
import dev.kiln.model.ThreadSample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Judges a living JVM by what was seen of it lately. */
public final class LiveAssessment {
    /** They need to know the load, which a living process does not tell. */
    private static final Set<String> OF_A_LAB =
            Set.of(GeneratorLimit.ID.id(), DatabaseLimit.ID.id(), AotCauses.UNTRAINED.id());

    private LiveAssessment() {}

    /** @param seconds that are judged, back from the newest sample */
    public static LiveDiagnosis of(RunEvidence evidence, double seconds) {
        long to = evidence.parts().isEmpty() ? 0 : evidence.parts().getLast().timeNanos();
        long begin =
                evidence.parts().stream().mapToLong(PartSample::timeNanos).min().orElse(to);
        long from = Math.max(begin, to - Math.round(seconds * 1e9));
        Situation situation = situation(evidence, from, to);
        List<Finding> findings = situation.tooShort()
                ? List.of()
                : Causes.judge(situation).stream()
                        .filter(finding -> !OF_A_LAB.contains(finding.id()))
                        .toList();
        LiveFigures figures = new LiveFiguresBuilder(situation).build();
        LiveRules.Decision decision = new LiveRules(situation, figures, findings).decide();
        boolean unfinished = decision.state() == LiveState.WARMING || decision.state() == LiveState.STARVED;
        return new LiveDiagnosis(
                decision.state(),
                decision.reason(),
                findings,
                unfinished ? forecast(situation, figures) : Optional.empty(),
                figures);
    }

    /** Any stretch of evidence; moments are seconds since its beginning. */
    static Situation situation(RunEvidence evidence, long fromNanos, long toNanos) {
        Window window = new Window(fromNanos, toNanos);
        ThreadCounters threads = new ThreadCounters(evidence.threads());
        Observed observed = new ObservedBuilder(evidence, threads, window).build();
        return new Situation(evidence, observed, threads, window, fromNanos);
    }

    private static Optional<Forecast> forecast(Situation s, LiveFigures figures) {
        double used = c2Before(s.evidence().threads());
        Forecaster forecaster = new Forecaster(Forecaster.DEMAND, used);
        for (Curves.JitPoint second : CurvesBuilder.jit(s.evidence(), s.threads(), s.zeroNanos())) {
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
