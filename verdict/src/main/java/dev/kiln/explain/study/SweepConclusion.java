package dev.kiln.explain.study;

import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A SweepConclusion is the sentence a sweep ends in. */
final class SweepConclusion {
    private SweepConclusion() {}

    static String of(SweepResult sweep, AnalysisConfig config) {
        return sweep.configurations().stream().map(one -> of(one, config)).collect(Collectors.joining("; ")) + ".";
    }

    private static String of(SweepConfiguration one, AnalysisConfig config) {
        if (one.best().isEmpty()) {
            return one.name() + " has no valid run";
        }
        SweepPoint best = one.best().get();
        SweepPoint last = one.points().getLast();
        List<Integer> alike = one.notToldFromBest(config.confidence());
        String most = String.format(
                Locale.ROOT,
                "%s served most with %d connection%s, %s%,.0f req/s",
                one.name(),
                best.connections(),
                best.connections() == 1 ? "" : "s",
                best.throughput().lowerBound() ? "at least " : "",
                best.throughput().mean());
        boolean fell = last.valid() && last.connections() > best.connections() && !alike.contains(last.connections());
        String then = fell && !best.throughput().lowerBound()
                ? String.format(
                        Locale.ROOT,
                        ", and %.0f %% of that with %d",
                        100 * last.throughput().mean() / best.throughput().mean(),
                        last.connections())
                : "";
        List<String> reserved = Stream.of(alike(one, alike), law(one))
                .filter(text -> !text.isEmpty())
                .toList();
        return most + then + (reserved.isEmpty() ? "" : " (" + String.join("; ", reserved) + ")");
    }

    private static String alike(SweepConfiguration one, List<Integer> alike) {
        if (alike.isEmpty()) {
            return "";
        }
        return one.scatter().isEmpty()
                ? "so few runs do not show which levels differ"
                : alike.stream().map(String::valueOf).collect(Collectors.joining(", "))
                        + " connections are not shown to differ from that";
    }

    private static String law(SweepConfiguration one) {
        if (one.fit() instanceof UniversalScalability law && law.plateauTold().isPresent()) {
            return String.format(
                    Locale.ROOT,
                    "a plateau from %.0f connections on",
                    Math.ceil(law.plateauTold().get().connections() - 1e-6));
        }
        return one.fit() instanceof UniversalScalability law && law.peakTold()
                ? String.format(
                        Locale.ROOT,
                        "the scalability law's peak: %.0f, between %.0f and %.0f",
                        law.peak().orElseThrow().connections(),
                        law.peakRange().lo(),
                        law.peakRange().hi().orElseThrow())
                : "";
    }
}
