package dev.kiln.explain.cause;

import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import java.util.List;
import java.util.Optional;

/**
 * Causes are all causes, each before those it can be mistaken for: throttling looks like starvation, a small heap like
 * GC.
 */
public final class Causes {
    /** A CauseJudge also gets the findings of all causes before, for a cause that can be mistaken for one of them. */
    private interface CauseJudge {
        Finding judge(WindowEvidence window, Findings earlier);
    }

    /** A Cause is one thing that can hold a service back, judged by evidence alone. */
    private record Cause(CauseId id, CauseJudge judge) {}

    private static final List<Cause> ALL = List.of(
            new Cause(Throttling.ID, Throttling::judge),
            new Cause(NoisyNeighbour.ID, NoisyNeighbour::judge),
            new Cause(GeneratorLimit.ID, GeneratorLimit::judge),
            new Cause(DatabaseLimit.ID, DatabaseLimit::judge),
            new Cause(MemoryPressure.ID, MemoryPressure::judge),
            new Cause(HeapCauses.HEAP, HeapCauses::heap),
            new Cause(HeapCauses.COLLECTOR, HeapCauses::collector),
            new Cause(CodeCacheFull.ID, CodeCacheFull::judge),
            new Cause(CompilationLimited.ID, CompilationLimited::judge),
            new Cause(ProcessorCount.ID, ProcessorCount::judge),
            new Cause(C2Starved.ID, C2Starved::judge),
            new Cause(C2Backlog.ID, C2Backlog::judge),
            new Cause(TooManyRunnable.ID, TooManyRunnable::judge),
            new Cause(LongCompilations.ID, LongCompilations::judge),
            new Cause(StuckAtTier2.ID, StuckAtTier2::judge),
            new Cause(AotCauses.REJECTED, AotCauses::rejected),
            new Cause(AotCauses.UNTRAINED, AotCauses::untrained),
            new Cause(NeverCompiled.ID, NeverCompiled::judge),
            new Cause(RecompilationGivenUp.ID, RecompilationGivenUp::judge),
            new Cause(DeoptimisationStorm.ID, DeoptimisationStorm::judge),
            new Cause(Spinning.ID, Spinning::judge));

    private Causes() {}

    /** Judges all causes; confirmed ones come first, by weight. */
    public static List<Finding> judge(WindowEvidence window) {
        Findings judged = new Findings();
        ALL.forEach(cause -> judged.add(cause.judge().judge(window, judged)));
        return judged.ordered();
    }

    /** Judges the causes that can be judged without knowing the load. */
    public static List<Finding> judgeLive(WindowEvidence window) {
        return judge(window).stream()
                .filter(finding -> !has(Role.NEEDS_LOAD, finding))
                .toList();
    }

    /** Returns, among the findings, the first confirmed one of this role, by the order of causes. */
    public static Optional<Finding> confirmed(Role role, List<Finding> findings) {
        return ALL.stream()
                .filter(cause -> cause.id().roles().contains(role))
                .flatMap(cause -> findings.stream().filter(finding -> cause.id().confirmedBy(finding)))
                .findFirst();
    }

    private static boolean has(Role role, Finding finding) {
        return ALL.stream()
                .anyMatch(cause -> cause.id().id().equals(finding.id())
                        && cause.id().roles().contains(role));
    }
}
