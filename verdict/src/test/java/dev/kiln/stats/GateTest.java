package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.stats.Gate.FigureBound;
import dev.kiln.stats.Gate.GateSide;
import dev.kiln.stats.Gate.Rule;
import dev.kiln.stats.Gate.Verdict;
import dev.kiln.stats.Student.PairedRatio;
import dev.kiln.stats.Student.Welch;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateTest {
    private static final double[] BASE = {1000, 1002, 998, 1001, 999};

    private static double[] scaled(double factor) {
        return Arrays.stream(BASE).map(v -> v * factor).toArray();
    }

    private static Gate point(double baseline, double current, double tolerance) {
        return Gate.point(baseline, current, new Rule(tolerance, false, 1, 1));
    }

    private static Gate interval(double[] baseline, double[] current, double tolerance) {
        return Gate.of(
                new GateSide(baseline), new GateSide(current), new Rule(tolerance, false, 1, 1), Resolution.EXACT);
    }

    private static Gate either(double[] baseline, double[] current, double tolerance, int looks) {
        return Gate.of(
                new GateSide(baseline), new GateSide(current), new Rule(tolerance, true, 1, looks), Resolution.EXACT);
    }

    /** A published comparison of two releases. */
    @ParameterizedTest
    @CsvSource({
        "137.0, 120.0, 14.2, 1.0",
        "179.0, 153.0, 17.0, 1.0",
        "261.0, 215.0, 21.4, 1.0",
        "342.0, 301.0, 13.6, 2.0",
        "148.0, 128.0, 15.6, 1.0",
        "637.0, 745.2, -14.5, -5.0"
    })
    void thePointRule(double current, double baseline, double variance, double tolerance) {
        Gate gate = point(baseline, current, tolerance);
        assertThat(gate.change().pct()).isCloseTo(variance, within(0.05));
        assertThat(gate.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(gate.notes()).containsExactly("one figure a side: the point rule cannot tell a change from noise");
        assertThat(gate.change().loPct()).isEmpty();
        assertThat(gate.change().hiPct()).isEmpty();
        assertThat(gate.change().detectablePct()).isEmpty();
    }

    @Test
    void theSignOfTheToleranceSaysWhichWayIsBetter() {
        assertThat(point(100, 101, 1).verdict()).isEqualTo(Verdict.PASS);
        assertThat(point(100, 50, 1).verdict()).isEqualTo(Verdict.PASS);
        assertThat(point(100, 102, 1).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(point(100, 200, -1).verdict()).isEqualTo(Verdict.PASS);
        assertThat(point(100, 75, -25).verdict()).isEqualTo(Verdict.PASS);
        assertThat(point(100, 74, -25).verdict()).isEqualTo(Verdict.FAIL);
        for (double bad : new double[] {0, Double.NaN, Double.NEGATIVE_INFINITY}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new Rule(bad, false, 1, 1));
        }
    }

    @Test
    void theIntervalRuleWorksBothWays() {
        assertThat(interval(BASE, scaled(1.001), 1).verdict()).isEqualTo(Verdict.PASS);
        assertThat(interval(BASE, scaled(1.02), 1).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(interval(BASE, scaled(1.01), 1).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(interval(BASE, scaled(0.5), 1).verdict()).isEqualTo(Verdict.PASS);
        assertThat(interval(BASE, scaled(0.5), -1).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(interval(BASE, scaled(0.99), -1).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(interval(BASE, scaled(1.5), -1).verdict()).isEqualTo(Verdict.PASS);
        assertThat(interval(BASE, scaled(1.001), 1).notes()).isEmpty();
    }

    /** Half as much, by runs so noisy that 5 % could never have been seen: no doubt about the half. */
    @Test
    void whatIsWhollyBeyondFailsWhateverThePower() {
        double[] before = {800, 1000, 1250, 900, 1100};
        double[] now = {410, 500, 630, 440, 560};
        Gate gate = interval(before, now, -5);
        assertThat(gate.change().detectablePct().orElseThrow()).isGreaterThan(5);
        assertThat(gate.change().hiPct().orElseThrow()).isLessThan(-30);
        assertThat(gate.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(either(before, now, 5, 1).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(interval(before, now, 5).verdict())
                .as("and what is wholly inside passes")
                .isEqualTo(Verdict.PASS);
        assertThat(gate.runsNeeded()).isEmpty();
    }

    @Test
    void anUnderPoweredGateIsOneThatCannotDecide() {
        double[] noisy = {900, 1000, 1100};
        Gate gate = interval(noisy, noisy, 5);
        assertThat(gate.verdict()).isEqualTo(Verdict.UNDER_POWERED);
        double sd = Math.sqrt(Descriptive.sampleVariance(Series.logs(noisy)));
        double noncentrality = Power.byT(0.1, 4);
        assertThat(gate.change().detectablePct().orElseThrow())
                .isCloseTo(100 * Math.expm1(noncentrality * sd * Math.sqrt(2.0 / 3)), within(1e-9));
        int needed = runs(gate);
        assertThat(Power.byT(0.1, 2.0 * needed - 2) * sd * Math.sqrt(2.0 / needed))
                .isLessThanOrEqualTo(Math.log(1.05));
        assertThat(gate.notes())
                .singleElement()
                .asString()
                .startsWith("under-powered: the tolerance of 5 % is below the ")
                .endsWith("; " + needed + " runs a side can show a change of its size");
        assertThat(runs(interval(BASE, scaled(1.01), 1))).isBetween(10, 20);
        assertThat(interval(BASE, scaled(1.01), 1).notes())
                .singleElement()
                .asString()
                .startsWith("inconclusive at look 1 of 1: the tolerance lies within the interval; ")
                .endsWith(" runs a side can make one half as wide");
    }

    private static int runs(Gate gate) {
        return ((RunsNeeded.Runs) gate.runsNeeded().orElseThrow()).aSide();
    }

    /** Both sides of a change of the tolerance, and no change: the gate's own rule reaches what it says. */
    @Test
    void runsNeededReachTheirPowerByTheRuleThatDecides() {
        SplittableRandom random = new SplittableRandom(5);
        for (boolean eitherWay : new boolean[] {false, true}) {
            Rule rule = new Rule(5, eitherWay, 1, 1);
            double noise = 0.04;
            int n = 2;
            while (Power.byT(0.1, 2.0 * n - 2, eitherWay ? 0.9 : 0.8) * noise * Math.sqrt(2.0 / n) > Math.log(1.05)) {
                n++;
            }
            int passed = 0;
            for (int i = 0; i < 2000; i++) {
                Gate gate = Gate.of(
                        new GateSide(logNormal(random, n, 1000, noise)),
                        new GateSide(logNormal(random, n, 1000, noise)),
                        rule,
                        Resolution.EXACT);
                passed += gate.verdict() == Verdict.PASS ? 1 : 0;
            }
            assertThat(passed / 2000.0).isBetween(0.75, 0.85);
        }
    }

    /** 4 s is 3.5 to 4.5 s, however many runs there are. */
    @Test
    void noNumberOfRunsTellsWhatABinHides() {
        for (int n : new int[] {4, 12, 48}) {
            double[] runs = new double[n];
            Arrays.fill(runs, 4);
            Gate gate = Gate.of(
                    new GateSide(runs), new GateSide(runs), new Rule(10, false, 1, 1), new Resolution(1, 1, "s"));
            assertThat(gate.verdict()).isEqualTo(Verdict.UNDER_POWERED);
            assertThat(gate.change().detectablePct().orElseThrow()).isGreaterThan(25);
            assertThat(gate.runsNeeded()).hasValue(new RunsNeeded.NoNumber(RunsNeeded.Why.RESOLUTION));
            assertThat(gate.notes())
                    .singleElement()
                    .asString()
                    .endsWith("no number of runs can show a change of its size: each figure is known to 1 s");
        }
    }

    @Test
    void aSideWithOneRunDecidesNothing() {
        Gate gate = Gate.undecided(
                new GateSide(new double[] {21}),
                new GateSide(new double[] {90}, FigureBound.BEYOND),
                new Rule(10, false, 1, 1));
        assertThat(gate.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(gate.current()).isEqualTo(new Gate.Figure(90, FigureBound.BEYOND));
    }

    /** Two hours that differ by a third, and 10 % between the variants in each: only pairs show it. */
    @Test
    void runsOfOneBlockAreComparedWithOneAnother() {
        double[] before = {1000, 1300, 1010, 1290};
        double[] now = {1101, 1428, 1112, 1421};
        Rule rule = new Rule(5, false, 1, 1);
        Gate pairs = Gate.ofBlocks(new GateSide(before), new GateSide(now), rule, Resolution.EXACT, true);
        PairedRatio ratio = PairedRatio.of(before, now, rule.confidence());
        assertThat(pairs.change().loPct().orElseThrow()).isCloseTo(100 * (ratio.lo() - 1), within(1e-9));
        assertThat(pairs.change().hiPct().orElseThrow()).isCloseTo(100 * (ratio.hi() - 1), within(1e-9));
        assertThat(pairs.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(pairs.change().paired()).isTrue();
        assertThat(interval(before, now, 5).verdict()).isEqualTo(Verdict.UNDER_POWERED);
        assertThat(interval(before, now, 5).change().paired()).isFalse();
        // 10 % more, 30 % more, 5 % less: the pairs do not agree, and the runs that it takes are those of pairs.
        double[] mixed = {1100, 1690, 960, 1300};
        Gate open = Gate.ofBlocks(new GateSide(before), new GateSide(mixed), rule, Resolution.EXACT, true);
        PairedRatio noise = PairedRatio.of(before, mixed, 0.95);
        assertThat(open.verdict()).isEqualTo(Verdict.UNDER_POWERED);
        int needed = runs(open);
        assertThat(Power.byT(0.1, needed - 1.0) * noise.seLog() * 2 / Math.sqrt(needed))
                .isLessThanOrEqualTo(Math.log(1.05));
        assertThat(Power.byT(0.1, needed - 2.0) * noise.seLog() * 2 / Math.sqrt(needed - 1))
                .isGreaterThan(Math.log(1.05));
    }

    @Test
    void looksShareTheirAlphaOnBothSides() {
        Gate one = interval(BASE, scaled(1.01), 1);
        Gate three =
                Gate.of(new GateSide(BASE), new GateSide(scaled(1.01)), new Rule(1, false, 2, 3), Resolution.EXACT);
        Welch wide = Welch.ratio(BASE, scaled(1.01), 1 - 0.1 / 3);
        assertThat(three.change().confidence()).isCloseTo(1 - 0.1 / 3, within(1e-12));
        assertThat(three.change().loPct().orElseThrow()).isCloseTo(100 * (wide.lo() - 1), within(1e-9));
        assertThat(three.change().hiPct().orElseThrow())
                .isGreaterThan(one.change().hiPct().orElseThrow());
        Gate both = either(BASE, scaled(1.01), 1.2, 3);
        assertThat(both.change().hiPct()).isEqualTo(three.change().hiPct());
        assertThat(either(BASE, scaled(1.01), 1.2, 1).verdict()).isEqualTo(Verdict.PASS);
        assertThat(both.verdict()).as("three looks need more for the same").isEqualTo(Verdict.INCONCLUSIVE);
        for (int[] bad : new int[][] {{0, 1}, {2, 1}, {1, 4}}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new Rule(1, false, bad[0], bad[1]));
        }
    }

    /** No change: over three looks at most 5 % may fail on either side, also where neither more nor less is tolerated. */
    @Test
    void lookingThreeTimesRaisesNoFalseAlarms() {
        SplittableRandom random = new SplittableRandom(11);
        int failed = 0;
        int experiments = 4_000;
        for (int e = 0; e < experiments; e++) {
            double[] a = logNormal(random, 15, 1000, 0.03);
            double[] b = logNormal(random, 15, 1010, 0.03);
            boolean any = false;
            for (int look = 1; look <= 3; look++) {
                Gate gate = Gate.of(
                        new GateSide(Arrays.copyOf(a, 5 * look)),
                        new GateSide(Arrays.copyOf(b, 5 * look)),
                        new Rule(1, true, look, 3),
                        Resolution.EXACT);
                any |= gate.verdict() == Verdict.FAIL;
            }
            failed += any ? 1 : 0;
        }
        assertThat(failed / (double) experiments).isLessThan(0.055);
    }

    private static double[] logNormal(SplittableRandom random, int runs, double centre, double noise) {
        double[] out = new double[runs];
        Arrays.setAll(out, i -> centre * Math.exp(noise * random.nextGaussian()));
        return out;
    }

    /** What may be higher decides only what a higher figure would not turn. */
    @Test
    void aLowerBoundIsOneInAGateToo() {
        GateSide current = new GateSide(scaled(1.1), FigureBound.AT_LEAST);
        GateSide baseline = new GateSide(scaled(1.1), FigureBound.AT_LEAST);
        Rule higherIsBetter = new Rule(-5, false, 1, 1);
        Rule lowerIsBetter = new Rule(5, false, 1, 1);
        Gate atLeast = Gate.of(new GateSide(BASE), current, higherIsBetter, Resolution.EXACT);
        assertThat(atLeast.verdict()).isEqualTo(Verdict.PASS);
        assertThat(atLeast.change().hiPct()).isEmpty();
        assertThat(Gate.of(new GateSide(BASE), current, lowerIsBetter, Resolution.EXACT)
                        .verdict())
                .isEqualTo(Verdict.FAIL);
        assertThat(Gate.of(
                                new GateSide(BASE),
                                new GateSide(scaled(0.5), FigureBound.AT_LEAST),
                                higherIsBetter,
                                Resolution.EXACT)
                        .verdict())
                .isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(atLeast.change().detectablePct()).isPresent();
        // Of two bounds there is no change, so there is none to detect.
        assertThat(Gate.of(baseline, current, lowerIsBetter, Resolution.EXACT)
                        .change()
                        .detectablePct())
                .isEmpty();
        Gate atMost = Gate.of(baseline, new GateSide(BASE), higherIsBetter, Resolution.EXACT);
        assertThat(atMost.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(atMost.change().loPct()).isEmpty();
        assertThat(Gate.of(baseline, current, higherIsBetter, Resolution.EXACT).verdict())
                .isEqualTo(Verdict.INCONCLUSIVE);
    }

    /** 38 s against 40 s is 5.3 %, and may be 2.6 or 8.1 %. */
    @Test
    void timesAreKnownToTheirBin() {
        GateSide before = new GateSide(new double[] {38, 38, 38, 38});
        GateSide now = new GateSide(new double[] {40, 40, 40, 40});
        assertThat(Gate.of(before, now, new Rule(5, false, 1, 1), Resolution.EXACT)
                        .verdict())
                .isEqualTo(Verdict.FAIL);
        Gate gate = Gate.of(before, now, new Rule(5, false, 1, 1), new Resolution(1, 1, "s"));
        assertThat(gate.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(gate.change().loPct().orElseThrow()).isCloseTo(100 * (39.5 / 38.5 - 1), within(1e-9));
        assertThat(gate.change().hiPct().orElseThrow()).isCloseTo(100 * (40.5 / 37.5 - 1), within(1e-9));
        Gate finer = Gate.of(before, now, new Rule(5, false, 1, 1), new Resolution(1, 0.5, "s"));
        assertThat(finer.change().hiPct().orElseThrow())
                .as("each side is known to its own bin")
                .isCloseTo(100 * (40.25 / 37.5 - 1), within(1e-9));
    }
}
