package dev.kiln.explain;

import static dev.kiln.explain.Named.GC;
import static dev.kiln.explain.Named.HEAP_TOO_SMALL;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.Finding;
import dev.kiln.model.FlightDigest;
import dev.kiln.model.MemorySample;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Time in collections, and whether the heap's size or the collector is to blame for it. */
final class HeapCauses {
    private static final String MISSING =
            "collections were not recorded while load went: they come from the JVM's hsperfdata file (no -XX:-UsePerfData, the"
                    + " same user or root) or from a flight recording";

    private HeapCauses() {}

    /**
     * Collections in the window.
     *
     * @param share of the time
     * @param perSecond how many
     */
    private record Collections(double share, double perSecond) {
        boolean costly() {
            return share >= Thresholds.GC;
        }

        boolean heapToBlame() {
            return share >= Thresholds.GC_HEAP || (costly() && perSecond >= Thresholds.COLLECTIONS_PER_SECOND);
        }

        String text() {
            return String.format(
                    Locale.ROOT, "%.1f %% of the time went into collections, %.1f a second", 100 * share, perSecond);
        }
    }

    static Finding heap(Situation s, Judged earlier) {
        Optional<Collections> seen = collections(s);
        if (seen.isEmpty()) {
            return HEAP_TOO_SMALL.notObservable(MISSING);
        }
        String limit = s.evidence().info().jvm().stream()
                .flatMap(jvm -> jvm.flags().stream())
                .filter(flag -> flag.startsWith("-Xmx") || flag.startsWith("-XX:MaxHeapSize"))
                .map(flag -> ", with " + flag)
                .reduce("", (first, last) -> last);
        var proof = proof(seen.get().text() + limit, s.moment());
        return seen.get().heapToBlame()
                ? HEAP_TOO_SMALL.held(seen.get().share(), List.of(proof), Remedies.HEAP)
                : HEAP_TOO_SMALL.ruledOut(proof);
    }

    static Finding collector(Situation s, Judged earlier) {
        Optional<Collections> seen = collections(s);
        if (seen.isEmpty()) {
            return GC.notObservable(MISSING);
        }
        if (earlier.held(HEAP_TOO_SMALL)) {
            return GC.ruledOut(proof(seen.get().text() + ": the heap's size is the cause", s.moment()));
        }
        var proof = proof(seen.get().text(), s.moment());
        return seen.get().costly()
                ? GC.held(seen.get().share(), List.of(proof), Remedies.COLLECTOR)
                : GC.ruledOut(proof);
    }

    private static Optional<Collections> collections(Situation s) {
        List<MemorySample> samples = s.within(s.evidence().memory(), MemorySample::timeNanos);
        boolean counted = s.evidence().memory().stream().anyMatch(sample -> sample.safepoints() > 0)
                || !s.evidence().compiler().isEmpty();
        if (counted && samples.size() >= 2) {
            MemorySample a = samples.getFirst();
            MemorySample b = samples.getLast();
            double seconds = (b.timeNanos() - a.timeNanos()) / 1e9;
            return Optional.of(new Collections(
                    (b.collectionNanos() - a.collectionNanos()) / 1e9 / seconds,
                    (b.collections() - a.collections()) / seconds));
        }
        if (s.evidence().flight().isEmpty() || s.tooShort()) {
            return Optional.empty();
        }
        List<FlightDigest.Pause> pauses =
                s.within(s.evidence().flight().orElseThrow().pauses(), FlightDigest.Pause::timeNanos);
        return Optional.of(new Collections(
                pauses.stream().mapToLong(FlightDigest.Pause::durationNanos).sum() / 1e9 / s.seconds(),
                pauses.size() / s.seconds()));
    }
}
