package dev.kiln.model.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.FoundReference.Another;
import dev.kiln.model.experiment.FoundReference.C2Left;
import dev.kiln.model.experiment.FoundReference.End;
import dev.kiln.model.experiment.FoundReference.LastRound;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FoundReferenceTest {
    /** Levels measured of Spring on platform threads and one CPU; C2 waited in the loads until the sixth round. */
    private static final double[] MEASURED = {1503, 1801, 1791, 1910, 2010, 2082, 2140};

    private static final double WARMED_UP = 755;

    private static final LastRound LEVEL = new LastRound(0, false, C2Left.NOTHING, true, false, 0);

    @Test
    void aServiceThatWasAtItsPeakTakesOneRound() {
        assertThat(after(1000, false, 1005)).contains(End.FOUND);
        assertThat(after(1000, false, 1030)).as("3 % are no rise").contains(End.FOUND);
        assertThat(after(1000, false, 960)).as("4 % are no fall").contains(End.FOUND);
    }

    /** Levels measured on a noisy machine: the last alone is a tenth under the level that had been reached. */
    @Test
    void roundsCountFromTheFirstThatNoneExceeds() {
        assertThat(FoundReference.firstAtPeak(new double[] {1057, 1506, 1350, 1356}))
                .isEqualTo(1);
        assertThat(FoundReference.firstAtPeak(new double[] {1431, 1526, 1437, 1583, 1571}))
                .isEqualTo(3);
        assertThat(FoundReference.firstAtPeak(MEASURED)).as("3 % are no rise").isEqualTo(5);
        assertThat(FoundReference.firstAtPeak(new double[] {1563})).isZero();
    }

    @Test
    void aJumpAfterThePauseTakesAnotherRound() {
        assertThat(after(1000, false, 1031)).isEmpty();
        assertThat(after(1000, false, 2000, 2050)).contains(End.FOUND);
    }

    /** Measured of Spring on virtual threads: 3,563 req/s at the end of the load, and 3,124 in a ragged round. */
    @Test
    void oneLoadIsNotEnoughToSayThatAServiceBecameSlower() {
        assertThat(after(3563, false, 3124)).isEmpty();
        assertThat(after(3563, false, 3124, 3500)).contains(End.FOUND);
        assertThat(after(3563, false, 3124, 3110)).as("two agree").contains(End.FOUND);
    }

    @Test
    void whereNothingWasServedBeforeTheFirstRoundIsARise() {
        assertThat(after(0, false, 100)).isEmpty();
        assertThat(after(0, false, 0)).contains(End.FOUND);
    }

    @Test
    void aRoundThatMakesUpForASlowOneIsNoRise() {
        assertThat(after(900, false, 1000, 800, 1010)).contains(End.FOUND);
    }

    @Test
    void aStarvedCompilerTakesAnotherRoundHoweverLevelItIs() {
        assertThat(after(1000, true, 1000)).isEmpty();
        assertThat(after(1000, true, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000))
                .contains(End.C2_STARVED);
    }

    /** Measured with priority for the compilers: C2 took the CPU that requests had before. */
    @Test
    void aRoundInWhichC2TakesTheCpuIsNotAtThePeak() {
        double[] rounds = {371, 371};
        assertThat(after(417, 0, C2Left.BUSY, rounds)).isEmpty();
        assertThat(after(417, 0, C2Left.NOTHING, rounds)).contains(End.FOUND);
    }

    @Test
    void aServiceThatCompilesForEverEndsWithTheLastRound() {
        double[] level = new double[FoundReference.MOST_ROUNDS];
        Arrays.fill(level, 1000);
        assertThat(after(1000, 0, C2Left.BUSY, level)).contains(End.FOUND);
    }

    /** C2 got CPU in all eight rounds, and has a queue all the same: what it would bring is not known. */
    @Test
    void methodsThatStillWaitForC2LeaveALowerBound() {
        double[] level = new double[FoundReference.MOST_ROUNDS];
        Arrays.fill(level, 1000);
        assertThat(after(1000, 0, C2Left.BEHIND, Arrays.copyOf(level, 7))).isEmpty();
        assertThat(after(1000, 0, C2Left.BEHIND, level)).contains(End.C2_BEHIND);
        assertThat(Arrays.stream(End.values()).filter(End::mayRise))
                .containsExactly(End.STILL_RISING, End.C2_STARVED, End.C2_BEHIND, End.C2_UNKNOWN);
        assertThat(Arrays.stream(End.values()).filter(End::isFound)).containsExactly(End.FOUND, End.CONFIRMED);
    }

    @Test
    void whatWasFoundIsNoPeakWhereTheServiceCanDoMore() {
        assertThat(End.FOUND.shownBy(false, false)).isEqualTo(End.FOUND);
        assertThat(End.CONFIRMED.shownBy(false, true)).isEqualTo(End.SERVED_LESS);
        assertThat(End.FOUND.shownBy(true, true)).isEqualTo(End.FELL);
        assertThat(End.STILL_RISING.shownBy(true, true)).as("it found none").isEqualTo(End.STILL_RISING);
    }

    /**
     * Measured of Spring on virtual threads: 3,902 req/s at the end of the load, 3,772 in a round of a noisy machine, and a longer
     * search finds 4,813.
     */
    @Test
    void oneRoundThatShowsNoMoreThanTheEndIsNotEnough() {
        LastRound unsure = new LastRound(0, false, C2Left.NOTHING, false, false, 0);
        double[] rounds = {3772, 4800, 4813};
        assertThat(FoundReference.after(3902, Arrays.copyOf(rounds, 1), unsure)).isEmpty();
        assertThat(FoundReference.another(3902, Arrays.copyOf(rounds, 1), unsure))
                .contains(Another.ALONE);
        assertThat(FoundReference.after(3902, Arrays.copyOf(rounds, 2), unsure)).isEmpty();
        assertThat(FoundReference.after(3902, rounds, unsure)).contains(End.FOUND);
        assertThat(FoundReference.after(3902, new double[] {3772, 3800}, unsure))
                .as("the second is as high: there is nothing above")
                .contains(End.FOUND);
    }

    @Test
    void aDisturbedRoundTakesAnotherButNotForEver() {
        assertThat(disturbed(1, 1)).isEmpty();
        assertThat(disturbed(2, 2)).isEmpty();
        assertThat(disturbed(3, 3)).as("so is the machine").contains(End.FOUND);
        assertThat(disturbed(7, 2)).isEmpty();
        assertThat(disturbed(8, 1)).as("none may follow").contains(End.FOUND);
    }

    /** Two rounds rose, and the third was disturbed: it had ended the search. */
    @Test
    void roundsThatNobodyDisturbedDoNotCountAsDisturbed() {
        assertThat(disturbed(3, 1)).isEmpty();
        assertThat(disturbed(4, 2)).isEmpty();
    }

    private static Optional<End> disturbed(int rounds, int ofThem) {
        double[] level = new double[rounds];
        Arrays.fill(level, 1000);
        return FoundReference.after(1000, level, new LastRound(0, false, C2Left.NOTHING, true, false, ofThem));
    }

    @Test
    void aRoundInWhichNobodySawC2TakesAnotherOnce() {
        LastRound unseen = new LastRound(0, false, C2Left.UNSEEN, true, false, 0);
        LastRound again = new LastRound(0, false, C2Left.BLIND, true, false, 0);
        assertThat(FoundReference.another(1000, new double[] {1000}, unseen)).contains(Another.UNSEEN);
        assertThat(FoundReference.after(1000, new double[] {1000, 1000}, again)).contains(End.FOUND);
        assertThat(FoundReference.after(1000, new double[] {1000, 1000}, unseen))
                .as("it was seen before")
                .isEmpty();
        double[] all = new double[FoundReference.MOST_ROUNDS];
        Arrays.fill(all, 1000);
        assertThat(FoundReference.after(1000, all, unseen)).contains(End.C2_UNKNOWN);
        assertThat(after(1000, 0, C2Left.NONE, 1000)).as("there is none to see").contains(End.FOUND);
    }

    @Test
    void twoRoundsInWhichNobodySawC2HaveToAgree() {
        LastRound blind = new LastRound(0, false, C2Left.BLIND, true, false, 0);
        assertThat(FoundReference.another(1000, new double[] {1000, 700}, blind))
                .contains(Another.FELL);
        assertThat(FoundReference.after(1000, new double[] {1000, 700, 990}, blind))
                .contains(End.FOUND);
        assertThat(FoundReference.after(1000, new double[] {1000, 930, 940}, blind))
                .as("a third ends it, unless it surely fell")
                .contains(End.FOUND);
        assertThat(FoundReference.after(1000, new double[] {800, 790}, blind))
                .as("two agree that it became slower")
                .contains(End.FOUND);
    }

    /** Measured: 1,520 req/s in the first round and 611 in the second, which was called found. */
    @Test
    void aRoundThatSurelyServedLessThanAnEarlierOneIsNeverFound() {
        LastRound fell = new LastRound(0, true, C2Left.NOTHING, true, false, 0);
        assertThat(FoundReference.another(600, new double[] {1520, 611}, fell)).contains(Another.FELL);
        for (C2Left left : List.of(C2Left.NONE, C2Left.BLIND, C2Left.NOTHING, C2Left.BUSY, C2Left.STARVED)) {
            for (int rounds = 2; rounds <= FoundReference.MOST_ROUNDS; rounds++) {
                double[] levels = new double[rounds];
                Arrays.fill(levels, 611);
                levels[0] = 1520;
                assertThat(FoundReference.after(600, levels, new LastRound(0, true, left, true, true, rounds)))
                        .as("C2: %s, %d rounds", left, rounds)
                        .isEqualTo(rounds < FoundReference.MOST_ROUNDS ? Optional.empty() : Optional.of(End.FELL));
            }
        }
        assertThat(FoundReference.after(600, new double[] {1520, 611, 1515}, LEVEL))
                .as("the third is as high as the first")
                .contains(End.FOUND);
    }

    /** That no queue was recorded was read as an empty one. */
    @Test
    void aBusyC2WhoseQueueIsNotKnownLeavesALowerBound() {
        double[] level = new double[FoundReference.MOST_ROUNDS];
        Arrays.fill(level, 1000);
        assertThat(after(1000, 0, C2Left.UNTOLD, Arrays.copyOf(level, 7))).isEmpty();
        assertThat(after(1000, 0, C2Left.UNTOLD, level)).contains(End.C2_UNKNOWN);
    }

    @Test
    void aRoundThatAgreesWithEarlierRunsStandsInForAnother() {
        double[] risen = {2000};
        assertThat(FoundReference.after(1000, risen, new LastRound(0, false, C2Left.NOTHING, false, true, 0)))
                .contains(End.CONFIRMED);
        assertThat(FoundReference.after(1000, risen, new LastRound(-1, false, C2Left.NOTHING, false, true, 0)))
                .as("it fell within itself, so it shows no peak")
                .isEmpty();
        assertThat(FoundReference.after(1000, risen, new LastRound(0, false, C2Left.NONE, false, true, 0)))
                .as("there is no C2")
                .contains(End.CONFIRMED);
        for (C2Left left :
                List.of(C2Left.UNSEEN, C2Left.BLIND, C2Left.BUSY, C2Left.UNTOLD, C2Left.BEHIND, C2Left.STARVED)) {
            assertThat(FoundReference.after(1000, risen, new LastRound(0, false, left, false, true, 0)))
                    .as("C2: %s", left)
                    .isEmpty();
        }
        assertThat(FoundReference.after(1000, risen, new LastRound(1, false, C2Left.NOTHING, false, true, 0)))
                .as("still climbing")
                .isEmpty();
        assertThat(FoundReference.after(1000, risen, new LastRound(0, false, C2Left.NOTHING, false, true, 1)))
                .as("disturbed")
                .isEmpty();
        assertThat(FoundReference.after(
                        1000, new double[] {1000}, new LastRound(0, false, C2Left.NOTHING, false, true, 0)))
                .as("no more than the end: that all runs stop there shows no peak")
                .isEmpty();
        assertThat(FoundReference.after(
                        1000, new double[] {1000}, new LastRound(0, false, C2Left.NOTHING, true, true, 0)))
                .as("enough by itself")
                .contains(End.FOUND);
    }

    @Test
    void whatStillRisesInTheEighthRoundIsGivenUp() {
        double[] rising = new double[8];
        for (int i = 0; i < rising.length; i++) {
            rising[i] = 1000 * Math.pow(1.1, i + 1);
            Optional<End> end = after(1000, false, Arrays.copyOf(rising, i + 1));
            assertThat(end).isEqualTo(i < 7 ? Optional.empty() : Optional.of(End.STILL_RISING));
        }
        assertThat(End.STILL_RISING.text()).isEqualTo("still rising after 8 rounds");
    }

    @Test
    void aStarvedServiceIsFollowedToItsPeak() {
        for (int rounds = 1; rounds <= MEASURED.length; rounds++) {
            Optional<End> end = after(WARMED_UP, rounds < 6, Arrays.copyOf(MEASURED, rounds));
            assertThat(end)
                    .as("after %d rounds", rounds)
                    .isEqualTo(rounds < 7 ? Optional.empty() : Optional.of(End.FOUND));
        }
    }

    /** What climbs or declines within itself is no level: the analysis would take it for a lower bound, or for none. */
    @Test
    void aRoundThatIsNotLevelTakesAnother() {
        double[] flat = {1000};
        assertThat(after(1000, 1, C2Left.NOTHING, flat)).isEmpty();
        assertThat(after(1000, -1, C2Left.NOTHING, flat)).isEmpty();
        double[] all = new double[FoundReference.MOST_ROUNDS];
        Arrays.fill(all, 1000);
        assertThat(after(1000, 1, C2Left.NOTHING, all)).contains(End.STILL_RISING);
        assertThat(after(1000, -1, C2Left.NOTHING, all)).contains(End.DECLINING);
        double[] risen = all.clone();
        risen[7] = 1500;
        assertThat(after(1000, 0, C2Left.NOTHING, risen)).contains(End.STILL_RISING);
        assertThat(after(1000, -1, C2Left.NOTHING, risen))
                .as("more than before, and no level")
                .contains(End.DECLINING);
        assertThat(after(1000, -1, C2Left.STARVED, all)).contains(End.DECLINING);
    }

    @Test
    void roundsAreKnownByTheirNames() {
        assertThat(FoundReference.isRound(FoundReference.load(3))).isTrue();
        assertThat(FoundReference.isRound(FoundReference.pause(3))).isTrue();
        assertThat(FoundReference.isRound("reference")).isFalse();
        assertThat(FoundReference.isRound("measure")).isFalse();
    }

    private static Optional<End> after(double before, boolean starved, double... levels) {
        return after(before, 0, starved ? C2Left.STARVED : C2Left.NOTHING, levels);
    }

    private static Optional<End> after(double before, int change, C2Left c2, double... levels) {
        return FoundReference.after(before, levels, new LastRound(change, false, c2, true, false, 0));
    }
}
