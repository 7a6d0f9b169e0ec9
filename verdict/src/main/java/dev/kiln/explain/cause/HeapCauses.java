package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.BudgetPart;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics.Collections;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HeapCauses judge the time in collections, and whether the heap's size or the collector is to blame for it. */
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

    private static final FindingRemedy OTHER_COLLECTOR = new FindingRemedy(
                    "try another collector",
                    "-XX:+UseParallelGC for throughput, -XX:+UseZGC for short pauses",
                    "each trades CPU, memory and pauses differently",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:+UseParallelGC"));

    private static final Pattern SIZE = Pattern.compile("(-Xmx|-XX:MaxHeapSize=)(\\d+)([kKmMgG]?)");
    private static final Pattern SHARE = Pattern.compile("-XX:MaxRAMPercentage=(\\d+)(?:\\.\\d+)?");

    /** HotSpot's own default is a quarter of the memory. */
    private static final int DEFAULT_SHARE = 25;

    /** A JVM needs memory beside its heap. */
    private static final int LARGEST_SHARE = 80;

    private static final String MISSING =
            "collections were not recorded during the load: they come from the JVM's hsperfdata file (no"
                    + " -XX:-UsePerfData, the same user or root) or from a flight recording";

    private HeapCauses() {}

    static Finding heap(WindowEvidence s, Findings earlier) {
        Optional<Collections> seen = s.observed().collections();
        if (seen.isEmpty()) {
            return HEAP.notObservable(MISSING);
        }
        List<String> flags = flags(s);
        String limit = flags.stream()
                .filter(flag -> flag.startsWith("-Xmx") || flag.startsWith("-XX:MaxHeapSize"))
                .map(flag -> ", with " + flag)
                .reduce("", (first, last) -> last);
        var proof = proof(text(seen.get()) + limit, s.moment());
        return heapToBlame(seen.get())
                ? HEAP.confirmed(seen.get().share(), List.of(proof), List.of(moreHeap(flags)))
                : HEAP.ruledOut(proof);
    }

    static Finding collector(WindowEvidence s, Findings earlier) {
        Optional<Collections> seen = s.observed().collections();
        if (seen.isEmpty()) {
            return COLLECTOR.notObservable(MISSING);
        }
        if (earlier.confirmed(HEAP)) {
            return COLLECTOR.ruledOut(proof(text(seen.get()) + ": the heap's size is the cause", s.moment()));
        }
        var proof = proof(text(seen.get()), s.moment());
        return costly(seen.get())
                ? COLLECTOR.confirmed(seen.get().share(), List.of(proof), List.of(OTHER_COLLECTOR, moreHeap(flags(s))))
                : COLLECTOR.ruledOut(proof);
    }

    private static boolean costly(Collections seen) {
        return seen.share() >= COSTLY;
    }

    private static boolean heapToBlame(Collections seen) {
        return seen.share() >= GC_HEAP || (costly(seen) && seen.perSecond() >= COLLECTIONS_PER_SECOND);
    }

    private static String text(Collections seen) {
        return String.format(
                Locale.ROOT,
                "%.1f %% of the time went into collections, %.1f a second",
                100 * seen.share(),
                seen.perSecond());
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
