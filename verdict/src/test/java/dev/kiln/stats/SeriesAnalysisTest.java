package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.series.Cycle;
import dev.kiln.stats.series.Disturbance;
import dev.kiln.stats.series.Ending;
import dev.kiln.stats.series.HeldLevel;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.Peak.PeakBound;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import dev.kiln.stats.series.SeriesAnalysis.WarmupCost;
import dev.kiln.stats.series.TimeToPeak;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeriesAnalysisTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    private static double[] curve(int n, IntToDoubleFunction at) {
        return IntStream.range(0, n).mapToDouble(at).toArray();
    }

    private static double[] level(int n, double rate) {
        return curve(n, i -> rate);
    }

    private static SeriesAnalysis of(double[] first, double[] measured, PeakBound... bounds) {
        return SeriesAnalyser.analyse(first, new MeasuredLoad(measured, List.of(bounds)), Optional.empty(), CONFIG);
    }

    private static double t90(SeriesAnalysis series) {
        return series.time(90).orElseThrow().seconds().orElse(Double.NaN);
    }

    @Test
    void aStepToThePeak() {
        SeriesAnalysis step = of(curve(60, i -> i < 20 ? 500 : 1000), level(30, 1000));

        assertThat(step.peak().orElseThrow().value()).isEqualTo(1000);
        assertThat(step.peak().orElseThrow().lowerBound()).isFalse();
        assertThat(step.times()).extracting(TimeToPeak::percent).containsExactly(50, 90, 95, 99);
        assertThat(step.time(50).orElseThrow().seconds()).hasValue(0);
        assertThat(t90(step)).isEqualTo(20);
        assertThat(step.endOverPeak().orElseThrow().value()).isCloseTo(1, within(1e-12));
        assertThat(step.endOverPeak().orElseThrow().within(0.98, 1.02)).isTrue();
        Ending ending = step.ending().orElseThrow();
        assertThat(ending.bins()).isEqualTo(30);
        assertThat(ending.fromSeconds()).isEqualTo(30);
        assertThat(ending.levelSeconds()).isEqualTo(40);
        assertThat(ending.growth().value()).isCloseTo(0, within(1e-12));
        WarmupCost warmupCost = step.warmupCost().orElseThrow();
        assertThat(warmupCost.requests()).isEqualTo(50_000);
        assertThat(warmupCost.seconds().value()).isCloseTo(10, within(1e-9));
        assertThat(warmupCost.lost().value()).isCloseTo(10_000, within(1e-6));
        assertThat(warmupCost.lost().lo()).isLessThan(10_000);
        assertThat(warmupCost.efficiency()).isCloseTo(50 / 60.0, within(1e-12));
        assertThat(step.served().requests()).isEqualTo(50_000);
        assertThat(step.seconds()).isEqualTo(60);
        assertThat(step.jump().orElseThrow().ratio().value()).isEqualTo(1);
        assertThat(step.shape().disturbances()).isEmpty();
    }

    @Test
    void theFirstSecondAfterThePauseIsNoPartOfThePeak() {
        double[] restarted = level(21, 1000);
        restarted[0] = 100;

        assertThat(of(level(60, 1000), restarted).peak().orElseThrow().value()).isEqualTo(1000);
    }

    @Test
    void anOutageAfterThePeakMovesNothingAndIsTold() {
        double[] hit = curve(90, i -> i < 20 ? 500 : i >= 50 && i < 58 ? 0 : 1000);
        SeriesAnalysis series = of(hit, level(30, 1000));

        assertThat(t90(series)).isEqualTo(20);
        assertThat(series.endOverPeak().orElseThrow().value()).isCloseTo(1, within(1e-9));
        assertThat(series.shape().disturbances())
                .containsExactly(new Disturbance(Disturbance.Kind.OUTAGE, 50, 8, 8000, 0));
        assertThat(series.shape().stoppedSeconds()).isEmpty();
        assertThat(series.warmupCost().orElseThrow().lost().value())
                .as("what it cost is counted")
                .isCloseTo(18_000, within(1e-6));
    }

    @Test
    void whatEndedBeforeTheLoadAfterThePauseHadItsPeakUntilThen() {
        SeriesAnalysis series = of(curve(60, i -> i < 20 ? 500 : 1000), curve(20, i -> i < 15 ? 1000 : 0));

        assertThat(series.peak().orElseThrow().value()).isEqualTo(1000);
        assertThat(t90(series)).isEqualTo(20);
        assertThat(series.shape().disturbances())
                .containsExactly(new Disturbance(Disturbance.Kind.OUTAGE, 15, 5, 5000, 1));
    }

    @Test
    void whatEndedLongBeforeTheLoadAfterThePauseHadItsPeakUntilThenToo() {
        SeriesAnalysis series = of(curve(60, i -> i < 20 ? 500 : 1000), curve(60, i -> i < 40 ? 1000 : 0));

        assertThat(series.peak().orElseThrow().value()).isEqualTo(1000);
        assertThat(series.shape().disturbances())
                .containsExactly(new Disturbance(Disturbance.Kind.OUTAGE, 40, 20, 20_000, 1));
    }

    @Test
    void aDeepDipIsTold() {
        double[] dip = level(60, 1000);
        dip[30] = 600;

        assertThat(of(dip, level(30, 1000)).shape().disturbances())
                .containsExactly(new Disturbance(Disturbance.Kind.DIP, 30, 1, 400, 0));
    }

    @Test
    void theEndOfALoadThatClimbsSteepestAtItsEndIsThatOfItsLastSeconds() {
        double[] first = {
            396, 499, 580, 670, 807, 970, 1377, 2581, 3428, 4288, 4431, 4743, 3772, 3762, 4132, 4598, 5061, 5243, 5711,
            8228, 8759, 8628, 9973, 11115, 11572, 10731, 10463, 10979, 11588, 18024, 15333, 15288, 13319, 18721, 23664,
            26157, 29015, 22218, 23023, 25738
        };
        double[] after = {
            27633, 26728, 24586, 26433, 27325, 27987, 27405, 28415, 27344, 31544, 34867, 25556, 31956, 26841, 30365
        };
        SeriesAnalysis climb = of(first, after);
        Ending ending = climb.ending().orElseThrow();

        assertThat(ending.level().value()).isBetween(20_000.0, 27_600.0);
        assertThat(ending.level().lo()).isLessThan(22_000);
        assertThat(ending.level().hi()).isGreaterThan(27_600);
        assertThat(climb.endOverPeak().orElseThrow().lo())
                .as("of a peak of 28,400")
                .isGreaterThan(0.5);
        assertThat(ending.growth().above(0)).isTrue();
        assertThat(ending.bins()).isLessThan(10);
        assertThat(ending.fromSeconds()).isEqualTo(10);
    }

    @Test
    void theEndOfALevelBelowThePeakIsAllOfItsLastHalfMinute() {
        Ending ending = of(level(60, 500), level(30, 1000)).ending().orElseThrow();

        assertThat(ending.bins()).isEqualTo(30);
        assertThat(ending.fromSeconds()).isEqualTo(30);
    }

    @Test
    void aPeakIsALowerBoundWhereItWasStillRising() {
        SeriesAnalysis climbing = of(level(60, 500), curve(31, i -> 600 + 10 * i));

        assertThat(climbing.peak().orElseThrow().bounds()).containsExactly(PeakBound.CLIMBING);
        assertThat(climbing.peak().orElseThrow().value()).isCloseTo(755, within(1e-9));
        assertThat(climbing.peak().orElseThrow().level())
                .as("of its second half")
                .isCloseTo(830, within(10.0));
        assertThat(of(level(60, 500), level(30, 600), PeakBound.STARVED)
                        .peak()
                        .orElseThrow()
                        .bounds())
                .containsExactly(PeakBound.STARVED);
        assertThat(of(level(60, 500), curve(31, i -> 1000 + i))
                        .peak()
                        .orElseThrow()
                        .lowerBound())
                .as("3 % over the phase do not count")
                .isFalse();
    }

    @Test
    void aLoadThatDeclinesIsNoReference() {
        SeriesAnalysis series = of(level(60, 850), curve(31, i -> 1000 - 10 * i));

        assertThat(series.absence()).contains(Peak.Absence.DECLINES);
        assertThat(series.peak()).isEmpty();
        assertThat(series.times()).isEmpty();
        assertThat(series.endOverPeak()).isEmpty();
        assertThat(series.warmupCost()).isEmpty();
        assertThat(series.measured().orElseThrow().value()).as("still told").isCloseTo(845, within(1e-9));
        assertThat(series.ownTimes()).hasSize(4);
    }

    @Test
    void aLevelHeldBeforeIsThePeakOfALoadThatServesLess() {
        SeriesAnalysis series = of(curve(90, i -> i < 40 ? 1000 : 700), level(30, 700));

        assertThat(series.shape().slowing()).isTrue();
        HeldLevel held = series.shape().held().orElseThrow();
        assertThat(held.fromSeconds()).isZero();
        assertThat(held.seconds()).isEqualTo(40);
        assertThat(held.level()).isEqualTo(1000);
        assertThat(series.peak().orElseThrow().value()).isEqualTo(1000);
        assertThat(series.endOverPeak().orElseThrow().value()).isCloseTo(0.7, within(1e-9));
    }

    @Test
    void aBetterPeakOfOtherRunsStandsInForALowerBoundOnly() {
        Peak better = new Peak(new Estimate(2000, 1950, 2050), 0.95, 0.01, 2000, 0.01, List.of(), 3);
        double[] first = level(60, 1000);

        SeriesAnalysis bounded = SeriesAnalyser.analyse(
                first, new MeasuredLoad(level(30, 1200), List.of(PeakBound.STARVED)), Optional.of(better), CONFIG);
        assertThat(bounded.peak()).contains(better);
        assertThat(bounded.endOverPeak().orElseThrow().value()).isEqualTo(0.5);
        assertThat(bounded.measured().orElseThrow().value()).isEqualTo(1200);
        SeriesAnalysis found = SeriesAnalyser.analyse(
                first, new MeasuredLoad(level(30, 1200), List.of()), Optional.of(better), CONFIG);
        assertThat(found.peak().orElseThrow().value()).isEqualTo(1200);
    }

    @Test
    void ofSeveralRoundsTheLastIsThePeakAndTheFirstTheJump() {
        SeriesAnalysis series = SeriesAnalyser.analyse(
                level(60, 500),
                new MeasuredLoad(level(15, 1500), List.of(level(15, 2000)), List.of()),
                Optional.empty(),
                CONFIG);

        assertThat(series.peak().orElseThrow().value()).isEqualTo(2000);
        assertThat(series.jump().orElseThrow().ratio().value()).isEqualTo(3);
    }

    /** The last alone would put the peak at 1,350, and tell nothing of rounds that differ. */
    @Test
    void roundsThatStoodAtThePeakTellItTogether() {
        SeriesAnalysis series = SeriesAnalyser.analyse(
                level(60, 500),
                new MeasuredLoad(
                        level(15, 1050), List.of(level(15, 1500), level(15, 1350), level(15, 1350)), List.of()),
                Optional.empty(),
                CONFIG);

        Peak peak = series.peak().orElseThrow();
        assertThat(peak.value()).isEqualTo(1400);
        assertThat(peak.error()).isCloseTo(50.0 / 1400, within(1e-6));
        assertThat(peak.throughput().hi())
                .as("95 %, and wider as the noise is known from few bins")
                .isCloseTo(1528, within(1.0));
    }

    /** Bins of 5 requests are joined by threes: of 61 one is left over. */
    @Test
    void requestsAreCountedWhetherTheirBinsCanBeJoinedOrNot() {
        assertThat(SeriesAnalyser.analyse(level(61, 5), CONFIG).served().requests())
                .isEqualTo(305);
        assertThat(SeriesAnalyser.analyse(level(1, 5), CONFIG).served().requests())
                .isEqualTo(5);
        assertThat(SeriesAnalyser.analyse(level(1, 5), CONFIG).seconds()).isEqualTo(1);
    }

    @Test
    void withoutALoadAfterAPauseThereIsNoPeak() {
        SeriesAnalysis series = SeriesAnalyser.analyse(curve(60, i -> i < 20 ? 500 : 1000), CONFIG);

        assertThat(series.peak()).isEmpty();
        assertThat(series.times()).isEmpty();
        assertThat(series.ownTimes().get(1).seconds()).hasValue(20);
        assertThat(series.ending().orElseThrow().level().value()).isEqualTo(1000);
    }

    @Test
    void aShortSeriesHasAPeakAndATimeButNoEnd() {
        SeriesAnalysis series = of(curve(9, i -> i < 4 ? 500 : 1000), level(20, 1000));

        assertThat(t90(series)).isEqualTo(4);
        assertThat(series.ending()).isEmpty();
        assertThat(series.endOverPeak()).isEmpty();
        assertThat(series.warmupCost().orElseThrow().seconds().value()).isCloseTo(2, within(1e-9));
        assertThat(of(new double[0], new double[0]).times()).isEmpty();
        assertThat(of(level(60, 100), level(20, 0)).peak()).as("served nothing").isEmpty();
    }

    /** Of 4 requests a second 15 make a bin of 4 s; of 1 they would make 15 s, which tells no time. */
    @Test
    void binsOfFewRequestsAreJoined() {
        SeriesAnalysis four = of(curve(240, i -> i < 60 ? 1 : 4), level(60, 4));

        assertThat(four.binSeconds()).isEqualTo(4);
        assertThat(four.bins()).hasSize(60);
        assertThat(t90(four)).isEqualTo(60);
        assertThat(four.served().requests()).isEqualTo(780);
        assertThat(four.seconds()).isEqualTo(240);
        assertThat(of(level(240, 1), level(60, 1)).binSeconds()).isEqualTo(5);
        assertThat(of(level(60, 15), level(30, 15)).binSeconds()).isEqualTo(1);
    }

    @Test
    void aLoadThatWaitsForALevelEndsAtOne() {
        assertThat(SeriesAnalyser.analyse(level(35, 1000), CONFIG).level(CONFIG))
                .isTrue();
        assertThat(SeriesAnalyser.analyse(level(19, 1000), CONFIG).level(CONFIG))
                .isFalse();
        assertThat(SeriesAnalyser.analyse(curve(60, i -> 500 + 10 * i), CONFIG).level(CONFIG))
                .isFalse();
        assertThat(SeriesAnalyser.analyse(curve(90, i -> i < 45 ? 1000 : 800), CONFIG)
                        .level(CONFIG))
                .as("slowing")
                .isFalse();
        assertThat(SeriesAnalyser.analyse(curve(60, i -> i < 55 ? 1000 : 0), CONFIG)
                        .level(CONFIG))
                .as("stopped")
                .isFalse();
        assertThat(SeriesAnalyser.analyse(curve(120, i -> i / 10 % 2 == 0 ? 1000 : 600), CONFIG)
                        .level(CONFIG))
                .as("cycling")
                .isFalse();
        assertThat(SeriesAnalyser.analyse(level(60, 0), CONFIG).level(CONFIG))
                .as("nothing served")
                .isFalse();
    }

    @Test
    void aCycleHasItsLevelsAndItsPeriod() {
        Cycle cycle = of(curve(120, i -> i / 10 % 2 == 0 ? 1000 : 600), level(20, 1000))
                .shape()
                .cycle()
                .orElseThrow();

        assertThat(cycle.sure()).isTrue();
        assertThat(cycle.high()).isCloseTo(1000, within(1e-6));
        assertThat(cycle.low()).isCloseTo(600, within(1e-6));
        assertThat(cycle.periodBins()).isEqualTo(20);
    }

    @Test
    void aStopIsTheLongestEndOfNothing() {
        assertThat(of(curve(60, i -> i < 55 ? 1000 : 0), level(30, 1000))
                        .shape()
                        .stoppedSeconds())
                .hasValue(55);
        assertThat(of(curve(60, i -> i < 40 ? 1000 : 20), level(30, 1000))
                        .shape()
                        .stoppedSeconds())
                .hasValue(40);
        assertThat(of(curve(60, i -> i < 58 ? 1000 : 0), level(30, 1000))
                        .shape()
                        .stoppedSeconds())
                .as("two seconds may be a collection")
                .isEmpty();
        assertThat(of(curve(60, i -> i < 56 ? 2 : 0), level(30, 2)).shape().stoppedSeconds())
                .as("where two are served, four seconds of none may be chance")
                .isEmpty();
    }

    @Test
    void rangesOfInputAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(new double[] {1, -1}, new double[0]))
                .withMessageContaining("bin 1 is negative");
        assertThatIllegalArgumentException().isThrownBy(() -> of(level(20, 1), new double[] {Double.NaN}));
    }

    @Test
    void thePeakOfRunsIsTheirGeometricMean() {
        Peak peak = Peak.ofRuns(List.of(peak(1000), peak(1210)), 0.95);

        assertThat(peak.value()).isCloseTo(1100, within(1e-9));
        assertThat(peak.runs()).isEqualTo(2);
        // Two logs 0.19062 apart: standard error 0.09531, t(.975, 1) = 12.7062.
        double reach = Math.exp(12.7062047 * Math.log(1.21) / 2);
        assertThat(peak.throughput().hi()).isCloseTo(1100 * reach, within(0.01));
        assertThat(peak.throughput().lo()).isCloseTo(1100 / reach, within(0.01));
        assertThat(Peak.ofRuns(List.of(peak(1000), peak(3000, PeakBound.STARVED)), 0.95)
                        .value())
                .as("a lower bound counts only where no peak was found")
                .isEqualTo(1000);
        assertThat(Peak.ofRuns(List.of(peak(1000, PeakBound.CLIMBING), peak(1000, PeakBound.STARVED)), 0.95)
                        .bounds())
                .containsExactly(PeakBound.CLIMBING, PeakBound.STARVED);
    }

    private static Peak peak(double value, PeakBound... bounds) {
        return new Peak(new Estimate(value, value, value), 0.95, 0.01, value, 0.01, Arrays.asList(bounds), 1);
    }
}
