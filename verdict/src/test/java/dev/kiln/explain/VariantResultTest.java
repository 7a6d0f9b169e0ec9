package dev.kiln.explain;

import static dev.kiln.explain.HandMade.assess;
import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.model.run.Course.Outcome;
import dev.kiln.stats.series.SeriesAnalysis;
import dev.kiln.stats.series.TimeToPeak;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class VariantResultTest {
    /** Runs of 60 s whose step up to 1,000 lies at these seconds; 60: never. */
    private static VariantResult steps(int... at) {
        HandMade[] runs = new HandMade[at.length];
        Arrays.setAll(
                runs,
                i -> measured("a", 1000, then(seconds(at[i], 500), seconds(60 - at[i], 1000)))
                        .numbered(i + 1));
        return assess(runs).variants().getFirst();
    }

    private static OptionalDouble of(double seconds) {
        return OptionalDouble.of(seconds);
    }

    @Test
    void oneRunHasItsOwnTimeAndNoPooledCurve() {
        VariantResult one = steps(20);

        assertThat(one.time(90)).contains(new TimeToPeak(90, of(20), of(20), of(20)));
        assertThat(one.pooled()).isEmpty();
        assertThat(one.endOverPeak().orElseThrow().value()).isCloseTo(1, within(1e-9));
        assertThat(one.verdict()).isEqualTo("peaked");
    }

    @Test
    void severalHaveTheirMedianAndRange() {
        assertThat(steps(30, 12, 20).time(90)).contains(new TimeToPeak(90, of(20), of(12), of(30)));
        assertThat(steps(30, 12).time(90)).contains(new TimeToPeak(90, of(21), of(12), of(30)));
    }

    /** A run that did not get there is later than all that did. */
    @Test
    void aRunThatDidNotGetThereStandsAtTheEndOfTheRange() {
        assertThat(steps(12, 20, 60).time(90).orElseThrow().words(60)).isEqualTo("20 s (12 to > 60)");
        assertThat(steps(12, 60).time(90).orElseThrow().words(60)).isEqualTo("> 60 s (12 to > 60)");
        assertThat(steps(60, 60).time(90).orElseThrow().words(60)).isEqualTo("not reached in 60 s");
    }

    @Test
    void thePooledCurveIsTheMeanOfRunsOverTheirOwnPeaks() {
        HandMade faster =
                measured("a", 2000, then(seconds(20, 1000), seconds(40, 2000))).numbered(2);
        SeriesAnalysis pooled = assess(measured("a", 1000, then(seconds(20, 500), seconds(40, 1000))), faster)
                .variants()
                .getFirst()
                .pooled()
                .orElseThrow();

        assertThat(pooled.peak().orElseThrow().value()).isCloseTo(Math.sqrt(2e6), within(1e-6));
        assertThat(pooled.time(90).orElseThrow().seconds()).hasValue(20);
        assertThat(pooled.bins()[0]).isCloseTo(Math.sqrt(2e6) / 2, within(1e-6));
    }

    @Test
    void verdictsOfValidRunsAreCounted() {
        VariantResult three = steps(12, 60, 20);

        assertThat(three.verdicts()).containsExactly(entry("peaked", 2L), entry("below peak", 1L));
        assertThat(three.verdict()).isEqualTo("2 peaked, 1 below peak");
    }

    @Test
    void invalidRunsCountOnlyWhereNoneIsValid() {
        HandMade failed = measured("a", 1000, seconds(60, 1000)).ended(Outcome.LAB_FAILED, "disk full");

        VariantResult mixed = assess(measured("a", 1000, then(seconds(12, 500), seconds(48, 1000))), failed.numbered(2))
                .variants()
                .getFirst();
        assertThat(mixed.verdict()).isEqualTo("peaked");
        assertThat(mixed.time(90).orElseThrow().seconds()).hasValue(12);
        assertThat(mixed.pooled()).isEmpty();
        VariantResult none = assess(failed).variants().getFirst();
        assertThat(none.verdict()).isEqualTo("invalid");
        assertThat(none.time(90)).isEmpty();
        assertThat(none.endOfWarmup()).isEmpty();
    }

    @Test
    void theEndIsTheMedianOfRuns() {
        VariantResult ends = assess(
                        measured("a", 1000, seconds(60, 700)),
                        measured("a", 1000, seconds(60, 1000)).numbered(2),
                        measured("a", 1000, seconds(60, 900)).numbered(3))
                .variants()
                .getFirst();

        assertThat(ends.endOfWarmup()).hasValue(900);
        assertThat(ends.endOverPeak().orElseThrow().value()).isCloseTo(0.9, within(1e-3));
    }
}
