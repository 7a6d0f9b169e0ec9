package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartitionerTest {
    @Test
    void keepsTheCandidateThatPruningForGoodWouldLose() {
        Partition p = Partitioner.partition(new double[] {0, 1, 0, 0, 1}, SegmentCost.L2, 0.1, 2);
        assertThat(p.changepoints()).isEmpty();
        assertThat(p.objective()).isCloseTo(1.2, within(1e-12));
    }

    @ParameterizedTest
    @EnumSource(RandomSeries.class)
    void equalsThePlainRecursionOnShortSeries(RandomSeries shape) {
        Random random = new Random(shape.name().hashCode());
        for (int seed = 0; seed < 400; seed++) {
            int minSegment = 1 + random.nextInt(6);
            int n = minSegment + random.nextInt(60);
            assertSame(shape.draw(n, seed), random.nextDouble() * 40, minSegment);
        }
    }

    @ParameterizedTest
    @EnumSource(RandomSeries.class)
    void equalsThePlainRecursionOnSeriesOfManyBlocks(RandomSeries shape) {
        Random random = new Random(100 + shape.name().hashCode());
        for (int seed = 0; seed < 12; seed++) {
            int n = 400 + random.nextInt(900);
            double factor = seed % 3 == 0 ? 15 : random.nextDouble() * 5;
            assertSame(shape.draw(n, seed), factor * Math.log(n), 1 + random.nextInt(8));
        }
    }

    @Test
    void noSegmentCostsLessThanTheLeastPerBin() {
        for (SegmentCost kind : SegmentCost.values()) {
            for (RandomSeries shape : RandomSeries.values()) {
                FittedCost cost = kind.fit(shape.draw(120, 4));
                for (int s = 0; s < 115; s++) {
                    for (int t = s + 1; t <= 120; t++) {
                        assertThat(cost.cost(s, t))
                                .isGreaterThanOrEqualTo((t - s) * cost.leastPerBin() - cost.rounding());
                    }
                }
            }
        }
    }

    @Test
    void aPenaltyBeyondAllCostsChangesNothingButTheChangepoints() {
        for (RandomSeries shape : RandomSeries.values()) {
            assertSame(shape.draw(500, 6), 1e12, 5);
        }
    }

    @Test
    void equalsThePlainRecursionWithTiesAndNoPenalty() {
        for (int seed = 0; seed < 20; seed++) {
            assertSame(RandomSeries.FEW_VALUES.draw(300 + seed, seed), 0, 2);
            assertSame(RandomSeries.CONSTANT.draw(300 + seed, seed), 0, 1);
        }
    }

    private static void assertSame(double[] x, double penalty, int minSegment) {
        for (SegmentCost cost : SegmentCost.values()) {
            double scaled = cost == SegmentCost.L2 ? penalty * Math.max(1, Descriptive.sampleVariance(x)) : penalty;
            if (!Double.isFinite(scaled)) {
                scaled = penalty;
            }
            assertThat(Partitioner.partition(x, cost, scaled, minSegment))
                    .isEqualTo(PlainPartitioner.partition(x, cost, scaled, minSegment));
        }
    }

    @ParameterizedTest
    @EnumSource(SegmentCost.class)
    void theMinorantIsSuperadditiveAndWithinItsSlack(SegmentCost kind) {
        for (RandomSeries shape : RandomSeries.values()) {
            double[] x = shape.draw(200, 3);
            FittedCost cost = kind.fit(x);
            Random random = new Random(5);
            for (int i = 0; i < 2_000; i++) {
                int s = random.nextInt(190);
                int join = s + 1 + random.nextInt(198 - s);
                int t = join + 1 + random.nextInt(200 - join);
                double parts =
                        cost.minorant(s, join) + cost.minorant(join, t) - cost.slack(s, join, t) - cost.rounding();
                assertThat(parts).as(shape + " " + s + " " + join + " " + t).isLessThanOrEqualTo(cost.cost(s, t));
            }
        }
    }

    @Test
    void aStepIsFoundAtItsFirstBinAndTheFirstOfTiesWins() {
        double[] x = new double[40];
        Arrays.fill(x, 20, 40, 100);
        for (int i = 0; i < x.length; i++) {
            x[i] += i % 2;
        }
        assertThat(Partitioner.partition(x, SegmentCost.NORMAL, 10, 5).changepoints())
                .containsExactly(20);
        double[] tie = {0, 0, 5, 5, 5, 5, 0, 0};
        assertThat(Partitioner.partition(tie, SegmentCost.L2, 1, 3).changepoints())
                .isEqualTo(PlainPartitioner.partition(tie, SegmentCost.L2, 1, 3).changepoints());
    }

    @Test
    void theObjectiveIsInTheUnitOfTheDefinition() {
        double[] x = {10, 12, 10, 12, 10, 12};
        // Population variance 1: m (ln 2pi + 0 + 1).
        assertThat(Partitioner.partition(x, SegmentCost.NORMAL, 1000, 2).objective())
                .isCloseTo(6 * (Math.log(2 * Math.PI) + 1), within(1e-9));
        assertThat(Partitioner.partition(x, SegmentCost.L2, 1000, 2).objective())
                .isCloseTo(6, within(1e-9));
        double[] still = {7, 7, 7, 7};
        assertThat(Partitioner.partition(still, SegmentCost.NORMAL, 1, 2).objective())
                .isCloseTo(4 * (Math.log(2 * Math.PI) + Math.log(1e-11) + 1), within(1e-9));
    }

    @Test
    void theScaleDoesNotMoveChangepoints() {
        double[] x = RandomSeries.STEPS.draw(300, 9);
        double[] y = Arrays.stream(x).map(v -> v * 1e-6 + 3).toArray();
        assertThat(Partitioner.partition(y, SegmentCost.NORMAL, 80, 5).changepoints())
                .isEqualTo(Partitioner.partition(x, SegmentCost.NORMAL, 80, 5).changepoints())
                .isNotEmpty();
    }

    @Test
    void aStillStretchIsOneSegment() {
        double[] x = RandomSeries.IDLE_THEN_BUSY.draw(400, 2);
        assertThat(Partitioner.partition(x, SegmentCost.NORMAL, 15 * Math.log(400), 5)
                        .changepoints())
                .containsExactly(300);
    }

    @Test
    void refusesWhatCannotBeSegmented() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Partitioner.partition(new double[] {1, 2}, SegmentCost.L2, 1, 3))
                .withMessageContaining("3 bins does not fit into 2 bins");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Partitioner.partition(new double[] {1, 2}, SegmentCost.L2, 1, 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Partitioner.partition(new double[] {1, Double.NaN}, SegmentCost.L2, 1, 1))
                .withMessageContaining("bin 1");
        for (double penalty : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Partitioner.partition(new double[] {1, 2}, SegmentCost.L2, penalty, 1))
                    .withMessageContaining("penalty");
        }
    }
}
