package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics.Collections;
import dev.kiln.explain.window.WindowStatistics.Purpose;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.Course.OutOfMemory;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
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

    /** Collections are costly from this share of the time: G1's own goal is 1 / (1 + GCTimeRatio 12) = 7.7 %. */
    private static final double COSTLY = 0.08;

    /** The heap is to blame from this share of the time on, whatever the rate of collections. */
    private static final double GC_HEAP = 0.25;

    /**
     * A young generation is tiny from this many collections a second; measured: 8 a second, 4 % of the time, at a
     * healthy 512 MiB.
     */
    private static final double COLLECTIONS_PER_SECOND = 10;

    /** The weight is a rank, no share: a service without heap does not serve. */
    private static final double WEIGHT_RAN_OUT = 1;

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

    static final String MISSING =
            "collections were not recorded during the load: they come from the JVM's hsperfdata file (no"
                    + " -XX:-UsePerfData, the same user or root) or from a flight recording";

    private HeapCauses() {}

    static Finding heap(WindowEvidence s, Findings earlier) {
        Optional<Collections> seen = needed(s);
        List<String> flags = flags(s);
        String limit = flags.stream()
                .filter(flag -> flag.startsWith("-Xmx") || flag.startsWith("-XX:MaxHeapSize"))
                .map(flag -> ", with " + flag)
                .reduce("", (first, last) -> last);
        List<Proof> proofs = seen.map(some -> proofs(s, some, limit)).orElseGet(List::of);
        Optional<String> ranOut = ranOut(s).map(text -> text + limit);
        if (ranOut.isPresent() && failed(s)) {
            List<Proof> all = new ArrayList<>(List.of(proof(ranOut.get())));
            all.addAll(proofs);
            return HEAP.confirmed(WEIGHT_RAN_OUT, all, List.of(moreHeap(flags)));
        }
        if (seen.isPresent() && heapToBlame(seen.get())) {
            return HEAP.confirmed(seen.get().share(), proofs, List.of(moreHeap(flags)));
        }
        return ranOut.map(text ->
                        HEAP.notObservable(text + ", and few requests failed or none: what it cost is not known"))
                .orElseGet(() ->
                        seen.isPresent() ? HEAP.ruledOut(proofs.toArray(Proof[]::new)) : HEAP.notObservable(MISSING));
    }

    /** Returns what the target's log says of a heap that was full. */
    private static Optional<String> ranOut(WindowEvidence s) {
        Set<OutOfMemory> errors = EnumSet.noneOf(OutOfMemory.class);
        errors.addAll(s.evidence().info().outOfMemory());
        errors.retainAll(OutOfMemory.OF_HEAP);
        return errors.isEmpty() ? Optional.empty() : Optional.of("its log says " + OutOfMemory.text(errors));
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

    static Finding collector(WindowEvidence s, Findings earlier) {
        Optional<Collections> seen = needed(s);
        if (seen.isEmpty()) {
            return COLLECTOR.notObservable(MISSING);
        }
        if (earlier.confirmed(HEAP)) {
            return COLLECTOR.ruledOut(proof(text(seen.get()) + ": the heap's size is the cause", s.moment()));
        }
        var proofs = proofs(s, seen.get(), "");
        return costly(seen.get())
                ? COLLECTOR.confirmed(seen.get().share(), proofs, remedies(s, seen.get()))
                : COLLECTOR.ruledOut(proofs.toArray(Proof[]::new));
    }

    static Optional<Taken> takes(WindowEvidence s) {
        return needed(s).map(seen -> Taken.share(seen.share(), "of the time"));
    }

    /** Returns the collections that nobody asked for; all of them where it is not known what they were for. */
    private static Optional<Collections> needed(WindowEvidence s) {
        return s.observed()
                .collections()
                .map(seen -> seen.purposes().stream().anyMatch(of -> CollectionCause.ASKED_FOR.contains(of.cause()))
                        ? seen.without(CollectionCause.ASKED_FOR)
                        : seen);
    }

    /** Returns what the collections were for, if one cause took most of their time. */
    private static CollectionCause mostly(Collections seen) {
        return seen.purposes().stream()
                .filter(purpose -> 2 * purpose.share() >= seen.share())
                .map(Purpose::cause)
                .findFirst()
                .orElse(CollectionCause.OTHER);
    }

    private static List<FindingRemedy> remedies(WindowEvidence s, Collections seen) {
        FindingRemedy heap = moreHeap(flags(s));
        return switch (mostly(seen)) {
            case METADATA -> List.of(METASPACE);
            case HUMONGOUS -> List.of(REGIONS, heap);
            case CODE_CACHE -> List.of(CODE);
            case TIMER -> List.of(TIMERS);
            case ALLOCATION, SYSTEM_GC, DIAGNOSTIC, OTHER -> List.of(OTHER_COLLECTOR, heap);
        };
    }

    private static boolean costly(Collections seen) {
        return seen.share() >= COSTLY;
    }

    /** A larger heap helps only against collections of a heap that is full. */
    private static boolean heapToBlame(Collections seen) {
        boolean full = switch (mostly(seen)) {
            case METADATA, CODE_CACHE, TIMER, HUMONGOUS -> false;
            case ALLOCATION, SYSTEM_GC, DIAGNOSTIC, OTHER -> true;
        };
        return full && (seen.share() >= GC_HEAP || (costly(seen) && seen.perSecond() >= COLLECTIONS_PER_SECOND));
    }

    private static List<Proof> proofs(WindowEvidence s, Collections seen, String limit) {
        List<Proof> proofs = new ArrayList<>(List.of(proof(text(seen) + limit, s.moment())));
        if (costly(seen)) {
            purposes(seen).ifPresent(text -> proofs.add(proof(text, s.moment())));
        }
        return proofs;
    }

    /** Returns in words how much was collected; full collections apart where they are counted so. */
    static String text(Collections seen) {
        return String.format(
                        Locale.ROOT,
                        "%.1f %% of the time went into collections, %.1f a second",
                        100 * seen.share(),
                        seen.perSecond())
                + seen.full()
                        .map(full -> full.perSecond() == 0
                                ? "; none was a full one"
                                : String.format(
                                        Locale.ROOT,
                                        "; %.1f %% into full ones, %.1f a second",
                                        100 * full.share(),
                                        full.perSecond()))
                        .orElse("");
    }

    /** Returns in words what collections were for; empty where that is not known. */
    static Optional<String> purposes(Collections seen) {
        return seen.purposes().stream()
                .map(purpose -> String.format(
                        Locale.ROOT,
                        "%.1f %% of the time for %s, %.1f a second",
                        100 * purpose.share(),
                        purpose.cause().text(),
                        purpose.perSecond()))
                .reduce((first, next) -> first + "; " + next);
    }

    /** Tells whether a flag is in force, given or chosen by the JVM. */
    static boolean uses(WindowEvidence s, String flag) {
        return s.evidence().info().jvm().stream()
                .anyMatch(jvm -> jvm.flags().contains(flag) || jvm.inForce().contains(flag));
    }

    private static List<String> flags(WindowEvidence s) {
        return s.evidence().info().jvm().stream()
                .flatMap(jvm -> jvm.flags().stream())
                .toList();
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
