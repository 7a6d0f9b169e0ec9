package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics.Collections;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.OutOfMemory;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Sample.HeapSample;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A FullHeap is a heap that had no room, with what shows it. Whether it is too small, or fills with what stays live, {@link
 * GrowingLiveSet} tells.
 */
record FullHeap(double weight, List<Proof> proofs) {
    /** The heap is to blame from this share of the time on, whatever the rate of collections. */
    private static final double GC_HEAP = 0.25;

    /**
     * A young generation is tiny from this many collections a second; measured: 8 a second, 4 % of the time, at a
     * healthy 512 MiB.
     */
    private static final double COLLECTIONS_PER_SECOND = 10;

    /** A heap has room if no collection left this share of it in use. A choice. */
    private static final double ROOM = 0.5;

    /** The weight is a rank, no share: a service without heap does not serve. */
    private static final double WEIGHT_RAN_OUT = 1;

    /** Returns the heap that had no room; empty where it had, or where that is not known. */
    static Optional<FullHeap> of(WindowEvidence s) {
        Optional<Collections> seen = Collected.needed(s);
        List<Proof> proofs =
                seen.map(some -> Collected.proofs(s, some, limit(s))).orElseGet(List::of);
        Optional<String> ranOut = ranOut(s).filter(text -> failed(s));
        if (ranOut.isPresent()) {
            List<Proof> all = new ArrayList<>(List.of(proof(ranOut.get())));
            all.addAll(proofs);
            return Optional.of(new FullHeap(WEIGHT_RAN_OUT, all));
        }
        return seen.filter(FullHeap::isToBlame)
                .filter(some -> room(s, some).isEmpty())
                .map(some -> new FullHeap(some.share(), proofs));
    }

    /** Returns what is said of a cause that takes a full heap, where none is known. */
    static Finding none(CauseId id, WindowEvidence s) {
        Optional<String> ranOut = ranOut(s);
        if (ranOut.isPresent()) {
            return id.notObservable(ranOut.get() + ", and few requests failed or none: what it cost is not known");
        }
        Optional<Collections> seen = Collected.needed(s);
        if (seen.isEmpty()) {
            return id.notObservable(Collected.MISSING);
        }
        Optional<String> room = room(s, seen.get()).filter(text -> isToBlame(seen.get()));
        if (room.isPresent()) {
            return id.ruledOut(proof(Collected.text(seen.get()) + limit(s) + room.get(), s.moment()));
        }
        return Collected.unseen(s)
                .map(why -> id.notObservable(Collected.text(seen.get()) + why))
                .orElseGet(() ->
                        id.ruledOut(Collected.proofs(s, seen.get(), limit(s)).toArray(Proof[]::new)));
    }

    private static String limit(WindowEvidence s) {
        return Collected.flags(s).stream()
                .filter(flag -> flag.startsWith("-Xmx") || flag.startsWith("-XX:MaxHeapSize"))
                .map(flag -> ", with " + flag)
                .reduce("", (first, last) -> last);
    }

    /** Returns what the target's log says of a heap that was full. */
    private static Optional<String> ranOut(WindowEvidence s) {
        Set<OutOfMemory> errors = EnumSet.noneOf(OutOfMemory.class);
        errors.addAll(s.evidence().info().course().outOfMemory());
        errors.retainAll(OutOfMemory.OF_HEAP);
        return errors.isEmpty() ? Optional.empty() : Optional.of("its log says " + OutOfMemory.text(errors) + limit(s));
    }

    /** Tells whether the target ended by itself, or so many requests failed in the window that a run is no good. */
    private static boolean failed(WindowEvidence s) {
        if (s.evidence().info().outcome() == Outcome.TARGET_FAILED) {
            return true;
        }
        List<LoadBin> bins = s.within(s.evidence().load(), LoadBin::startNanos);
        double errors = bins.stream().mapToLong(bin -> bin.errors().total()).sum();
        double all = errors + bins.stream().mapToLong(LoadBin::completed).sum();
        return errors > 0 && errors >= AnalysisConfig.defaults().validity().maxErrorShare() * all;
    }

    /**
     * Returns in words that the heap had room, by what collections left; empty where it had not, and where that is not known. A young
     * generation may be tiny in a large heap: by its own flag, or because G1 was asked for short pauses. Where full collections took
     * the most, it is an old generation that is.
     */
    private static Optional<String> room(WindowEvidence s, Collections seen) {
        if (seen.full().filter(full -> 2 * full.share() < seen.share()).isEmpty()) {
            return Optional.empty();
        }
        OptionalLong most = s.within(s.evidence().heap(), HeapSample::timeNanos).stream()
                .mapToLong(HeapSample::usedBytes)
                .max();
        OptionalLong size =
                s.evidence().info().jvm().map(jvm -> jvm.bytes("MaxHeapSize")).orElse(OptionalLong.empty());
        return most.isEmpty() || size.isEmpty() || most.getAsLong() >= ROOM * size.getAsLong()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "; they left at most %,d MiB of the heap's %,d MiB in use: it is the young generation that is small",
                        most.getAsLong() >> 20,
                        size.getAsLong() >> 20));
    }

    /** A larger heap helps only against collections of a heap that is full. */
    private static boolean isToBlame(Collections seen) {
        boolean full = switch (Collected.mostly(seen)) {
            case METADATA, CODE_CACHE, TIMER, HUMONGOUS -> false;
            case ALLOCATION, SYSTEM_GC, DIAGNOSTIC, OTHER -> true;
        };
        return full
                && (seen.share() >= GC_HEAP || (Collected.costly(seen) && seen.perSecond() >= COLLECTIONS_PER_SECOND));
    }
}
