package dev.kiln.explain;

import dev.kiln.model.Finding;
import java.util.List;

/** All causes, each before those it can be mistaken for: throttling looks like starvation, a small heap like GC. */
final class Causes {
    private static final List<Cause> ALL = List.of(
            new Throttling(),
            new NoisyNeighbour(),
            new GeneratorLimit(),
            new DatabaseLimit(),
            new MemoryPressure(),
            HeapCauses::heap,
            HeapCauses::collector,
            new CodeCacheFull(),
            new Spinning(),
            new TooManyRunnable(),
            new C2Starved(),
            new C2Backlog(),
            new StuckAtTier2(),
            AotCauses::rejected,
            AotCauses::untrained,
            new DeoptimisationStorm());

    private Causes() {}

    /** Held ones first, by weight. */
    static List<Finding> judge(Situation situation) {
        Findings judged = new Findings();
        ALL.forEach(cause -> judged.add(cause.judge(situation, judged)));
        return judged.ordered();
    }
}
