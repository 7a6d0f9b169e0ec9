package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.stats.TruthSeries.Family;
import dev.kiln.stats.TruthSeries.Truth;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TruthSeriesTest {
    @Test
    void theSameSeedGivesTheSameSeries() {
        List<Truth> one = TruthSeries.series(7, 60);
        List<Truth> again = TruthSeries.series(7, 60);

        for (int i = 0; i < one.size(); i++) {
            assertThat(one.get(i).warmup()).isEqualTo(again.get(i).warmup());
            assertThat(one.get(i).measure()).isEqualTo(again.get(i).measure());
        }
        assertThat(TruthSeries.series(8, 1).getFirst().warmup())
                .isNotEqualTo(one.getFirst().warmup());
    }

    @Test
    void eachHasATruthThatItsSecondsShow() {
        List<Truth> series = TruthSeries.series(3, 1000);

        assertThat(series).allSatisfy(s -> {
            assertThat(s.verdicts()).isNotEmpty();
            assertThat(s.warmup()).hasSizeGreaterThanOrEqualTo(60).doesNotContain(Double.NaN);
            assertThat(s.noise()).isPositive();
        });
        // Seconds after T90 are at nine tenths of the peak: on the average, well above half of it where noise hides
        // single ones.
        assertThat(series)
                .filteredOn(s -> s.asked() && s.t90().isPresent())
                .allSatisfy(s -> assertThat(mean(s.warmup(), (int) s.t90().getAsDouble(), s.warmup().length))
                        .isGreaterThan(0.6 * mean(s.measure(), 0, s.measure().length)));
    }

    /** The interval of the end is one of 95 %; that of the roughest climbs may miss a tenth. */
    @Test
    void theEndOfAClimbHoldsWhatItServedInItsLastSeconds() {
        Map<String, Family> climbs = new LinkedHashMap<>(WiderFamilies.ALL);
        climbs.keySet().removeIf(name -> !name.startsWith("climbs ever faster"));
        climbs.put("climbing", TruthFamilies.ALL.get("climbing"));
        Map<String, List<Boolean>> held = TruthSeries.series(11, 400, climbs).stream()
                .collect(Collectors.groupingBy(
                        Truth::family, Collectors.mapping(TruthSeriesTest::endHeld, Collectors.toList())));

        assertThat(held)
                .hasSize(4)
                .allSatisfy((family, all) ->
                        assertThat(all).filteredOn(one -> one).as(family).hasSizeGreaterThanOrEqualTo(85));
    }

    private static boolean endHeld(Truth truth) {
        AnalysisConfig config = AnalysisConfig.defaults();
        Estimate end = SeriesAnalyser.analyse(
                        truth.warmup(), new MeasuredLoad(truth.measure(), List.of()), Optional.empty(), config)
                .ending()
                .orElseThrow()
                .level();
        double known = truth.known().end().orElseThrow();
        return end.lo() <= known && known <= end.hi();
    }

    private static double mean(double[] x, int from, int to) {
        return Arrays.stream(x, from, to).average().orElseThrow();
    }
}
