package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics.Collections;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HeapCauses judge the time in collections that nobody asked for, and whether the heap's size or the collector is to blame
 * for it. What they were for decides on the remedy.
 */
final class HeapCauses {
    static final CauseId HEAP =
            new CauseId("heap-too-small", "heap too small", Curve.STOPS, CauseId.ANY).taking(BudgetPart.COLLECTION);

    static final CauseId COLLECTOR =
            new CauseId("gc", "garbage collection", Curve.STOPS, CauseId.ANY).taking(BudgetPart.COLLECTION);

    private static final FindingRemedy OTHER_COLLECTOR = new FindingRemedy(
                    "try another collector",
                    "-XX:+UseParallelGC for throughput, -XX:+UseZGC for short pauses",
                    "each trades CPU, memory and pauses differently",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:+UseParallelGC"));

    /** HotSpot begins with 21 MiB, which a framework fills while it starts. */
    private static final FindingRemedy METASPACE = new FindingRemedy(
                    "begin with room for all classes",
                    "-XX:MetaspaceSize=256m",
                    "none: it is a threshold and takes no memory. If the metaspace grows for ever, classes leak",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:MetaspaceSize=256m"));

    /** This is the largest before JDK 18: objects under 16 MiB are then no humongous ones. */
    private static final FindingRemedy REGIONS = new FindingRemedy(
                    "make G1's regions larger, so that fewer objects are humongous",
                    "-XX:G1HeapRegionSize=32m",
                    "a heap under 2 GiB then has few regions, and G1 less choice of what to collect",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:G1HeapRegionSize=32m"));

    private static final FindingRemedy YOUNG = new FindingRemedy(
            "give the young generation more room, if it is small",
            "-Xmn, -XX:NewSize; with G1 a longer -XX:MaxGCPauseMillis and no -Xmn",
            "longer pauses, and less room for old objects",
            RemedyPlace.LAUNCH_FLAG);

    private static final FindingRemedy CODE = new FindingRemedy(
                    "give compiled code more room",
                    "-XX:ReservedCodeCacheSize=480m",
                    "memory, as far as code is there",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:ReservedCodeCacheSize=480m"));

    private static final FindingRemedy TIMERS = new FindingRemedy(
            "stop collections that nothing needs",
            "-XX:-ZProactive, -XX:ZCollectionInterval=0; -XX:G1PeriodicGCInterval=0; -XX:ShenandoahGuaranteedGCInterval=0",
            "memory is given back to the machine later",
            RemedyPlace.LAUNCH_FLAG);

    private static final Pattern SIZE = Pattern.compile("(-Xmx|-XX:MaxHeapSize=)(\\d+)([kKmMgG]?)");
    private static final Pattern SHARE = Pattern.compile("-XX:MaxRAMPercentage=(\\d+)(?:\\.\\d+)?");

    /** HotSpot's own default is a quarter of the memory. */
    private static final int DEFAULT_SHARE = 25;

    /** A JVM needs memory beside its heap. */
    private static final int LARGEST_SHARE = 80;

    private HeapCauses() {}

    static Finding heap(WindowEvidence s, Findings earlier) {
        Optional<FullHeap> full = FullHeap.of(s);
        if (full.isEmpty()) {
            return FullHeap.none(HEAP, s);
        }
        List<Proof> proofs = new ArrayList<>(full.get().proofs());
        Finding grows = earlier.of(GrowingLiveSet.ID);
        proofs.addAll(grows.evidence().subList(0, 1));
        return switch (grows.state()) {
            case CONFIRMED ->
                HEAP.ruledOut(proof("what is live grows (growing-live-set): a larger heap is full later"));
            case RULED_OUT -> HEAP.confirmed(full.get().weight(), proofs, List.of(moreHeap(Collected.flags(s))));
            case NOT_OBSERVABLE ->
                HEAP.confirmed(
                        "heap too small, or what is live grows",
                        HEAP.can(),
                        full.get().weight(),
                        proofs,
                        List.of(moreHeap(Collected.flags(s)), GrowingLiveSet.FIND_THE_HOLDER));
        };
    }

    static Finding collector(WindowEvidence s, Findings earlier) {
        Optional<Collections> seen = Collected.needed(s);
        if (seen.isEmpty()) {
            return COLLECTOR.notObservable(Collected.MISSING);
        }
        if (earlier.confirmed(GrowingLiveSet.ID)) {
            return COLLECTOR.ruledOut(
                    proof(Collected.text(seen.get()) + ": what is live grows, which is the cause", s.moment()));
        }
        if (earlier.confirmed(HEAP)) {
            return COLLECTOR.ruledOut(proof(Collected.text(seen.get()) + ": the heap's size is the cause", s.moment()));
        }
        var proofs = Collected.proofs(s, seen.get(), "");
        return Collected.costly(seen.get())
                ? COLLECTOR.confirmed(seen.get().share(), proofs, remedies(s, seen.get()))
                : Collected.unseen(s)
                        .map(why -> COLLECTOR.notObservable(Collected.text(seen.get()) + why))
                        .orElseGet(() -> COLLECTOR.ruledOut(proofs.toArray(Proof[]::new)));
    }

    static Optional<Taken> takes(WindowEvidence s) {
        return Collected.needed(s).map(seen -> Taken.share(seen.share(), "of the time"));
    }

    private static List<FindingRemedy> remedies(WindowEvidence s, Collections seen) {
        FindingRemedy heap = moreHeap(Collected.flags(s));
        return switch (Collected.mostly(seen)) {
            case METADATA -> List.of(METASPACE);
            case HUMONGOUS -> List.of(REGIONS, heap);
            case CODE_CACHE -> List.of(CODE);
            case TIMER -> List.of(TIMERS);
            case ALLOCATION, SYSTEM_GC, DIAGNOSTIC, OTHER -> List.of(OTHER_COLLECTOR, heap, YOUNG);
        };
    }

    /**
     * Returns the remedy of twice the heap it has. Of several flags HotSpot uses the last size, and a size before a
     * share.
     */
    private static FindingRemedy moreHeap(List<String> flags) {
        FindingRemedy remedy =
                new FindingRemedy("give it more heap", "-Xmx, -XX:MaxRAMPercentage", "memory", RemedyPlace.LAUNCH_FLAG);
        int share = last(flags, SHARE)
                .map(found -> Integer.parseInt(found.group(1)))
                .orElse(DEFAULT_SHARE);
        return last(flags, SIZE)
                .map(size -> size.group(1) + 2 * Long.parseLong(size.group(2)) + size.group(3))
                .or(() -> share < LARGEST_SHARE
                        ? Optional.of("-XX:MaxRAMPercentage=" + Math.min(LARGEST_SHARE, 2 * share))
                        : Optional.empty())
                .map(flag -> remedy.tried(Change.flags(flag)))
                .orElse(remedy);
    }

    private static Optional<Matcher> last(List<String> flags, Pattern pattern) {
        return flags.stream().map(pattern::matcher).filter(Matcher::matches).reduce((first, last) -> last);
    }
}
