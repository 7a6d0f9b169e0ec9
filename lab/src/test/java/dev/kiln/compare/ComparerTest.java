package dev.kiln.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.compare.MetricComparison.Verdict;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.ClassCounts;
import dev.kiln.stats.Goldens;
import dev.kiln.stats.SteadyClass;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ComparerTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    @Test
    void censoredTimesGiveTheGoldenRestrictedMeans() {
        JsonNode golden = Goldens.resource("compare").get("censored_ttp");
        double horizon = golden.get("horizon").asDouble();

        MetricComparison t90 = compare(times(golden.get("a"), horizon), times(golden.get("b"), horizon));

        assertThat(t90.form()).isEqualTo(MetricComparison.Form.DIFFERENCE);
        assertThat(t90.estimate().orElseThrow())
                .isCloseTo(golden.get("rmst_difference").asDouble(), within(1e-9));
        assertThat(t90.a().centre().orElseThrow())
                .isCloseTo(golden.at("/rmst/0").asDouble(), within(1e-9));
        assertThat(t90.b().median().orElseThrow())
                .isCloseTo(golden.at("/median/1").asDouble(), within(1e-9));
        assertThat(t90.b().reached()).isEqualTo(3);
        assertThat(t90.crossCheck().orElseThrow().p())
                .isCloseTo(golden.get("permutation_p").asDouble(), within(1e-6));
        assertThat(t90.verdict()).isEqualTo(Verdict.HIGHER);
        assertThat(t90.meaning()).isEqualTo(MetricComparison.Meaning.WORSE);
        assertThat(t90.notes()).anyMatch(note -> note.contains("2 of 10 runs did not get there within 120 s"));
    }

    @Test
    void timesUnderDifferentHorizonsAreCutAtTheShorter() {
        MetricComparison t90 =
                compare(times(new double[] {10, 11, 12, 13}, 30), times(new double[] {40, 41, 42, 60}, 60));

        assertThat(t90.b().reached()).isZero();
        assertThat(t90.b().horizon().orElseThrow()).isEqualTo(30);
        assertThat(t90.estimate().orElseThrow()).isEqualTo(30 - 11.5);
    }

    @Test
    void timesThatAllRunsReachedAreARatio() {
        MetricComparison t90 =
                compare(times(new double[] {10, 11, 12, 13}, 60), times(new double[] {20, 22, 24, 26}, 60));

        assertThat(t90.form()).isEqualTo(MetricComparison.Form.RATIO);
        assertThat(t90.estimate().orElseThrow()).isCloseTo(2, within(1e-12));
    }

    @Test
    void runsThatDisagreeInClassAreCountedNotPooled() {
        Configuration mixed = configuration(
                "b",
                times(new double[] {20, 22, 24, 26}, 60),
                List.of(SteadyClass.WARMUP, SteadyClass.WARMUP, SteadyClass.NO_STEADY_STATE, SteadyClass.WARMUP),
                Optional.empty());

        MetricComparison t90 = Comparer.of(
                        List.of(configuration(times(new double[] {10, 11, 12, 13}, 60)), mixed), "t90", 0.05, CONFIG)
                .others()
                .getFirst()
                .metrics()
                .getFirst();

        assertThat(t90.verdict()).isEqualTo(Verdict.NOT_POOLED);
        assertThat(t90.estimate()).isEmpty();
        assertThat(t90.notes()).containsExactly("runs disagree in class: b: 3 warmup, 1 no steady state");
    }

    /** Blocks differ by far more than the variants do within one: only pairs can show it. */
    @Test
    void pairsSeeThroughBlocks() {
        double[] a = {100, 150, 80, 200, 120, 90};
        double[] b = Arrays.stream(a).map(v -> v * 1.02).toArray();
        b[2] *= 1.001;

        MetricComparison paired = compare(
                configuration("a", peaks(a), List.of(), Optional.of("x")),
                configuration("b", peaks(b), List.of(), Optional.of("x")));
        MetricComparison unpaired = compare(
                configuration("a", peaks(a), List.of(), Optional.of("x")),
                configuration("b", peaks(b), List.of(), Optional.of("y")));

        assertThat(paired.verdict()).isEqualTo(Verdict.HIGHER);
        assertThat(paired.paired()).isTrue();
        assertThat(unpaired.verdict()).isEqualTo(Verdict.NO_DIFFERENCE_SHOWN);
    }

    @Test
    void aRunWithoutAPartnerInItsBlockIsLeftOut() {
        Measured a = peaks(new double[] {100, 101, 102, 103, 104});
        Measured b = a.only(a.runs().subList(0, 4));

        MetricComparison peak = compare(
                configuration("a", a, List.of(), Optional.of("x")), configuration("b", b, List.of(), Optional.of("x")));

        assertThat(peak.a().runs()).isEqualTo(4);
        assertThat(peak.notes()).contains("1 valid run has no partner in the same block, and no part in this");
    }

    /** Four or five pairs can be told apart by the permutation of all runs, not by flips of signs. */
    @Test
    void fewPairsAreCheckedByPermutation() {
        MetricComparison peak = compare(
                configuration("a", peaks(new double[] {100, 101, 102, 103}), List.of(), Optional.of("x")),
                configuration("b", peaks(new double[] {110, 112, 112, 114}), List.of(), Optional.of("x")));

        assertThat(peak.crossCheck().orElseThrow().method()).isEqualTo("exact permutation");
        assertThat(peak.verdict()).isEqualTo(Verdict.HIGHER);
    }

    @Test
    void equalRunsAreNoDifferenceAndManyRunsHaveNoExactTest() {
        double[] same = {5, 5, 5, 5};
        assertThat(compare(configuration(peaks(same)), configuration(peaks(same)))
                        .verdict())
                .isEqualTo(Verdict.NO_DIFFERENCE_SHOWN);

        double[] many = IntStream.range(0, 80).mapToDouble(i -> 100 + i % 7).toArray();
        MetricComparison peak = compare(configuration(peaks(many)), configuration(peaks(same)));
        assertThat(peak.crossCheck()).isEmpty();
        assertThat(peak.verdict()).isEqualTo(Verdict.LOWER);
    }

    @Test
    void columnsSayTheirUnits() {
        assertThat(Metric.of("p99 [us]").unit()).isEqualTo("us");
        assertThat(Metric.of("P99").unit()).isEqualTo("ms");
        assertThat(Metric.of("start_up_s")).isEqualTo(Metric.STARTUP);
        assertThat(Metric.of("99 % line, ms").title()).isEqualTo("99 % line, ms");
        assertThat(Metric.of("heap (MiB)").better()).isEqualTo(Metric.Better.UNKNOWN);
        assertThat(Units.factor("s", "ms").orElseThrow()).isCloseTo(1000, within(1e-9));
        assertThat(Units.factor("s", "MiB")).isEmpty();
    }

    private static MetricComparison compare(Measured a, Measured b) {
        return compare(configuration(a), configuration(b));
    }

    private static MetricComparison compare(Configuration a, Configuration b) {
        return Comparer.of(List.of(a, b), a.metrics().getFirst().metric().id(), 0.05, CONFIG)
                .others()
                .getFirst()
                .metrics()
                .getFirst();
    }

    private static Configuration configuration(Measured measured) {
        return configuration("a", measured, List.of(), Optional.empty());
    }

    private static Configuration configuration(
            String name, Measured measured, List<SteadyClass> classes, Optional<String> experiment) {
        return new Configuration(name, experiment, Map.of(), List.of(measured), ClassCounts.of(classes), List.of());
    }

    private static Measured peaks(double[] values) {
        return new Measured(
                Metric.PEAK,
                IntStream.range(0, values.length)
                        .mapToObj(i -> new Measured.Observation(i + 1, values[i], false))
                        .toList(),
                OptionalDouble.empty());
    }

    private static Measured times(JsonNode values, double horizon) {
        return times(Goldens.doubles(values), horizon);
    }

    private static Measured times(double[] values, double horizon) {
        return new Measured(
                Metric.T90,
                Arrays.stream(values)
                        .mapToObj(v -> new Measured.Observation(0, v, v >= horizon))
                        .toList(),
                OptionalDouble.of(horizon));
    }
}
