package dev.kiln.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.compare.Comparison.MetricComparison;
import dev.kiln.compare.Comparison.MetricComparison.Bound;
import dev.kiln.compare.Gates.GateResult.GateRow;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.report.ComparisonText;
import dev.kiln.report.ComparisonWords;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Conclusion;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Goldens;
import dev.kiln.stats.RunsNeeded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
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

        assertThat(t90.change().form()).isEqualTo(MetricComparison.Form.DIFFERENCE);
        assertThat(t90.change().estimate().orElseThrow())
                .isCloseTo(golden.get("rmst_difference").asDouble(), within(1e-9));
        assertThat(t90.sides().a().centre().orElseThrow())
                .isCloseTo(golden.at("/rmst/0").asDouble(), within(1e-9));
        assertThat(t90.sides().b().median().orElseThrow())
                .isCloseTo(golden.at("/median/1").asDouble(), within(1e-9));
        assertThat(t90.sides().b().reached()).isEqualTo(3);
        assertThat(t90.tests().crossCheck().orElseThrow().method()).isEqualTo("Mann-Whitney");
        assertThat(t90.verdict()).isEqualTo(Conclusion.HIGHER);
        assertThat(t90.meaning()).isEqualTo(MetricComparison.Meaning.WORSE);
        assertThat(t90.notes()).anyMatch(note -> note.contains("2 of 10 runs did not get there within 120 s"));
    }

    @Test
    void timesUnderDifferentHorizonsAreCutAtTheShorter() {
        MetricComparison t90 =
                compare(times(new double[] {10, 11, 12, 13}, 30), times(new double[] {40, 41, 42, 60}, 60));

        assertThat(t90.sides().b().reached()).isZero();
        assertThat(t90.sides().b().horizon().orElseThrow()).isEqualTo(30);
        assertThat(t90.change().estimate().orElseThrow()).isEqualTo(30 - 11.5);
    }

    @Test
    void timesThatAllRunsReachedAreARatio() {
        MetricComparison t90 =
                compare(times(new double[] {10, 11, 12, 13}, 60), times(new double[] {20, 22, 24, 26}, 60));

        assertThat(t90.change().form()).isEqualTo(MetricComparison.Form.RATIO);
        assertThat(t90.change().estimate().orElseThrow()).isCloseTo(2, within(1e-12));
    }

    /** Blocks differ by far more than the variants do within one: only pairs can show it. */
    @Test
    void pairsSeeThroughBlocks() {
        double[] a = {100, 150, 80, 200, 120, 90};
        double[] b = Arrays.stream(a).map(v -> v * 1.02).toArray();
        b[2] *= 1.001;

        MetricComparison paired =
                compare(configuration("a", peaks(a), Optional.of("x")), configuration("b", peaks(b), Optional.of("x")));
        MetricComparison unpaired =
                compare(configuration("a", peaks(a), Optional.empty()), configuration("b", peaks(b), Optional.empty()));

        assertThat(paired.verdict()).isEqualTo(Conclusion.HIGHER);
        assertThat(paired.sides().paired()).isTrue();
        assertThat(unpaired.verdict()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
    }

    @Test
    void aRunWithoutAPartnerInItsBlockIsLeftOut() {
        Measured a = peaks(new double[] {100, 101, 102, 103, 104});
        Measured b = peaks(new double[] {100, 101, 102, 103});

        MetricComparison peak =
                compare(configuration("a", a, Optional.of("x")), configuration("b", b, Optional.of("x")));

        assertThat(peak.sides().a().runs()).isEqualTo(4);
        assertThat(peak.notes()).contains("1 valid run has no partner in the same block and did not count");
    }

    @Test
    void aSideThatIsCalledAAndBIsStillOne() {
        GateRow row = Gates.of(
                new Tolerance("peak", -5, false, "t.yaml:1"),
                Configuration.none("blue and green"),
                configuration(peaks(new double[] {1000, 1300})),
                EarlierSessions.NONE,
                1,
                1);

        assertThat(row.notes()).singleElement().asString().startsWith("blue and green has no ");
    }

    /** As the comparison does: 9 % less in each of four blocks, while the blocks differ by a third. */
    @Test
    void aGateComparesRunsOfOneBlock() {
        Measured before = peaks(new double[] {1000, 1300, 1010, 1290, 1200});
        Measured now = peaks(new double[] {910, 1181, 920, 1176});
        Tolerance tolerance = new Tolerance("peak", -5, false, "t.yaml:1");

        GateRow pairs = Gates.of(
                tolerance,
                configuration("now", now, Optional.of("x")),
                configuration("before", before, Optional.of("x")),
                EarlierSessions.NONE,
                1,
                1);
        GateRow apart = Gates.of(
                tolerance,
                configuration("now", now, Optional.of("x")),
                configuration("before", before, Optional.of("y")),
                EarlierSessions.NONE,
                1,
                1);

        assertThat(pairs.found().orElseThrow().change().paired()).isTrue();
        assertThat(pairs.verdict()).isEqualTo(Gate.Verdict.FAIL);
        assertThat(pairs.baselineRuns()).isEqualTo(4);
        assertThat(pairs.notes()).containsExactly("1 valid run has no partner in the same block and did not count");
        assertThat(apart.found().orElseThrow().change().paired()).isFalse();
        assertThat(apart.verdict()).isEqualTo(Gate.Verdict.UNDER_POWERED);
    }

    /** Whatever four blocks hold: the permutations that blocks allow cannot reject. */
    @Test
    void fewBlocksAreExploratory() {
        MetricComparison peak = compare(
                configuration("a", peaks(new double[] {100, 101, 102, 103}), Optional.of("x")),
                configuration("b", peaks(new double[] {110, 112, 112, 114}), Optional.of("x")));

        assertThat(peak.tests().crossCheck().orElseThrow().method()).isEqualTo("permutation within blocks");
        assertThat(peak.tests().crossCheck().orElseThrow().p()).isEqualTo(0.125);
        assertThat(peak.verdict()).isEqualTo(Conclusion.EXPLORATORY);
        assertThat(peak.tests().tooFew().orElseThrow().needed()).contains("6 blocks");
        assertThat(peak.allNotes())
                .containsExactly("exploratory: the smallest p that the exact test can give for so few is 0.125;"
                        + " at least 6 blocks can show a difference");
    }

    /** With more of its runs they are compared by block: what it takes is counted in blocks from the first one on. */
    @Test
    void oneBlockSaysHowManyBlocksItTakes() {
        MetricComparison peak = compare(
                configuration("a", peaks(new double[] {100}), Optional.of("x")),
                configuration("b", peaks(new double[] {110}), Optional.of("x")));

        assertThat(peak.sides().paired()).isFalse();
        assertThat(peak.tests().tooFew().orElseThrow().needed()).contains("6 blocks");
    }

    /** A second apart, known to the second. */
    @Test
    void timesAreKnownToTheirBin() {
        MetricComparison t90 =
                compare(binned(new double[] {38, 38, 38, 38}, 60), binned(new double[] {39, 39, 39, 39}, 60));

        assertThat(t90.change().lo().orElseThrow()).isCloseTo(1, within(1e-12));
        assertThat(t90.change().hi().orElseThrow()).isCloseTo(39.5 / 37.5, within(1e-12));
        assertThat(t90.verdict()).isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
        assertThat(compare(binned(new double[] {38, 38, 38, 38}, 60), binned(new double[] {42, 42, 42, 42}, 60))
                        .verdict())
                .isEqualTo(Conclusion.HIGHER);
        MetricComparison censored =
                compare(binned(new double[] {59, 59, 59, 59}, 60), binned(new double[] {60, 60, 60, 60}, 60));
        assertThat(censored.verdict()).as("beyond the load it may be any time").isEqualTo(Conclusion.CANNOT_TELL);
        assertThat(compare(binned(new double[] {0, 0, 0, 0}, 60), binned(new double[] {1, 1, 1, 1}, 60))
                        .verdict())
                .isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);
    }

    @Test
    void aLowerBoundLeavesOneEndOpen() {
        Measured low = peaks(new double[] {100, 101, 102, 103, 104, 105});
        Measured high = peaks(new double[] {120, 121, 122, 123, 124, 125});

        MetricComparison atLeast = compare(low, bound(high));
        assertThat(atLeast.change().bound()).isEqualTo(Bound.AT_LEAST);
        assertThat(atLeast.verdict()).isEqualTo(Conclusion.HIGHER);
        assertThat(atLeast.change().lo().orElseThrow()).isGreaterThan(1.15);
        assertThat(atLeast.change().hi()).isEmpty();
        assertThat(atLeast.notes()).contains("the other's figure is a lower bound: C2 still waited");
        MetricComparison atMost = compare(bound(high), low);
        assertThat(atMost.change().bound()).isEqualTo(Bound.AT_MOST);
        assertThat(atMost.verdict()).isEqualTo(Conclusion.LOWER);
        assertThat(atMost.change().lo()).isEmpty();
        assertThat(compare(high, bound(low)).verdict()).isEqualTo(Conclusion.CANNOT_TELL);
        assertThat(compare(bound(low), high).verdict()).isEqualTo(Conclusion.CANNOT_TELL);
        assertThat(compare(low, bound(low)).verdict())
                .as("no difference shown is none to be told either")
                .isEqualTo(Conclusion.CANNOT_TELL);
        MetricComparison both = compare(bound(low), bound(high));
        assertThat(both.verdict()).isEqualTo(Conclusion.CANNOT_TELL);
        assertThat(both.change().estimate()).isEmpty();
        assertThat(both.tests().p()).isEmpty();
    }

    /** Not within 60 s of at least 1,234 holds for every higher peak. */
    @Test
    void aTimeThatNoRunReachedNeedsNoExactPeak() {
        Measured never = times(new double[] {60, 60, 60, 60}, 60);
        Measured bounded =
                new Measured(never.metric(), never.runs(), never.horizon(), 1, Optional.of("C2 still waited"));

        MetricComparison t90 = compare(times(new double[] {10, 11, 12, 13}, 60), bounded);

        assertThat(t90.change().bound()).isEqualTo(Bound.AT_LEAST);
        assertThat(t90.verdict()).isEqualTo(Conclusion.HIGHER);
        assertThat(ComparisonWords.verdict(t90)).isEqualTo("at least 48.5 s higher, worse");
        assertThat(compare(bounded, times(new double[] {10, 11, 12, 13}, 60))
                        .change()
                        .bound())
                .isEqualTo(Bound.AT_MOST);
    }

    /** Which is later is known by rank; by how much is not, where both have runs that did not get there. */
    @Test
    void twoCensoredSidesHaveNoFigure() {
        MetricComparison t90 = compare(
                times(new double[] {10, 11, 12, 13, 14, 60}, 60), times(new double[] {60, 60, 60, 60, 60, 60}, 60));

        assertThat(t90.change().bound()).isEqualTo(Bound.UNKNOWN);
        assertThat(t90.change().estimate()).isEmpty();
        assertThat(ComparisonWords.verdict(t90)).isEqualTo("higher, worse");
    }

    /** 4 s more in each of ten blocks, while the blocks differ by tens of seconds. */
    @Test
    void differencesOfPairsArePaired() {
        double[] a = {58, 15, 43, 40, 31, 60, 32, 11, 29, 38};
        double[] b = {62, 18, 48, 44, 36, 63, 36, 15, 33, 42};
        MetricComparison cost = compare(
                configuration("a", of(Metric.WARMUP_COST, a), Optional.of("x")),
                configuration("b", of(Metric.WARMUP_COST, b), Optional.of("x")));

        assertThat(cost.change().form()).isEqualTo(MetricComparison.Form.DIFFERENCE);
        assertThat(cost.sides().paired()).isTrue();
        assertThat(cost.verdict()).isEqualTo(Conclusion.HIGHER);
        assertThat(cost.change().lo().orElseThrow()).isBetween(3.0, 4.0);
        assertThat(cost.change().hi().orElseThrow()).isBetween(4.0, 5.0);
    }

    private static Measured of(Metric metric, double[] values) {
        return new Measured(
                Quantity.of(metric),
                IntStream.range(0, values.length)
                        .mapToObj(i -> new Measured.Observation(i + 1, values[i], false))
                        .toList());
    }

    private static Configuration night(int night, double level, Random random) {
        double[] runs = new double[5];
        Arrays.setAll(runs, i -> 1000 * Math.exp(level + 0.01 * random.nextGaussian()));
        return configuration("svc", of(Metric.PEAK, runs), Optional.of("night " + night));
    }

    /** Five runs a night that differ by 1 %, and nights that differ by 3 %: nothing changed. */
    @Test
    void twoSessionsAreNoDifferenceOfTheirRuns() {
        Random random = new Random(4);
        int shown = 0;
        int failed = 0;
        int covered = 0;
        int all = 400;
        for (int i = 0; i < all; i++) {
            List<Configuration> earlier = new ArrayList<>();
            for (int night = 2; night < 12; night++) {
                earlier.add(night(night, 0.03 * random.nextGaussian(), random));
            }
            Configuration a = night(0, 0.03 * random.nextGaussian(), random);
            Configuration b = night(1, 0.03 * random.nextGaussian(), random);
            MetricComparison unknown = compare(a, b);
            assertThat(unknown.verdict()).isEqualTo(Conclusion.TWO_SESSIONS);
            assertThat(unknown.tests().p()).isEmpty();
            EarlierSessions known = new EarlierSessions(earlier).of(List.of(a, b));
            assertThat(known.all()).hasSize(10);
            MetricComparison by = Comparer.of(List.of(a, b), known, "peak", 0.05, CONFIG)
                    .others()
                    .getFirst()
                    .metrics()
                    .getFirst();
            shown += by.verdict().shown() ? 1 : 0;
            covered += by.change().lo().orElseThrow() <= 1 && by.change().hi().orElseThrow() >= 1 ? 1 : 0;
            Tolerance tolerance = new Tolerance("peak", -1, false, "t.yaml:1");
            failed += Gates.of(tolerance, b, a, EarlierSessions.NONE, 1, 1).verdict() == Gate.Verdict.FAIL ? 1 : 0;
            failed += Gates.of(tolerance, b, a, known, 1, 1).verdict() == Gate.Verdict.FAIL ? 1 : 0;
        }
        assertThat(shown / (double) all).isLessThan(0.08);
        assertThat(covered / (double) all).isBetween(0.92, 0.98);
        assertThat(failed / (2.0 * all)).as("by both gates").isLessThan(0.05);
    }

    /** Half as much is beyond what sessions differ by, whoever measured it; a fiftieth is not. */
    @Test
    void aGateOfTwoSessionsFailsWhatIsFarBeyond() {
        Random random = new Random(5);
        Configuration before = night(0, 0, random);
        Tolerance tolerance = new Tolerance("peak", -5, false, "t.yaml:1");
        GateRow half = Gates.of(tolerance, night(1, Math.log(0.5), random), before, EarlierSessions.NONE, 1, 1);
        GateRow same = Gates.of(tolerance, night(2, 0, random), before, EarlierSessions.NONE, 1, 1);

        assertThat(half.verdict()).isEqualTo(Gate.Verdict.FAIL);
        assertThat(same.verdict()).isEqualTo(Gate.Verdict.UNDER_POWERED);
        assertThat(same.notes().getFirst()).startsWith("two sessions; how much sessions differ is not known");
        assertThat(same.found().orElseThrow().runsNeeded())
                .hasValue(new RunsNeeded.NoNumber(RunsNeeded.Why.SESSIONS_UNKNOWN));
    }

    /** The same comparison three times: its interval is wider, and what stands no longer does. */
    @Test
    void holmIsOnTheIntervalToo() {
        Configuration a = configuration("a", peaks(new double[] {100, 101, 102, 103, 104}), Optional.empty());
        Configuration b = configuration("b", peaks(new double[] {103, 104, 105, 106, 107}), Optional.empty());

        MetricComparison alone = compare(a, b);
        Comparison three = Comparer.of(List.of(a, b, b, b), "peak", 0.05, CONFIG);
        MetricComparison one = three.others().getFirst().metrics().getFirst();

        assertThat(alone.change().lo().orElseThrow()).isGreaterThan(1);
        assertThat(one.change().confidence()).isCloseTo(1 - 0.05 / 3, within(1e-12));
        assertThat(one.tests().pAdjusted().orElseThrow())
                .isCloseTo(3 * alone.tests().p().orElseThrow(), within(1e-12));
        assertThat(one.change().lo().orElseThrow() > 1)
                .as("interval and p say the same")
                .isEqualTo(one.tests().pAdjusted().orElseThrow() < 0.05)
                .isFalse();
    }

    /** Runs that were added until the interval of the peak was narrow: it is made so that it holds nevertheless. */
    @Test
    void anAdaptiveNumberOfRunsWidensTheInterval() {
        Configuration a = configuration("a", peaks(new double[] {100, 101, 102, 103, 104}), Optional.empty());
        Configuration b = configuration("b", peaks(new double[] {103, 104, 105, 106, 107}), Optional.empty());
        Configuration chosen = new Configuration("b", b.origin(), List.of(), b.metrics(), List.of(), true, List.of());

        MetricComparison peak = compare(a, chosen);

        assertThat(peak.change().confidence()).isCloseTo(0.97, within(1e-12));
        assertThat(ComparisonText.markdown(
                        Comparer.of(List.of(a, chosen), AnalysisConfig.defaults()).stream()
                                .toList(),
                        false))
                .contains(
                        " (97 %) |",
                        "- an interval that names its level is not at 95 %, because the width of the peak's interval decided how"
                                + " many runs there are\n");
        assertThat(peak.tests().pAdjusted().orElseThrow())
                .isCloseTo(compare(a, b).tests().p().orElseThrow() / 0.6, within(1e-12));
    }

    @Test
    void equalRunsAreNoDifferenceAndManyRunsHaveNoExactTest() {
        double[] same = {5, 5, 5, 5};
        assertThat(compare(configuration(peaks(same)), configuration(peaks(same)))
                        .verdict())
                .isEqualTo(Conclusion.NO_DIFFERENCE_SHOWN);

        double[] many = IntStream.range(0, 80).mapToDouble(i -> 100 + i % 7).toArray();
        MetricComparison peak = compare(configuration(peaks(many)), configuration(peaks(same)));
        assertThat(peak.tests().crossCheck()).isEmpty();
        assertThat(peak.verdict()).isEqualTo(Conclusion.LOWER);
    }

    @Test
    void columnsSayTheirUnits() {
        assertThat(Quantity.of("p99 [us]").unit()).isEqualTo("us");
        assertThat(Quantity.of("P99").unit()).isEqualTo("ms");
        assertThat(Quantity.of("start_up_s")).isEqualTo(Quantity.of(Metric.START));
        assertThat(Quantity.of("99 % line, ms").title()).isEqualTo("99 % line, ms");
        assertThat(Quantity.of("heap (MiB)").better()).isEqualTo(Metric.Better.UNKNOWN);
        assertThat(Quantity.factor("s", "ms").orElseThrow()).isCloseTo(1000, within(1e-9));
        assertThat(Quantity.factor("s", "MiB")).isEmpty();
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
        return configuration("a", measured, Optional.empty());
    }

    private static Configuration configuration(String name, Measured measured, Optional<String> experiment) {
        return new Configuration(
                name,
                new Configuration.Origin(experiment, experiment.orElse("one"), name),
                List.of(),
                List.of(measured),
                List.of(),
                false,
                List.of());
    }

    private static Measured peaks(double[] values) {
        return new Measured(
                Quantity.of(Metric.PEAK),
                IntStream.range(0, values.length)
                        .mapToObj(i -> new Measured.Observation(i + 1, values[i], false))
                        .toList());
    }

    private static Measured times(JsonNode values, double horizon) {
        return times(Goldens.doubles(values), horizon);
    }

    private static Measured times(double[] values, double horizon) {
        return new Measured(
                Quantity.of(Metric.T90),
                Arrays.stream(values)
                        .mapToObj(v -> new Measured.Observation(0, v, v >= horizon))
                        .toList(),
                OptionalDouble.of(horizon),
                0,
                Optional.empty());
    }

    private static Measured binned(double[] values, double horizon) {
        Measured exact = times(values, horizon);
        return new Measured(exact.metric(), exact.runs(), exact.horizon(), 1, Optional.empty());
    }

    private static Measured bound(Measured exact) {
        return new Measured(exact.metric(), exact.runs(), exact.horizon(), exact.bin(), Optional.of("C2 still waited"));
    }
}
