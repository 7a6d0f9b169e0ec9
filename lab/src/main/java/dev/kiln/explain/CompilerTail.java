package dev.kiln.explain;

import dev.kiln.model.Finding;
import dev.kiln.model.RunEvidence;
import dev.kiln.model.ThreadRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The JIT compilers at the end of the load.
 *
 * @param observed false where nothing tells what C2 did
 * @param unquiet why C2 was not done; empty for quiet compilers
 */
record CompilerTail(boolean observed, List<String> unquiet) {
    CompilerTail {
        unquiet = List.copyOf(unquiet);
    }

    static CompilerTail of(Situation s, List<Finding> findings) {
        List<String> unquiet = new ArrayList<>();
        // Whoever takes the CPU, be it a limit: a compiler that waits has not done its work.
        C2Starved.atEnd(s).ifPresent(use -> unquiet.add(use.words("C2") + " " + s.ending()));
        OptionalDouble queue = s.c2Queue();
        if (queue.orElse(0) >= Thresholds.BACKLOG) {
            unquiet.add(String.format(Locale.ROOT, "%,.0f methods waited for C2", queue.orElseThrow()));
        }
        Findings.held(StuckAtTier2.ID, findings)
                .map(f -> f.title() + ": " + f.evidence().getFirst().text())
                .ifPresent(unquiet::add);
        boolean waits = s.c2().isPresent() && s.waitsRecorded();
        return new CompilerTail(waits || queue.isPresent() || withoutC2(s.evidence(), s.threads()), unquiet);
    }

    /** A JVM that was watched and has no C2, such as one with C1 only: nothing is left to compile. */
    private static boolean withoutC2(RunEvidence evidence, ThreadCounters threads) {
        return threads.has(ThreadRole.C1)
                && !threads.has(ThreadRole.C2)
                && !evidence.compiler().isEmpty();
    }
}
