package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesAnalyzerTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    /** Level with a small ripple, so that segments have a variance. */
    private static double[] level(int n, double level) {
        double[] x = new double[n];
        for (int i = 0; i < n; i++) {
            x[i] = level + 3 * ((i * 7) % 5 - 2);
        }
        return x;
    }

    private static double[] join(double[]... parts) {
        return Arrays.stream(parts).flatMapToDouble(Arrays::stream).toArray();
    }

    private static Analysed warmup(double[] x) {
        return (Analysed) SeriesAnalyzer.warmup(x, CONFIG);
    }

    private static List<Warning.Code> codes(Analysed a) {
        return a.warnings().stream().map(Warning::code).toList();
    }

    @Test
    void aShortSeriesSaysHowMuchIsMissing() {
        SeriesAnalysis a = SeriesAnalyzer.warmup(level(59, 100), CONFIG);
        assertThat(a).isInstanceOf(NotEnoughData.class);
        NotEnoughData missing = (NotEnoughData) a;
        assertThat(missing.bins()).isEqualTo(59);
        assertThat(missing.binsNeeded()).isEqualTo(1);
        assertThat(missing.why()).isEqualTo("needs 1 more seconds: 59 bins of 60");
        assertThat(missing.requests()).isCloseTo(Descriptive.sum(level(59, 100)), within(1e-9));
        assertThat(SeriesAnalyzer.warmup(level(60, 100), CONFIG)).isInstanceOf(Analysed.class);
        assertThat(SeriesAnalyzer.againstReference(level(59, 100), 90, CONFIG)).isInstanceOf(NotEnoughData.class);
    }

    @Test
    void theMeasuringPhaseMayBeShorter() {
        assertThat(SeriesAnalyzer.measuring(level(9, 100), CONFIG)).isInstanceOf(NotEnoughData.class);
        assertThat(SeriesAnalyzer.measuring(new double[0], CONFIG).bins()).isZero();
        assertThat(((NotEnoughData) SeriesAnalyzer.measuring(level(4, 100), CONFIG)).binsNeeded())
                .isEqualTo(6);
        for (int[] expected : new int[][] {{10, 10}, {30, 10}, {33, 11}, {89, 29}, {90, 30}, {119, 30}}) {
            Analysed a = (Analysed) SeriesAnalyzer.measuring(level(expected[0], 100), CONFIG);
            assertThat(a.minTailUsed()).isEqualTo(expected[1]);
            assertThat(a.tailBins()).isEqualTo(expected[1]);
        }
        Analysed longer = (Analysed) SeriesAnalyzer.measuring(level(121, 100), CONFIG);
        assertThat(longer.tailBins()).isEqualTo(31);
        assertThat(codes(longer)).isEmpty();
        assertThat(codes((Analysed) SeriesAnalyzer.measuring(level(30, 100), CONFIG)))
                .containsExactly(Warning.Code.SHORT_TAIL);
    }

    @Test
    void aWarmupIsCountedInSecondsOfItsBins() {
        double[] x = join(level(40, 300), level(80, 1000));
        AnalysisConfig halves = withBinSeconds(0.5);
        Analysed a = (Analysed) SeriesAnalyzer.warmup(x, halves);
        assertThat(a.steadyClass()).isEqualTo(SteadyClass.WARMUP);
        assertThat(a.changepoints()).containsExactly(40);
        assertThat(a.steadyStart()).hasValue(20);
        assertThat(a.timeToPeak(90).orElseThrow().seconds()).hasValue(20);
        assertThat(a.timeToPeak(90).orElseThrow().lastBelow()).hasValue(19.5);
        assertThat(a.requests()).isCloseTo(Descriptive.sum(x) / 2, within(1e-9));
        assertThat(a.deficitRequests().orElseThrow()).isCloseTo(40 * 700 / 2.0, within(20.0));
        assertThat(a.efficiency().orElseThrow()).isCloseTo(0.7667, within(1e-3));
        assertThat(a.timeToPeak(42)).isEmpty();
        assertThat(((NotEnoughData) SeriesAnalyzer.warmup(level(57, 100), halves)).why())
                .startsWith("needs 1.5 more seconds");
    }

    private static AnalysisConfig withBinSeconds(double w) {
        AnalysisConfig d = CONFIG;
        return new AnalysisConfig(
                w,
                60,
                30,
                0.25,
                10,
                d.measuringTailShare(),
                0.05,
                15,
                5,
                21,
                3,
                2,
                0.05,
                10,
                10,
                5,
                2,
                2,
                10,
                1,
                1.05,
                0.95,
                0.01,
                0.02,
                5);
    }

    @Test
    void aLateStepLeavesNoSteadyState() {
        Analysed a = warmup(join(level(95, 1000), level(25, 2000)));
        assertThat(a.steady()).isFalse();
        assertThat(a.steadyClass()).isEqualTo(SteadyClass.NO_STEADY_STATE);
        assertThat(a.steadyStart()).isEmpty();
        assertThat(a.peakUsed()).isEmpty();
        assertThat(a.efficiency()).isEmpty();
        assertThat(a.timeToPeak()).allMatch(TimeToPeak::censored);
        // One bin more than W after the step is enough of a steady state.
        assertThat(warmup(join(level(90, 1000), level(30, 2000))).steady()).isTrue();
    }

    @Test
    void aDecliningTailIsNamed() {
        double[] x = new double[120];
        for (int i = 0; i < x.length; i++) {
            x[i] = 2000 - 10 * i;
        }
        Analysed a = warmup(x);
        assertThat(a.trend()).isEqualTo(Trend.DECLINING);
        assertThat(a.subLabel()).isEqualTo(SubLabel.DECLINING);
        assertThat(a.tailGrowth()).isCloseTo(-10 * 30 / (2000 - 10 * 104.5), within(1e-9));
    }

    @Test
    void aDecliningTailAfterTurnsIsStillDeclining() {
        double[] fall = new double[60];
        for (int i = 0; i < fall.length; i++) {
            fall[i] = 2000 - 15 * i;
        }
        Analysed a = warmup(join(level(20, 1000), level(20, 2000), level(20, 1000), level(20, 2000), fall));
        assertThat(a.reversals()).isGreaterThanOrEqualTo(2);
        assertThat(a.subLabel()).isEqualTo(SubLabel.DECLINING);
    }

    @Test
    void twoTurnsMakeAnOscillationOneDoesNot() {
        Analysed one = warmup(join(level(40, 1000), level(40, 2000), level(40, 1000)));
        assertThat(one.reversals()).isEqualTo(1);
        Analysed two = warmup(join(level(60, 1000), level(15, 2000), level(8, 1000), level(15, 2000)));
        assertThat(two.reversals()).isEqualTo(2);
        assertThat(two.steady()).isFalse();
        assertThat(two.subLabel()).isEqualTo(SubLabel.OSCILLATING);
        Analysed steadyAtLast = warmup(join(level(30, 1000), level(30, 2000), level(30, 1000), level(60, 2000)));
        assertThat(steadyAtLast.reversals()).isEqualTo(2);
        assertThat(steadyAtLast.steady()).isTrue();
        assertThat(steadyAtLast.subLabel()).isEqualTo(SubLabel.LEVEL);
        assertThat(steadyAtLast.steadyClass()).isEqualTo(SteadyClass.WARMUP);
    }

    @Test
    void smallMovesAreNoReversals() {
        // 4 % of the highest level: the segments differ, the moves do not count.
        Analysed a = warmup(join(level(40, 1000), level(40, 1040), level(40, 1000), level(40, 1040)));
        assertThat(a.changepoints()).isNotEmpty();
        assertThat(a.reversals()).isZero();
        assertThat(a.steadyClass()).isEqualTo(SteadyClass.FLAT);
        assertThat(a.steadyStart()).hasValue(0);
    }

    @Test
    void slowdownNeedsAnEarlierLevelAboveDelta() {
        assertThat(warmup(join(level(60, 1100), level(60, 1000))).steadyClass()).isEqualTo(SteadyClass.SLOWDOWN);
        Analysed late = warmup(join(level(40, 400), level(40, 1200), level(60, 1000)));
        assertThat(late.steadyClass()).isEqualTo(SteadyClass.SLOWDOWN);
        assertThat(late.steadyStart()).hasValue(80);
    }

    @Test
    void dipsAreMaskedForLevelsAndKeptForTheDeficit() {
        double[] x = level(120, 1000);
        x[60] = 0;
        x[100] = 100;
        x[101] = 100;
        Analysed a = warmup(x);
        assertThat(a.masked()).containsExactly(60, 100, 101);
        assertThat(a.changepoints()).isEmpty();
        assertThat(a.peakSelf()).isCloseTo(1000, within(1.0));
        assertThat(a.deficitRequests().orElseThrow()).isCloseTo(1000 + 900 + 900, within(60.0));
        assertThat(codes(a)).containsExactly(Warning.Code.DIPS_MASKED, Warning.Code.DISTURBANCES);
        assertThat(a.warnings().get(0).text()).startsWith("3 bins masked");
        assertThat(a.warnings().get(1).text()).endsWith("second 60, 100, 101");
    }

    @Test
    void aDipOfThreeIsNotMaskedAndDoesNotUndoTheSteadyState() {
        double[] x = level(150, 1000);
        Arrays.fill(x, 143, 146, 700);
        Analysed a = warmup(x);
        assertThat(a.masked()).isEmpty();
        assertThat(a.changepoints()).containsExactly(143);
        assertThat(a.steady()).isTrue();
        assertThat(a.steadyStart()).hasValue(0);
        assertThat(a.level()).isCloseTo(1000, within(5.0));
        assertThat(a.warnings().getLast().text()).endsWith("second 143, 144, 145");
    }

    @Test
    void runsOfThreeOutliersAreNotMaskedWhereTheWindowShowsThem() {
        // In a window of 41 bins, P10 is the fifth smallest: three dips stand out, and are signal all the same.
        double[] x = level(100, 1000);
        Arrays.fill(x, 50, 53, 100);
        x[80] = 100;
        AnalysisConfig wide = new AnalysisConfig(
                1,
                60,
                30,
                0.25,
                10,
                CONFIG.measuringTailShare(),
                0.05,
                15,
                5,
                41,
                3,
                2,
                0.05,
                10,
                10,
                5,
                2,
                2,
                10,
                1,
                1.05,
                0.95,
                0.01,
                0.02,
                5);
        boolean[] masked = DipMask.of(x, wide);
        assertThat(masked[50] || masked[51] || masked[52]).isFalse();
        assertThat(masked[80]).isTrue();
        x[52] = 1000;
        x[99] = 100;
        masked = DipMask.of(x, wide);
        assertThat(masked[50] && masked[51] && masked[80] && masked[99]).isTrue();
        assertThat(masked[49] || masked[52]).isFalse();
    }

    @Test
    void aTailAboveItsOnlySegmentIsNoSteadyState() {
        Segments one = new Segments(30, List.of(), new Partition(List.of(), 0), List.of(8000.0));
        Tail tail = new Tail(10, 8661, 8600, 0.04, new TailTrend(-0.01, 0.8, Trend.LEVEL));
        SteadyState state = SteadyState.of(30, one, tail, CONFIG);
        assertThat(state.start()).isEqualTo(30);
        assertThat(state.steady()).isFalse();
        assertThat(state.subLabel()).isEqualTo(SubLabel.LEVEL);
        Tail close = new Tail(10, 8400, 8400, 0.04, new TailTrend(-0.01, 0.8, Trend.LEVEL));
        assertThat(SteadyState.of(30, one, close, CONFIG).steadyClass()).isEqualTo(SteadyClass.FLAT);
    }

    @Test
    void aPlateauBelowTheReferenceIsSaid() {
        Analysed a = (Analysed) SeriesAnalyzer.againstReference(level(120, 900), 1000, CONFIG);
        assertThat(codes(a)).containsExactly(Warning.Code.PLATEAU_BELOW_REFERENCE);
        assertThat(a.peakUsed()).hasValue(1000);
        assertThat(a.timeToPeak(95).orElseThrow().censored()).isTrue();
        assertThat(a.plateauBelow(1000, 0.05)).isTrue();
        assertThat(a.plateauBelow(940, 0.05)).isFalse();
        Analysed close = (Analysed) SeriesAnalyzer.againstReference(level(120, 960), 1000, CONFIG);
        assertThat(close.warnings()).isEmpty();
        Analysed climbing = warmup(join(level(95, 1000), level(25, 2000)));
        assertThat(climbing.plateauBelow(1e6, 0.05)).isFalse();
    }

    @Test
    void aServiceThatServesNothingHasNoPeak() {
        Analysed a = warmup(new double[100]);
        assertThat(a.peakUsed()).isEmpty();
        assertThat(a.tailCv()).isZero();
        assertThat(a.tailGrowth()).isZero();
        assertThat(a.trend()).isEqualTo(Trend.LEVEL);
        assertThat(codes(a)).contains(Warning.Code.NO_THROUGHPUT);
    }

    @Test
    void aDayIsAnalysedWithinTheMemoryOfItsSlopes() {
        double[] x = join(level(1500, 300), level(6500, 1000));
        Analysed a = warmup(x);
        assertThat(a.tailBins()).isEqualTo(2000);
        assertThat(a.steadyStart()).hasValue(1500);
        assertThat(a.steady()).isTrue();
    }

    @Test
    void badInputIsNamedByItsIndex() {
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1}) {
            double[] x = level(100, 100);
            x[17] = bad;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SeriesAnalyzer.warmup(x, CONFIG))
                    .withMessageContaining("bin 17");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SeriesAnalyzer.againstReference(level(100, 100), 0, CONFIG))
                .withMessageContaining("referencePeak");
    }
}
