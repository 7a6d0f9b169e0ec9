package dev.kiln.stats.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.stats.AnalysisConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A level that may have been held is compared with a reference of so many bins. */
class HeldLevelTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    /** For 40 s it served 1,200 requests a second, then 1,000. */
    private static double[] load() {
        Random random = new Random(1);
        double[] bins = new double[120];
        Arrays.setAll(bins, i -> (i >= 20 && i < 60 ? 1200 : 1000) * (1 + 0.02 * random.nextGaussian()));
        return bins;
    }

    private static Optional<HeldLevel> perhaps(int referenceBins) {
        double[] bins = load();
        return HeldLevel.perhaps(
                bins, 1000, referenceBins, List.of(Arrays.copyOfRange(bins, 90, 120)), all -> Noise.of(all, 1), CONFIG);
    }

    /** The reference after the pause had the error of the end, which may be a third as long. */
    @Test
    void aLongerReferenceIsKnownBetter() {
        HeldLevel few = perhaps(10).orElseThrow();
        HeldLevel many = perhaps(100).orElseThrow();
        assertThat(many.over().value()).isEqualTo(few.over().value());
        assertThat(many.over().hi() - many.over().lo())
                .isLessThan(few.over().hi() - few.over().lo());
    }

    /** An end that is all outage gave intervals that are no numbers. */
    @Test
    void withoutAReferenceNothingIsCompared() {
        assertThat(perhaps(0)).isEmpty();
    }
}
