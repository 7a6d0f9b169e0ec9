package dev.kiln.explain.study;

import dev.kiln.explain.VariantResult;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Peak;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A Yardstick is the highest peak of all variants, by which they are compared. By its own peak a starved variant
 * reaches 90 % early and loses little, because it peaks low.
 *
 * @param variant whose peak it is
 */
public record Yardstick(String variant, Peak peak) {
    /** Finds the highest peak, lower bounds included; empty without a second variant that has one. */
    public static Optional<Yardstick> of(Collection<VariantResult> variants) {
        List<Yardstick> peaks = variants.stream()
                .filter(variant -> !variant.valid().isEmpty())
                .flatMap(variant -> variant.referencePeak().stream().map(peak -> new Yardstick(variant.name(), peak)))
                .toList();
        return peaks.size() < 2
                ? Optional.empty()
                : peaks.stream().max(Comparator.comparingDouble(one -> one.peak.value()));
    }

    /** Returns a variant with its times to this peak; one whose own peak is the highest, or that has none, stays as it is. */
    public VariantResult hold(VariantResult of, AnalysisConfig config) {
        // A service that had run before has no time to any peak.
        return of.runs().stream().anyMatch(run -> run.attached().isPresent())
                        || of.referencePeak()
                                .filter(own -> own.value() < peak.value())
                                .isEmpty()
                ? of
                : of.against(variant, peak, config);
    }
}
