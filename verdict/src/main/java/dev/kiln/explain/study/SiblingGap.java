package dev.kiln.explain.study;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.run.Verdict;
import dev.kiln.stats.series.Peak;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A SiblingGap is a plateau that is known by throughput alone, compared with what variants of the same service reached.
 * Variants are of one service where their names differ in what follows the last hyphen, as labs name them.
 *
 * @param share of the other's reference peak
 */
public record SiblingGap(VariantResult variant, double peak, VariantResult other, double share) {
    /** A slower program is the lesser guess below this share of a sibling's throughput; a choice, not a measurement. */
    private static final double FAR_BELOW = 0.5;

    /** Finds the gap to the highest sibling; empty where compilers were observed, or no sibling is surely above, and far. */
    public static Optional<SiblingGap> of(VariantResult variant, List<VariantResult> all) {
        Optional<Peak> own = variant.referencePeak();
        boolean alone = variant.runs().stream().anyMatch(RunResult::valid)
                && variant.runs().stream()
                        .filter(RunResult::valid)
                        .allMatch(run -> run.explanation()
                                .verdict()
                                .end()
                                .filter(Verdict.Peaked::byThroughputAlone)
                                .isPresent());
        if (own.isEmpty() || !alone) {
            return Optional.empty();
        }
        return all.stream()
                .filter(other -> !other.name().equals(variant.name())
                        && !service(variant).isEmpty()
                        && service(other).equals(service(variant)))
                .filter(other ->
                        !other.valid().isEmpty() && other.referencePeak().isPresent())
                .max(Comparator.comparingDouble(SiblingGap::peak))
                .map(best -> new SiblingGap(variant, peak(variant), best, peak(variant) / peak(best)))
                .filter(far -> far.share() < FAR_BELOW && isBelow(own.get(), far.other()));
    }

    /** Tells whether the intervals of the two peaks lie apart. */
    private static boolean isBelow(Peak own, VariantResult other) {
        return own.throughput().hi()
                < other.referencePeak().orElseThrow().throughput().lo();
    }

    /** Returns the gap as a finding's title. */
    public String title() {
        return String.format(Locale.ROOT, "far below what %2$s reached: %1$.0f %% of it", 100 * share, other.name());
    }

    /** Returns the gap as a footnote, with what it may mean. */
    String note() {
        return String.format(
                Locale.ROOT,
                "%s peaked by throughput alone, far below another variant: %,.0f req/s is %.0f %% of the %,.0f that"
                        + " %s reached; the curve alone does not show whether the program is slower or"
                        + " its compilers hold it back",
                variant.name(),
                peak,
                100 * share,
                peak(other),
                other.name());
    }

    private static double peak(VariantResult variant) {
        return variant.referencePeak().map(Peak::value).orElse(0.0);
    }

    private static String service(VariantResult variant) {
        return variant.name().substring(0, Math.max(0, variant.name().lastIndexOf('-')));
    }
}
