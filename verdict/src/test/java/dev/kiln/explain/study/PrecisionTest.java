package dev.kiln.explain.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Student.PairedRatio;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrecisionTest {
    private static HandMade run(String variant, int block, double peak) {
        return HandMade.measured(variant, peak, HandMade.seconds(60, peak)).numbered(block);
    }

    @Test
    void oneRunHasNoInterval() {
        assertThat(Precision.width(HandMade.assess(run("a", 1, 1000)), 0.95)).isEmpty();
    }

    @Test
    void equalRunsHaveAnIntervalWithoutWidth() {
        assertThat(Precision.width(HandMade.assess(run("a", 1, 1000), run("a", 2, 1000)), 0.95)
                        .orElseThrow())
                .isCloseTo(0, within(1e-9));
    }

    /** Else an experiment would end, and its report would say that it takes more runs. */
    @Test
    void theRunsThatTheIntervalDecidesCanShowADifference() {
        Runs asked = new Runs(5, 10, OptionalDouble.of(0.05));
        assertThat(Precision.runs(asked, 1)).isEqualTo(asked);
        assertThat(Precision.runs(asked, 2)).isEqualTo(new Runs(7, 10, OptionalDouble.of(0.05)));
        assertThat(Precision.runs(new Runs(5, 6, OptionalDouble.of(0.05)), 2))
                .isEqualTo(new Runs(6, 6, OptionalDouble.of(0.05)));
        assertThat(Precision.runs(Runs.fixed(3), 2)).isEqualTo(Runs.fixed(3));
    }

    @Test
    void oneVariantIsJudgedByItsOwnPeak() {
        // Logs 0 and ln 1.01: mean 0.004975, standard error 0.004975, t(0.985, 1) = 21.2049; width exp(2 * 0.105499) -
        // 1.
        assertThat(Precision.width(HandMade.assess(run("a", 1, 1000), run("a", 2, 1010)), 0.95)
                        .orElseThrow())
                .isCloseTo(0.23492, within(1e-4));
    }

    /** As above, logs 0 and ln 1.01: t(0.975, 1) = 12.7062 of a fixed number, t(0.985, 1) of one that it chose. */
    @Test
    void thePeakIsPrintedWithTheIntervalThatChoseTheRuns() {
        assertThat(printed(Runs.fixed(2))).isCloseTo(0.13477, within(1e-4));
        assertThat(printed(new Runs(5, 10, OptionalDouble.of(0.05)))).isCloseTo(0.23492, within(1e-4));
    }

    private static double printed(Runs runs) {
        HandMade[] both = {run("a", 1, 1000), run("a", 2, 1010)};
        for (HandMade one : both) {
            one.runs = runs;
        }
        Estimate peak = HandMade.assess(both)
                .variants()
                .getFirst()
                .referencePeak()
                .orElseThrow()
                .throughput();
        return peak.hi() / peak.lo() - 1;
    }

    @Test
    void whatHasTheIntervalIsNamed() {
        assertThat(Runs.subject(1)).isEqualTo("the peak");
        assertThat(Runs.subject(3)).isEqualTo("each peak's ratio to that of the first variant");
    }

    @Test
    void whatDriftsInBothVariantsAlikeDoesNotWiden() {
        ExperimentResult drifting =
                HandMade.assess(run("a", 1, 1000), run("b", 1, 2000), run("a", 2, 1500), run("b", 2, 3000));
        assertThat(Precision.width(drifting, 0.95).orElseThrow()).isCloseTo(0, within(1e-9));
    }

    @Test
    void aVariantWithoutASecondRunKeepsItOpen() {
        ExperimentResult open = HandMade.assess(run("a", 1, 1000), run("b", 1, 2000), run("a", 2, 1500));
        assertThat(Precision.width(open, 0.95)).isEmpty();
    }

    /**
     * Blocks are added from the fifth on until the interval is as narrow as asked, at most to so many. Of any noise the
     * interval that is then printed holds the truth as often as it says.
     */
    @ParameterizedTest
    @CsvSource({"10, 0.95", "30, 0.95", "10, 0.9", "30, 0.9"})
    void anIntervalWhoseWidthStoppedTheRunsHoldsWhatItSays(int most, double asked) {
        int experiments = 3_000;
        for (double noise : new double[] {0.02, 0.03, 0.036, 0.045, 0.06, 0.1}) {
            SplittableRandom random = new SplittableRandom(17);
            int held = 0;
            for (int e = 0; e < experiments; e++) {
                held += holds(random, noise, most, asked) ? 1 : 0;
            }
            assertThat(held / (double) experiments)
                    .as("noise of %s, a width of 5 %%, 5 to %s blocks, asked for %s", noise, most, asked)
                    .isGreaterThan(asked - 0.95 + Precision.COVERAGE - 0.01);
        }
    }

    /** The ratio is 1. The width is that of the 95 % that an experiment asks for, what is printed may be a gate's 90 %. */
    private static boolean holds(SplittableRandom random, double noise, int most, double asked) {
        double[] a = new double[most];
        double[] b = new double[most];
        Arrays.setAll(a, i -> 1000 * (1 + 0.1 * random.nextDouble()));
        Arrays.setAll(b, i -> a[i] * Math.exp(noise * random.nextGaussian()));
        int n = 5;
        while (n < most && width(Precision.interval(Arrays.copyOf(a, n), Arrays.copyOf(b, n), 0.95)) > 0.05) {
            n++;
        }
        PairedRatio found = Precision.interval(Arrays.copyOf(a, n), Arrays.copyOf(b, n), asked);
        return found.lo() <= 1 && found.hi() >= 1;
    }

    private static double width(PairedRatio interval) {
        return interval.hi() / interval.lo() - 1;
    }
}
