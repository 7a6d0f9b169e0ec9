package dev.kiln.explain;

import dev.kiln.model.RunEvidence;
import dev.kiln.model.ThreadRole;
import java.util.Optional;

/**
 * The JIT compilers at the end of the load.
 *
 * @param observed false where nothing tells what C2 did
 * @param starved how C2 was starved; empty where it was not
 */
record CompilerTail(boolean observed, Optional<String> starved) {
    static CompilerTail of(Situation s) {
        // Whoever takes the CPU, be it a limit: a compiler that waits has not done its work.
        Optional<String> starved = C2Starved.atEnd(s).map(use -> use.words("C2") + " " + s.ending());
        boolean waits = s.c2().isPresent() && s.waitsRecorded();
        return new CompilerTail(waits || s.c2Queue().isPresent() || withoutC2(s.evidence(), s.threads()), starved);
    }

    /** A JVM that was watched and has no C2, such as one with C1 only: nothing is left to compile. */
    private static boolean withoutC2(RunEvidence evidence, ThreadCounters threads) {
        return threads.has(ThreadRole.C1)
                && !threads.has(ThreadRole.C2)
                && !evidence.compiler().isEmpty();
    }
}
