package dev.kiln.explain;

import static dev.kiln.explain.HandMade.assess;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Disturbance;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.SeriesAnalyser;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.SeriesAnalysis.MeasuredLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a series is held against: its own peak, that of other runs, or that of another variant, by the same rules. */
class HeldAgainstTest {
    private static final AnalysisConfig CONFIG = AnalysisConfig.defaults();

    private static SeriesAnalysis of(double[] first, double[] measured) {
        return SeriesAnalyser.analyse(first, new MeasuredLoad(measured, List.of()), Optional.empty(), CONFIG);
    }

    /** A little higher than what is served, as that of another variant is. */
    private static Peak peak(double value) {
        return of(seconds(60, value), seconds(20, value)).peak().orElseThrow();
    }

    private static SeriesAnalysis against(SeriesAnalysis series, double value) {
        return SeriesAnalyser.against(series, peak(value), CONFIG);
    }

    private static double[] parts(double[]... parts) {
        return Stream.of(parts).flatMapToDouble(Arrays::stream).toArray();
    }

    @Test
    void whatFollowsAStopSaysNothingOfWhenAnotherPeakWasReached() {
        SeriesAnalysis broken = of(then(seconds(16, 22_000), seconds(40, 55)), seconds(20, 55));

        assertThat(broken.time(90).orElseThrow().seconds()).hasValue(0);
        assertThat(against(broken, 23_000).time(90).orElseThrow().seconds()).hasValue(0);
    }

    @Test
    void aLevelOfTheLastSecondAloneIsNotThatOfAnotherPeakEither() {
        SeriesAnalysis late = of(then(seconds(59, 500), seconds(1, 1000)), seconds(20, 1000));

        assertThat(late.time(90).orElseThrow().seconds()).isEmpty();
        assertThat(against(late, 1010).time(90).orElseThrow().seconds()).isEmpty();
    }

    @Test
    void whatHasNoTimesToItsOwnPeakHasNoneToAnother() {
        SeriesAnalysis totals = of(seconds(60, 1000), seconds(20, 1000)).withoutTimes();

        assertThat(against(totals, 1200).times()).isEmpty();
        assertThat(against(totals, 1200).warmupCost().orElseThrow().seconds().value())
                .isCloseTo(10, within(0.1));
    }

    @Test
    void whatHasNoPeakIsNotHeldAgainstAnother() {
        SeriesAnalysis less = of(seconds(60, 1000), seconds(20, 450));

        assertThat(less.peak()).isEmpty();
        assertThat(against(less, 1200)).isEqualTo(less);
    }

    @Test
    void theOwnPeakIsTheOneThatIsPrintedUnlessThatOfOtherRunsStandsIn() {
        SeriesAnalysis broken = of(then(seconds(16, 22_000), seconds(40, 55)), new double[0]);
        MeasuredLoad bounded = new MeasuredLoad(seconds(20, 800), List.of(Peak.PeakBound.STARVED));
        SeriesAnalysis above =
                SeriesAnalyser.analyse(parts(seconds(30, 1000), seconds(30, 700)), bounded, Optional.empty(), CONFIG);
        SeriesAnalysis stoodIn = SeriesAnalyser.analyse(seconds(60, 790), bounded, Optional.of(peak(1100)), CONFIG);

        assertThat(broken.reference().own()).isEqualTo(broken.peak()).isPresent();
        assertThat(above.peak().orElseThrow().value()).isCloseTo(1000, within(1.0));
        assertThat(above.reference().own()).isEqualTo(above.peak());
        assertThat(stoodIn.peak().orElseThrow().value()).isCloseTo(1100, within(1.0));
        assertThat(stoodIn.reference().own().orElseThrow().value()).isCloseTo(800, within(1.0));
    }

    @Test
    void aStopSoonAfterALongStartHasALevelBeforeIt() {
        SeriesAnalysis series = of(parts(seconds(25, 0), seconds(10, 1000), seconds(5, 0)), new double[0]);

        assertThat(series.shape().stoppedSeconds()).hasValue(35);
        assertThat(series.peak().orElseThrow().value()).isCloseTo(1000, within(1.0));
        assertThat(series.time(90).orElseThrow().seconds()).hasValue(25);
    }

    @Test
    void aShortLoadAfterThePauseIsNotJoinedAway() {
        assertThat(of(seconds(60, 3), seconds(12, 3)).binSeconds()).isEqualTo(2);
        assertThat(of(seconds(60, 3), seconds(60, 3)).binSeconds()).isEqualTo(5);
    }

    @Test
    void runsOfWhichOneServedNothingAfterThePauseHaveNoPooledCurve() {
        HandMade broken =
                measured("a", 0, then(seconds(16, 22_000), seconds(44, 0))).numbered(2);
        HandMade fine = measured("a", 1000, then(seconds(20, 500), seconds(40, 1000)));

        assertThat(assess(fine, broken).variants().getFirst().pooled()).isEmpty();
    }

    @Test
    void anOutageWithinAFallIsCountedOnce() {
        double[] first = parts(seconds(40, 1000), seconds(8, 700), seconds(4, 0), seconds(8, 700), seconds(40, 1000));
        List<Disturbance> told = of(first, seconds(30, 1000)).shape().disturbances();

        assertThat(told).extracting(Disturbance::kind).contains(Disturbance.Kind.FALL, Disturbance.Kind.OUTAGE);
        assertThat(told.stream().mapToDouble(Disturbance::lost).sum()).isCloseTo(16 * 300 + 4 * 1000, within(100.0));
    }

    @Test
    void whatStoodBeforeAFallIsNotCalledLevel() {
        SeriesAnalysis series = of(parts(seconds(32, 1000), seconds(12, 700), seconds(46, 1000)), seconds(30, 1000));

        assertThat(series.shape().disturbances()).extracting(Disturbance::kind).containsExactly(Disturbance.Kind.FALL);
        assertThat(series.ending().orElseThrow().levelSeconds()).isEqualTo(46);
    }
}
