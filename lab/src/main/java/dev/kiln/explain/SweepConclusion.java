package dev.kiln.explain;

import dev.kiln.stats.UniversalScalability;
import java.util.Locale;
import java.util.stream.Collectors;

/** The sentence a sweep ends in. */
final class SweepConclusion {
    private SweepConclusion() {}

    static String of(SweepResult sweep) {
        return sweep.configurations().stream().map(SweepConclusion::of).collect(Collectors.joining("; ")) + ".";
    }

    private static String of(SweepConfiguration one) {
        if (one.best().isEmpty()) {
            return one.name() + " has no valid run";
        }
        SweepPoint best = one.best().get();
        SweepPoint last = one.points().getLast();
        String most = String.format(
                Locale.ROOT,
                "%s served most with %d connection%s, %,.0f req/s",
                one.name(),
                best.connections(),
                best.connections() == 1 ? "" : "s",
                best.throughput());
        String then = last.valid() && last.connections() > best.connections()
                ? String.format(
                        Locale.ROOT,
                        ", and %.0f %% of that with %d",
                        100 * last.throughput() / best.throughput(),
                        last.connections())
                : "";
        return most + then + law(one);
    }

    private static String law(SweepConfiguration one) {
        return one.fit() instanceof UniversalScalability law && law.peakTold()
                ? String.format(
                        Locale.ROOT,
                        " (the scalability law's peak: %.0f, between %.0f and %.0f)",
                        law.peak().orElseThrow().connections(),
                        law.peakRange().lo(),
                        law.peakRange().hi().orElseThrow())
                : "";
    }
}
