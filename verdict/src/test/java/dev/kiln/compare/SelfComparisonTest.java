package dev.kiln.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.compare.Measured.Observation;
import dev.kiln.model.Metric;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A hundred comparisons of a variant with itself: at most five may be declared different. Runs differ from one another, blocks
 * of an hour share something, and the seconds of a run are alike: none of it may be taken for a difference.
 */
class SelfComparisonTest {
    private static final int SECONDS = 60;
    private static final double RHO = 0.7;

    @ParameterizedTest
    @CsvSource({"5, false, 1", "10, false, 2", "6, true, 3", "10, true, 4"})
    void aVariantIsNotDifferentFromItself(int runs, boolean interleaved, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Integer> different = new TreeMap<>(Map.of("peak", 0, "t90", 0, "warm-up-cost", 0));
        for (int comparison = 0; comparison < 100; comparison++) {
            double[] hours = random.doubles(runs, 0.9, 1.1).toArray();
            Configuration a = variant("a", hours, interleaved, random);
            Configuration b = variant("b", hours, interleaved, random);
            for (String primary : List.copyOf(different.keySet())) {
                Comparer.of(List.of(a, b), primary, 0.05, AnalysisConfig.defaults())
                        .others()
                        .getFirst()
                        .metrics()
                        .stream()
                        .filter(m ->
                                m.metric().id().equals(primary) && m.verdict().shown())
                        .forEach(m -> different.merge(primary, 1, Integer::sum));
            }
        }
        assertThat(different.get("peak")).as("%s runs a side", runs).isLessThanOrEqualTo(5);
        assertThat(different.values().stream().mapToInt(count -> count).sum())
                .as("%s runs a side, three metrics: %s", runs, different)
                .isLessThanOrEqualTo(15);
    }

    private static Configuration variant(String name, double[] hours, boolean interleaved, SplittableRandom random) {
        List<Observation> peaks = new ArrayList<>();
        List<Observation> times = new ArrayList<>();
        List<Observation> costs = new ArrayList<>();
        for (int i = 0; i < hours.length; i++) {
            double own = 2000 * hours[i] * Math.exp(0.03 * random.nextGaussian());
            double rise = 20 * Math.exp(0.2 * random.nextGaussian());
            double[] warmup = series(t -> own * (1 - Math.exp(-t / rise)), random);
            double[] measured = series(t -> own, random);
            double peak = Arrays.stream(measured).average().orElseThrow();
            int t90 = 0;
            double lost = 0;
            while (t90 < SECONDS && warmup[t90] < 0.9 * peak) {
                t90++;
            }
            for (double second : warmup) {
                lost += 1 - second / peak;
            }
            int block = interleaved ? i + 1 : 0;
            peaks.add(new Observation(block, peak, false));
            times.add(new Observation(block, t90, t90 == SECONDS));
            costs.add(new Observation(block, lost, false));
        }
        List<Measured> metrics = List.of(
                new Measured(Quantity.of(Metric.PEAK), peaks),
                new Measured(Quantity.of(Metric.T90), times, OptionalDouble.of(SECONDS), 1, Optional.empty()),
                new Measured(Quantity.of(Metric.WARMUP_COST), costs));
        Optional<String> experiment = interleaved ? Optional.of("one") : Optional.empty();
        return new Configuration(
                name,
                new Configuration.Origin(experiment, "one", name),
                List.of(),
                metrics,
                List.of(),
                false,
                List.of());
    }

    private interface Curve {
        double at(double second);
    }

    private static double[] series(Curve curve, SplittableRandom random) {
        double[] out = new double[SECONDS];
        double noise = random.nextGaussian();
        for (int t = 0; t < SECONDS; t++) {
            noise = RHO * noise + Math.sqrt(1 - RHO * RHO) * random.nextGaussian();
            out[t] = Math.max(1, curve.at(t + 0.5) * (1 + 0.05 * noise));
        }
        return out;
    }
}
