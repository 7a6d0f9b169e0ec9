package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics.Collections;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * ExplicitGc is the cause that somebody asks for collections that the heap does not need. No heap is too small for them
 * and no collector to blame, so it is judged before those.
 */
final class ExplicitGc {
    static final CauseId ID = new CauseId(
                    "explicit-gc", "collections that the program asks for", Curve.STOPS, CauseId.ANY)
            .taking(BudgetPart.COLLECTION);

    private static final String BY_A_TOOL = "collections that a tool asks for";

    /** They are costly from this share of the time: all of it is lost, so it is the relative difference that counts as one. */
    private static final double COSTLY = AnalysisConfig.DELTA;

    private static final String WHY_NOT_KNOWN =
            "what collections were for was not recorded: it comes from the JVM's hsperfdata file, a flight recording or"
                    + " -Xlog:gc";

    private static final FindingRemedy FIND = new FindingRemedy(
            "find who calls System.gc(), and remove the call",
            "the stacks of jdk.SystemGC in a flight recording; else jstack PID while it collects. A call from"
                    + " java.nio.Bits.reserveMemory means that direct memory runs out: raise -XX:MaxDirectMemorySize",
            "a change of code",
            RemedyPlace.LIVE_PROCESS);

    private static final FindingRemedy DISABLE = new FindingRemedy(
                    "ignore System.gc()",
                    "-XX:+DisableExplicitGC",
                    "direct buffers that nobody uses are freed later, and may run out of memory first"
                            + " (-XX:MaxDirectMemorySize)",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:+DisableExplicitGC"));

    private static final FindingRemedy CONCURRENT = new FindingRemedy(
                    "let G1 collect beside the program when it is asked",
                    "-XX:+ExplicitGCInvokesConcurrent",
                    "CPU for a concurrent cycle each time",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:+ExplicitGCInvokesConcurrent"));

    /** Without the collections that the JDK asks for, the program would get an OutOfMemoryError. */
    private static final List<FindingRemedy> MORE_DIRECT = List.of(
            new FindingRemedy(
                    "give direct buffers more room",
                    "-XX:MaxDirectMemorySize, which is as large as the heap where it is not given",
                    "memory outside of the heap",
                    RemedyPlace.LAUNCH_FLAG),
            new FindingRemedy(
                    "use direct buffers again",
                    "a pool of buffers, or one for each thread",
                    "a change of code",
                    RemedyPlace.CODE));

    private static final FindingRemedy STOP_THE_TOOL = new FindingRemedy(
            "ask less often",
            "GC.run, GC.class_histogram and GC.heap_dump of jcmd; full-collections of an experiment",
            "fewer looks at the live objects",
            RemedyPlace.PLATFORM);

    private ExplicitGc() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Optional<Collections> seen = s.observed().collections();
        if (seen.isEmpty()) {
            return ID.notObservable(Collected.MISSING);
        }
        double program = seen.get().of(CollectionCause.SYSTEM_GC).share();
        double tool = seen.get().of(CollectionCause.DIAGNOSTIC).share();
        if (seen.get().purposes().isEmpty() && seen.get().share() >= COSTLY) {
            return ID.notObservable(WHY_NOT_KNOWN);
        }
        var proof = proof(Collected.text(seen.get()), s.moment());
        if (Math.max(program, tool) < COSTLY) {
            return ID.ruledOut(proof);
        }
        List<Finding.Proof> proofs = new ArrayList<>(List.of(proof));
        Collected.purposes(seen.get()).ifPresent(text -> proofs.add(proof(text, s.moment())));
        if (program < tool) {
            return ID.confirmed(BY_A_TOOL, ID.can(), tool, proofs, List.of(STOP_THE_TOOL));
        }
        int waiting = forDirectMemory(s);
        if (waiting > 0) {
            proofs.add(proof(
                    "thread dumps found " + waiting + (waiting == 1 ? " thread" : " threads")
                            + " waiting for direct memory: the JDK asks for a collection where that runs out",
                    s.moment(s.end())));
        }
        return ID.confirmed(program, proofs, waiting > 0 ? MORE_DIRECT : remedies(s));
    }

    /** Returns how many threads all dumps at the end found that wait until a direct buffer is freed. */
    private static int forDirectMemory(WindowEvidence s) {
        return s.end().of(s.evidence().blocked(), BlockedSample::timeNanos).stream()
                .filter(row -> row.detail().equals(BlockedSample.DIRECT_MEMORY))
                .mapToInt(BlockedSample::threads)
                .sum();
    }

    static Optional<Taken> takes(WindowEvidence s) {
        return s.observed()
                .collections()
                .map(seen -> Taken.share(
                        seen.purposes().stream()
                                .filter(purpose -> CollectionCause.ASKED_FOR.contains(purpose.cause()))
                                .mapToDouble(purpose -> purpose.share())
                                .sum(),
                        "of the time"));
    }

    /** Only G1 collects beside the program when it is told to; others ignore the flag, or do so by themselves. */
    private static List<FindingRemedy> remedies(WindowEvidence s) {
        return Collected.uses(s, "-XX:+UseG1GC") ? List.of(FIND, CONCURRENT, DISABLE) : List.of(FIND, DISABLE);
    }
}
