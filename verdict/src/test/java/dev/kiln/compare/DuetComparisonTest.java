package dev.kiln.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.compare.DuetComparison.DuetBlock;
import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.Estimate;
import dev.kiln.stats.Student;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Two variants of a known ratio, measured at once on halves of which the first is a fifth faster. */
class DuetComparisonTest {
    private static final double FASTER = 1.2;
    private static final double RATIO = 1.1;
    private static final int SECONDS = 20;

    /** @param place of the variant in the experiment, from 0; after the pause it serves these seconds */
    private static HandMade run(int place, int block, double... seconds) {
        HandMade made = new HandMade(place == 0 ? "a" : "b", 1)
                .numbered(block)
                .load("warmup", 10, HandMade.seconds(SECONDS, 1000))
                .pause("pause", 15)
                .load("measure", 45, seconds);
        made.beside = Optional.of(new RunInfo.Duet(place == 0 ? "b" : "a", block, RunInfo.Duet.half(place, block)));
        return made;
    }

    private static double level(int place, int block) {
        return 1000 * (place == 0 ? 1 : RATIO) * (RunInfo.Duet.half(place, block) == 1 ? FASTER : 1);
    }

    private static Optional<DuetComparison> compared(int blocks, IntFunction<UnaryOperator<double[]>> machine) {
        List<HandMade> runs = new ArrayList<>();
        for (int block = 1; block <= blocks; block++) {
            for (int place = 0; place < 2; place++) {
                double[] seconds = HandMade.seconds(SECONDS, level(place, block));
                runs.add(run(place, block, machine.apply(block).apply(seconds)));
            }
        }
        return DuetComparison.of(HandMade.assess(runs.toArray(HandMade[]::new)));
    }

    private static UnaryOperator<double[]> quiet(int block) {
        return seconds -> seconds;
    }

    @Test
    void halvesThatAreSwappedCancel() {
        DuetComparison duet = compared(4, DuetComparisonTest::quiet).orElseThrow();
        assertThat(duet.blocks()).extracting(DuetBlock::half).containsExactly(1, 2, 1, 2);
        assertThat(duet.blocks().getFirst().ratio()).isCloseTo(RATIO / FASTER, within(1e-3));
        assertThat(duet.blocks().getLast().ratio()).isCloseTo(RATIO * FASTER, within(1e-3));
        assertThat(duet.ratio().orElseThrow().value()).isCloseTo(RATIO, within(1e-3));
        assertThat(duet.ratio().orElseThrow().above(1)).isTrue();
        assertThat(duet.leftOut()).isEmpty();
    }

    @Test
    void whatDisturbsBothInTheSameSecondsIsNoPartOfTheRatio() {
        Estimate ratio = compared(6, block -> seconds -> {
                    double[] disturbed = Arrays.copyOf(seconds, seconds.length);
                    for (int i = 8; i < 13; i++) {
                        disturbed[i] *= 1 - 0.1 * block;
                    }
                    return disturbed;
                })
                .orElseThrow()
                .ratio()
                .orElseThrow();
        assertThat(ratio.value()).isCloseTo(RATIO, within(2e-3));
        assertThat(ratio.hi() / ratio.lo()).isLessThan(1.005);
    }

    /** Few requests a second are told in longer bins; what is paired are seconds. */
    @Test
    void secondsAreCountedOnce() {
        List<HandMade> runs = new ArrayList<>();
        for (int block = 1; block <= 4; block++) {
            for (int place = 0; place < 2; place++) {
                runs.add(run(place, block, HandMade.seconds(SECONDS, 5)));
            }
        }
        ExperimentResult result = HandMade.assess(runs.toArray(HandMade[]::new));
        assertThat(result.variants().getFirst().runs().getFirst().series().binSeconds())
                .isGreaterThan(1);
        assertThat(DuetComparison.of(result).orElseThrow().blocks())
                .extracting(DuetBlock::seconds)
                .containsOnly(SECONDS - 1.0);
    }

    @Test
    void withoutTwoBlocksOfEitherHalfThereIsNoInterval() {
        assertThat(compared(3, DuetComparisonTest::quiet).orElseThrow().ratio()).isEmpty();
        assertThat(compared(3, DuetComparisonTest::quiet).orElseThrow().blocks())
                .hasSize(3);
    }

    @Test
    void aBlockWithoutTwoRunsAtTheirPeaksIsLeftOut() {
        double[] climbing = new double[SECONDS];
        Arrays.setAll(climbing, second -> 500 + 50.0 * second);
        DuetComparison duet = DuetComparison.of(HandMade.assess(
                        run(0, 1, HandMade.seconds(SECONDS, 1000)),
                        run(1, 1, climbing),
                        run(0, 2, HandMade.seconds(SECONDS, 1000)).ended(Outcome.TARGET_FAILED, "killed"),
                        run(1, 2, HandMade.seconds(SECONDS, 1000))))
                .orElseThrow();
        assertThat(duet.blocks()).isEmpty();
        assertThat(duet.leftOut())
                .containsExactly(
                        "block 1 is left out: b run 1 was not at a level in the load after the pause",
                        "block 2 is left out: a has no valid run in it");
    }

    @Test
    void runsThatFollowedOneAnotherAreNoDuet() {
        HandMade alone = HandMade.measured("a", 1000, HandMade.seconds(SECONDS, 1000));
        HandMade other = HandMade.measured("b", 1000, HandMade.seconds(SECONDS, 1000));
        assertThat(DuetComparison.of(HandMade.assess(alone, other))).isEmpty();
    }

    @Test
    void aRunBesideAnotherIsNotComparedWithOneAlone() {
        HandMade alone = run(0, 1, HandMade.seconds(SECONDS, 1000));
        alone.beside = Optional.empty();
        assertThat(configuration(run(0, 1, HandMade.seconds(SECONDS, 1000))).differences(configuration(alone)))
                .singleElement()
                .asString()
                .contains("different protocols", "beside another service");
    }

    private static Configuration configuration(HandMade run) {
        ExperimentResult result = HandMade.assess(run);
        return VariantRuns.of(result, result.variants().getFirst(), "here");
    }

    @Test
    void aCrossOverHasTheMiddleOfBothMeansAndTheVarianceWithinThem() {
        Student middle = Student.crossedOver(new double[] {0, 2}, new double[] {4, 6});
        assertThat(middle.estimate()).isEqualTo(3);
        assertThat(middle.df()).isEqualTo(2);
        assertThat(middle.se()).isCloseTo(Math.sqrt(0.5), within(1e-12));
    }
}
